//! Keys, and the callers that their tokens identify.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arc_swap::ArcSwap;
use gamekeeper_games::authz::{Caller, Role, SeatGrant, TokenIssuer, UserGrant};
use gamekeeper_games::errors::ServiceError;
use gamekeeper_proto::gamekeeper::v1::RecordSignature;
use quick_cache::sync::Cache;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::config::{AuthConfig, AuthError};
use super::jwk::SkippedKey;
use super::key_files::{KeyHash, read_operators, read_secrets, read_tenants};
use super::key_set::{KeySet, read_key_set};
use super::record_key::RecordKey;
use super::seat_token::TokenKeys;
use super::signatures::use_ring;

/// Identifies callers by their tokens, issues tokens, and signs records.
pub struct Authenticator {
    config: AuthConfig,
    /// The keys, which can be reloaded. Is `None` if every caller is trusted.
    tokens: Option<ArcSwap<Tokens>>,
    /// The file of the key that signs records, and the key. Is `None` if records are not signed.
    records: Option<(PathBuf, ArcSwap<RecordKey>)>,
}

struct Tokens {
    tenants: Vec<(String, KeyHash)>,
    operators: Vec<KeyHash>,
    jwks: KeySet,
    seats: TokenKeys,
    /// A cache of verified tokens: the caller by the hash of the token. The token may have expired since.
    verified: Cache<KeyHash, Caller>,
}

/// The maximum number of signed tokens in the cache.
const VERIFIED_CACHE_SIZE: usize = 16_384;

impl Authenticator {
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

    /// Signs records with the key in this file, if one is given.
    ///
    /// # Errors
    /// When the file holds no such key.
    pub fn with_record_key(self, file: Option<&Path>) -> Result<Self, AuthError> {
        let read = |file: &Path| -> Result<_, AuthError> {
            let key = RecordKey::read(file)?;
            Ok((file.to_owned(), ArcSwap::from_pointee(key)))
        };
        let records = file.map(read).transpose()?;
        Ok(Self { records, ..self })
    }

    /// Reads the key files again. Calls that begin from now on are checked against the new keys.
    ///
    /// # Errors
    /// The first file that cannot be used; the former keys then stay in use.
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

    /// Returns the keys of the key set that verify no tokens.
    #[must_use]
    pub fn skipped_keys(&self) -> Vec<SkippedKey> {
        let tokens = self.tokens.as_ref();
        tokens.map_or_else(Vec::new, |tokens| tokens.load().jwks.skipped.clone())
    }

    /// Returns the caller of a call. `authorization` is the value of that header. A token that is not in the cache is
    /// verified only if `may_verify` succeeds: verifying a signature costs more than sending a forged one, so the
    /// caller is rate limited first.
    ///
    /// # Errors
    /// When tokens are required and there is none, or no valid one; and the errors of `may_verify`.
    pub fn caller(
        &self,
        authorization: Option<&str>,
        may_verify: impl FnOnce() -> Result<(), ServiceError>,
    ) -> Result<Caller, ServiceError> {
        let Some(tokens) = &self.tokens else {
            return Ok(Caller::UNAUTHENTICATED);
        };
        let caller = tokens.load().caller(bearer(authorization)?, may_verify)?;
        // Checked here because the library counts in whole seconds.
        caller.ensure_not_expired()?;
        Ok(caller)
    }

    /// Returns the caller of a call if it is known without verifying a signature, see [`Self::caller`]. Returns `None`
    /// if the token must be verified.
    ///
    /// # Errors
    /// When tokens are required and there is none, or one that is not valid anymore.
    pub(crate) fn lookup_cached(
        &self,
        authorization: Option<&str>,
    ) -> Result<Option<Caller>, ServiceError> {
        let Some(tokens) = &self.tokens else {
            return Ok(Some(Caller::UNAUTHENTICATED));
        };
        let (_, cached) = tokens.load().lookup_cached(bearer(authorization)?);
        if let Some(caller) = &cached {
            caller.ensure_not_expired()?;
        }
        Ok(cached)
    }
}

