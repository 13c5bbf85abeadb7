//! Reading of games and logs.

use bytes::Bytes;
use gamekeeper_store::row::decode_row;
use gamekeeper_store::{
    GameId, Head, LOOK_BACK, Loaded, StoreError, StoredEntry, StoredSnapshot, Version, packed,
};
use redis::{Cmd, Value};

use super::errors::damaged;
use super::keys::{keys_of, log_key, number_of};
use super::link::Link;
use super::reply::Entries;
use super::{RedisStore, replicas, reply};

/// The maximum number of entries requested from Redis at once.
const LOG_PAGE: usize = 100_000;

impl RedisStore {
    /// Sends a read of a game and returns its reply.
    async fn read(&self, key: &str, command: Cmd) -> Result<Value, StoreError> {
        let link = self.links.here().await?;
        let answer = replicas::ask(link, key, &command, self.wait).await;
        answer.map_err(|failure| failure.of_read())
    }

    pub(super) async fn load_game(
        &self,
        id: GameId,
        known: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError> {
        let link = self.links.here().await?;
        let keys = keys_of(id);
        let number = known.map(number_of).unwrap_or_default();
        let look_back = LOOK_BACK.to_string();
        let args = [look_back.as_bytes(), number.as_bytes()];
        let call = self.scripts.load.call(&keys, &args);
        let found = call.ask(link, self.wait).await?;
        if found == Value::Nil {
            return Ok(None);
        }
        let mut found = reply::list(found)?.into_iter();
        let access = reply::bytes(found.next().unwrap_or(Value::Nil))?;
        let entries = found.next().unwrap_or(Value::Nil);
        let version = known.map_or(0, |known| known.version);
        let (Some(snapshot), Some(row), Some(count)) = (found.next(), found.next(), found.next())
        else {
            let entries = reply::entries(entries, version).await?.after(version);
            return Ok(Some(Loaded {
                snapshot: None,
                entries,
                access,
            }));
        };
        let first = first_of(&snapshot, &entries);
        let entries = reply::entries(entries, first).await?;
        if let (Entries::Packed(log), Some(known)) = (&entries, known)
            && packed::has(log, known)
        {
            return Ok(Some(Loaded {
                snapshot: None,
                entries: entries.after(version),
                access,
            }));
        }
        let is_packed = matches!(entries, Entries::Packed(_));
        let found = Found {
            access,
            entries,
            is_packed,
            snapshot,
            row,
            count,
        };
        self.loaded_cold(link, id, found).map(Some)
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
        let found = self.read(&log, range).await?;
        let mut entries = reply::entries(found, after).await?.after(after);
        entries.truncate(limit);
        if entries.is_empty() {
            let mut exists = redis::cmd("EXISTS");
            exists.arg(&*log);
            if self.read(&log, exists).await? != Value::Int(0) {
                return Ok(Some(entries));
            }
            let link = self.links.here().await?;
            self.scripts.epoch.check_beside(link, &log).await?;
            return Ok(None);
        }
        Ok(Some(entries))
    }

    /// Builds the result of a cold load. Checks that the log has as many entries as its last version says.
    fn loaded_cold(&self, link: &Link, id: GameId, found: Found) -> Result<Loaded, StoreError> {
        let snapshot = match reply::bytes(found.snapshot) {
            Ok(kept) => reply::decode_snapshot(&kept),
            Err(error) => Err(error),
        };
        let (entries, count) = match found.entries {
            Entries::Plain(entries) => (entries, found.count),
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
        match reply::bytes(found.row).and_then(|row| decode_row(&row)) {
            Ok(row) => {
                if row.finished && !found.is_packed {
                    self.pack_later(link, id);
                }
                self.mend_lists(link, id, row);
            }
            Err(_) => tracing::warn!(%id, "the row of a game is missing or damaged"),
        }
        let after = snapshot.version.saturating_sub(LOOK_BACK);
        let entries = entries.into_iter().filter(|entry| entry.version > after);
        Ok(Loaded {
            snapshot: Some(snapshot),
            entries: entries.collect(),
            access: found.access,
        })
    }
}

/// The reply of the load script to a cold load.
struct Found {
    access: Bytes,
    entries: Entries,
    is_packed: bool,
    snapshot: Value,
    row: Value,
    count: Value,
}

/// Returns the version before the first entry that the load script returns for a cold load.
fn first_of(snapshot: &Value, entries: &Value) -> Version {
    let taken_at = match (snapshot, entries) {
        (Value::BulkString(kept), _) => leading_number(kept),
        (_, Value::Array(entries)) => match entries.last() {
            Some(Value::Array(last)) => match last.first() {
                Some(Value::BulkString(number)) => leading_number(number),
                _ => 0,
            },
            _ => 0,
        },
        _ => 0,
    };
    taken_at.saturating_sub(LOOK_BACK)
}

fn leading_number(text: &[u8]) -> Version {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit());
    let digits: String = digits.map(|byte| char::from(*byte)).collect();
    digits.parse().unwrap_or(0)
}
