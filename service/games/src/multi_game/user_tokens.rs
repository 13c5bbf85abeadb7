//! Tokens of users: `IssueToken` and `RevokeTokens` for holders that are users of a tenant.

use gamekeeper_wire::Malformed;
use prost_types::Timestamp;

use crate::authz::{Caller, Role, UserGrant};
use crate::errors::ServiceError;
use crate::metadata::check_user;
use crate::registry::Registry;

/// The maximum lifetime of a user's token, in seconds. It is limited because the store keeps a key-value record for
/// each user with tokens.
const MAX_LIFETIME_SECONDS: u64 = 90 * 24 * 60 * 60;

impl Registry {
    /// Issues a token for a user of the caller. Returns the token, and its expiry in seconds since the Unix epoch.
    /// Other tokens stay valid.
    ///
    /// # Errors
    /// If the caller is not a tenant, the user id is malformed, the expiry has passed or is too late, or the store
    /// fails.
    pub async fn issue_user_token(
        &self,
        caller: &Caller,
        user: &str,
        expire_time: Option<Timestamp>,
    ) -> Result<(String, u64), ServiceError> {
        let tenant = tenant_of(caller, user)?;
        let shared = self.shared();
        let now_ms = shared.clock.now_ms();
        let latest_expiry = (now_ms / 1_000).saturating_add(MAX_LIFETIME_SECONDS);
        let expires_at = match expire_time {
            None => shared
                .default_token_expiry(now_ms)
                .map_or(latest_expiry, |expiry| expiry.min(latest_expiry)),
            Some(requested) => shared.requested_token_expiry(requested)?,
        };
        if expires_at > latest_expiry {
            return Err(Malformed::new("expire_time", "is more than 90 days from now").into());
        }
        if caller.role == Role::AuthDisabled {
            return Ok((String::new(), expires_at));
        }
        let expires_at_ms = expires_at.saturating_mul(1_000);
        let generation = shared
            .user_tokens
            .issue((tenant, user), expires_at_ms, shared.max_bytes(tenant))
            .await?;
        let token = shared.tokens.user_token(&UserGrant {
            tenant,
            user,
            generation,
            expires_at,
        })?;
        Ok((token, expires_at))
    }

    /// Revokes all tokens that were issued to a user of the caller.
    ///
    /// # Errors
    /// If the caller is not a tenant, the user id is malformed, concurrent writers keep winning, or the store fails.
    pub async fn revoke_user_tokens(
        &self,
        caller: &Caller,
        user: &str,
    ) -> Result<(), ServiceError> {
        let tenant = tenant_of(caller, user)?;
        self.shared().user_tokens.revoke(tenant, user).await
    }
}

/// Returns the tenant that a user belongs to, after validating caller and user.
fn tenant_of<'a>(caller: &'a Caller, user: &str) -> Result<&'a str, ServiceError> {
    let tenant = caller.tenant("only tenants issue and revoke tokens of users")?;
    let field = "holder.user.user";
    check_user(user, field)?;
    if user.is_empty() {
        return Err(Malformed::new(field, "is empty").into());
    }
    Ok(tenant)
}
