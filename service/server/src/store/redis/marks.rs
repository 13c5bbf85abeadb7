//! Which entry had the last version that was seen of a game.
//!
//! A version says how long a log is, not what is in it. When Redis comes back without its last
//! entries, after a crash or because a replica took over that did not have them, others may have put
//! other entries in their place. What is built on an entry that was lost must not be added to a log
//! that has another one there: the game could not be replayed any more. So the number of an entry in
//! the stream carries a mark, made from its bytes; the store remembers the mark of the newest entry
//! that it gave out or took in, and has it compared wherever Redis may have changed in between.

use bytes::Bytes;
use quick_cache::sync::Cache;
use xxhash_rust::xxh3::xxh3_64;

use crate::store::{GameId, StoredEntry, Version};

/// How many games are remembered. Of any other game the version alone is compared.
const GAMES: usize = 65_536;

/// The mark of an entry: the second part of its number in the stream.
pub(super) fn mark_of(entry: &[u8]) -> u32 {
    // Half of the hash: short in the stream, and rarely equal by chance.
    let [a, b, c, d, ..] = xxh3_64(entry).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

/// The newest entries that were seen.
pub(super) struct Marks {
    seen: Cache<GameId, Seen>,
}

#[derive(Clone, Copy)]
struct Seen {
    version: Version,
    mark: u32,
    /// The connection that it was seen on, if connections are told apart.
    connection: Option<u64>,
}

impl Marks {
    pub(super) fn new() -> Marks {
        Marks {
            seen: Cache::new(GAMES),
        }
    }

    /// An entry was stored.
    pub(super) fn saw(&self, id: GameId, version: Version, entry: &Bytes, connection: Option<u64>) {
        let is_old = |seen: Seen| seen.version > version && seen.connection >= connection;
        if !self.seen.get(&id).is_some_and(is_old) {
            self.seen.insert(
                id,
                Seen {
                    version,
                    mark: mark_of(entry),
                    connection,
                },
            );
        }
    }

    /// These entries were read after a version, which was compared if need be.
    pub(super) fn saw_all(
        &self,
        id: GameId,
        after: Version,
        entries: &[StoredEntry],
        connection: Option<u64>,
    ) {
        if let Some(last) = entries.last() {
            self.saw(id, last.version, &last.bytes, connection);
        } else if let Some(seen) = self.seen.get(&id)
            && seen.version == after
        {
            self.seen.insert(id, Seen { connection, ..seen });
        }
    }

    /// The mark to compare; empty if none is known, or there is no need.
    pub(super) fn to_compare(
        &self,
        id: GameId,
        version: Version,
        connection: Option<u64>,
    ) -> String {
        let is_sure = |seen: &Seen| connection.is_some() && seen.connection == connection;
        match self.seen.get(&id) {
            Some(seen) if seen.version == version && !is_sure(&seen) => seen.mark.to_string(),
            Some(_) | None => String::new(),
        }
    }

    /// The game is gone.
    pub(super) fn forget(&self, id: GameId) {
        self.seen.remove(&id);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_mark_is_compared_once_after_each_break() {
        let (marks, id, entry) = (Marks::new(), Uuid::from_u128(1), Bytes::from("entry"));
        assert_eq!(marks.to_compare(id, 7, Some(0)), "", "nothing is known");
        marks.saw(id, 7, &entry, Some(0));
        assert_eq!(marks.to_compare(id, 7, Some(0)), "", "nothing has happened");
        let mark = mark_of(&entry).to_string();
        assert_eq!(marks.to_compare(id, 7, Some(1)), mark);
        assert_eq!(marks.to_compare(id, 6, Some(1)), "", "of another version");
        marks.saw_all(id, 7, &[], Some(1));
        assert_eq!(marks.to_compare(id, 7, Some(1)), "");
        marks.saw(id, 6, &entry, Some(1));
        assert_eq!(
            marks.to_compare(id, 7, Some(2)),
            mark,
            "what is late is not newer"
        );
        assert_eq!(marks.to_compare(id, 7, None), mark, "in a cluster always");
    }
}
