//! The store in a Redis that any number of processes share.
//!
//! A game is a stream with one entry for each version, a snapshot, a row for the lists and an access record. A commit
//! is one small script in one round trip (**compare-and-set**). The log of a finished game is packed. An answer means
//! that the primary has the change. If the primary dies, changes that the new primary had not yet received are lost.
//! With a wait for replicas they are not, and no call returns data that replicas do not have yet, except for the ids
//! of games in lists. No entry ever follows a lost one: the number of an entry in the stream is its version and its
//! hash, and each commit names the entry that it follows. A Redis that lost everything refuses every change, and never
//! reports a game as missing.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the values and errors of the client are not ours, and it may add to them"
)]

mod acl_check;
mod background;
mod changing;
mod config;
mod connections;
mod creating;
mod dialing;
mod epoch;
mod errors;
mod feeding;
#[cfg(test)]
mod future_sizes;
mod held;
mod holdings;
mod keys;
mod kv;
mod lease;
mod link;
mod list_index;
mod loading;
mod monitor;
mod packing;
mod quota;
mod reading;
mod replicas;
mod reply;
mod retention;
mod rollback;
mod rows;
mod scripts;
mod server_state;
mod subscriptions;
mod sweeping;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::feed::{FeedFrom, FeedRead};
use gamekeeper_store::notifier::ChangeNotifier;
use gamekeeper_store::{
    Capacity, ChangeReceiver, Commit, Committed, Created, GameId, GameStore, Head, IndexRow,
    KvRecord, ListFilter, ListPage, ListPosition, Loaded, NewGame, StorageFormat, StoreError,
    StoredEntry, Version,
};

use self::config::Publish;
pub use self::config::{
    Eviction, RedisConfig, RedisPassword, RedisTls, RedisTopology, ReplicaWait, SentinelAccess,
    SentinelTls,
};
use self::connections::Connections;
use self::dialing::ConnectionFactory;
use self::epoch::Epoch;
use self::errors::{at_startup, of_read};
use self::feeding::FollowedFeeds;
use self::holdings::Growths;
use self::keys::log_key;
use self::link::Link;
use self::monitor::Monitor;
use self::quota::Quota;
use self::scripts::Scripts;
use self::subscriptions::SubscriptionTask;

/// A store in Redis.
pub struct RedisStore {
    connections: Arc<Connections>,
    scripts: Arc<Scripts>,
    quota: Quota,
    followed: FollowedFeeds,
    growths: Arc<Growths>,
    notifier: Arc<ChangeNotifier>,
    subscriptions: SubscriptionTask,
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
        ConnectionFactory::new(config).map(drop)
    }

    /// Returns the layout of the data in Redis. Changes nothing.
    ///
    /// # Errors
    /// When Redis cannot be reached, or has lost a part of its data.
    pub async fn storage_format(config: &RedisConfig) -> Result<StorageFormat, StoreError> {
        let link = Link::new(Arc::new(ConnectionFactory::new(config)?));
        link.connect().await.map_err(|error| at_startup(&error))?;
        Epoch::new(&config.topology).storage_format(&link).await
    }

    /// Connects, and starts to monitor Redis and to subscribe to wake-ups.
    pub async fn open(config: RedisConfig) -> Result<RedisStore, StoreError> {
        let factory = Arc::new(ConnectionFactory::new(&config)?);
        let connections = Arc::new(Connections::open(Arc::clone(&factory)).await?);
        let scripts = Arc::new(Scripts::new(&config));
        // Erases the type of the future: the full one is too deep for the compiler.
        let starting: BoxFuture<'_, _> = Box::pin(Monitor::start(
            &config,
            Arc::clone(&connections),
            Arc::clone(&scripts),
        ));
        let monitor = starting.await?;
        let notifier = Arc::new(ChangeNotifier::default());
        Ok(RedisStore {
            connections,
            scripts,
            publish: factory.publish(),
            subscriptions: SubscriptionTask::start(factory, Arc::clone(&notifier)),
            quota: Quota::new(),
            followed: FollowedFeeds::new(),
            growths: Arc::default(),
            notifier,
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

    async fn load(
        &self,
        id: GameId,
        known_head: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError> {
        self.load_game(id, known_head).await
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

    async fn watch(&self, id: GameId) -> Result<ChangeReceiver, StoreError> {
        self.subscriptions.watch(id, self.response_timeout).await
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        let link = self.connections.for_this_thread().await?;
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
        let link = self.connections.for_this_thread().await?;
        self.notifier.notify(id);
        let mut command = redis::cmd(match self.publish {
            Publish::Plain => "PUBLISH",
            Publish::Sharded => "SPUBLISH",
        });
        command.arg(&*log_key(id)).arg("0");
        let published = link.ask(&command).await;
        published.map(drop).map_err(|error| of_read(&error))
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

    async fn stored_bytes(&self, tenant: &str) -> Result<u64, StoreError> {
        self.read_bytes(tenant).await
    }

    async fn kv_get(&self, id: GameId) -> Result<Bytes, StoreError> {
        self.read_kv(id).await
    }

    async fn kv_compare_and_set(
        &self,
        id: GameId,
        expected: Bytes,
        record: KvRecord,
    ) -> Result<bool, StoreError> {
        self.replace_kv(id, expected, record).await
    }

    fn capacity(&self) -> Capacity {
        self.monitor.capacity()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let link = self.connections.for_this_thread().await?;
        let reply = link.ask(&redis::cmd("PING")).await;
        reply.map_err(|error| of_read(&error))?;
        self.monitor.check()?;
        self.monitor.check_writable()
    }

    async fn close(&self) -> Result<(), StoreError> {
        if let Ok(link) = self.connections.for_this_thread().await {
            self.growths.write(link).await;
        }
        self.monitor.stop().await;
        self.subscriptions.stop();
        Ok(())
    }
}
