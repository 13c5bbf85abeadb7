//! **Key-value records**: small values that belong to no game, such as which tokens of a user are valid.

use std::collections::HashMap;

use bytes::Bytes;

use super::GameId;
use super::clock::now_ms;

/// A small value that belongs to no game. It is stored under an id that no game has, and expires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KvRecord {
    /// The value, opaque to the store. Empty if there is no record.
    pub bytes: Bytes,
    /// When the record expires, in milliseconds since the Unix epoch. [`u64::MAX`] if it never does.
    pub expires_ms: u64,
}

impl KvRecord {
    /// Whether the record has a value and has not expired at this time, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn is_live(&self, now_ms: u64) -> bool {
        !self.bytes.is_empty() && now_ms < self.expires_ms
    }
}

/// The key-value records of the store in memory.
#[derive(Default)]
pub(super) struct KvTable {
    by_id: HashMap<GameId, KvRecord>,
    /// Expired records are dropped when the number of records exceeds this, so that the scan costs amortized O(1) for
    /// each change.
    purge_at: usize,
}

/// The number of records below which expired ones are not dropped.
const MIN_PURGE_LEN: usize = 64;

impl KvTable {
    /// Returns the bytes of a record, empty if there is none or it has expired.
    pub(super) fn bytes(&self, id: GameId) -> Bytes {
        let live = self
            .by_id
            .get(&id)
            .filter(|record| record.is_live(now_ms()));
        live.map(|record| record.bytes.clone()).unwrap_or_default()
    }

    /// Replaces a record if its bytes are `expected`. Returns whether it did.
    pub(super) fn replace(&mut self, id: GameId, expected: &Bytes, record: KvRecord) -> bool {
        if self.bytes(id) != expected {
            return false;
        }
        let now_ms = now_ms();
        if record.is_live(now_ms) {
            self.by_id.insert(id, record);
        } else {
            self.by_id.remove(&id);
        }
        if self.by_id.len() > self.purge_at.max(MIN_PURGE_LEN) {
            self.by_id.retain(|_, record| record.is_live(now_ms));
            self.purge_at = 2 * self.by_id.len();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn expired_records_are_purged() {
        let mut table = KvTable::default();
        for number in 0..10_000 {
            let record = KvRecord {
                bytes: Bytes::from("note"),
                expires_ms: now_ms() + 1,
            };
            assert!(table.replace(Uuid::from_u128(number), &Bytes::new(), record));
            if number % 500 == 0 {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
        }
        assert!(table.by_id.len() < 5_000, "{}", table.by_id.len());
    }
}
