//! A **decorator** of any store: it times and counts the operations and the bytes that they write, and makes each a span
//! of the traced call.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use bytes::Bytes;
use gamekeeper_store::feed::{FeedFrom, FeedRead};
use gamekeeper_store::{
    Backup, Capacity, ChangeReceiver, Commit, Committed, Created, GameId, GameStore, Head,
    IndexRow, KvRecord, ListFilter, ListPage, ListPosition, Loaded, NewGame, StoreError,
    StoredEntry, Version, metering, sizes,
};
use tracing::Span;

use crate::store::error_type;
use crate::{StoreMetrics, StoreOperation, child_span, traced};

/// A store that measures the operations of another store.
pub struct MeasuredStore {
    inner: Arc<dyn GameStore>,
    metrics: StoreMetrics,
}

impl MeasuredStore {
    /// Wraps a store.
    #[must_use]
    pub fn new(inner: Arc<dyn GameStore>, metrics: StoreMetrics) -> Self {
        Self { inner, metrics }
    }

    async fn timed<A>(
        &self,
        operation: StoreOperation,
        work: impl Future<Output = Result<A, StoreError>>,
    ) -> Result<A, StoreError> {
        let span = self.span(operation);
        let begun = Instant::now();
        let result = traced(span.clone(), work).await;
        let error = result.as_ref().err();
        self.metrics
            .record_operation(operation, begun.elapsed(), error);
        if let Some(error) = error {
            span.record("otel.status_code", "ERROR");
            span.record("error.type", error_type(error));
        }
        result
    }

    fn span(&self, operation: StoreOperation) -> Span {
        child_span!(
            "store",
            otel.name = operation.name(),
            otel.kind = "client",
            otel.status_code = tracing::field::Empty,
            db.system.name = self.metrics.system(),
            db.operation.name = operation.name(),
            "error.type" = tracing::field::Empty,
        )
    }
}

/// Records that these bytes were written, if they were.
fn record_if(is_written: bool, bytes: usize) {
    if is_written {
        metering::record_bytes(bytes);
    }
}

#[async_trait]
impl GameStore for MeasuredStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let bytes = game.stored_len();
        let created = self.timed(StoreOperation::Create, self.inner.create(game));
        let created = created.await?;
        record_if(created == Created::Done, bytes);
        Ok(created)
    }

    async fn load(
        &self,
        id: GameId,
        known_head: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError> {
        self.timed(StoreOperation::Load, self.inner.load(id, known_head))
            .await
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let committed = self.timed(StoreOperation::Commit, self.inner.commit(commit));
        let committed = committed.await?;
        record_if(committed == Committed::Done, commit.stored_len());
        Ok(committed)
    }

    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        self.timed(StoreOperation::Log, self.inner.log(id, after, limit))
            .await
    }

    async fn watch(&self, id: GameId) -> Result<ChangeReceiver, StoreError> {
        self.timed(StoreOperation::Watch, self.inner.watch(id))
            .await
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        self.timed(StoreOperation::List, self.inner.page(filter, after, limit))
            .await
    }

    async fn feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        self.timed(StoreOperation::Feed, self.inner.feed(tenant, from, limit))
            .await
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        self.timed(StoreOperation::Wake, self.inner.wake(id)).await
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        self.timed(StoreOperation::Delete, self.inner.delete(id))
            .await
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        let row_len = row.as_ref().map_or(0, |row| sizes::len_of_row(id, row));
        let bytes = access.len() + row_len;
        let work = self.inner.set_access(id, expected, access, head, row);
        let is_set = self.timed(StoreOperation::SetAccess, work).await?;
        record_if(is_set, bytes);
        Ok(is_set)
    }

    async fn stored_bytes(&self, tenant: &str) -> Result<u64, StoreError> {
        let read = self.inner.stored_bytes(tenant);
        self.timed(StoreOperation::StoredBytes, read).await
    }

    async fn kv_get(&self, id: GameId) -> Result<Bytes, StoreError> {
        self.timed(StoreOperation::KvGet, self.inner.kv_get(id))
            .await
    }

    async fn kv_compare_and_set(
        &self,
        id: GameId,
        expected: Bytes,
        record: KvRecord,
    ) -> Result<bool, StoreError> {
        let bytes = record.stored_len();
        let work = self.inner.kv_compare_and_set(id, expected, record);
        let is_set = self.timed(StoreOperation::KvCompareAndSet, work).await?;
        record_if(is_set, bytes);
        Ok(is_set)
    }

    fn capacity(&self) -> Capacity {
        self.inner.capacity()
    }

    async fn backup(&self, directory: &Path) -> Result<Backup, StoreError> {
        self.inner.backup(directory).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.timed(StoreOperation::Ping, self.inner.ping()).await
    }

    async fn close(&self) -> Result<(), StoreError> {
        self.inner.close().await
    }
}
