//! The store in a Redis that any number of processes share.
//!
//! A game is a stream with one entry for each version, a snapshot, a row for the lists and an access
//! record. A commit is one small script in one round trip.
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
mod quota;
mod replicas;
mod reply;
mod scripts;
mod wakeups;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use redis::{Cmd, Value};

pub use self::config::{
    Eviction, RedisConfig, RedisPassword, RedisTls, RedisTopology, ReplicaWait,
};
use self::errors::{damaged, of_read};
use self::keys::{access_key, keys_of, log_key, number_of};
use self::link::{Dialer, Link};
use self::links::Links;
use self::quota::{Place, Quota, give_back};
use self::scripts::Scripts;
use self::wakeups::WakeUpTask;
use super::row::{decode_row, encode_row};
use super::wakers::Wakers;
use super::{
    Commit, Committed, Created, GameId, GameStore, Head, LOOK_BACK, ListFilter, ListedGame, Loaded,
    NewGame, StoreError, StoredEntry, Version, WakeUps,
};
use crate::clock::now_ms;

/// As many entries as Redis is asked for at once.
const LOG_PAGE: usize = 100_000;

/// Keeps games in Redis.
pub struct RedisStore {
    links: Links,
    scripts: Scripts,
    quota: Quota,
    wakers: Arc<Wakers>,
    wake_ups: WakeUpTask,
    wait: Option<ReplicaWait>,
    /// In milliseconds, as the scripts take it; 0 means for ever.
    time_to_live: String,
    response_timeout: Duration,
}

impl RedisStore {
    /// Connects.
    pub async fn open(config: RedisConfig) -> Result<RedisStore, StoreError> {
        let dialer = Arc::new(Dialer::new(&config)?);
        let links = Links::open(Arc::clone(&dialer)).await?;
        if config.eviction == Eviction::Refuse {
            check_eviction(links.here().await?).await?;
        }
        let wakers = Arc::new(Wakers::default());
        Ok(RedisStore {
            links,
            scripts: Scripts::new(dialer.publish()),
            wake_ups: WakeUpTask::start(dialer, Arc::clone(&wakers)),
            quota: Quota::new(),
            wakers,
            wait: config.wait,
            time_to_live: config
                .expire_games
                .map_or(0, |time| time.as_millis().max(1))
                .to_string(),
            response_timeout: config.response_timeout,
        })
    }

    /// Asks something about a game.
    async fn read(&self, key: &str, command: Cmd) -> Result<Value, StoreError> {
        let link = self.links.here().await?;
        let answer = replicas::ask(link, key, command, self.wait).await;
        answer.map_err(|failure| failure.of_read())
    }

    /// Is there nothing to do but to add the entry?
    fn is_entry_alone(&self, commit: &Commit) -> bool {
        let Commit {
            snapshot,
            finishes,
            access,
            ..
        } = commit;
        let lives_for_ever = self.time_to_live == "0";
        lives_for_ever && snapshot.is_none() && finishes.is_none() && access.is_none()
    }

    /// A game that was loaded cold is put into the lists again, in the background.
    fn mend_lists(link: &Link, id: GameId, row: &[u8]) {
        let Ok(row) = decode_row(row) else {
            tracing::warn!(%id, "the row of a game is missing or damaged");
            return;
        };
        let link = link.clone();
        tokio::spawn(async move {
            if let Err(error) = index::add(&link, id, &row).await {
                tracing::debug!(%id, %error, "a game was not put into the lists");
            }
        });
    }
}

/// A Redis that evicts keys forgets games.
async fn check_eviction(link: &Link) -> Result<(), StoreError> {
    let mut command = redis::cmd("INFO");
    command.arg("memory");
    let info = link
        .ask_all(&command)
        .await
        .map_err(|error| of_read(&error))?;
    let mut texts = Vec::new();
    texts_in(&info, &mut texts);
    let policies = texts.iter().flat_map(|text| text.lines());
    let mut policies = policies.filter_map(|line| line.strip_prefix("maxmemory_policy:"));
    match policies.find(|policy| *policy != "noeviction") {
        Some(policy) => Err(StoreError::Setup(format!(
            "Redis has maxmemory-policy {policy} and would throw games away when it is full; set it \
             to noeviction, or allow it"
        ))),
        None => Ok(()),
    }
}

