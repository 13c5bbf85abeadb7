//! A connection pool with one connection for each thread that serves calls.
//!
//! A connection belongs to the runtime that created it. With a single connection, its replies would wake
//! the threads of other calls through the kernel, which costs more than the commit itself.

use std::sync::Arc;

use gamekeeper_store::StoreError;
use thread_local::ThreadLocal;

use super::dialing::ConnectionFactory;
use super::errors::{at_startup, not_sent};
use super::link::Link;

/// The connections. Each is opened when its thread first needs it.
pub(super) struct Connections {
    factory: Arc<ConnectionFactory>,
    per_thread: ThreadLocal<Link>,
}

impl Connections {
    /// Connects the current thread, so that a wrong configuration is reported at once.
    pub(super) async fn open(factory: Arc<ConnectionFactory>) -> Result<Connections, StoreError> {
        let connections = Connections {
            factory,
            per_thread: ThreadLocal::new(),
        };
        let connected = connections.link().connect().await;
        connected.map_err(|error| at_startup(&error))?;
        Ok(connections)
    }

    /// Returns the connection of the current thread, which is open. Nothing was sent if it cannot be opened.
    pub(super) async fn for_this_thread(&self) -> Result<&Link, StoreError> {
        let link = self.link();
        link.connect().await.map_err(|error| not_sent(&error))?;
        Ok(link)
    }

    fn link(&self) -> &Link {
        let new = || Link::new(Arc::clone(&self.factory));
        self.per_thread.get_or(new)
    }
}
