//! Creation of games, with or without a past.

use bytes::Bytes;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::ChangeKind;
use gamekeeper_store::row::encode_row;
use gamekeeper_store::{Created, Head, NewGame, StoreError, sizes};
use redis::Value;

use super::errors::damaged;
use super::keys::{StreamId, keys_of, staged_log_key, stream_id};
use super::link::Link;
use super::list_index::{BundledChange, IndexMode};
use super::quota::{Reservation, release};
use super::reply::Entries;
use super::{RedisStore, list_index, reply};

/// The maximum number of entries that one script adds. It blocks Redis for all clients for 2 to 3 milliseconds.
const BATCH: usize = 1_000;

/// The time to live of a staged log, renewed with each step, in milliseconds. An abandoned one expires; nothing reads
/// it before it is complete.
const STAGED_TTL_MS: &str = "60000";

impl RedisStore {
    pub(super) async fn create_game(&self, game: NewGame) -> Result<Created, StoreError> {
        let link = self.connections.for_this_thread().await?;
        let terms = self.monitor.retention_for_changes()?;
        let row = encode_row(&game.row)?;
        let log = with_stream_ids(&game);
        let last = &log[log.len() - 1].0;
        let reported = (game.id, ChangeKind::Created, &**last);
        let feed_append = self
            .prepare_feed_append(link, &game.row.tenant, reported)
            .await?;
        let keys = feed_append.keys(keys_of(game.id));
        let is_long = log.len() > BATCH;
        let size = sizes::len_of_entries(log.iter().map(|(_, entry)| entry.len()));
        let snapshot = reply::encode_snapshot(game.version(), sizes::bytes(size), &game.snapshot);
        let ttl_ms = terms.game_ms.to_string();
        let mut args: Vec<&[u8]> = vec![
            &game.entry,
            log[0].0.as_bytes(),
            &snapshot,
            &row,
            ttl_ms.as_bytes(),
            &game.access,
        ];
        let count = log.len().to_string();
        if is_long {
            args.push(count.as_bytes());
        } else {
            args.extend(stream_args(&log[1..]));
        }
        args.extend(feed_append.args());
        let change = BundledChange {
            script: &self.scripts.create,
            keys: &keys,
            args: &args,
            wait: self.wait,
        };
        // A long log is staged only after its game has its positions, so that a full tenant costs no writes.
        let bundled = (!is_long).then_some(&change);
        let reservation = self
            .quota
            .reserve(link, &self.scripts, &game, now_ms(), bundled);
        let (had_entries, reply) = match reservation.await? {
            Reservation::Reserved { had_entries, reply } => (had_entries, reply),
            Reservation::Full(limit) => return Ok(Created::Full(limit)),
            Reservation::Exists => return Ok(Created::Exists),
        };
        let reply = if is_long {
            let mut keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
            // The feed must remain the last key.
            keys.insert(4, self.stage(link, &game, &log).await?);
            let call = self.scripts.create.standalone.call(&keys, &args);
            call.change(link, self.wait).await?
        } else {
            reply
        };
        self.finish_creation(link, &game, had_entries, reply).await
    }

    /// Turns the reply of the script into the answer to a creation, and corrects the positions of the game in lists.
    async fn finish_creation(
        &self,
        link: &Link,
        game: &NewGame,
        had_entries: bool,
        reply: Value,
    ) -> Result<Created, StoreError> {
        match reply {
            Value::Int(1) => {
                self.repair_index(link, game, had_entries).await?;
                self.notifier.notify_version(game.id, game.version());
                self.notify_feed(&game.row.tenant);
                Ok(Created::Done)
            }
            Value::Int(0) => {
                release(link, &self.scripts, game.id, &game.row).await;
                Ok(Created::Exists)
            }
            Value::Int(_) => Err(lost_staged_log()),
            packed => match reply::entries(packed, 0).await? {
                Entries::Packed(log)
                    if log.first().is_some_and(|entry| entry.bytes == game.entry) =>
                {
                    Ok(Created::Done)
                }
                Entries::Packed(_) => {
                    release(link, &self.scripts, game.id, &game.row).await;
                    Ok(Created::Exists)
                }
                Entries::Plain(_) => Err(damaged("an unexpected reply to a creation")),
            },
        }
    }

    /// Moves positions that an earlier game with the same id had before it expired.
    async fn repair_index(
        &self,
        link: &Link,
        game: &NewGame,
        had_entries: bool,
    ) -> Result<(), StoreError> {
        if had_entries {
            let mode = IndexMode::Existing;
            let repaired =
                list_index::index_insert(link, &self.scripts, game.id, &game.row, mode).await;
            // The game exists already: only a retry can confirm its positions.
            repaired.map_err(|error| StoreError::OutcomeUnknown(error.to_string()))?;
        }
        Ok(())
    }

    /// Writes a long log under a staging key, in steps, and returns that key.
    async fn stage(
        &self,
        link: &Link,
        game: &NewGame,
        log: &[(StreamId, &Bytes)],
    ) -> Result<String, StoreError> {
        let keys = [staged_log_key(game.id)];
        for (step, entries) in log.chunks(BATCH).enumerate() {
            let before = (step * BATCH).to_string();
            let mut args = vec![before.as_bytes(), STAGED_TTL_MS.as_bytes()];
            args.extend(stream_args(entries));
            let call = self.scripts.stage.call(&keys, &args);
            // No wait for replicas here: the script that renames this log to the log of the game waits for them.
            if call.change(link, None).await? != Value::Int(1) {
                return Err(lost_staged_log());
            }
        }
        let [key] = keys;
        Ok(key)
    }
}

/// Returns the whole log, each entry with its number in the stream.
fn with_stream_ids(game: &NewGame) -> Vec<(StreamId, &Bytes)> {
    let log = std::iter::once(&game.entry).chain(&game.history).zip(1..);
    log.map(|(entry, version)| (stream_id(Head::of(version, entry)), entry))
        .collect()
}

fn stream_args<'a>(log: &'a [(StreamId, &'a Bytes)]) -> impl Iterator<Item = &'a [u8]> {
    log.iter()
        .flat_map(|(stream_id, entry)| [stream_id.as_bytes(), entry])
}

/// The error for an incomplete staged log, after a failover or a pause of a minute. Nothing was created.
fn lost_staged_log() -> StoreError {
    StoreError::Unavailable(String::from("Redis lost part of a new game"))
}
