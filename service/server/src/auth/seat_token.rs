//! Seat and spectator tokens: signed, not stored (JSON Web Tokens, HS256).

use std::time::Duration;

use gamekeeper_games::access::{Account, Caller, Grant, Role};
use gamekeeper_games::problem::Problem;
use gamekeeper_rules::table::Seat;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Tokens of other issuers, signed with the same key, must not pass for ours.
const AUDIENCE: &str = "gamekeeper-seat";

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    aud: String,
    game: Uuid,
    /// 0 for a spectator.
    seat: u8,
    generation: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    birth: Option<u32>,
    /// Seconds since the Unix epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exp: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    account: Option<Account>,
}

/// The keys of seat tokens: the first signs, all verify, so that a key can be replaced.
pub(super) struct TokenKeys {
    sign: EncodingKey,
    verify: Vec<DecodingKey>,
}

impl TokenKeys {
    /// Keys from secrets; the first one signs. `None` for an empty list.
    pub(super) fn new(secrets: &[Vec<u8>]) -> Option<Self> {
        let sign = EncodingKey::from_secret(secrets.first()?);
        let verify = secrets
            .iter()
            .map(|secret| DecodingKey::from_secret(secret))
            .collect();
        Some(Self { sign, verify })
    }

    /// The token of a seat, or of spectators.
    pub(super) fn sign(&self, grant: &Grant) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            aud: AUDIENCE.to_owned(),
            game: grant.game,
            seat: grant.seat.map_or(0, Seat::number),
            generation: grant.generation,
            birth: Some(grant.birth),
            exp: grant.until,
            account: Some(grant.account),
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.sign)
    }

    /// The caller of this token, or why it is not valid; `None`: none of the keys signed it.
    pub(super) fn caller(&self, token: &str) -> Option<Result<Caller, Problem>> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["aud"]);
        // The service uses its own clock only.
        validation.leeway = 0;
        let claims = self.verify.iter().find_map(|key| {
            match jsonwebtoken::decode::<Claims>(token, key, &validation) {
                Ok(data) => Some(Ok(data.claims)),
                Err(error) if *error.kind() == ErrorKind::ExpiredSignature => {
                    Some(Err(Problem::TokenExpired))
                }
                Err(_) => None,
            }
        })?;
        Some(claims.map(|claims| {
            let until = claims.exp.map(Duration::from_secs);
            Caller::new(role(&claims))
                .paying(claims.account)
                .until(until)
        }))
    }
}

fn role(claims: &Claims) -> Role {
    let Claims {
        game,
        generation,
        birth,
        ..
    } = *claims;
    match Seat::new(claims.seat) {
        Some(seat) => Role::Seat {
            game,
            seat,
            generation,
            birth,
        },
        None => Role::Spectator {
            game,
            generation,
            birth,
        },
    }
}
