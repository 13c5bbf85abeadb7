//! The store on the disk of this machine: the default.
//!
//! A change is answered once it is on disk. One thread makes all changes (**group commit**): it takes all queued
//! changes, applies each to the result of those before it, and writes the group in one transaction, so that many games
//! share the wait for the disk. Reads do not pass through that thread.
//!
//! The data is in redb, a B-tree in one file whose pages have checksums. The file is checked as a whole when it is
//! opened; our own checksums detect values that are read wrong later.

mod backup;
mod disk;
mod fault;
mod feed;
mod group_commit;
mod holdings;
mod kv;
mod open;
mod read;
mod table_writes;
mod tables;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use gamekeeper_store::feed::{DEFAULT_FEED_RETENTION, FeedFrom, FeedRead};
use gamekeeper_store::notifier::ChangeNotifier;
use gamekeeper_store::{
    Backup, Capacity, ChangeReceiver, Commit, Committed, Created, GameId, GameStore, Head,
    IndexRow, KvRecord, ListFilter, ListPage, ListPosition, Loaded, NewGame, StorageFormat,
    StoreError, StoredEntry, Version, metering,
};
use parking_lot::Mutex;
use redb::ReadTransaction;
use tokio::sync::{mpsc, oneshot};

use self::disk::Disk;
use self::fault::Fault;
use self::group_commit::{Job, QueuedChange, RetentionPolicy};
use self::writer::Writer;

/// Settings of the embedded store.
#[derive(Clone, Debug)]
pub struct EmbeddedConfig {
    /// The directory, created if it is missing. Only one process at a time can use it.
    pub directory: PathBuf,
    /// The size of the cache of pages, in bytes.
    pub cache_bytes: u64,
    /// The reserve of free disk space, in bytes. Changes are refused while less is free: a change writes whole pages
    /// before it frees others.
    pub reserve_bytes: u64,
    /// How long a finished game is kept after its end. Is `None` if finished games are kept without limit.
    pub keep_finished: Option<Duration>,
    /// The retention period of feeds. Zero: no feeds are kept.
    pub keep_feed: Duration,
    /// How long after its end a finished game is packed. Until then, players still look at the last moves.
    pub pack_after: Duration,
}

impl EmbeddedConfig {
    /// Returns the default settings for a directory.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> EmbeddedConfig {
        EmbeddedConfig {
            directory: directory.into(),
            cache_bytes: 64 * 1024 * 1024,
            reserve_bytes: 64 * 1024 * 1024,
            keep_finished: None,
            keep_feed: DEFAULT_FEED_RETENTION,
            pack_after: Duration::from_secs(60),
        }
    }
}

/// The length of the queue of changes. Further callers wait for room in it (**backpressure**).
const QUEUE: usize = 1_024;

/// A store in a directory.
pub struct EmbeddedStore {
    disk: Arc<Disk>,
    notifier: Arc<ChangeNotifier>,
    committer: Mutex<Option<Committer>>,
}

struct Committer {
    queue: mpsc::Sender<Box<dyn Job>>,
    thread: JoinHandle<()>,
}

impl EmbeddedStore {
    /// Opens the store, creating it if it does not exist.
    pub async fn open(config: EmbeddedConfig) -> Result<EmbeddedStore, StoreError> {
        blocking(move || EmbeddedStore::on(open::open(&config)?, &config)).await
    }

    /// Returns the layout of the store in a directory. Creates and changes nothing.
    ///
    /// # Errors
    /// When another process uses the directory, or the file is damaged.
    pub async fn storage_format(config: EmbeddedConfig) -> Result<StorageFormat, StoreError> {
        blocking(move || open::storage_format(&config)).await
    }

    /// Starts the store on an open file.
    fn on(disk: Disk, config: &EmbeddedConfig) -> Result<EmbeddedStore, StoreError> {
        let setup = |error| StoreError::Setup(format!("cannot start a thread: {error}"));
        let retention = RetentionPolicy {
            pack_after: config.pack_after,
            keep_finished: config.keep_finished,
        };
        let (disk, notifier) = (Arc::new(disk), Arc::new(ChangeNotifier::default()));
        let (queue, jobs) = mpsc::channel(QUEUE);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(setup)?;
        let thread = std::thread::Builder::new()
            .name("committer".into())
            .spawn({
                let (disk, notifier) = (Arc::clone(&disk), Arc::clone(&notifier));
                move || group_commit::run(&runtime, jobs, &disk, &notifier, retention)
            })
            .map_err(setup)?;
        let committer = Mutex::new(Some(Committer { queue, thread }));
        Ok(EmbeddedStore {
            disk,
            notifier,
            committer,
        })
    }

