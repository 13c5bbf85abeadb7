//! The names of the keys. What lies between the braces decides the slot of a cluster: all keys of a
//! game share one.

use uuid::Uuid;

use super::super::{GameId, Head};

/// The keys of a game, in the order in which every script takes them: the log, the snapshot (its version
/// in decimal, a colon, and what is kept), the row, and the access record.
pub(super) fn keys_of(id: GameId) -> [String; 4] {
    [
        log_key(id),
        key(id, "snapshot"),
        row_key(id),
        access_key(id),
    ]
}

/// The number in the stream of the entry that a log ended with.
pub(super) fn number_of(head: Head) -> String {
    let (mut version, mut mark) = (itoa::Buffer::new(), itoa::Buffer::new());
    [version.format(head.version), "-", mark.format(head.mark)].concat()
}

/// The key of the log: a stream with one entry for each version. Also the channel for wake-ups.
pub(super) fn log_key(id: GameId) -> String {
    key(id, "log")
}

/// The key of the row.
pub(super) fn row_key(id: GameId) -> String {
    key(id, "row")
}

/// The key of the access record.
pub(super) fn access_key(id: GameId) -> String {
    key(id, "access")
}

/// Put together by hand: every call needs some of them.
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
