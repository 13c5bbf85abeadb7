//! The tokens of seats, of spectators and of users: signed, not stored (JSON Web Tokens, HS256).

use std::time::Duration;

use gamekeeper_games::authz::{Account, Caller, Role, SeatGrant, UserGrant};
use gamekeeper_games::errors::ServiceError;
use gamekeeper_rules::table::Seat;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The audience of tokens of seats and spectators. Tokens of other issuers, signed with the same key, must not pass
/// for ours.
const AUDIENCE: &str = "gamekeeper-seat";

/// The audience of tokens of users.
const USER_AUDIENCE: &str = "gamekeeper-user";

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    aud: String,
    game: Uuid,
    /// The number of the seat; 0 for a spectator.
    seat: u8,
    generation: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    birth: Option<u32>,
    /// The expiry, in seconds since the Unix epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exp: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<Account>,
}

#[derive(Debug, Serialize, Deserialize)]
struct UserClaims {
    aud: String,
    /// The tenant of the user. It is not named `tenant`, so that the claims cannot pass for a tenant's own token.
    of: String,
    sub: String,
    generation: u32,
    /// The expiry, in seconds since the Unix epoch.
    exp: u64,
}

/// The keys of these tokens. The first signs, all verify, so that a key can be replaced (**key rotation**).
pub(super) struct TokenKeys {
    sign: EncodingKey,
    verify: Vec<DecodingKey>,
}

impl TokenKeys {
    /// Creates the keys from secrets, the first of which signs. Returns `None` for an empty list.
    pub(super) fn new(secrets: &[Vec<u8>]) -> Option<Self> {
        let sign = EncodingKey::from_secret(secrets.first()?);
        let verify = secrets
            .iter()
            .map(|secret| DecodingKey::from_secret(secret))
            .collect();
        Some(Self { sign, verify })
    }

    /// Signs a token of a seat, or of spectators.
    pub(super) fn sign(&self, grant: &SeatGrant) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            aud: AUDIENCE.to_owned(),
            game: grant.game,
            seat: grant.seat.map_or(0, Seat::number),
            generation: grant.generation,
            birth: Some(grant.incarnation),
            exp: grant.expires_at,
            account: Some(grant.account),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.sign)
    }

    /// Returns the caller that this token identifies, or the reason why it is not valid. Returns `None` if none of the
    /// keys signed it.
    pub(super) fn caller(&self, token: &str) -> Option<Result<Caller, ServiceError>> {
        let claims = self.claims::<Claims>(token, AUDIENCE, &["aud"])?;
        Some(claims.map(|claims| {
            let until = claims.exp.map(Duration::from_secs);
            Caller::new(role(&claims))
                .with_account(claims.account)
                .with_expiry(until)
        }))
    }

    /// Signs a token of a user.
    pub(super) fn sign_user(
        &self,
        grant: &UserGrant<'_>,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = UserClaims {
            aud: USER_AUDIENCE.to_owned(),
            of: grant.tenant.to_owned(),
            sub: grant.user.to_owned(),
            generation: grant.generation,
            exp: grant.expires_at,
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.sign)
    }

    /// Returns the user that this token identifies, or the reason why it is not valid. Returns `None` if none of the
    /// keys signed it.
    pub(super) fn user(&self, token: &str) -> Option<Result<Caller, ServiceError>> {
        let claims = self.claims::<UserClaims>(token, USER_AUDIENCE, &["aud", "exp"])?;
        Some(claims.map(|claims| {
            let until = Duration::from_secs(claims.exp);
            let role = Role::User {
                tenant: claims.of,
                user: claims.sub,
                generation: Some(claims.generation),
            };
            Caller::new(role).with_expiry(until)
        }))
    }

    /// Returns the claims of a token for this audience, or the reason why it is not valid. Returns `None` if none of
    /// the keys signed it.
    fn claims<C: DeserializeOwned>(
        &self,
        token: &str,
        audience: &str,
        required: &[&str],
    ) -> Option<Result<C, ServiceError>> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[audience]);
        validation.set_required_spec_claims(required);
        // No leeway: the service issues and checks these tokens with its own clock only.
        validation.leeway = 0;
        self.verify.iter().find_map(|key| {
            match jsonwebtoken::decode::<C>(token, key, &validation) {
                Ok(data) => Some(Ok(data.claims)),
                Err(error) if *error.kind() == ErrorKind::ExpiredSignature => {
                    Some(Err(ServiceError::TokenExpired))
                }
                Err(_) => None,
            }
        })
    }
}

fn role(claims: &Claims) -> Role {
    let Claims {
        game,
        generation,
        birth: incarnation,
        ..
    } = *claims;
    match Seat::new(claims.seat) {
        Some(seat) => Role::Seat {
            game,
            seat,
            generation,
            incarnation,
        },
        None => Role::Spectator {
            game,
            generation,
            incarnation,
        },
    }
}
