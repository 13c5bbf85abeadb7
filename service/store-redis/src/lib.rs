//! The store in a Redis that any number of processes share.
//!
//! A game is a stream with one entry for each version, a snapshot, a row for the lists and an access record. A commit
//! is one small script in one round trip (**compare-and-set**). The log of a finished game is packed. An answer means
//! that the primary has the change. If the primary dies, changes that the new primary had not yet received are lost.
//! With a wait for replicas they are not, and no call returns data that replicas do not have yet, except for the ids
//! of games in lists. No entry ever follows a lost one: the number of an entry in the stream is its version and its
//! mark, and each commit names the entry that it follows. A Redis that lost everything refuses every change, and never
//! reports a game as missing.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the values and errors of the client are not ours, and it may add to them"
)]

mod background;
mod changing;
mod config;
mod creating;
mod epoch;
mod errors;
mod feeding;
#[cfg(test)]
mod future_sizes;
mod keys;
mod lease;
mod link;
mod links;
mod lists;
mod loading;
mod monitor;
mod notes;
mod packing;
mod quota;
mod reading;
mod replicas;
mod reply;
mod rights;
mod rows;
mod scripts;
mod sweeping;
mod terms;
mod wakeups;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::{FeedFrom, FeedRead};
use gamekeeper_store::wakers::Wakers;
use gamekeeper_store::{
    Capacity, Commit, Committed, Created, GameId, GameStore, Head, IndexRow, Layout, ListFilter,
    ListPage, Loaded, NewGame, Note, Place, StoreError, StoredEntry, Version, WakeUps,
};

use self::config::Publish;
pub use self::config::{
    Eviction, RedisConfig, RedisPassword, RedisTls, RedisTopology, ReplicaWait,
};
use self::epoch::Epoch;
use self::errors::of_read;
use self::keys::log_key;
use self::link::Dialer;
use self::links::Links;
use self::monitor::Monitor;
use self::quota::Quota;
use self::scripts::Scripts;
use self::wakeups::WakeUpTask;

/// A store in Redis.
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
    /// Checks the configuration and reads the files that it names, without connecting.
    ///
    /// # Errors
    /// Names the first file, address or setting that cannot be used.
    pub fn check(config: &RedisConfig) -> Result<(), StoreError> {
        Dialer::new(config).map(drop)
    }

    /// Returns the layout of the data in Redis. Changes nothing.
    ///
    /// # Errors
    /// When Redis cannot be reached, or has lost a part of its data.
    pub async fn layout(config: &RedisConfig) -> Result<Layout, StoreError> {
        let link = Dialer::new(config)?.link().await?;
        Epoch::new(&config.topology).layout(&link).await
    }

    /// Connects, and starts to monitor Redis and to subscribe to wake-ups.
    pub async fn open(config: RedisConfig) -> Result<RedisStore, StoreError> {
        let dialer = Arc::new(Dialer::new(&config)?);
        let links = Arc::new(Links::open(Arc::clone(&dialer)).await?);
        let scripts = Arc::new(Scripts::new(&config));
        // Erases the type of the future: the full one is too deep for the compiler.
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
}

#[async_trait]
impl GameStore for RedisStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        self.create_game(game).await
    }

    async fn load(&self, id: GameId, known: Option<Head>) -> Result<Option<Loaded>, StoreError> {
        self.load_game(id, known).await
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        self.commit_entry(commit).await
    }

    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        self.read_log(id, after, limit).await
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
        reading::page(link, &self.scripts, filter, after, limit, now_ms()).await
    }

    async fn feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        self.read_feed(tenant, from, limit).await
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        let link = self.links.here().await?;
        self.wakers.poke(id);
        let mut command = redis::cmd(match self.publish {
            Publish::Plain => "PUBLISH",
            Publish::Sharded => "SPUBLISH",
        });
        command.arg(&*log_key(id)).arg("0");
        let heard = link.ask(&command).await;
        heard.map(drop).map_err(|error| of_read(&error))
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        self.delete_game(id).await
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        self.change_access(id, expected, access, head, row).await
    }

    async fn note(&self, id: GameId) -> Result<Bytes, StoreError> {
        self.read_note(id).await
    }

    async fn set_note(&self, id: GameId, expected: Bytes, note: Note) -> Result<bool, StoreError> {
        self.replace_note(id, expected, note).await
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
