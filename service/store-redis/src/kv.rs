//! **Key-value records**: small values that belong to no game.

use bytes::Bytes;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{GameId, KvRecord, StoreError};
use redis::Value;

use super::errors::damaged;
use super::keys::{decimal, kv_key, log_key};
use super::{RedisStore, reply};

impl RedisStore {
    pub(super) async fn read_kv(&self, id: GameId) -> Result<Bytes, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let keys = [kv_key(id)];
        let call = self.scripts.kv_get.call(&keys, &[]);
        reply::bytes(call.ask(link, self.wait).await?)
    }

    pub(super) async fn replace_kv(
        &self,
        id: GameId,
        expected: Bytes,
        record: KvRecord,
    ) -> Result<bool, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let now_ms = now_ms();
        let bytes = if record.is_live(now_ms) {
            record.bytes
        } else {
            Bytes::new()
        };
        let ttl_ms = decimal(match record.expires_ms {
            u64::MAX => 0,
            until_ms => until_ms.saturating_sub(now_ms),
        });
        let keys = [kv_key(id), log_key(id)];
        let args: [&[u8]; 3] = [&expected, &bytes, ttl_ms.as_bytes()];
        let call = self.scripts.kv_compare_and_set.call(&keys, &args);
        match call.change(link, self.wait).await? {
            Value::Int(1) => {
                self.notifier.notify(id);
                Ok(true)
            }
            Value::Int(0) => Ok(false),
            _ => Err(damaged("an unknown answer to the change of a note")),
        }
    }
}
