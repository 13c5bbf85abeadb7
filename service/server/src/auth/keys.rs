//! Keys, and who bears them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gamekeeper_rules::table::Seat;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::rate::{Rate, Rates};
use super::seat_token::TokenKeys;
use super::{Caller, Guest, Tally};
use crate::problem::Problem;
use crate::store::GameId;

/// Where keys come from. Keys are files, never arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthConfig {
    /// No tokens: everybody is trusted.
    Open,
    /// Every call carries a bearer token.
    Tokens {
        /// Lines `tenant:sha256-of-the-key-in-hex`.
        tenant_keys: Option<PathBuf>,
        /// Lines `sha256-of-the-key-in-hex`.
        operator_keys: Option<PathBuf>,
        /// A JSON Web Key Set whose keys sign tokens with a claim `tenant` and an expiry.
        tenant_jwks: Option<PathBuf>,
        /// Lines of at least 32 characters: the secrets of seat tokens. The first signs, all verify.
        token_keys: PathBuf,
    },
}

/// A key file that cannot be used. Never shows a key.
#[derive(Debug, thiserror::Error)]
pub enum AuthError {
    /// The file cannot be read.
    #[error("{file}: {error}")]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A line of the file is not what it should be.
    #[error("{file}, line {line}: {wanted}")]
    Line {
        /// The file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What should be there.
        wanted: &'static str,
    },
    /// The file holds no key.
    #[error("{file}: holds no key")]
    Empty {
        /// The file.
        file: PathBuf,
    },
    /// The file is no JSON Web Key Set.
    #[error("{file}: is not a JSON Web Key Set that can be used")]
    KeySet {
        /// The file.
        file: PathBuf,
    },
}

type KeyHash = [u8; 32];

/// Knows whose token a token is, and makes seat tokens.
pub struct Authority {
    tokens: Option<Tokens>,
    rates: Option<Rates>,
    in_flight: Option<Arc<Tally>>,
}

struct Tokens {
    tenants: Vec<(String, KeyHash)>,
    operators: Vec<KeyHash>,
    jwks: Vec<(DecodingKey, Validation, Option<String>)>,
    seats: TokenKeys,
}

#[derive(Deserialize)]
struct TenantClaims {
    tenant: String,
}

impl Authority {
    /// Reads the key files.
    ///
    /// # Errors
    /// The first file that cannot be used.
    pub fn load(config: &AuthConfig) -> Result<Self, AuthError> {
        let AuthConfig::Tokens {
            tenant_keys,
            operator_keys,
            tenant_jwks,
            token_keys,
        } = config
        else {
            return Ok(Self {
                tokens: None,
                rates: None,
                in_flight: None,
            });
        };
        let secrets = read_secrets(token_keys)?;
        let tokens = Tokens {
            tenants: tenant_keys
                .as_deref()
                .map_or(Ok(Vec::new()), read_tenants)?,
            operators: operator_keys
                .as_deref()
                .map_or(Ok(Vec::new()), read_operators)?,
            jwks: tenant_jwks
                .as_deref()
                .map_or(Ok(Vec::new()), read_key_set)?,
            seats: TokenKeys::new(&secrets).ok_or_else(|| AuthError::Empty {
                file: token_keys.clone(),
            })?,
        };
        Ok(Self {
            tokens: Some(tokens),
            rates: None,
            in_flight: None,
        })
    }

    /// The same, with a limit to how often each caller may call. Without tokens callers cannot be
    /// told apart, and nobody is limited.
    #[must_use]
    pub fn limited(self, rate: Option<Rate>) -> Self {
        let rates = rate.map(Rates::new).filter(|_| self.tokens.is_some());
        Self { rates, ..self }
    }

    /// The same, with a limit to how many calls of each caller are answered at once; nothing: any
    /// number.
    #[must_use]
    pub fn with_most_in_flight(self, most: Option<usize>) -> Self {
        let in_flight = most.map(Tally::new);
        Self { in_flight, ..self }
    }

    /// Lets a call in, counted as long as it is answered.
    ///
    /// # Errors
    /// As [`Authority::caller`], and when the caller has as many calls in flight as he may.
    pub fn admit(&self, authorization: Option<&str>) -> Result<Guest, Problem> {
        let caller = self.caller(authorization)?;
        let Some(in_flight) = &self.in_flight else {
            return Ok(Guest::new(caller, None));
        };
        let call = in_flight.take(&caller).ok_or_else(|| Problem::Exhausted {
            limit: "max_in_flight_per_token",
            what: String::from("as many calls of this token are being answered as may be"),
        })?;
        Ok(Guest::new(caller, Some(call)))
    }

