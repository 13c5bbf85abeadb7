//! The registry of **feeds** in a process: all watchers of a game share one feed.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, Weak};

use gamekeeper_store::{GameId, StoreError};
use gamekeeper_wire::Wire;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::heart::news::News;

/// The feeds of one ruleset in this process. A feed is removed when its last watcher is dropped.
pub(crate) struct Feeds<W: Wire>(Mutex<HashMap<GameId, Weak<Feed<W>>>>);

impl<W: Wire> Default for Feeds<W> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// A receiver of the latest news item of a game.
pub(crate) type Newest<W> = watch::Receiver<Arc<News<W>>>;

/// The feed of a game, which its watchers share.
pub(crate) struct Feed<W: Wire> {
    id: GameId,
    feeds: Arc<Feeds<W>>,
    newest: Newest<W>,
    failed: Arc<OnceLock<StoreError>>,
}

impl<W: Wire> Feed<W> {
    /// Returns a receiver for one watcher, which every later news item wakes.
    pub(crate) fn newest(&self) -> Newest<W> {
        self.newest.clone()
    }

    /// Returns whether the feed has ended.
    pub(crate) fn is_over(&self) -> bool {
        self.newest.has_changed().is_err()
    }

    /// Returns the error of the store that ended the feed. Returns `None` if the feed goes on or ended otherwise.
    pub(crate) fn failed(&self) -> Option<&StoreError> {
        self.failed.get()
    }
}

impl<W: Wire> Drop for Feed<W> {
    fn drop(&mut self) {
        let mut feeds = self.feeds.0.lock();
        // A new feed may have replaced this one in the meantime.
        if let Some(feed) = feeds.get(&self.id)
            && feed.strong_count() == 0
        {
            feeds.remove(&self.id);
        }
    }
}

impl<W: Wire> Feeds<W> {
    /// Returns the feed of a game. Returns `None` if there is none or it has ended.
    pub(crate) fn find(&self, id: GameId) -> Option<Arc<Feed<W>>> {
        let feeds = self.0.lock();
        let feed = feeds.get(&id).and_then(Weak::upgrade);
        drop(feeds);
        feed.filter(|feed| !feed.is_over())
    }

    /// Returns the feed of a game. If there is none or it has ended, registers a new one with what `begin` returns.
    pub(crate) fn find_or_begin(
        self: &Arc<Self>,
        id: GameId,
        begin: impl FnOnce() -> (Newest<W>, Arc<OnceLock<StoreError>>),
    ) -> Arc<Feed<W>> {
        let mut feeds = self.0.lock();
        let ended = match feeds.get(&id).and_then(Weak::upgrade) {
            Some(feed) if !feed.is_over() => return feed,
            ended => ended,
        };
        let (newest, failed) = begin();
        let feed = Arc::new(Feed {
            id,
            feeds: Arc::clone(self),
            newest,
            failed,
        });
        feeds.insert(id, Arc::downgrade(&feed));
        // Dropped outside the lock: this may be the last reference, and dropping a feed takes the lock.
        drop(feeds);
        drop(ended);
        feed
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.0.lock().len()
    }
}
