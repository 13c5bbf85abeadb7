//! Callers: who calls, and until when.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::Role;
use crate::heart::problem::Problem;

/// Who calls, as far as the token proves it, and when the token expires.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// As whom.
    pub role: Role,
    /// Since the Unix epoch; `None`: no expiry.
    until: Option<Duration>,
}

impl Caller {
    /// A caller without a token, of a server that trusts everybody.
    pub const OPEN: Self = Self {
        role: Role::Open,
        until: None,
    };

    /// A caller whose token does not expire.
    #[must_use]
    pub const fn new(role: Role) -> Self {
        Self { role, until: None }
    }

    /// A caller whose token expires at this time since the Unix epoch, if it does.
    #[must_use]
    pub fn until(self, until: impl Into<Option<Duration>>) -> Self {
        Self {
            until: until.into(),
            ..self
        }
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
