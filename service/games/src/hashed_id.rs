//! Ids that are **derived** by a hash.

use gamekeeper_store::GameId;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Derives an id from these parts. The same parts give the same id, which discloses none of them.
pub(crate) fn hashed_id(parts: &[&[u8]]) -> GameId {
    let hash = Sha256::digest(parts.join(&0));
    Uuid::new_v8(std::array::from_fn(|at| hash[at]))
}
