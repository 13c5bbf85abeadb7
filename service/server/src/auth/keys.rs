//! Keys, and the callers that they identify.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use gamekeeper_games::access::{Caller, Grant, Role, SeatTokens, UserGrant, check_user};
use gamekeeper_games::problem::Problem;
use gamekeeper_proto::gamekeeper::v1::RecordSignature;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, JwkSet};
use jsonwebtoken::{DecodingKey, Validation};
use quick_cache::sync::Cache;
use serde::Deserialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::config::{AuthConfig, AuthError, JwtRules};
use super::record_key::RecordKey;
use super::seat_token::TokenKeys;
use super::signatures::use_ring;

type KeyHash = [u8; 32];

/// Identifies callers by their tokens, and makes seat tokens.
pub struct Authority {
    config: AuthConfig,
    /// `None`: everybody is trusted.
    tokens: Option<ArcSwap<Tokens>>,
    /// The key that signs records, and its file. `None`: records are not signed.
    records: Option<(PathBuf, ArcSwap<RecordKey>)>,
}

struct Tokens {
    tenants: Vec<(String, KeyHash)>,
    operators: Vec<KeyHash>,
    jwks: Vec<JwtKey>,
    seats: TokenKeys,
    /// Those who have used a signed token lately, by its hash. They may have expired since.
    seen: Cache<KeyHash, Caller>,
}

/// The number of signed tokens that are not verified again.
const SEEN: usize = 16_384;

/// A key of tenants who sign their tokens.
struct JwtKey {
    id: Option<String>,
    key: DecodingKey,
    validation: Validation,
    /// The tenants for whom it may sign. `None`: all.
    tenants: Option<Vec<String>>,
    /// The claim that names a user.
    user_claim: String,
    /// Does it sign tokens of users only?
    only_users: bool,
}

/// What a key set may say of a key beside the standard: for whom its tokens are.
#[derive(Deserialize)]
struct Binding {
    /// The only issuer, instead of those of the settings.
    iss: Option<String>,
    /// The only audience, instead of those of the settings.
    aud: Option<String>,
    /// The only tenants.
    tenants: Option<Vec<String>>,
    /// Are all of its tokens for users?
    #[serde(default)]
    only_users: bool,
}

#[derive(Deserialize)]
struct Bindings {
    keys: Vec<Binding>,
}

#[derive(Deserialize)]
struct TenantClaims {
    tenant: String,
    exp: f64,
    #[serde(flatten)]
    others: Map<String, Value>,
}

impl Authority {
    /// Reads the key files.
    ///
    /// # Errors
    /// The first file that cannot be used.
    pub fn load(config: &AuthConfig) -> Result<Self, AuthError> {
        Ok(Self {
            config: config.clone(),
            tokens: Tokens::read(config)?.map(ArcSwap::from_pointee),
            records: None,
        })
    }

    /// The same, which signs records with the key in this file.
    ///
    /// # Errors
    /// When the file holds no such key.
    pub fn signing(self, file: Option<&Path>) -> Result<Self, AuthError> {
        let read = |file: &Path| -> Result<_, AuthError> {
            let key = RecordKey::read(file)?;
            Ok((file.to_owned(), ArcSwap::from_pointee(key)))
        };
        let records = file.map(read).transpose()?;
        Ok(Self { records, ..self })
    }

    /// Reads the key files again. Calls that begin from now on need the keys that the files have now.
    ///
    /// # Errors
    /// The first file that cannot be used; the keys from before then stay.
    pub fn reload(&self) -> Result<(), AuthError> {
        if let Some(tokens) = &self.tokens
            && let Some(read) = Tokens::read(&self.config)?
        {
            tokens.store(Arc::new(read));
        }
        if let Some((file, key)) = &self.records {
            key.store(Arc::new(RecordKey::read(file)?));
        }
        Ok(())
    }

    /// The caller of a call. `authorization` is the value of that header. A token that was not seen before is verified
    /// only if `may_verify` says so: a signature costs more to verify than to forge.
    ///
    /// # Errors
    /// When tokens are required and there is none, or no valid one; and those of `may_verify`.
    pub fn caller(
        &self,
        authorization: Option<&str>,
        may_verify: impl FnOnce() -> Result<(), Problem>,
    ) -> Result<Caller, Problem> {
        let Some(tokens) = &self.tokens else {
            return Ok(Caller::OPEN);
        };
        let caller = tokens.load().caller(bearer(authorization)?, may_verify)?;
        // The library counts in whole seconds.
        caller.holds()?;
        Ok(caller)
    }