    /// Queues a change and waits for its answer.
    async fn change<A: Send + 'static>(
        &self,
        validate: impl FnOnce(&mut Writer<'_>) -> Result<A, Fault> + Send + 'static,
    ) -> Result<A, StoreError> {
        let closed = || StoreError::Unavailable("the store is closed".into());
        let queue = self
            .committer
            .lock()
            .as_ref()
            .map(|committer| committer.queue.clone());
        let (reply, result) = oneshot::channel();
        let job = Box::new(QueuedChange::new(validate, reply));
        queue
            .ok_or_else(closed)?
            .send(job)
            .await
            .map_err(|_| closed())?;
        let outcome_unknown =
            |_| StoreError::OutcomeUnknown("the writing thread has stopped".into());
        let (answer, time) = result.await.map_err(outcome_unknown)?;
        metering::record_time(time.take());
        answer
    }

    /// Reads on a thread of the blocking pool, because a read may wait for the disk.
    async fn read<A: Send + 'static>(
        &self,
        read: impl FnOnce(&Disk, &ReadTransaction) -> Result<A, Fault> + Send + 'static,
    ) -> Result<A, StoreError> {
        let disk = Arc::clone(&self.disk);
        blocking(move || disk.read(|view| read(&disk, view))).await
    }
}

/// Runs work on a thread of the blocking pool.
async fn blocking<A: Send + 'static>(
    work: impl FnOnce() -> Result<A, StoreError> + Send + 'static,
) -> Result<A, StoreError> {
    let done = metering::blocking(work).await;
    let (result, time) = done.map_err(|error| StoreError::OutcomeUnknown(error.to_string()))?;
    metering::record_time(time.take());
    result
}

/// Waits until the thread has finished all queued changes, and closes the file.
fn stop(committer: Committer, disk: &Disk) {
    drop(committer.queue);
    // If the thread panicked, waiting callers have already received an error.
    let _panicked = committer.thread.join();
    disk.close();
}

impl Drop for EmbeddedStore {
    fn drop(&mut self) {
        let committer = self.committer.lock().take();
        if let Some(committer) = committer {
            stop(committer, &self.disk);
        }
    }
}

#[async_trait]
impl GameStore for EmbeddedStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        self.change(move |writer| writer.create(&game)).await
    }

    async fn load(
        &self,
        id: GameId,
        known_head: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError> {
        if let Some(known_head) = known_head {
            // One look-up of a recently used page, which is in memory: not worth a blocking thread.
            let newest = self
                .disk
                .read(|view| read::load_newest(view, id, known_head))?;
            if newest.is_some() {
                return Ok(newest);
            }
        }
        self.read(move |_, view| read::load(view, id, known_head))
            .await
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let commit = commit.clone();
        self.change(move |writer| writer.commit(&commit)).await
    }

    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        self.read(move |_, view| read::log(view, id, after, limit))
            .await
    }

    async fn watch(&self, id: GameId) -> Result<ChangeReceiver, StoreError> {
        Ok(self.notifier.watch(id))
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        let filter = filter.clone();
        self.read(move |disk, view| read::page(disk, view, &filter, after, limit))
            .await
    }

    async fn feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        let Some(settings) = self.disk.feed.get().copied() else {
            return Ok(FeedRead::Disabled);
        };
        let topic = gamekeeper_store::feed::feed_topic(tenant);
        self.read(move |_, view| feed::read(view, settings, (topic, from, limit)))
            .await
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        self.notifier.notify(id);
        Ok(())
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        self.change(move |writer| writer.delete(id)).await
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        self.change(move |writer| writer.set_access(id, &expected, &access, head, row.as_ref()))
            .await
    }

    async fn stored_bytes(&self, tenant: &str) -> Result<u64, StoreError> {
        // One look-up in a small table: not worth a blocking thread.
        self.disk.read(|view| holdings::read(view, tenant))
    }

    async fn kv_get(&self, id: GameId) -> Result<Bytes, StoreError> {
        // A key-value record is small and its pages are usually in memory: not worth a blocking thread.
        self.disk.read(|view| kv::read(view, id))
    }

    async fn kv_compare_and_set(
        &self,
        id: GameId,
        expected: Bytes,
        record: KvRecord,
    ) -> Result<bool, StoreError> {
        self.change(move |writer| writer.set_note(id, &expected, &record))
            .await
    }

    fn capacity(&self) -> Capacity {
        self.disk.capacity()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.change(|writer| writer.check_room()).await
    }

    async fn backup(&self, directory: &Path) -> Result<Backup, StoreError> {
        let (disk, directory) = (Arc::clone(&self.disk), directory.to_owned());
        blocking(move || backup::backup(&disk, &directory)).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        let Some(committer) = self.committer.lock().take() else {
            return Ok(());
        };
        let disk = Arc::clone(&self.disk);
        blocking(move || {
            stop(committer, &disk);
            Ok(())
        })
        .await
    }
}

#[cfg(test)]
mod tests;
