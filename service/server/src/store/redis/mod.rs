//! The store in a Redis that any number of processes share.
//!
//! A game is a stream with one entry for each version, a snapshot, a row for the lists and an access
//! record. A commit is one small script in one round trip. The log of a finished game is packed.
//! An answer means that the primary has the change; what a primary that dies had not yet handed to
//! the replica that takes over is lost, unless the store waits for replicas; then nothing is shown
//! either that they do not have. Nothing is ever built on what was lost: the number of an entry in the
//! stream is its version and its mark, and each commit names the entry that it follows.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the values and errors of the client are not ours, and it may add to them"
)]

mod config;
mod errors;
mod index;
mod keys;
mod link;
mod links;
mod lists;
mod monitor;
mod packing;
mod quota;
mod replicas;
mod reply;
mod scripts;
mod terms;
mod wakeups;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use redis::{Cmd, Value};

use self::config::Publish;
pub use self::config::{
    Eviction, RedisConfig, RedisPassword, RedisTls, RedisTopology, ReplicaWait,
};
use self::errors::{damaged, of_read};
use self::keys::{keys_of, log_key, number_of};
use self::link::{Dialer, Link};
use self::links::Links;
use self::monitor::Monitor;
use self::quota::{Admitted, Quota, give_back};
use self::reply::Entries;
use self::scripts::Scripts;
use self::wakeups::WakeUpTask;
use super::packed;
use super::row::{decode_row, encode_row};
use super::wakers::Wakers;
use super::{
    Capacity, Commit, Committed, Created, GameId, GameStore, Head, IndexRow, LOOK_BACK, ListFilter,
    ListPage, Loaded, NewGame, Place, Relisted, StoreError, StoredEntry, StoredSnapshot, Version,
    WakeUps,
};
use crate::clock::now_ms;

/// The number of entries requested from Redis at once.
const LOG_PAGE: usize = 100_000;

/// Keeps games in Redis.
pub struct RedisStore {
    links: Arc<Links>,
    scripts: Arc<Scripts>,
    quota: Quota,
    wakers: Arc<Wakers>,
    wake_ups: WakeUpTask,
    monitor: Monitor,
    wait: Option<ReplicaWait>,
    publish: Publish,
    pack_after: Duration,
    response_timeout: Duration,
}

impl RedisStore {
    /// Reads the files that the configuration names.
    ///
    /// # Errors
    /// The first file or address that cannot be used.
    pub fn check(config: &RedisConfig) -> Result<(), StoreError> {
        Dialer::new(config).map(drop)
    }

    /// Connects.
    pub async fn open(config: RedisConfig) -> Result<RedisStore, StoreError> {
        let dialer = Arc::new(Dialer::new(&config)?);
        let links = Arc::new(Links::open(Arc::clone(&dialer)).await?);
        let scripts = Arc::new(Scripts::new(dialer.publish()));
        // A type without its parts: the compiler gives up on whatever would hold them all.
        let starting: BoxFuture<'_, _> = Box::pin(Monitor::start(
            &config,
            Arc::clone(&links),
            Arc::clone(&scripts),
        ));
        let monitor = starting.await?;
        let wakers = Arc::new(Wakers::default());
        Ok(RedisStore {
            links,
            scripts,
            publish: dialer.publish(),
            wake_ups: WakeUpTask::start(dialer, Arc::clone(&wakers)),
            quota: Quota::new(),
            wakers,
            monitor,
            wait: config.wait,
            pack_after: config.pack_after,
            response_timeout: config.response_timeout,
        })
    }

    /// Asks something about a game.
    async fn read(&self, key: &str, command: Cmd) -> Result<Value, StoreError> {
        let link = self.links.here().await?;
        let answer = replicas::ask(link, key, command, self.wait).await;
        answer.map_err(|failure| failure.of_read())
    }

    /// A game that was loaded cold is put into the lists again, in the background.
    fn mend_lists(&self, link: &Link, id: GameId, row: IndexRow) {
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        tokio::spawn(async move {
            let (all, others) = tokio::join!(
                index::add(&link, id, &row),
                lists::enlist(&link, &scripts, id, &row, true),
            );
            if let Err(error) = all.and(others) {
                tracing::debug!(%id, %error, "a game was not put into the lists");
            }
        });
    }

    /// A game that has another row leaves the lists that this one does not name, in the background: until
    /// then, and should it fail, they are left out when lists are read.
    fn leave_lists(&self, link: &Link, id: GameId, before: &[u8], now: Option<IndexRow>) {
        let Ok(before) = decode_row(before) else {
            return;
        };
        if before.lists.is_none() {
            return;
        }
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        tokio::spawn(async move {
            let left = lists::delist(&link, &scripts, id, &before, now.as_ref());
            if let Err(error) = left.await {
                tracing::debug!(%id, %error, "a game is still in lists that it has left");
            }
        });
    }

    /// Packs a finished game, in the background and later.
    fn pack_later(&self, link: &Link, id: GameId) {
        let (link, scripts) = (link.clone(), Arc::clone(&self.scripts));
        let (pause, wait) = (self.pack_after, self.wait);
        tokio::spawn(async move {
            tokio::time::sleep(pause).await;
            if let Err(error) = packing::pack(&link, &scripts, id, wait).await {
                tracing::debug!(%id, %error, "a finished game was not packed");
            }
        });
    }

    /// A whole game. Its log has as many entries as its last one says.
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

