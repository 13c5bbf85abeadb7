//! A connection pool with one connection for each thread that serves calls.
//!
//! A connection belongs to the runtime that created it. With a single connection, its replies would wake
//! the threads of other calls through the kernel, which costs more than the commit itself.

use std::sync::Arc;

use gamekeeper_store::StoreError;
use thread_local::ThreadLocal;
use tokio::sync::OnceCell;

use super::link::{Dialer, Link};

/// The connections. Each is created when its thread first needs it.
pub(super) struct Links {
    dialer: Arc<Dialer>,
    own: ThreadLocal<OnceCell<Link>>,
}

impl Links {
    /// Connects the current thread, so that a wrong configuration is reported at once.
    pub(super) async fn open(dialer: Arc<Dialer>) -> Result<Links, StoreError> {
        let first = dialer.link().await?;
        let own = ThreadLocal::new();
        own.get_or(|| OnceCell::new_with(Some(first)));
        Ok(Links { dialer, own })
    }

    /// Returns the connection of the current thread.
    pub(super) async fn here(&self) -> Result<&Link, StoreError> {
        let own = self.own.get_or_default();
        own.get_or_try_init(|| Box::pin(self.connect())).await
    }

    /// Connects. A setup error counts as unavailable: the same configuration has worked before.
    async fn connect(&self) -> Result<Link, StoreError> {
        self.dialer.link().await.map_err(|error| match error {
            StoreError::Setup(why) => StoreError::Unavailable(why),
            error @ (StoreError::Unavailable(_)
            | StoreError::OutcomeUnknown(_)
            | StoreError::Full(_)
            | StoreError::Damaged(_)) => error,
        })
    }
}