    /// The same, as far as nothing must be verified. `None`: it must.
    ///
    /// # Errors
    /// When tokens are required and there is none, or one that is not valid anymore.
    pub(crate) fn known(&self, authorization: Option<&str>) -> Result<Option<Caller>, Problem> {
        let Some(tokens) = &self.tokens else {
            return Ok(Some(Caller::OPEN));
        };
        let (_, known) = tokens.load().known(bearer(authorization)?);
        if let Some(caller) = &known {
            caller.holds()?;
        }
        Ok(known)
    }
}

/// The token in the value of this header.
fn bearer(authorization: Option<&str>) -> Result<&str, Problem> {
    let header = authorization.ok_or(Problem::NoToken)?;
    let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Problem::BadToken(
            "the authorization header is no bearer token",
        ));
    }
    Ok(token.trim())
}

impl SeatTokens for Authority {
    fn seat_token(&self, grant: &Grant) -> Result<String, Problem> {
        let Some(tokens) = &self.tokens else {
            return Ok(String::new());
        };
        tokens
            .load()
            .seats
            .sign(grant)
            .map_err(|error| Problem::Fault(error.to_string()))
    }

    fn user_token(&self, grant: &UserGrant<'_>) -> Result<String, Problem> {
        let Some(tokens) = &self.tokens else {
            return Ok(String::new());
        };
        tokens
            .load()
            .seats
            .sign_user(grant)
            .map_err(|error| Problem::Fault(error.to_string()))
    }

    fn signs_records(&self) -> bool {
        self.records.is_some()
    }

    fn record_signature(&self, digest: &[u8; 32]) -> Option<RecordSignature> {
        let (_, key) = self.records.as_ref()?;
        Some(key.load().sign(digest))
    }
}

impl Tokens {
    /// Reads the key files. `None`: there are none, since everybody is trusted.
    fn read(config: &AuthConfig) -> Result<Option<Self>, AuthError> {
        let AuthConfig::Tokens {
            tenant_keys,
            operator_keys,
            tenant_jwks,
            jwt,
            token_keys,
        } = config
        else {
            return Ok(None);
        };
        use_ring();
        let secrets = read_secrets(token_keys)?;
        Ok(Some(Self {
            tenants: tenant_keys
                .as_deref()
                .map_or(Ok(Vec::new()), read_tenants)?,
            operators: operator_keys
                .as_deref()
                .map_or(Ok(Vec::new()), read_operators)?,
            jwks: tenant_jwks
                .as_deref()
                .map_or(Ok(Vec::new()), |file| read_key_set(file, jwt))?,
            seats: TokenKeys::new(&secrets).ok_or_else(|| AuthError::Empty {
                file: token_keys.clone(),
            })?,
            seen: Cache::new(SEEN),
        }))
    }

    fn caller(
        &self,
        token: &str,
        may_verify: impl FnOnce() -> Result<(), Problem>,
    ) -> Result<Caller, Problem> {
        let (hash, known) = self.known(token);
        if let Some(caller) = known {
            return Ok(caller);
        }
        let caller = may_verify().and_then(|()| self.verified(token))?;
        self.seen.insert(hash, caller.clone());
        Ok(caller)
    }

    /// The hash of a token, and whose key it is, or who has used it lately.
    fn known(&self, token: &str) -> (KeyHash, Option<Caller>) {
        let hash: KeyHash = Sha256::digest(token.as_bytes()).into();
        // Every hash is compared, each in constant time, so that the time reveals nothing about the keys.
        let mut found = None;
        for (tenant, key) in &self.tenants {
            if bool::from(key.ct_eq(&hash)) {
                found = Some(Role::Tenant(tenant.clone()));
            }
        }
        for key in &self.operators {
            if bool::from(key.ct_eq(&hash)) {
                found = Some(Role::Operator);
            }
        }
        let caller = found.map(Caller::new);
        (hash, caller.or_else(|| self.seen.get(&hash)))
    }

