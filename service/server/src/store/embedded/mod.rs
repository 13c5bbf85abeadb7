//! The store on the disk of this machine: the default.
//!
//! It answers a change once the change is on disk. One thread makes all changes: it takes whatever has
//! queued up, judges each change against the data on disk, and writes the group as one batch with one
//! `fdatasync`, so that many games share the wait for the disk. Reads do not pass through that thread.
//!
//! Underneath is fjall, a log-structured store: it writes each entry once and in order, while a B-tree
//! writes whole pages for each. A bare file would be even faster, but we would have to get
//! recovery, an index larger than memory and the reuse of space right ourselves. Before the library opens
//! its files, `journal` and `manifest` detect damage that it would miss; afterward, `register` and `verify`
//! detect whether anything acknowledged is missing.

mod arrivals;
mod change;
mod committer;
mod counts;
mod ends;
mod errors;
mod group;
mod journal;
mod manifest;
mod open;
mod read;
mod register;
mod room;
mod tables;
mod verify;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::{mpsc, oneshot};

use self::change::Change;
use self::ends::Ends;
use self::tables::Tables;
use super::wakers::Wakers;
use super::{
    Capacity, Commit, Committed, Created, GameId, GameStore, Head, IndexRow, ListFilter, ListPage,
    Loaded, NewGame, Place, StoreError, StoredEntry, Version, WakeUps,
};
use crate::clock::now_ms;

/// Settings of the embedded store.
#[derive(Clone, Debug)]
pub struct EmbeddedConfig {
    /// The directory, created if it is missing. Only one process at a time can use it.
    pub directory: PathBuf,
    /// The size of the cache of data read from disk, in bytes.
    pub cache_bytes: u64,
    /// How much each of the nine tables may hold in memory before it is written out, in bytes.
    pub table_bytes: u64,
    /// Changes are refused while the disk has less free space than this, in bytes: the store needs some
    /// for compaction, and a write to a completely full disk may be torn.
    pub reserve_bytes: u64,
    /// How long a finished game is kept after its end. `None`: no limit.
    pub keep_finished: Option<Duration>,
    /// How long after its end a finished game is packed. Until then, players still look at its end.
    pub pack_after: Duration,
}

impl EmbeddedConfig {
    /// The default settings for a directory.
    #[must_use]
    pub fn new(directory: impl Into<PathBuf>) -> EmbeddedConfig {
        EmbeddedConfig {
            directory: directory.into(),
            cache_bytes: 32 * 1024 * 1024,
            table_bytes: 16 * 1024 * 1024,
            reserve_bytes: 64 * 1024 * 1024,
            keep_finished: None,
            pack_after: Duration::from_secs(60),
        }
    }
}

/// The length of the queue of changes. Further callers wait for room in it.
const QUEUE: usize = 1_024;

/// A store in a directory.
pub struct EmbeddedStore {
    tables: Arc<Tables>,
    wakers: Arc<Wakers>,
    committer: Mutex<Option<Committer>>,
}

struct Committer {
    queue: mpsc::Sender<Change>,
    thread: JoinHandle<()>,
}

impl EmbeddedStore {
    /// Opens the store, creating it if it does not exist.
    pub async fn open(config: EmbeddedConfig) -> Result<EmbeddedStore, StoreError> {
        let (keep_finished, pack_after) = (config.keep_finished, config.pack_after);
        let opened = tokio::task::spawn_blocking(move || open::open(&config, now_ms())).await;
        let (tables, register) = opened.map_err(|panic| errors::of_panic(&panic))??;
        let tables = Arc::new(tables);
        let wakers = Arc::new(Wakers::default());
        let (queue, changes) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name("committer".into())
            .spawn({
                let (tables, wakers) = (Arc::clone(&tables), Arc::clone(&wakers));
                move || {
                    let mut ends = Ends::new(keep_finished, pack_after);
                    ends.begin(&tables);
                    committer::run(changes, &tables, &wakers, register, ends);
                }
            })
            .map_err(|error| StoreError::Setup(format!("cannot start a thread: {error}")))?;
        let committer = Mutex::new(Some(Committer { queue, thread }));
        Ok(EmbeddedStore {
            tables,
            wakers,
            committer,
        })
    }

    fn queue(&self) -> Option<mpsc::Sender<Change>> {
        let committer = self
            .committer
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        committer.as_ref().map(|committer| committer.queue.clone())
    }

    /// Queues a change and waits for its answer.
    async fn change<A>(
        &self,
        change: impl FnOnce(oneshot::Sender<Result<A, StoreError>>) -> Change,
    ) -> Result<A, StoreError> {
        let closed = || StoreError::Unavailable("the store is closed".into());
        let queue = self.queue().ok_or_else(closed)?;
        let (reply, answer) = oneshot::channel();
        queue.send(change(reply)).await.map_err(|_| closed())?;
        let lost = |_| StoreError::OutcomeUnknown("the writing thread has stopped".into());
        answer.await.map_err(lost)?
    }

    /// Reads on a thread that may block on the disk.
    async fn read<A: Send + 'static>(
        &self,
        read: impl FnOnce(&Tables) -> Result<A, StoreError> + Send + 'static,
    ) -> Result<A, StoreError> {
        let tables = Arc::clone(&self.tables);
        let done = tokio::task::spawn_blocking(move || read(&tables)).await;
        done.map_err(|panic| errors::of_panic(&panic))?
    }

    fn take_committer(&self) -> Option<Committer> {
        self.committer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

impl Committer {
    /// Waits until the thread has finished all queued changes.
    fn stop(self) {
        drop(self.queue);
        // If the thread panicked, waiting callers have already received an error.
        let _panicked = self.thread.join();
    }
}

impl Drop for EmbeddedStore {
    fn drop(&mut self) {
        if let Some(committer) = self.take_committer() {
            committer.stop();
        }
    }
}

#[async_trait]
impl GameStore for EmbeddedStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        self.change(|reply| Change::Create(game, reply)).await
    }

    async fn load(&self, id: GameId, known: Option<Head>) -> Result<Option<Loaded>, StoreError> {
        if let Some(known) = known {
            // A few look-ups of data that was just used and is in memory: not worth a blocking thread.
            let warm = errors::guarded(|| read::load_warm(&self.tables, id, known))?;
            if warm.is_some() {
                return Ok(warm);
            }
        }
        self.read(move |tables| read::load(tables, id, known)).await
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        self.change(|reply| Change::Commit(commit.clone(), reply))
            .await
    }

    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        self.read(move |tables| read::log(tables, id, after, limit))
            .await
    }

    async fn watch(&self, id: GameId) -> Result<WakeUps, StoreError> {
        Ok(self.wakers.watch(id))
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<Place>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        let filter = filter.clone();
        self.read(move |tables| read::page(tables, &filter, after, limit))
            .await
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        self.wakers.poke(id);
        Ok(())
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        self.change(|reply| Change::Delete(id, reply)).await
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        self.change(|reply| Change::SetAccess {
            id,
            expected,
            access,
            head,
            row,
            reply,
        })
        .await
    }

    fn capacity(&self) -> Capacity {
        let damaged_games = u64::try_from(self.tables.lost_count()).unwrap_or(u64::MAX);
        let room = room::room(&self.tables).unwrap_or_default();
        Capacity {
            damaged_games,
            ..room
        }
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.change(Change::Ping).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        let Some(committer) = self.take_committer() else {
            return Ok(());
        };
        let stopped = tokio::task::spawn_blocking(move || committer.stop()).await;
        stopped.map_err(|panic| StoreError::Unavailable(panic.to_string()))
    }
}

#[cfg(test)]
mod tests;
