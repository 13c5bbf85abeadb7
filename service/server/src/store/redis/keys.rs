//! The names of the keys. What lies between the braces decides the slot of a cluster: all keys of a
//! game share one.

use uuid::Uuid;

use super::super::{GameId, Head};

/// The keys of a game: the order in which every script takes them.
pub(super) struct GameKeys {
    /// A stream with one entry for each version; also the channel for wake-ups.
    pub(super) log: String,
    /// The version in decimal, a colon, and the snapshot.
    pub(super) snapshot: String,
    /// The row.
    pub(super) row: String,
    /// The access record.
    pub(super) access: String,
}

impl GameKeys {
    /// The keys of a game.
    pub(super) fn of(id: GameId) -> GameKeys {
        GameKeys {
            log: log_key(id),
            snapshot: key(id, "snapshot"),
            row: row_key(id),
            access: key(id, "access"),
        }
    }
}

/// The number in the stream of the entry that a log ended with.
pub(super) fn number_of(head: Head) -> String {
    format!("{}-{}", head.version, head.mark)
}

/// The key of the log, which is the name of the channel too.
pub(super) fn log_key(id: GameId) -> String {
    key(id, "log")
}

/// The key of the row.
pub(super) fn row_key(id: GameId) -> String {
    key(id, "row")
}

/// Put together by hand: every call needs four of them.
fn key(id: GameId, of: &str) -> String {
    let mut digits = Uuid::encode_buffer();
    let id = id.hyphenated().encode_lower(&mut digits);
    ["gk:{", id, "}:", of].concat()
}

/// A key beside another one, for what tells how far replicas are.
pub(super) fn mark_key(key: &str) -> String {
    format!("{key}:mark")
}

/// The game of a channel.
pub(super) fn game_of_channel(channel: &str) -> Option<GameId> {
    let id = channel.strip_prefix("gk:{")?.strip_suffix("}:log")?;
    Uuid::try_parse(id).ok()
}

/// The key of the list of all games.
pub(super) const ALL_GAMES: &str = "gk:games";

/// The key of the list of a tenant's games.
pub(super) fn games_of(tenant: &str) -> String {
    format!("gk:games:{tenant}")
}
