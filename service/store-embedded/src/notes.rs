//! Notes: small values that belong to no game.

use bytes::Bytes;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{GameId, Note, Place};
use redb::ReadTransaction;

use super::fault::Fault;
use super::tables::{NOTES, Readable, Task, note_key, seal, unseal, value_of};
use super::writer::{Effect, Writer};

/// Returns the note with this id, even if it has expired.
fn kept(notes: &impl Readable, id: GameId) -> Result<Option<Note>, Fault> {
    let key = note_key(id);
    let Some(sealed) = value_of(notes, &key)? else {
        return Ok(None);
    };
    let read = unseal(&key, &sealed).and_then(|kept| kept.split_first_chunk());
    let (until_ms, bytes) = read.ok_or_else(|| Fault::damaged(id, "a note cannot be read"))?;
    Ok(Some(Note {
        until_ms: u64::from_be_bytes(*until_ms),
        bytes: Bytes::copy_from_slice(bytes),
    }))
}

/// Returns the bytes of a note, empty if there is none or it has expired.
pub(super) fn read(view: &ReadTransaction, id: GameId) -> Result<Bytes, Fault> {
    let note = kept(&view.open_table(NOTES)?, id)?;
    Ok(note
        .filter(|note| note.is_kept(now_ms()))
        .unwrap_or_default()
        .bytes)
}

impl Writer<'_> {
    /// Replaces a note if it is `expected`, and returns whether it did. A removal is allowed even if the disk is full.
    pub(super) fn set_note(
        &mut self,
        id: GameId,
        expected: &Bytes,
        note: &Note,
    ) -> Result<bool, Fault> {
        let (before, now_ms) = (kept(&self.notes, id)?, now_ms());
        let known = before.as_ref().filter(|note| note.is_kept(now_ms));
        if known.map_or(&[][..], |note| &note.bytes) != expected {
            return Ok(false);
        }
        let stays = note.is_kept(now_ms);
        if stays {
            self.check_room()?;
        }
        if let Some(before) = &before {
            self.due
                .remove(Task::Forget.key(before.until_ms, id).as_slice())?;
        }
        let key = note_key(id);
        if stays {
            let sealed = seal(&key, &[&note.until_ms.to_be_bytes(), &note.bytes]);
            self.notes.insert(key.as_slice(), sealed.as_slice())?;
        } else {
            self.notes.remove(key.as_slice())?;
        }
        if stays && note.until_ms != u64::MAX {
            self.due
                .insert(Task::Forget.key(note.until_ms, id).as_slice(), ())?;
        }
        self.changed(id, Effect::Woken);
        Ok(true)
    }

    /// Deletes an expired note, unless a later change has moved its time.
    pub(super) fn forget(&mut self, note: Place) -> Result<(), Fault> {
        let kept = kept(&self.notes, note.id)?;
        if kept.is_some_and(|kept| kept.until_ms == note.ms) {
            self.notes.remove(note_key(note.id).as_slice())?;
            self.has_changed = true;
        }
        Ok(())
    }
}
