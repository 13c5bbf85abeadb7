//! Reading of games and logs.

use bytes::Bytes;
use gamekeeper_store::row::decode_row;
use gamekeeper_store::{
    GameId, Head, IDEMPOTENCY_LOOKBACK, Loaded, StoreError, StoredEntry, StoredSnapshot, Version,
    packed,
};
use redis::{Cmd, Value};

use super::errors::damaged;
use super::keys::{keys_of, log_key, stream_id};
use super::link::Link;
use super::reply::Entries;
use super::{RedisStore, replicas, reply};

/// The maximum number of entries requested from Redis at once.
const LOG_PAGE: usize = 100_000;

impl RedisStore {
    /// Sends a read of a game and returns its reply.
    async fn read(&self, key: &str, command: Cmd) -> Result<Value, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let reply = replicas::ask(link, key, &command, self.wait).await;
        reply.map_err(|failure| failure.of_read())
    }

    pub(super) async fn load_game(
        &self,
        id: GameId,
        known_head: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let keys = keys_of(id);
        let stream_id = known_head.map(stream_id).unwrap_or_default();
        let look_back = IDEMPOTENCY_LOOKBACK.to_string();
        let args = [look_back.as_bytes(), stream_id.as_bytes()];
        let call = self.scripts.load.call(&keys, &args);
        let reply = call.ask(link, self.wait).await?;
        if reply == Value::Nil {
            return Ok(None);
        }
        let mut parts = reply::list(reply)?.into_iter();
        let access = reply::bytes(parts.next().unwrap_or(Value::Nil))?;
        let entries = parts.next().unwrap_or(Value::Nil);
        let version = known_head.map_or(0, |head| head.version);
        let (Some(snapshot), Some(row), Some(count)) = (parts.next(), parts.next(), parts.next())
        else {
            let entries = reply::entries(entries, version).await?.after(version);
            return Ok(Some(Loaded {
                snapshot: None,
                entries,
                access,
            }));
        };
        let first = version_before(&snapshot, &entries);
        let entries = reply::entries(entries, first).await?;
        if let (Entries::Packed(log), Some(head)) = (&entries, known_head)
            && packed::has(log, head)
        {
            return Ok(Some(Loaded {
                snapshot: None,
                entries: entries.after(version),
                access,
            }));
        }
        let is_packed = matches!(entries, Entries::Packed(_));
        let cold = ColdReply {
            access,
            entries,
            is_packed,
            snapshot,
            row,
            count,
        };
        self.build_cold_load(link, id, cold).map(Some)
    }

    pub(super) async fn read_log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        let log = log_key(id);
        let mut range = redis::cmd("XRANGE");
        range
            .arg(&*log)
            .arg(format!("{}-0", after.saturating_add(1)))
            .arg("+");
        // At least 1, since Redis returns no list for 0. The result is truncated below.
        range.arg("COUNT").arg(limit.clamp(1, LOG_PAGE));
        let reply = self.read(&log, range).await?;
        let mut entries = reply::entries(reply, after).await?.after(after);
        entries.truncate(limit);
        if entries.is_empty() {
            let mut exists = redis::cmd("EXISTS");
            exists.arg(&*log);
            if self.read(&log, exists).await? != Value::Int(0) {
                return Ok(Some(entries));
            }
            let link = self.connections.for_this_thread().await?;
            self.scripts.epoch.check_in_slot_of(link, &log).await?;
            return Ok(None);
        }
        Ok(Some(entries))
    }

    /// Builds the result of a cold load. Checks that the log has as many entries as its last version says.
    fn build_cold_load(
        &self,
        link: &Link,
        id: GameId,
        cold: ColdReply,
    ) -> Result<Loaded, StoreError> {
        let snapshot = match reply::bytes(cold.snapshot) {
            Ok(stored) => reply::decode_snapshot(&stored),
            Err(error) => Err(error),
        };
        let (entries, count) = match cold.entries {
            Entries::Plain(entries) => (entries, cold.count),
            Entries::Packed(log) => {
                let count = Value::Int(i64::try_from(log.len()).unwrap_or(i64::MAX));
                (log, count)
            }
        };
        let newest = entries.last().map_or(0, |last| last.version);
        if count != Value::Int(i64::try_from(newest).unwrap_or(i64::MAX)) {
            return Err(damaged("a log has gaps"));
        }
        let snapshot = snapshot.unwrap_or_else(|error| {
            tracing::warn!(%id, %error, "a snapshot is missing or damaged");
            StoredSnapshot {
                version: newest,
                bytes: Bytes::new(),
            }
        });
        if newest < snapshot.version {
            return Err(damaged("a log ends before its snapshot"));
        }
        match reply::bytes(cold.row).and_then(|row| decode_row(&row)) {
            Ok(row) => {
                if row.finished && !cold.is_packed {
                    self.pack_later(link, &row.tenant, id);
                }
                self.repair_index_later(link, id, row);
            }
            Err(_) => tracing::warn!(%id, "the row of a game is missing or damaged"),
        }
        let after = snapshot.version.saturating_sub(IDEMPOTENCY_LOOKBACK);
        let entries = entries.into_iter().filter(|entry| entry.version > after);
        Ok(Loaded {
            snapshot: Some(snapshot),
            entries: entries.collect(),
            access: cold.access,
        })
    }
}

/// The reply of the load script to a cold load.
struct ColdReply {
    access: Bytes,
    entries: Entries,
    is_packed: bool,
    snapshot: Value,
    row: Value,
    count: Value,
}

/// Returns the version before the first entry that the load script returns for a cold load.
fn version_before(snapshot: &Value, entries: &Value) -> Version {
    let snapshot_version = match (snapshot, entries) {
        (Value::BulkString(stored), _) => leading_number(stored),
        (_, Value::Array(entries)) => match entries.last() {
            Some(Value::Array(last)) => match last.first() {
                Some(Value::BulkString(stream_id)) => leading_number(stream_id),
                _ => 0,
            },
            _ => 0,
        },
        _ => 0,
    };
    snapshot_version.saturating_sub(IDEMPOTENCY_LOOKBACK)
}

fn leading_number(text: &[u8]) -> Version {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    let digits: String = digits.map(|byte| char::from(*byte)).collect();
    digits.parse().unwrap_or(0)
}
