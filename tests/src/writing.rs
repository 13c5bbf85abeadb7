//! Games with contents that can be told from anything else.

use bytes::Bytes;
use gamekeeperd::store::{GameId, IndexRow, NewGame, Version};

/// A game at its first version.
#[must_use]
pub fn new_game(id: GameId) -> NewGame {
    let row = IndexRow {
        tenant: "writer".to_owned(),
        ruleset: "dominion".to_owned(),
        created_ms: 1_790_000_000_000,
        finished: false,
    };
    NewGame {
        id,
        row,
        entry: entry_bytes(id, 1),
        snapshot: snapshot_bytes(id, 1),
    }
}

/// An entry of about the size of a real one.
#[must_use]
pub fn entry_bytes(id: GameId, version: Version) -> Bytes {
    Bytes::from(format!("entry {version} of {id} ").repeat(2))
}

/// A snapshot of about the size of a real one.
#[must_use]
pub fn snapshot_bytes(id: GameId, version: Version) -> Bytes {
    Bytes::from(format!("snapshot {version} of {id} ").repeat(10))
}