    /// The caller whose token somebody has signed.
    fn verified(&self, token: &str) -> Result<Caller, Problem> {
        let unknown = Problem::BadToken("the token is not valid");
        let Ok(header) = jsonwebtoken::decode_header(token) else {
            return Err(unknown);
        };
        if header.crit.is_some_and(|crit| !crit.is_empty()) {
            // Its signer wants extensions to be understood, and this server knows none.
            return Err(unknown);
        }
        let of_seat = self.seats.caller(token);
        let of_user = self.seats.user(token);
        let of_tenant = self.tenant_of_jwt(token, header.kid.as_ref());
        // The signature is checked before the claims: only tokens that were once valid are reported
        // as expired.
        let mut said = unknown;
        for found in of_seat.into_iter().chain(of_user).chain(of_tenant) {
            match found {
                Ok(caller) => return Ok(caller),
                Err(problem) => said = problem,
            }
        }
        Err(said)
    }

    /// The tenant of a token that one of the keys signed, or why it is not valid.
    fn tenant_of_jwt<'a>(
        &'a self,
        token: &'a str,
        key_id: Option<&'a String>,
    ) -> impl Iterator<Item = Result<Caller, Problem>> + 'a {
        let may_be =
            move |kid: &Option<String>| kid.is_none() || key_id.is_none() || kid.as_ref() == key_id;
        let keys = self.jwks.iter().filter(move |key| may_be(&key.id));
        keys.filter_map(move |key| key.caller(token))
    }
}

impl JwtKey {
    /// The tenant of a token, or why it is not valid. `None`: this key did not sign it, or must not.
    fn caller(&self, token: &str) -> Option<Result<Caller, Problem>> {
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
        Some(role.map(|role| Caller::new(role).until(until)))
    }

    /// The tenant, or its user. A claim that names no user must not make a tenant of one.
    fn role(&self, claims: TenantClaims) -> Result<Role, Problem> {
        let TenantClaims { tenant, others, .. } = claims;
        let no_user = Problem::BadToken("the token does not name its user");
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

/// Why a token that one of the keys signed is refused. `None`: another key may have signed it.
pub(super) fn refused_jwt(why: &ErrorKind) -> Option<Problem> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the library says that its list will grow; new variants get the general message"
    )]
    match why {
        ErrorKind::ExpiredSignature => Some(Problem::TokenExpired),
        ErrorKind::ImmatureSignature => Some(Problem::BadToken("the token is not valid yet")),
        ErrorKind::InvalidAudience => Some(Problem::BadToken("the token is for another audience")),
        ErrorKind::InvalidIssuer => Some(Problem::BadToken("the token is from another issuer")),
        _ => None,
    }
}

/// Can this be the id of somebody who has a seat?
fn is_user(user: &str) -> bool {
    !user.is_empty() && check_user(user, "user").is_ok()
}

/// The longest name of a tenant, in bytes.
const MAX_TENANT_LEN: usize = 255;

/// Is this the name of a tenant? Games created without tokens belong to no tenant.
fn is_tenant(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_TENANT_LEN && !name.contains(char::is_control)
}

fn lines(file: &Path) -> Result<Vec<(usize, String)>, AuthError> {
    let text = std::fs::read_to_string(file).map_err(|error| AuthError::Unreadable {
        file: file.to_owned(),
        error,
    })?;
    let numbered = (1..).zip(text.lines().map(|line| line.trim().to_owned()));
    Ok(numbered
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .collect())
}

fn read_secrets(file: &Path) -> Result<Vec<Vec<u8>>, AuthError> {
    let secret = |(line, text): (usize, String)| {
        let long_enough = text.len() >= 32;
        let wanted = "a secret has at least 32 characters";
        long_enough
            .then(|| text.into_bytes())
            .ok_or_else(|| AuthError::Line {
                file: file.to_owned(),
                line,
                wanted,
            })
    };
    lines(file)?.into_iter().map(secret).collect()
}

fn read_tenants(file: &Path) -> Result<Vec<(String, KeyHash)>, AuthError> {
    read_hashes(file, |text| {
        let wanted = "wanted: tenant:sha256-of-the-key-in-hex";
        let (tenant, hash) = text.split_once(':').ok_or(wanted)?;
        let tenant = Some(tenant.trim()).filter(|tenant| is_tenant(tenant));
        let tenant = tenant.ok_or(wanted)?.to_owned();
        Ok((tenant, key_hash(hash.trim(), wanted)?))
    })
}

