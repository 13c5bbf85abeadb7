//! Notes: small values that belong to no game.

use bytes::Bytes;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{GameId, Note, StoreError};
use redis::Value;

use super::errors::damaged;
use super::keys::{decimal, log_key, note_key};
use super::{RedisStore, reply};

impl RedisStore {
    pub(super) async fn read_note(&self, id: GameId) -> Result<Bytes, StoreError> {
        let link = self.links.here().await?;
        let keys = [note_key(id)];
        let call = self.scripts.note.call(&keys, &[]);
        reply::bytes(call.ask(link, self.wait).await?)
    }

    pub(super) async fn replace_note(
        &self,
        id: GameId,
        expected: Bytes,
        note: Note,
    ) -> Result<bool, StoreError> {
        let link = self.links.here().await?;
        let now_ms = now_ms();
        let bytes = if note.is_kept(now_ms) {
            note.bytes
        } else {
            Bytes::new()
        };
        let left = decimal(match note.until_ms {
            u64::MAX => 0,
            until_ms => until_ms.saturating_sub(now_ms),
        });
        let keys = [note_key(id), log_key(id)];
        let args: [&[u8]; 3] = [&expected, &bytes, left.as_bytes()];
        let call = self.scripts.set_note.call(&keys, &args);
        match call.change(link, self.wait).await? {
            Value::Int(1) => {
                self.wakers.poke(id);
                Ok(true)
            }
            Value::Int(0) => Ok(false),
            _ => Err(damaged("an unknown answer to the change of a note")),
        }
    }
}
