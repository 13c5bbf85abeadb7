//! Notes: small values that belong to no game, such as which tokens of a user are valid.

use std::collections::HashMap;

use bytes::Bytes;

use super::GameId;
use super::clock::now_ms;

/// A small value that belongs to no game. It is stored under an id that no game has, and expires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The value, opaque to the store. Empty if there is no note.
    pub bytes: Bytes,
    /// When the note expires, in milliseconds since the Unix epoch. [`u64::MAX`] if it never does.
    pub until_ms: u64,
}

impl Note {
    /// Whether the note has a value and has not expired at this time, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn is_kept(&self, now_ms: u64) -> bool {
        !self.bytes.is_empty() && now_ms < self.until_ms
    }
}

/// The notes of the store in memory.
#[derive(Default)]
pub(super) struct Notes {
    by_id: HashMap<GameId, Note>,
    /// Expired notes are dropped when the number of notes exceeds this, so that the scan costs amortized O(1) for each
    /// change.
    dropped_at: usize,
}

/// The number of notes below which expired ones are not dropped.
const FEW: usize = 64;

impl Notes {
    /// Returns the bytes of a note, empty if there is none or it has expired.
    pub(super) fn bytes(&self, id: GameId) -> Bytes {
        let kept = self.by_id.get(&id).filter(|note| note.is_kept(now_ms()));
        kept.map(|note| note.bytes.clone()).unwrap_or_default()
    }

    /// Replaces a note if its bytes are `expected`. Returns whether it did.
    pub(super) fn replace(&mut self, id: GameId, expected: &Bytes, note: Note) -> bool {
        if self.bytes(id) != expected {
            return false;
        }
        let now_ms = now_ms();
        if note.is_kept(now_ms) {
            self.by_id.insert(id, note);
        } else {
            self.by_id.remove(&id);
        }
        if self.by_id.len() > self.dropped_at.max(FEW) {
            self.by_id.retain(|_, note| note.is_kept(now_ms));
            self.dropped_at = 2 * self.by_id.len();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn notes_whose_time_has_passed_take_no_room() {
        let mut notes = Notes::default();
        for number in 0..10_000 {
            let note = Note {
                bytes: Bytes::from("note"),
                until_ms: now_ms() + 1,
            };
            assert!(notes.replace(Uuid::from_u128(number), &Bytes::new(), note));
            if number % 500 == 0 {
                std::thread::sleep(std::time::Duration::from_millis(2));
            }
        }
        assert!(notes.by_id.len() < 5_000, "{}", notes.by_id.len());
    }
}
