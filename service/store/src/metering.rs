//! **Metering** of stores: what they use for the work that runs on this thread, so that it can be charged.
//!
//! A store records it where the work goes on, not on threads of its own: the work that was running then may belong to
//! somebody else.

use std::cell::Cell;
use std::time::Duration;

use crate::lists::{IndexKey, index_entries};
use crate::row::encoded_len;
use crate::{Commit, GameId, IndexRow, KvRecord, NewGame};

/// The resources that stores have used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreUse {
    /// The processor time on threads of stores.
    pub time: Duration,
    /// The lengths of keys and values as they were written, in bytes.
    pub bytes: u64,
}

impl StoreUse {
    /// Nothing.
    pub const ZERO: Self = Self {
        time: Duration::ZERO,
        bytes: 0,
    };
}

thread_local! {
    static USED: Cell<StoreUse> = const { Cell::new(StoreUse::ZERO) };
}

/// Replaces what was recorded on this thread, and returns it.
pub fn replace(used: StoreUse) -> StoreUse {
    USED.replace(used)
}

/// Records processor time that a store has used on another thread.
pub fn record_time(time: Duration) {
    let used = USED.get();
    let time = used.time.saturating_add(time);
    USED.set(StoreUse { time, ..used });
}

/// Records bytes that were written to a store.
pub fn record_bytes(bytes: usize) {
    let used = USED.get();
    let more = u64::try_from(bytes).unwrap_or(u64::MAX);
    let bytes = used.bytes.saturating_add(more);
    USED.set(StoreUse { bytes, ..used });
}

/// The length of the key of a game, and of what is stored once for each game.
const GAME_KEY_LEN: usize = size_of::<GameId>();

/// The length of the key of an entry.
const ENTRY_KEY_LEN: usize = GAME_KEY_LEN + size_of::<u64>();

/// Returns the size of an index row with its places in lists.
#[must_use]
pub fn len_of_row(id: GameId, row: &IndexRow) -> usize {
    let places = index_entries(id, row).count();
    GAME_KEY_LEN + encoded_len(row) + places * size_of::<IndexKey>()
}

impl NewGame {
    /// Returns the lengths of the keys and values that the creation writes, in bytes.
    #[must_use]
    pub fn stored_len(&self) -> usize {
        let entries = std::iter::once(&self.entry).chain(&self.history);
        let entries: usize = entries.map(|entry| ENTRY_KEY_LEN + entry.len()).sum();
        let snapshot = GAME_KEY_LEN + self.snapshot.len();
        entries + snapshot + self.access.len() + len_of_row(self.id, &self.row)
    }
}

impl Commit {
    /// Returns the lengths of the keys and values that the commit writes, in bytes.
    #[must_use]
    pub fn stored_len(&self) -> usize {
        let snapshot = self.snapshot.as_ref();
        let snapshot = snapshot.map_or(0, |snapshot| GAME_KEY_LEN + snapshot.len());
        let row = self.row.as_ref().map_or(0, |row| len_of_row(self.id, row));
        ENTRY_KEY_LEN + self.entry.len() + snapshot + row
    }
}

impl KvRecord {
    /// Returns the lengths of key and value, in bytes. Returns 0 for a record that is removed.
    #[must_use]
    pub fn stored_len(&self) -> usize {
        match self.bytes.len() {
            0 => 0,
            bytes => GAME_KEY_LEN + size_of::<u64>() + bytes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_is_handed_over_once() {
        assert_eq!(replace(StoreUse::ZERO), StoreUse::ZERO);
        record_bytes(7);
        record_time(Duration::from_micros(3));
        let outer = replace(StoreUse::ZERO);
        record_bytes(1);
        let inner = replace(outer);
        assert_eq!((inner.bytes, inner.time), (1, Duration::ZERO));
        record_bytes(2);
        let all = replace(StoreUse::ZERO);
        assert_eq!((all.bytes, all.time), (9, Duration::from_micros(3)));
    }
}
