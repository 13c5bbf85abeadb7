//! Callers, with what their tokens say of time, and with what counts their calls.

use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Caller, Taken};
use crate::problem::Problem;

/// A caller, and until when the token holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearer {
    caller: Caller,
    /// Since the Unix epoch; `None`: no expiry.
    until: Option<Duration>,
}

impl Bearer {
    /// A token without an end.
    #[must_use]
    pub fn for_ever(caller: Caller) -> Self {
        let until = None;
        Self { caller, until }
    }

    /// A token that holds until then, since the Unix epoch.
    #[must_use]
    pub fn until(caller: Caller, until: Duration) -> Self {
        let until = Some(until);
        Self { caller, until }
    }

    /// # Errors
    /// When the token has come to its end.
    pub fn holds(&self) -> Result<(), Problem> {
        match self.left() {
            Some(Duration::ZERO) => Err(Problem::TokenExpired),
            Some(_) | None => Ok(()),
        }
    }

    /// Resolves when the token comes to its end.
    pub async fn ended(&self) {
        match self.left() {
            Some(left) => tokio::time::sleep(left).await,
            None => std::future::pending().await,
        }
    }

    fn left(&self) -> Option<Duration> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Some(self.until?.saturating_sub(now.unwrap_or_default()))
    }
}

impl Deref for Bearer {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

/// A bearer whose call is being answered; it counts as one of theirs as long as a clone of this lives.
#[derive(Clone)]
pub struct Guest {
    bearer: Bearer,
    _call: Option<Arc<Taken>>,
}

impl Guest {
    /// The bearer, with what counts the call.
    pub(super) fn new(bearer: Bearer, call: Option<Taken>) -> Self {
        Self {
            bearer,
            _call: call.map(Arc::new),
        }
    }
}

impl Deref for Guest {
    type Target = Bearer;

    fn deref(&self) -> &Bearer {
        &self.bearer
    }
}
