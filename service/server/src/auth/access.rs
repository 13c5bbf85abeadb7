//! Which seat tokens of a game still hold.

use bytes::Bytes;
use gamekeeper_rules::table::Seat;
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// How many tokens each seat of a game had before its present one. A game where none was ever
/// replaced has an empty record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    generations: Vec<u32>,
}

impl Access {
    /// The generation of the token that holds for this seat.
    #[must_use]
    pub fn generation(&self, seat: Seat) -> u32 {
        self.generations.get(seat.index()).copied().unwrap_or(0)
    }

    /// The record after this seat has got a new token.
    #[must_use]
    pub fn rotated(&self, seat: Seat) -> Self {
        let mut generations = self.generations.clone();
        if generations.len() <= seat.index() {
            generations.resize(seat.index() + 1, 0);
        }
        generations[seat.index()] += 1;
        Self { generations }
    }

    /// The record as the store keeps it.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes {
        if self.generations.is_empty() {
            return Bytes::new();
        }
        Bytes::from(gamekeeper_rules::table::encode(self))
    }

    /// The record that the store kept.
    ///
    /// # Errors
    /// When the bytes are not such a record.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Problem> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        gamekeeper_rules::table::decode(bytes)
            .map_err(|error| Problem::Damaged(format!("access record: {error}")))
    }
}
