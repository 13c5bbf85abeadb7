//! Seeds of games, and of what bots decide in them.

use gamekeeper_rules::table::Seed;
use sha2::{Digest, Sha256};

/// Derives the seed of a game, or of a bot's decision, in the same way as the self-play stream.
pub(crate) fn seed_of(master: &Seed, number: u64) -> Seed {
    let hash = Sha256::new()
        .chain_update(master.as_bytes())
        .chain_update(number.to_le_bytes());
    Seed::new(hash.finalize().into())
}
