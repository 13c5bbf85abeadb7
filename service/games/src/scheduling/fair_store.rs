//! A **decorator** of a store whose changes wait for a disk: few changes of this process wait at the same time, and
//! tenants share these places fairly.
//!
//! Such a store makes changes in the order in which they arrive, many with one wait for the disk. Without a bound, a
//! tenant with a thousand creations in flight puts each of them before the next change of everybody else, and before
//! the reads that Redis answers in the same order.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use gamekeeper_store::feed::{FeedFrom, FeedRead};
use gamekeeper_store::{
    Backup, Capacity, ChangeReceiver, Commit, Committed, Created, GameId, GameStore, Head,
    IndexRow, KvRecord, ListFilter, ListPage, ListPosition, Loaded, NewGame, StoreError,
    StoredEntry, Version,
};

use super::fair_semaphore::FairSemaphore;
use crate::authz::Account;

/// The number of changes that wait for the store at the same time. More would make nothing faster: they share the wait
/// for the disk, and Redis carries out one at a time.
const CHANGES_AT_ONCE: usize = 128;

/// A store whose changes take fair turns.
pub struct FairStore {
    inner: Arc<dyn GameStore>,
    places: Arc<FairSemaphore>,
}

impl FairStore {
    /// Wraps a store.
    #[must_use]
    pub fn new(inner: Arc<dyn GameStore>) -> Self {
        let places = FairSemaphore::new(CHANGES_AT_ONCE);
        Self { inner, places }
    }

    /// Makes a change of this size when it is the turn of the tenant, or of all changes without one.
    async fn in_turn<A>(
        &self,
        tenant: Option<&str>,
        bytes: usize,
        change: impl Future<Output = A>,
    ) -> A {
        let account = tenant.map_or(Account::EVERYBODY, Account::of_tenant);
        let mut place = self.places.acquire(account).await;
        place.record_bytes(bytes);
        change.await
    }
}

#[async_trait]
impl GameStore for FairStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let (tenant, bytes) = (game.row.tenant.clone(), game.stored_len());
        let create = self.inner.create(game);
        self.in_turn(Some(&tenant), bytes, create).await
    }

    async fn load(
        &self,
        id: GameId,
        known_head: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError> {
        self.inner.load(id, known_head).await
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let bytes = commit.stored_len();
        self.in_turn(Some(&commit.tenant), bytes, self.inner.commit(commit))
            .await
    }

    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        self.inner.log(id, after, limit).await
    }

    async fn watch(&self, id: GameId) -> Result<ChangeReceiver, StoreError> {
        self.inner.watch(id).await
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        self.inner.page(filter, after, limit).await
    }

    async fn feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        self.inner.feed(tenant, from, limit).await
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        self.inner.wake(id).await
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        self.in_turn(None, 0, self.inner.delete(id)).await
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        let (tenant, bytes) = (row.as_ref().map(|row| row.tenant.clone()), access.len());
        let set = self.inner.set_access(id, expected, access, head, row);
        self.in_turn(tenant.as_deref(), bytes, set).await
    }

    async fn stored_bytes(&self, tenant: &str) -> Result<u64, StoreError> {
        self.inner.stored_bytes(tenant).await
    }

    async fn kv_get(&self, id: GameId) -> Result<Bytes, StoreError> {
        self.inner.kv_get(id).await
    }

    async fn kv_compare_and_set(
        &self,
        id: GameId,
        expected: Bytes,
        record: KvRecord,
    ) -> Result<bool, StoreError> {
        let bytes = record.stored_len();
        let set = self.inner.kv_compare_and_set(id, expected, record);
        self.in_turn(None, bytes, set).await
    }

    fn capacity(&self) -> Capacity {
        self.inner.capacity()
    }

    async fn backup(&self, directory: &Path) -> Result<Backup, StoreError> {
        self.inner.backup(directory).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.inner.ping().await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::future::{join, join_all};
    use gamekeeper_store::MemoryStore;
    use tokio::sync::Mutex;
    use tokio::time::{Instant, sleep};

    use super::*;

    /// The time that the disk takes for a change.
    const SYNC: Duration = Duration::from_millis(1);

    /// The disk makes changes in the order in which they arrive.
    #[tokio::test(start_paused = true)]
    async fn a_flood_of_changes_delays_others_by_no_more_than_its_places() {
        let store = FairStore::new(Arc::new(MemoryStore::new()));
        let disk = Mutex::new(());
        let change = async |tenant| {
            let begun = Instant::now();
            let write = async {
                let _in_order = disk.lock().await;
                sleep(SYNC).await;
            };
            store.in_turn(Some(tenant), 1_000, write).await;
            begun.elapsed()
        };
        let flood = join_all((0..2_000).map(|_| change("red")));
        let quiet = async {
            sleep(5 * SYNC).await;
            [change("blue").await, change("blue").await]
        };
        let (flood, quiet) = join(flood, quiet).await;
        let most = SYNC * u32::try_from(CHANGES_AT_ONCE + 2).unwrap();
        assert!(quiet.iter().all(|waited| *waited <= most), "{quiet:?}");
        assert!(flood.iter().any(|waited| *waited >= 2_000 * SYNC));
    }
}
