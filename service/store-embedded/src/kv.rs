//! **Key-value records**: small values that belong to no game.

use bytes::Bytes;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{GameId, KvRecord, ListPosition};
use redb::ReadTransaction;

use super::fault::Fault;
use super::tables::{KV, Readable, Task, kv_key, seal, unseal, value_of};
use super::writer::{PostCommit, Writer};

/// Returns the record with this id, even if it has expired.
fn stored_record(table: &impl Readable, id: GameId) -> Result<Option<KvRecord>, Fault> {
    let key = kv_key(id);
    let Some(sealed) = value_of(table, &key)? else {
        return Ok(None);
    };
    let read = unseal(&key, &sealed).and_then(|value| value.split_first_chunk());
    let (until_ms, bytes) = read.ok_or_else(|| Fault::damaged(id, "a note cannot be read"))?;
    Ok(Some(KvRecord {
        expires_ms: u64::from_be_bytes(*until_ms),
        bytes: Bytes::copy_from_slice(bytes),
    }))
}

/// Returns the bytes of a record, empty if there is none or it has expired.
pub(super) fn read(view: &ReadTransaction, id: GameId) -> Result<Bytes, Fault> {
    let record = stored_record(&view.open_table(KV)?, id)?;
    Ok(record
        .filter(|record| record.is_live(now_ms()))
        .unwrap_or_default()
        .bytes)
}

impl Writer<'_> {
    /// Replaces a record if it is `expected`, and returns whether it did. A removal is allowed even if the disk is
    /// full.
    pub(super) fn set_note(
        &mut self,
        id: GameId,
        expected: &Bytes,
        record: &KvRecord,
    ) -> Result<bool, Fault> {
        let (before, now_ms) = (stored_record(&self.kv, id)?, now_ms());
        let live = before.as_ref().filter(|record| record.is_live(now_ms));
        if live.map_or(&[][..], |record| &record.bytes) != expected {
            return Ok(false);
        }
        let is_live = record.is_live(now_ms);
        if is_live {
            self.check_room()?;
        }
        if let Some(before) = &before {
            self.due
                .remove(Task::Forget.key(before.expires_ms, id).as_slice())?;
        }
        let key = kv_key(id);
        if is_live {
            let sealed = seal(&key, &[&record.expires_ms.to_be_bytes(), &record.bytes]);
            self.kv.insert(key.as_slice(), sealed.as_slice())?;
        } else {
            self.kv.remove(key.as_slice())?;
        }
        if is_live && record.expires_ms != u64::MAX {
            self.due
                .insert(Task::Forget.key(record.expires_ms, id).as_slice(), ())?;
        }
        self.record_change(id, PostCommit::Woken);
        Ok(true)
    }

    /// Deletes an expired record, unless a later change has moved its time.
    pub(super) fn expire(&mut self, record: ListPosition) -> Result<(), Fault> {
        let stored = stored_record(&self.kv, record.id)?;
        if stored.is_some_and(|found_record| found_record.expires_ms == record.ms) {
            self.kv.remove(kv_key(record.id).as_slice())?;
            self.has_changed = true;
        }
        Ok(())
    }
}
