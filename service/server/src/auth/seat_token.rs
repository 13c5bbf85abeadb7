//! Seat and spectator tokens: signed, not stored (JSON Web Tokens, HS256).

use gamekeeper_rules::table::Seat;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Caller;
use crate::store::GameId;

/// Tokens of other makers, signed with the same key, must not pass for ours.
const AUDIENCE: &str = "gamekeeper-seat";

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    aud: String,
    game: Uuid,
    /// 0 for a spectator.
    seat: u8,
    generation: u32,
}

/// The keys of seat tokens: the first signs, all verify, so that a key can be replaced.
pub(super) struct TokenKeys {
    sign: EncodingKey,
    verify: Vec<DecodingKey>,
}

impl TokenKeys {
    /// Keys from secrets; the first one signs. Nothing for an empty list.
    pub(super) fn new(secrets: &[Vec<u8>]) -> Option<Self> {
        let sign = EncodingKey::from_secret(secrets.first()?);
        let verify = secrets
            .iter()
            .map(|secret| DecodingKey::from_secret(secret))
            .collect();
        Some(Self { sign, verify })
    }

    /// The token of a seat, or of spectators.
    pub(super) fn sign(
        &self,
        game: GameId,
        seat: Option<Seat>,
        generation: u32,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let claims = Claims {
            aud: AUDIENCE.to_owned(),
            game,
            seat: seat.map_or(0, Seat::number),
            generation,
        };
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.sign)
    }

    /// Whose token this is, if one of the keys signed it.
    pub(super) fn caller(&self, token: &str) -> Option<Caller> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[AUDIENCE]);
        validation.set_required_spec_claims(&["aud"]);
        validation.validate_exp = false;
        let claims = self.verify.iter().find_map(|key| {
            jsonwebtoken::decode::<Claims>(token, key, &validation)
                .ok()
                .map(|data| data.claims)
        })?;
        Some(match Seat::new(claims.seat) {
            Some(seat) => Caller::Seat {
                game: claims.game,
                seat,
                generation: claims.generation,
            },
            None => Caller::Spectator { game: claims.game },
        })
    }
}
