//! Callers: the **authenticated principal** of a call, with the expiry of its token and the account that pays.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Account, Role};
use crate::heart::problem::Problem;

/// The principal of a call: the role that its token proves, the time when the token expires, and the account whose
/// budget the call uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The role that the token proves.
    pub role: Role,
    /// The account whose budget the call uses.
    pub account: Account,
    /// The expiry of the token since the Unix epoch. Is `None` if the token does not expire.
    until: Option<Duration>,
}

impl Caller {
    /// The caller on a server without authentication, which trusts everybody.
    pub const OPEN: Self = Self {
        role: Role::Open,
        account: Account::EVERYBODY,
        until: None,
    };

    /// Creates a caller whose token does not expire, with the account that follows from the role.
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

    /// Replaces the account by the one that the token names, if it names one.
    #[must_use]
    pub fn paying(self, account: Option<Account>) -> Self {
        let account = account.unwrap_or(self.account);
        Self { account, ..self }
    }

    /// Sets the time at which the token expires, as a duration since the Unix epoch. `None` means never.
    #[must_use]
    pub fn until(self, until: impl Into<Option<Duration>>) -> Self {
        Self {
            until: until.into(),
            ..self
        }
    }

    /// Checks that the token has not expired.
    ///
    /// # Errors
    /// If the token has expired.
    pub fn holds(&self) -> Result<(), Problem> {
        match self.left() {
            Some(Duration::ZERO) => Err(Problem::TokenExpired),
            Some(_) | None => Ok(()),
        }
    }

    /// Resolves when the token expires. Never resolves for a token without expiry.
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