/// Extracts the token from the value of the authorization header.
fn bearer(authorization: Option<&str>) -> Result<&str, ServiceError> {
    let header = authorization.ok_or(ServiceError::NoToken)?;
    let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(ServiceError::InvalidToken(
            "the authorization header is no bearer token",
        ));
    }
    Ok(token.trim())
}

impl TokenIssuer for Authenticator {
    fn seat_token(&self, grant: &SeatGrant) -> Result<String, ServiceError> {
        let Some(tokens) = &self.tokens else {
            return Ok(String::new());
        };
        tokens
            .load()
            .seats
            .sign(grant)
            .map_err(|error| ServiceError::Fault(error.to_string()))
    }

    fn user_token(&self, grant: &UserGrant<'_>) -> Result<String, ServiceError> {
        let Some(tokens) = &self.tokens else {
            return Ok(String::new());
        };
        tokens
            .load()
            .seats
            .sign_user(grant)
            .map_err(|error| ServiceError::Fault(error.to_string()))
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
    /// Reads the key files. Returns `None` if every caller is trusted and no keys are needed.
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
                .map_or(Ok(KeySet::default()), |file| read_key_set(file, jwt))?,
            seats: TokenKeys::new(&secrets).ok_or_else(|| AuthError::Empty {
                file: token_keys.clone(),
            })?,
            verified: Cache::new(VERIFIED_CACHE_SIZE),
        }))
    }

    fn caller(
        &self,
        token: &str,
        may_verify: impl FnOnce() -> Result<(), ServiceError>,
    ) -> Result<Caller, ServiceError> {
        let (hash, cached) = self.lookup_cached(token);
        if let Some(caller) = cached {
            return Ok(caller);
        }
        let caller = may_verify().and_then(|()| self.verify(token))?;
        self.verified.insert(hash, caller.clone());
        Ok(caller)
    }

    /// Returns the hash of a token, and its caller if the token is a key or a verified token in the cache.
    fn lookup_cached(&self, token: &str) -> (KeyHash, Option<Caller>) {
        let hash: KeyHash = Sha256::digest(token.as_bytes()).into();
        // Every hash is compared, each in constant time, so that the time reveals nothing about the keys.
        let mut role_of_key = None;
        for (tenant, key) in &self.tenants {
            if bool::from(key.ct_eq(&hash)) {
                role_of_key = Some(Role::Tenant(tenant.clone()));
            }
        }
        for key in &self.operators {
            if bool::from(key.ct_eq(&hash)) {
                role_of_key = Some(Role::Operator);
            }
        }
        let caller = role_of_key.map(Caller::new);
        (hash, caller.or_else(|| self.verified.get(&hash)))
    }

    /// Verifies a signed token and returns its caller.
    fn verify(&self, token: &str) -> Result<Caller, ServiceError> {
        let unknown = ServiceError::InvalidToken("the token is not valid");
        let Ok(header) = jsonwebtoken::decode_header(token) else {
            return Err(unknown);
        };
        if header.crit.is_some_and(|crit| !crit.is_empty()) {
            // The signer requires extensions to be understood, and this server knows none.
            return Err(unknown);
        }
        let of_seat = self.seats.caller(token);
        let of_user = self.seats.user(token);
        let of_tenant = self.tenant_of_jwt(token, header.kid.as_ref());
        // The signature is checked before the claims: only tokens that were once valid are reported
        // as expired.
        let mut failure = unknown;
        for outcome in of_seat.into_iter().chain(of_user).chain(of_tenant) {
            match outcome {
                Ok(caller) => return Ok(caller),
                Err(problem) => failure = problem,
            }
        }
        Err(failure)
    }

    /// Returns the callers that keys of tenants identify by this token, or the reasons why it is not valid. Empty if
    /// no key signed it.
    fn tenant_of_jwt<'a>(
        &'a self,
        token: &'a str,
        key_id: Option<&'a String>,
    ) -> impl Iterator<Item = Result<Caller, ServiceError>> + 'a {
        let keys = self
            .jwks
            .keys
            .iter()
            .filter(move |key| key.matches_kid(key_id));
        keys.filter_map(move |key| key.caller(token))
    }
}

#[cfg(test)]
mod tests;
