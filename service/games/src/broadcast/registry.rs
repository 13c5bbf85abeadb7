//! The registry of **broadcasts** in a process: all watchers of a game share one broadcast.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use gamekeeper_store::{GameId, StoreError};
use gamekeeper_wire::Wire;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::broadcast::update::Update;

/// The broadcasts of one ruleset in this process. A broadcast is removed when its last watcher is dropped.
pub(crate) struct BroadcastRegistry<W: Wire>(Mutex<HashMap<GameId, Weak<GameBroadcast<W>>>>);

impl<W: Wire> Default for BroadcastRegistry<W> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// A receiver of the latest update of a game.
pub(crate) type Latest<W> = watch::Receiver<Arc<Update<W>>>;

/// The broadcast of a game, which its watchers share.
pub(crate) struct GameBroadcast<W: Wire> {
    id: GameId,
    registry: Arc<BroadcastRegistry<W>>,
    latest: Latest<W>,
    store_error: Arc<OnceLock<StoreError>>,
}

impl<W: Wire> GameBroadcast<W> {
    /// Returns a receiver for one watcher, which every later update wakes.
    pub(crate) fn subscribe(&self) -> Latest<W> {
        self.latest.clone()
    }

    /// Returns whether the broadcast has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.latest.has_changed().is_err()
    }

    /// Returns the error of the store that ended the broadcast. Returns `None` if the broadcast goes on or ended
    /// otherwise.
    pub(crate) fn store_error(&self) -> Option<&StoreError> {
        self.store_error.get()
    }
}

impl<W: Wire> Drop for GameBroadcast<W> {
    fn drop(&mut self) {
        let mut broadcasts = self.registry.0.lock();
        // A new broadcast may have replaced this one in the meantime.
        if let Some(broadcast) = broadcasts.get(&self.id)
            && broadcast.strong_count() == 0
        {
            broadcasts.remove(&self.id);
        }
    }
}

impl<W: Wire> BroadcastRegistry<W> {
    /// Returns the broadcast of a game. Returns `None` if there is none or it has ended.
    pub(crate) fn find(&self, id: GameId) -> Option<Arc<GameBroadcast<W>>> {
        let broadcasts = self.0.lock();
        let broadcast = broadcasts.get(&id).and_then(Weak::upgrade);
        drop(broadcasts);
        broadcast.filter(|broadcast| !broadcast.is_closed())
    }

    /// Returns the broadcast of a game. If there is none or it has ended, registers a new one with what `create`
    /// returns.
    pub(crate) fn find_or_create(
        self: &Arc<Self>,
        id: GameId,
        create: impl FnOnce() -> (Latest<W>, Arc<OnceLock<StoreError>>),
    ) -> Arc<GameBroadcast<W>> {
        let mut broadcasts = self.0.lock();
        let closed = match broadcasts.get(&id).and_then(Weak::upgrade) {
            Some(broadcast) if !broadcast.is_closed() => return broadcast,
            closed => closed,
        };
        let (latest, store_error) = create();
        let broadcast = Arc::new(GameBroadcast {
            id,
            registry: Arc::clone(self),
            latest,
            store_error,
        });
        broadcasts.insert(id, Arc::downgrade(&broadcast));
        // Dropped outside the lock: this may be the last reference, and dropping a broadcast takes the lock.
        drop(broadcasts);
        drop(closed);
        broadcast
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.0.lock().len()
    }
}