    /// Whose call this is, counted. `authorization` is the value of that header.
    ///
    /// # Errors
    /// When tokens are wanted and none is there, or none that holds; and when the caller calls too
    /// often.
    pub fn caller(&self, authorization: Option<&str>) -> Result<Caller, Problem> {
        let Some(tokens) = &self.tokens else {
            return Ok(Caller::Open);
        };
        let header = authorization.ok_or(Problem::Unauthenticated("no authorization header"))?;
        let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Problem::Unauthenticated(
                "the authorization header is no bearer token",
            ));
        }
        let caller = tokens
            .caller(token.trim())
            .ok_or(Problem::Unauthenticated("the token does not hold"))?;
        if let Some(rates) = &self.rates {
            rates.count(&caller)?;
        }
        Ok(caller)
    }

    /// The token of a seat (or of spectators) of a game; empty without tokens.
    ///
    /// # Errors
    /// When signing fails, which is a fault.
    pub fn seat_token(
        &self,
        game: GameId,
        seat: Option<Seat>,
        generation: u32,
    ) -> Result<String, Problem> {
        let Some(tokens) = &self.tokens else {
            return Ok(String::new());
        };
        tokens
            .seats
            .sign(game, seat, generation)
            .map_err(|error| Problem::Fault(error.to_string()))
    }
}

impl Tokens {
    fn caller(&self, token: &str) -> Option<Caller> {
        let hash: KeyHash = Sha256::digest(token.as_bytes()).into();
        // Every hash is compared, each in constant time: the time tells nothing about the keys.
        let mut found = None;
        for (tenant, key) in &self.tenants {
            if bool::from(key.ct_eq(&hash)) {
                found = Some(Caller::Tenant(tenant.clone()));
            }
        }
        for key in &self.operators {
            if bool::from(key.ct_eq(&hash)) {
                found = Some(Caller::Operator);
            }
        }
        found
            .or_else(|| self.seats.caller(token))
            .or_else(|| self.tenant_of_jwt(token))
    }

    fn tenant_of_jwt(&self, token: &str) -> Option<Caller> {
        let key_id = jsonwebtoken::decode_header(token).ok()?.kid;
        self.jwks
            .iter()
            .filter(|(_, _, kid)| kid.is_none() || key_id.is_none() || *kid == key_id)
            .find_map(|(key, validation, _)| {
                jsonwebtoken::decode::<TenantClaims>(token, key, validation).ok()
            })
            .map(|data| data.claims.tenant)
            .filter(|tenant| is_tenant(tenant))
            .map(Caller::Tenant)
    }
}

/// The longest name of a tenant, in bytes.
const LONGEST_TENANT: usize = 255;

/// Is this the name of a tenant? Nobody is the tenant of games that were made without tokens.
fn is_tenant(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_TENANT && !name.contains(char::is_control)
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
    let tenant = |(line, text): (usize, String)| {
        let wanted = "wanted: tenant:sha256-of-the-key-in-hex";
        text.split_once(':')
            .filter(|(tenant, _)| is_tenant(tenant.trim()))
            .and_then(|(tenant, hash)| Some((tenant.trim().to_owned(), key_hash(hash.trim())?)))
            .ok_or_else(|| AuthError::Line {
                file: file.to_owned(),
                line,
                wanted,
            })
    };
    lines(file)?.into_iter().map(tenant).collect()
}

fn read_operators(file: &Path) -> Result<Vec<KeyHash>, AuthError> {
    let operator = |(line, text): (usize, String)| {
        let wanted = "wanted: sha256-of-the-key-in-hex";
        key_hash(&text).ok_or_else(|| AuthError::Line {
            file: file.to_owned(),
            line,
            wanted,
        })
    };
    lines(file)?.into_iter().map(operator).collect()
}

fn key_hash(hex: &str) -> Option<KeyHash> {
    // The library would take `0x` before the digits.
    let digits = Some(hex).filter(|hex| hex.len() == 64)?;
    const_hex::decode_to_array(digits).ok()
}

fn read_key_set(file: &Path) -> Result<Vec<(DecodingKey, Validation, Option<String>)>, AuthError> {
    let text = std::fs::read_to_string(file).map_err(|error| AuthError::Unreadable {
        file: file.to_owned(),
        error,
    })?;
    let unusable = || AuthError::KeySet {
        file: file.to_owned(),
    };
    let set: JwkSet = serde_json::from_str(&text).map_err(|_| unusable())?;
    if set.keys.is_empty() {
        return Err(AuthError::Empty {
            file: file.to_owned(),
        });
    }
    let key = |jwk: &jsonwebtoken::jwk::Jwk| {
        let name = jwk
            .common
            .key_algorithm
            .map(|algorithm| algorithm.to_string());
        let algorithm = name
            .and_then(|name| name.parse().ok())
            .ok_or_else(unusable)?;
        let key = DecodingKey::from_jwk(jwk).map_err(|_| unusable())?;
        let mut validation = Validation::new(algorithm);
        validation.validate_aud = false;
        Ok((key, validation, jwk.common.key_id.clone()))
    };
    set.keys.iter().map(key).collect()
}

#[cfg(test)]
mod tests;