/// The texts in an answer, which a cluster gives for each node.
fn texts_in(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::BulkString(text) => texts.push(String::from_utf8_lossy(text).into_owned()),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| texts_in(value, texts)),
        Value::Map(pairs) => pairs.iter().for_each(|(_, value)| texts_in(value, texts)),
        _ => {}
    }
}

#[async_trait]
impl GameStore for RedisStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let link = self.links.here().await?;
        let row = encode_row(&game.row)?;
        let place = self.quota.admit(link, &self.scripts, &game, now_ms());
        match place.await? {
            Place::Taken => {}
            Place::Full => return Ok(Created::Full),
            Place::Exists => return Ok(Created::Exists),
        }
        let keys = keys_of(game.id);
        let number = number_of(Head::of(1, &game.entry));
        let snapshot = reply::encode_snapshot(1, &game.snapshot);
        let args: [&[u8]; 5] = [
            &game.entry,
            number.as_bytes(),
            &snapshot,
            &row,
            self.time_to_live.as_bytes(),
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
            _ => Err(damaged("an unknown answer to a creation")),
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
        let (Some(snapshot), Some(row)) = (found.next(), found.next()) else {
            let known = known.map_or(0, |known| known.version);
            let entries = reply::entries(entries, known)?;
            return Ok(Some(Loaded {
                snapshot: None,
                entries,
                access,
            }));
        };
        let snapshot = reply::decode_snapshot(&reply::bytes(snapshot)?)?;
        let entries = reply::entries(entries, snapshot.version.saturating_sub(LOOK_BACK))?;
        if entries
            .last()
            .is_none_or(|last| last.version < snapshot.version)
        {
            return Err(damaged("a log ends before its snapshot"));
        }
        Self::mend_lists(link, id, &reply::bytes(row)?);
        Ok(Some(Loaded {
            snapshot: Some(snapshot),
            entries,
            access,
        }))
    }

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let link = self.links.here().await?;
        let version = commit.expected.version.saturating_add(1);
        let before = number_of(commit.expected);
        let number = number_of(Head::of(version, &commit.entry));
        let snapshot = commit.snapshot.as_ref();
        let snapshot = snapshot.map(|bytes| reply::encode_snapshot(version, bytes));
        let row = commit.finishes.as_ref().map(encode_row).transpose()?;
        let mut args: Vec<&[u8]> = vec![before.as_bytes(), number.as_bytes(), &commit.entry];
        let keys = if self.is_entry_alone(&commit) {
            vec![log_key(commit.id)]
        } else {
            args.extend([
                self.time_to_live.as_bytes(),
                snapshot.as_deref().unwrap_or_default(),
                row.as_deref().unwrap_or_default(),
            ]);
            args.extend(commit.access.as_deref());
            keys_of(commit.id).to_vec()
        };
        let call = self.scripts.commit.call(&keys, &args);
        match call.change(link, self.wait).await? {
            Value::Int(1) => {
                self.wakers.reached(commit.id, version);
                Ok(Committed::Done)
            }
            Value::Int(0) => Ok(Committed::Missing),
            Value::Int(-1) => Ok(Committed::AccessChanged),
            newer => Ok(Committed::Conflict {
                newer: reply::entries(newer, commit.expected.version)?,
            }),
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
        let mut entries = reply::entries(found, after)?;
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

    async fn list(
        &self,
        filter: &ListFilter,
        after: Option<&ListedGame>,
        limit: usize,
    ) -> Result<Vec<ListedGame>, StoreError> {
        let link = self.links.here().await?;
        index::list(link, filter, after, limit, now_ms()).await
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
        if let Ok(row) = decode_row(&row)
            && let Err(error) = index::remove(link, id, &row).await
        {
            tracing::debug!(%id, %error, "a deleted game is still in the lists");
        }
        Ok(true)
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
    ) -> Result<bool, StoreError> {
        let link = self.links.here().await?;
        let keys = [log_key(id), access_key(id)];
        let args: [&[u8]; 2] = [&expected, &access];
        let call = self.scripts.set_access.call(&keys, &args);
        match call.change(link, self.wait).await? {
            Value::Int(changed) => Ok(changed == 1),
            _ => Err(damaged("an unknown answer to a change of access")),
        }
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let link = self.links.here().await?;
        link.ask(&redis::cmd("PING"))
            .await
            .map(drop)
            .map_err(|error| of_read(&error))
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.wake_ups.stop();
        Ok(())
    }
}
