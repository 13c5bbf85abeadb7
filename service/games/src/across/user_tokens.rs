//! Tokens of users: `IssueToken` and `RevokeTokens` for holders that are users of a tenant.

use gamekeeper_wire::Malformed;
use prost_types::Timestamp;

use crate::heart::access::{Caller, Role, UserGrant, check_user};
use crate::heart::problem::Problem;
use crate::registry::Registry;

/// The maximum lifetime of a user's token, in seconds. It is limited because the store keeps a note for each user with
/// tokens.
const MAX_LIFETIME: u64 = 90 * 24 * 60 * 60;

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
    ) -> Result<(String, u64), Problem> {
        let tenant = tenant_of(caller, user)?;
        let shared = self.shared();
        let now_ms = shared.clock.now_ms();
        let latest = (now_ms / 1_000).saturating_add(MAX_LIFETIME);
        let until = match expire_time {
            None => shared
                .end_of_tokens(now_ms)
                .map_or(latest, |end| end.min(latest)),
            Some(asked) => shared.end_of_token(asked)?,
        };
        if until > latest {
            return Err(Malformed::new("expire_time", "is more than 90 days from now").into());
        }
        if caller.role == Role::Open {
            return Ok((String::new(), until));
        }
        let until_ms = until.saturating_mul(1_000);
        let generation = shared.user_tokens.issue((tenant, user), until_ms).await?;
        let token = shared.tokens.user_token(&UserGrant {
            tenant,
            user,
            generation,
            until,
        })?;
        Ok((token, until))
    }

    /// Revokes all tokens that were issued to a user of the caller.
    ///
    /// # Errors
    /// If the caller is not a tenant, the user id is malformed, concurrent writers keep winning, or the store fails.
    pub async fn revoke_user_tokens(&self, caller: &Caller, user: &str) -> Result<(), Problem> {
        let tenant = tenant_of(caller, user)?;
        self.shared().user_tokens.revoke(tenant, user).await
    }
}

/// Returns the tenant that a user belongs to, after validating caller and user.
fn tenant_of<'a>(caller: &'a Caller, user: &str) -> Result<&'a str, Problem> {
    let tenant = caller.tenant("only tenants issue and revoke tokens of users")?;
    let field = "holder.user.user";
    check_user(user, field)?;
    if user.is_empty() {
        return Err(Malformed::new(field, "is empty").into());
    }
    Ok(tenant)
}
