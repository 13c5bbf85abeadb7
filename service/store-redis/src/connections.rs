//! A connection pool with one connection for each thread that serves calls.
//!
//! A connection belongs to the runtime that created it. With a single connection, its replies would wake
//! the threads of other calls through the kernel, which costs more than the commit itself.

use std::sync::Arc;

use gamekeeper_store::StoreError;
use thread_local::ThreadLocal;
use tokio::sync::OnceCell;

use super::link::{ConnectionFactory, Link};

/// The connections. Each is created when its thread first needs it.
pub(super) struct Connections {
    factory: Arc<ConnectionFactory>,
    per_thread: ThreadLocal<OnceCell<Link>>,
}

impl Connections {
    /// Connects the current thread, so that a wrong configuration is reported at once.
    pub(super) async fn open(factory: Arc<ConnectionFactory>) -> Result<Connections, StoreError> {
        let first = factory.link().await?;
        let per_thread = ThreadLocal::new();
        per_thread.get_or(|| OnceCell::new_with(Some(first)));
        Ok(Connections {
            factory,
            per_thread,
        })
    }

    /// Returns the connection of the current thread.
    pub(super) async fn for_this_thread(&self) -> Result<&Link, StoreError> {
        let per_thread = self.per_thread.get_or_default();
        per_thread
            .get_or_try_init(|| Box::pin(self.connect()))
            .await
    }

    /// Connects. A setup error counts as unavailable: the same configuration has worked before.
    async fn connect(&self) -> Result<Link, StoreError> {
        self.factory.link().await.map_err(|error| match error {
            StoreError::Setup(why) => StoreError::Unavailable(why),
            error @ (StoreError::Unavailable(_)
            | StoreError::OutcomeUnknown(_)
            | StoreError::Full(_)
            | StoreError::Damaged(_)) => error,
        })
    }
}
