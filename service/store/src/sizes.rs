//! The **sizes** of what is stored: the lengths of keys and values as they are written.
//!
//! The bytes that a tenant stores are the sum of the sizes of its games and of its feed. The size of a game moves when
//! it is created, with each snapshot, with its index row and access record, when its log is packed, and when it is
//! deleted: the entries after its newest snapshot are not in it, so that most commits change no sum.

use crate::lists::{IndexKey, index_entries};
use crate::row::encoded_len;
use crate::{Commit, GameId, IndexRow, KvRecord, NewGame, Version};

/// The length of the key of a game, and of what is stored once for each game.
pub const GAME_KEY_LEN: usize = size_of::<GameId>();

/// The length of the key of an entry.
pub const ENTRY_KEY_LEN: usize = GAME_KEY_LEN + size_of::<u64>();

/// The length of a record of a feed with its key: topic, time, number, game, kind of change, version and hash.
pub const FEED_RECORD_LEN: usize = 16 + 8 + 8 + 16 + 1 + 8 + 4;

/// Converts a length to a number of bytes.
#[must_use]
pub fn bytes(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// Returns by how many bytes something grows from one size to another, negative if it shrinks.
#[must_use]
pub fn growth(before: usize, after: usize) -> i64 {
    let signed = |len| i64::try_from(len).unwrap_or(i64::MAX);
    signed(after).saturating_sub(signed(before))
}

/// Adds a growth to a sum.
#[must_use]
pub fn grown(sum: u64, growth: i64) -> u64 {
    sum.saturating_add_signed(growth)
}

/// Returns the size of entries with these lengths.
#[must_use]
pub fn len_of_entries(lengths: impl IntoIterator<Item = usize>) -> usize {
    let with_key = |len| ENTRY_KEY_LEN + len;
    lengths.into_iter().map(with_key).sum()
}

/// Returns the size of the entries of a log up to a version, from their lengths together.
#[must_use]
pub fn len_of_log(version: Version, log_bytes: u64) -> u64 {
    let keys = version.saturating_mul(bytes(ENTRY_KEY_LEN));
    log_bytes.saturating_add(keys)
}

/// Returns the size of an index row with its places in lists.
#[must_use]
pub fn len_of_row(id: GameId, row: &IndexRow) -> usize {
    let places = index_entries(id, row).count();
    GAME_KEY_LEN + encoded_len(row) + places * size_of::<IndexKey>()
}

impl NewGame {
    /// Returns the size of the game that the creation writes, in bytes.
    #[must_use]
    pub fn stored_len(&self) -> usize {
        let entries = std::iter::once(&self.entry).chain(&self.history);
        let entries = len_of_entries(entries.map(bytes::Bytes::len));
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
        len_of_entries([self.entry.len()]) + snapshot + row
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
