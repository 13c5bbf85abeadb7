//! Callers, with the expiry of their tokens and the count of their calls.

use std::ops::Deref;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Caller, Taken};
use crate::heart::problem::Problem;

/// A caller, and the expiry of the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bearer {
    caller: Caller,
    /// Since the Unix epoch; `None`: no expiry.
    until: Option<Duration>,
}

impl Bearer {
    /// A token without expiry.
    #[must_use]
    pub fn permanent(caller: Caller) -> Self {
        let until = None;
        Self { caller, until }
    }

    /// A token that expires at this time since the Unix epoch.
    #[must_use]
    pub fn until(caller: Caller, until: Duration) -> Self {
        let until = Some(until);
        Self { caller, until }
    }

    /// # Errors
    /// When the token has expired.
    pub fn holds(&self) -> Result<(), Problem> {
        match self.left() {
            Some(Duration::ZERO) => Err(Problem::TokenExpired),
            Some(_) | None => Ok(()),
        }
    }

    /// Resolves when the token expires.
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

/// A bearer whose call is in flight; the call counts as long as a clone of this lives.
#[derive(Clone)]
pub struct Guest {
    bearer: Bearer,
    _call: Option<Arc<Taken>>,
}

impl Guest {
    /// The bearer, with the guard that counts the call.
    #[must_use]
    pub fn new(bearer: Bearer, call: Option<Taken>) -> Self {
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
