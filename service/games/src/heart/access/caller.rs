//! Callers: who calls, until when, and on whose account.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Account, Role};
use crate::heart::problem::Problem;

/// Who calls, as far as the token proves it, when the token expires, and whose budgets the call uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// As whom.
    pub role: Role,
    /// Whose budgets the call uses.
    pub account: Account,
    /// Since the Unix epoch; `None`: no expiry.
    until: Option<Duration>,
}

impl Caller {
    /// A caller without a token, of a server that trusts everybody.
    pub const OPEN: Self = Self {
        role: Role::Open,
        account: Account::EVERYBODY,
        until: None,
    };

    /// A caller whose token does not expire.
    #[must_use]
    pub fn new(role: Role) -> Self {
        let account = match &role {
            Role::Open => Account::EVERYBODY,
            Role::Tenant(tenant) => Account::of_tenant(tenant),
            Role::User { tenant, user, .. } => Account::of_user(tenant, user),
            Role::Operator => Account::OPERATORS,
            Role::Seat { game, seat, .. } => Account::of_old_token(*game, Some(*seat)),
            Role::Spectator { game, .. } => Account::of_old_token(*game, None),
        };
        Self {
            role,
            account,
            until: None,
        }
    }

    /// The same, with the account that its token names, if it names one.
    #[must_use]
    pub fn paying(self, account: Option<Account>) -> Self {
        let account = account.unwrap_or(self.account);
        Self { account, ..self }
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