fn read_operators(file: &Path) -> Result<Vec<KeyHash>, AuthError> {
    read_hashes(file, |text| {
        key_hash(text, "wanted: sha256-of-the-key-in-hex")
    })
}

/// Reads a file with a key on each line. One without a key is not what the operator meant: it may have been
/// cut off, or never filled.
fn read_hashes<A>(
    file: &Path,
    read: impl Fn(&str) -> Result<A, &'static str>,
) -> Result<Vec<A>, AuthError> {
    let key = |(line, text): (usize, String)| {
        read(&text).map_err(|wanted| AuthError::Line {
            file: file.to_owned(),
            line,
            wanted,
        })
    };
    let keys: Vec<A> = lines(file)?
        .into_iter()
        .map(key)
        .collect::<Result<_, _>>()?;
    if keys.is_empty() {
        return Err(AuthError::Empty {
            file: file.to_owned(),
        });
    }
    Ok(keys)
}

/// The hash of a key. That of the empty text would admit callers without a key.
fn key_hash(hex: &str, wanted: &'static str) -> Result<KeyHash, &'static str> {
    // The library would accept `0x` before the digits.
    let digits = Some(hex).filter(|hex| hex.len() == 64).ok_or(wanted)?;
    let hash: KeyHash = const_hex::decode_to_array(digits).map_err(|_| wanted)?;
    if hash == KeyHash::from(Sha256::digest("")) {
        return Err("this is the hash of an empty key");
    }
    Ok(hash)
}

fn read_key_set(file: &Path, rules: &JwtRules) -> Result<Vec<JwtKey>, AuthError> {
    let text = std::fs::read_to_string(file).map_err(|error| AuthError::Unreadable {
        file: file.to_owned(),
        error,
    })?;
    let unusable = || AuthError::KeySet {
        file: file.to_owned(),
    };
    let set: JwkSet = serde_json::from_str(&text).map_err(|_| unusable())?;
    let bindings: Bindings = serde_json::from_str(&text).map_err(|_| unusable())?;
    if set.keys.is_empty() {
        return Err(AuthError::Empty {
            file: file.to_owned(),
        });
    }
    let key = |(jwk, binding): (&jsonwebtoken::jwk::Jwk, Binding)| {
        let name = jwk
            .common
            .key_algorithm
            .map(|algorithm| algorithm.to_string());
        let algorithm = name
            .and_then(|name| name.parse().ok())
            .ok_or_else(unusable)?;
        if is_empty_secret(jwk) {
            return Err(AuthError::Empty {
                file: file.to_owned(),
            });
        }
        let Binding {
            iss,
            aud,
            tenants,
            only_users,
        } = binding;
        let rules = JwtRules {
            issuers: iss.map_or_else(|| rules.issuers.clone(), |iss| vec![iss]),
            audiences: aud.map_or_else(|| rules.audiences.clone(), |aud| vec![aud]),
            leeway: rules.leeway,
            user_claim: rules.user_claim.clone(),
        };
        Ok(JwtKey {
            id: jwk.common.key_id.clone(),
            key: DecodingKey::from_jwk(jwk).map_err(|_| unusable())?,
            validation: validation(algorithm, &rules),
            tenants,
            user_claim: rules.user_claim,
            only_users,
        })
    };
    set.keys.iter().zip(bindings.keys).map(key).collect()
}

/// Is this a secret without a byte? Anybody could sign with it.
fn is_empty_secret(jwk: &jsonwebtoken::jwk::Jwk) -> bool {
    matches!(&jwk.algorithm, AlgorithmParameters::OctetKey(secret) if secret.value.is_empty())
}

fn validation(algorithm: jsonwebtoken::Algorithm, rules: &JwtRules) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.validate_nbf = true;
    validation.leeway = rules.leeway.as_secs();
    let mut wanted = vec!["exp"];
    if rules.audiences.is_empty() {
        validation.validate_aud = false;
    } else {
        validation.set_audience(&rules.audiences);
        wanted.push("aud");
    }
    if !rules.issuers.is_empty() {
        validation.set_issuer(&rules.issuers);
        wanted.push("iss");
    }
    validation.set_required_spec_claims(&wanted);
    validation
}

#[cfg(test)]
mod tests;