/// What the script of a cold load found.
struct Found {
    access: Bytes,
    entries: Entries,
    is_packed: bool,
    snapshot: Value,
    row: Value,
    count: Value,
}

/// The version before the first entry that the script of a cold load sends.
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

/// The answer to a commit to a game whose log is packed, since it is over.
fn late(commit: &Commit, log: Vec<StoredEntry>) -> Committed {
    if !packed::has(&log, commit.expected) {
        return Committed::Conflict { newer: Vec::new() };
    }
    let newer = packed::after(log, commit.expected.version);
    match newer.first() {
        Some(next) if next.bytes == commit.entry => Committed::Done,
        Some(_) | None => Committed::Conflict { newer },
    }
}

#[async_trait]
impl GameStore for RedisStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let link = self.links.here().await?;
        let terms = self.monitor.terms_of_changes()?;
        let row = encode_row(&game.row)?;
        let place = self.quota.admit(link, &self.scripts, &game, now_ms());
        match place.await? {
            Admitted::Taken => {}
            Admitted::Full => return Ok(Created::Full),
            Admitted::Exists => return Ok(Created::Exists),
        }
        lists::enlist(link, &self.scripts, game.id, &game.row, true).await?;
        let keys = keys_of(game.id);
        let number = number_of(Head::of(1, &game.entry));
        let snapshot = reply::encode_snapshot(1, &game.snapshot);
        let time_to_live = terms.game_ms.to_string();
        let args: [&[u8]; 6] = [
            &game.entry,
            number.as_bytes(),
            &snapshot,
            &row,
            time_to_live.as_bytes(),
            &game.access,
        ];
        let call = self.scripts.create.call(&keys, &args);
        match call.change(link, self.wait).await? {
            Value::Int(1) => {
                self.wakers.reached(game.id, 1);
                Ok(Created::Done)
            }
            Value::Int(0) => {
                give_back(link, game.id, &game.row).await;
                Ok(Created::Exists)
            }
            packed => match reply::entries(packed, 0)? {
                Entries::Packed(log)
                    if log.first().is_some_and(|kept| kept.bytes == game.entry) =>
                {
                    Ok(Created::Done)
                }
                Entries::Packed(_) => {
                    give_back(link, game.id, &game.row).await;
                    Ok(Created::Exists)
                }
                Entries::Plain(_) => Err(damaged("an unknown answer to a creation")),
            },
        }
    }

    async fn load(&self, id: GameId, known: Option<Head>) -> Result<Option<Loaded>, StoreError> {
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
            let entries = reply::entries(entries, version)?.after(version);
            return Ok(Some(Loaded {
                snapshot: None,
                entries,
                access,
            }));
        };
        let first = first_of(&snapshot, &entries);
        let entries = reply::entries(entries, first)?;
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

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let link = self.links.here().await?;
        let terms = self.monitor.terms_of_changes()?;
        let version = commit.expected.version.saturating_add(1);
        let before = number_of(commit.expected);
        let number = number_of(Head::of(version, &commit.entry));
        let snapshot = commit.snapshot.as_ref();
        let snapshot = snapshot.map(|bytes| reply::encode_snapshot(version, bytes));
        let row = commit.row.as_ref().map(encode_row).transpose()?;
        if let Some(row) = &commit.row {
            lists::enlist(link, &self.scripts, commit.id, row, false).await?;
        }
        let keys = keys_of(commit.id);
        let time_to_live = if commit.ends() {
            terms.finished_ms
        } else {
            terms.game_ms
        };
        let time_to_live = time_to_live.to_string();
        let mut args: Vec<&[u8]> = vec![before.as_bytes(), number.as_bytes(), &commit.entry];
        args.push(time_to_live.as_bytes());
        if snapshot.is_some() || row.is_some() || commit.access.is_some() {
            args.push(snapshot.as_deref().unwrap_or_default());
            args.push(row.as_deref().unwrap_or_default());
            args.extend(commit.access.as_deref());
        }
        let call = self.scripts.commit.call(&keys, &args);
        match call.change(link, self.wait).await? {
            stored @ (Value::Int(1) | Value::BulkString(_)) => {
                self.wakers.reached(commit.id, version);
                if commit.ends() {
                    self.pack_later(link, commit.id);
                }
                if let Value::BulkString(before) = stored {
                    self.leave_lists(link, commit.id, &before, commit.row);
                }
                Ok(Committed::Done)
            }
            Value::Int(0) => Ok(Committed::Missing),
            Value::Int(-1) => Ok(Committed::AccessChanged),
            newer => match reply::entries(newer, commit.expected.version)? {
                Entries::Plain(newer) => Ok(Committed::Conflict { newer }),
                Entries::Packed(log) => Ok(late(&commit, log)),
            },
        }
    }

    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        let log = log_key(id);
        let mut range = redis::cmd("XRANGE");
        range
            .arg(&log)
            .arg(format!("{}-0", after.saturating_add(1)))
            .arg("+");
        // At least one, since Redis takes 0 for a mistake; the answer is cut below.
        range.arg("COUNT").arg(limit.clamp(1, LOG_PAGE));
        let found = self.read(&log, range).await?;
        let mut entries = reply::entries(found, after)?.after(after);
        entries.truncate(limit);
        if entries.is_empty() {
            let mut exists = redis::cmd("EXISTS");
            exists.arg(&log);
            let exists = self.read(&log, exists).await?;
            return Ok((exists != Value::Int(0)).then_some(entries));
        }
        Ok(Some(entries))
    }

    async fn watch(&self, id: GameId) -> Result<WakeUps, StoreError> {
        self.wake_ups.watch(id, self.response_timeout).await
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<Place>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        let link = self.links.here().await?;
        if filter.lists.is_empty() {
            return index::page(link, filter, after, limit, now_ms()).await;
        }
        lists::page(link, &self.scripts, filter, after, limit, now_ms()).await
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        let link = self.links.here().await?;
        self.wakers.poke(id);
        let mut command = redis::cmd(match self.publish {
            Publish::Plain => "PUBLISH",
            Publish::Sharded => "SPUBLISH",
        });
        command.arg(log_key(id)).arg("0");
        let heard = link.ask(&command).await;
        heard.map(drop).map_err(|error| of_read(&error))
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        let link = self.links.here().await?;
        let keys = keys_of(id);
        let call = self.scripts.delete.call(&keys, &[]);
        let row = match call.change(link, self.wait).await? {
            Value::Nil => return Ok(false),
            row => reply::bytes(row)?,
        };
        self.wakers.poke(id);
        // The game is gone. Should the lists not hear of it now, they find out when they are read.
        if let Ok(row) = decode_row(&row) {
            let (all, others) = tokio::join!(
                index::remove(link, id, &row),
                lists::delist(link, &self.scripts, id, &row, None),
            );
            if let Err(error) = all.and(others) {
                tracing::debug!(%id, %error, "a deleted game is still in the lists");
            }
        }
        Ok(true)
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        relisted: Option<Relisted>,
    ) -> Result<bool, StoreError> {
        let link = self.links.here().await?;
        let keys = keys_of(id);
        let mut args: Vec<&[u8]> = vec![&expected, &access];
        let new = match &relisted {
            None => None,
            Some(Relisted { head, row }) => {
                lists::enlist(link, &self.scripts, id, row, true).await?;
                Some((number_of(*head), encode_row(row)?))
            }
        };
        if let Some((number, row)) = &new {
            args.extend([number.as_bytes(), row]);
        }
        let call = self.scripts.set_access.call(&keys, &args);
        match call.change(link, self.wait).await? {
            Value::Int(changed) => Ok(changed == 1),
            Value::BulkString(before) => {
                self.wakers.poke(id);
                self.leave_lists(link, id, &before, relisted.map(|new| new.row));
                Ok(true)
            }
            _ => Err(damaged("an unknown answer to a change of access")),
        }
    }

    fn capacity(&self) -> Capacity {
        self.monitor.capacity()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let link = self.links.here().await?;
        let answer = link.ask(&redis::cmd("PING")).await;
        answer.map_err(|error| of_read(&error))?;
        self.monitor.check()
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.monitor.stop().await;
        self.wake_ups.stop();
        Ok(())
    }
}
