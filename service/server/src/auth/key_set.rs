//! JSON Web Key Sets (RFC 7517) of tenants who sign their own tokens (JWT), and the claims of these tokens.

use std::path::Path;
use std::time::Duration;

use gamekeeper_games::authz::{Caller, Role};
use gamekeeper_games::errors::ServiceError;
use gamekeeper_games::metadata::check_user;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::config::{AuthError, JwtRules};
use super::jwk::{KeyProblem, SkippedKey, is_secret, key_id, verification_key};
use super::key_files::is_tenant;

/// A key set: the keys that verify tokens of tenants, and those that do not.
#[derive(Default)]
pub(super) struct KeySet {
    pub(super) keys: Vec<JwtKey>,
    pub(super) skipped: Vec<SkippedKey>,
}

/// A key that verifies tokens of tenants.
pub(super) struct JwtKey {
    id: Option<String>,
    key: DecodingKey,
    validation: Validation,
    /// The tenants for which the key may sign. Is `None` if it may sign for all.
    tenants: Option<Vec<String>>,
    /// The claim that names a user.
    user_claim: String,
    /// Whether the key may sign only tokens of users.
    only_users: bool,
}

/// The members that a key set may have for a key beside those of the standard: they limit the tokens that it may sign.
#[derive(Deserialize)]
struct KeyPolicy {
    /// The only accepted issuer, instead of those of the settings.
    iss: Option<String>,
    /// The only accepted audience, instead of those of the settings.
    aud: Option<String>,
    /// The only tenants for which the key may sign.
    tenants: Option<Vec<String>>,
    /// Whether the key may sign only tokens of users.
    #[serde(default)]
    only_users: bool,
}

/// The text of a key set. Its keys are read one by one.
#[derive(Deserialize)]
struct KeySetText {
    keys: Vec<Value>,
}

#[derive(Deserialize)]
struct TenantClaims {
    tenant: String,
    exp: f64,
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl JwtKey {
    /// Whether this key may have signed a token that names this key id. A key or a token without an id matches any.
    pub(super) fn matches_kid(&self, kid: Option<&String>) -> bool {
        self.id.is_none() || kid.is_none() || self.id.as_ref() == kid
    }

    /// Returns the caller that a token identifies, or the reason why it is not valid. Returns `None` if this key did
    /// not sign it, or may not sign for its tenant.
    pub(super) fn caller(&self, token: &str) -> Option<Result<Caller, ServiceError>> {
        let validation = &self.validation;
        let claims = match jsonwebtoken::decode::<TenantClaims>(token, &self.key, validation) {
            Ok(data) => data.claims,
            Err(error) => return refused_jwt(error.kind()).map(Err),
        };
        let mut bound = self.tenants.iter().flatten();
        let is_bound = self.tenants.is_none() || bound.any(|tenant| *tenant == claims.tenant);
        if !is_tenant(&claims.tenant) || !is_bound {
            return None;
        }
        let end = Duration::try_from_secs_f64(claims.exp).unwrap_or(Duration::MAX);
        let until = end.saturating_add(Duration::from_secs(validation.leeway));
        let role = self.role(claims);
        Some(role.map(|role| Caller::new(role).with_expiry(until)))
    }

    /// Returns the role that the claims grant: the tenant, or a user of it. A malformed user claim is refused: it must
    /// not grant the rights of the whole tenant.
    fn role(&self, claims: TenantClaims) -> Result<Role, ServiceError> {
        let TenantClaims { tenant, others, .. } = claims;
        let no_user = ServiceError::InvalidToken("the token does not name its user");
        match others.get(&self.user_claim) {
            None if self.only_users => Err(no_user),
            None => Ok(Role::Tenant(tenant)),
            Some(Value::String(user)) if is_user(user) => {
                let user = user.clone();
                Ok(Role::User {
                    tenant,
                    user,
                    generation: None,
                })
            }
            Some(_) => Err(no_user),
        }
    }
}

/// Returns the reason why a token that one of the keys signed is refused, or `None` if another key may have signed it.
fn refused_jwt(why: &ErrorKind) -> Option<ServiceError> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the library says that its list will grow; new variants get the general message"
    )]
    match why {
        ErrorKind::ExpiredSignature => Some(ServiceError::TokenExpired),
        ErrorKind::ImmatureSignature => {
            Some(ServiceError::InvalidToken("the token is not valid yet"))
        }
        ErrorKind::InvalidAudience => Some(ServiceError::InvalidToken(
            "the token is for another audience",
        )),
        ErrorKind::InvalidIssuer => Some(ServiceError::InvalidToken(
            "the token is from another issuer",
        )),
        _ => None,
    }
}

