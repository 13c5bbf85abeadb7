//! Builds games with distinguishable contents.

use bytes::Bytes;
use gamekeeper_store::{Commit, GameId, Head, IndexRow, NewGame, Version, sizes};

/// Builds a game at its first version.
#[must_use]
pub fn new_game(id: GameId) -> NewGame {
    let row = IndexRow {
        tenant: "writer".to_owned(),
        ruleset: "dominion".to_owned(),
        created_ms: 1_790_000_000_000,
        finished: false,
        lists: None,
    };
    NewGame {
        id,
        row,
        entry: entry_bytes(id, 1),
        history: Vec::new(),
        snapshot: snapshot_bytes(id, 1),
        access: Bytes::new(),
        tenant_limit: None,
        tenant_bytes: None,
    }
}

/// Builds the head of such a game at a version.
#[must_use]
pub fn head(id: GameId, version: Version) -> Head {
    Head::of(version, &entry_bytes(id, version))
}

/// Builds an entry of about the size of a real one.
#[must_use]
pub fn entry_bytes(id: GameId, version: Version) -> Bytes {
    Bytes::from(format!("entry {version} of {id} ").repeat(2))
}

/// Builds a snapshot of about the size of a real one.
#[must_use]
pub fn snapshot_bytes(id: GameId, version: Version) -> Bytes {
    Bytes::from(format!("snapshot {version} of {id} ").repeat(10))
}

/// Builds a commit of the next entry, with a snapshot at every sixteenth version.
#[must_use]
pub fn next_commit(id: GameId, expected: Version) -> Commit {
    let version = expected + 1;
    Commit {
        id,
        tenant: "writer".to_owned(),
        expected: head(id, expected),
        entry: entry_bytes(id, version),
        log_bytes: (1..=version)
            .map(|version| sizes::bytes(entry_bytes(id, version).len()))
            .sum(),
        snapshot: version
            .is_multiple_of(16)
            .then(|| snapshot_bytes(id, version)),
        row: None,
        access: None,
    }
}

/// Builds the commit with which a game ends.
#[must_use]
pub fn last_commit(id: GameId, expected: Version) -> Commit {
    Commit {
        snapshot: Some(Bytes::from_static(b"the end")),
        row: Some(IndexRow {
            finished: true,
            ..new_game(id).row
        }),
        ..next_commit(id, expected)
    }
}
