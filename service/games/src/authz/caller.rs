//! Callers: the **authenticated principal** of a call, with the expiry of its token and the account that pays.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{Account, Role};
use crate::errors::ServiceError;

/// The principal of a call: the role that its token proves, the time when the token expires, and the account whose
/// budget the call uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The role that the token proves.
    pub role: Role,
    /// The account whose budget the call uses.
    pub account: Account,
    /// The expiry of the token since the Unix epoch. Is `None` if the token does not expire.
    expires_at: Option<Duration>,
}

impl Caller {
    /// The caller on a server without authentication, which trusts everybody.
    pub const UNAUTHENTICATED: Self = Self {
        role: Role::AuthDisabled,
        account: Account::EVERYBODY,
        expires_at: None,
    };

    /// Creates a caller whose token does not expire, with the account that follows from the role.
    #[must_use]
    pub fn new(role: Role) -> Self {
        let account = match &role {
            Role::AuthDisabled => Account::EVERYBODY,
            Role::Tenant(tenant) => Account::of_tenant(tenant),
            Role::User { tenant, user, .. } => Account::of_user(tenant, user),
            Role::Operator => Account::OPERATORS,
            Role::Seat { game, seat, .. } => Account::of_legacy_token(*game, Some(*seat)),
            Role::Spectator { game, .. } => Account::of_legacy_token(*game, None),
        };
        Self {
            role,
            account,
            expires_at: None,
        }
    }

    /// Replaces the account by the one that the token names, if it names one.
    #[must_use]
    pub fn with_account(self, account: Option<Account>) -> Self {
        let account = account.unwrap_or(self.account);
        Self { account, ..self }
    }

    /// Sets the time at which the token expires, as a duration since the Unix epoch. `None` means never.
    #[must_use]
    pub fn with_expiry(self, expires_at: impl Into<Option<Duration>>) -> Self {
        Self {
            expires_at: expires_at.into(),
            ..self
        }
    }

    /// Checks that the token has not expired.
    ///
    /// # Errors
    /// If the token has expired.
    pub fn ensure_not_expired(&self) -> Result<(), ServiceError> {
        match self.remaining_lifetime() {
            Some(Duration::ZERO) => Err(ServiceError::TokenExpired),
            Some(_) | None => Ok(()),
        }
    }

    /// Resolves when the token expires. Never resolves for a token without expiry.
    pub async fn expired(&self) {
        match self.remaining_lifetime() {
            Some(remaining) => tokio::time::sleep(remaining).await,
            None => std::future::pending().await,
        }
    }

    fn remaining_lifetime(&self) -> Option<Duration> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Some(self.expires_at?.saturating_sub(now.unwrap_or_default()))
    }
}