/// Whether this may be the id of a user.
fn is_user(user: &str) -> bool {
    !user.is_empty() && check_user(user, "user").is_ok()
}

/// Reads a key set. Skips keys that verify no tokens, and refuses a set without others.
pub(super) fn read_key_set(file: &Path, rules: &JwtRules) -> Result<KeySet, AuthError> {
    let text = read_text(file)?;
    let text = text.ok_or_else(|| AuthError::KeySet {
        file: file.to_owned(),
    })?;
    if text.keys.is_empty() {
        return Err(AuthError::Empty {
            file: file.to_owned(),
        });
    }
    let mut set = KeySet::default();
    for (position, key) in (1..).zip(&text.keys) {
        match read_key(key, rules) {
            Ok(key) => set.keys.push(key),
            Err(reason) => set.skipped.push(SkippedKey {
                position,
                id: key_id(key),
                reason,
            }),
        }
    }
    if set.keys.is_empty() {
        return Err(AuthError::NoUsableKey {
            file: file.to_owned(),
            skipped: set.skipped,
        });
    }
    Ok(set)
}

/// Whether a key set contains a key that can sign. Most contain public keys only.
pub(crate) fn has_secret(file: &Path) -> bool {
    let text = read_text(file).ok().flatten();
    text.is_some_and(|text| text.keys.iter().any(is_secret))
}

/// Reads the text of a key set. Returns `None` if it is not one.
fn read_text(file: &Path) -> Result<Option<KeySetText>, AuthError> {
    let text = std::fs::read(file).map_err(|error| AuthError::Unreadable {
        file: file.to_owned(),
        error,
    })?;
    Ok(serde_json::from_slice(&text).ok())
}

fn read_key(key: &Value, rules: &JwtRules) -> Result<JwtKey, KeyProblem> {
    let (verifier, algorithms) = verification_key(key)?;
    // A key whose limits cannot be read must not be used without them.
    let policy = KeyPolicy::deserialize(key).map_err(|_| KeyProblem::Policy)?;
    let KeyPolicy {
        iss,
        aud,
        tenants,
        only_users,
    } = policy;
    let rules = JwtRules {
        issuers: iss.map_or_else(|| rules.issuers.clone(), |iss| vec![iss]),
        audiences: aud.map_or_else(|| rules.audiences.clone(), |aud| vec![aud]),
        leeway: rules.leeway,
        user_claim: rules.user_claim.clone(),
    };
    Ok(JwtKey {
        id: key_id(key),
        key: verifier,
        validation: validation(algorithms, &rules),
        tenants,
        user_claim: rules.user_claim,
        only_users,
    })
}

fn validation(algorithms: Vec<Algorithm>, rules: &JwtRules) -> Validation {
    let mut validation = Validation {
        algorithms,
        validate_nbf: true,
        leeway: rules.leeway.as_secs(),
        ..Validation::default()
    };
    let mut required_claims = vec!["exp"];
    if rules.audiences.is_empty() {
        validation.validate_aud = false;
    } else {
        validation.set_audience(&rules.audiences);
        required_claims.push("aud");
    }
    if !rules.issuers.is_empty() {
        validation.set_issuer(&rules.issuers);
        required_claims.push("iss");
    }
    validation.set_required_spec_claims(&required_claims);
    validation
}
