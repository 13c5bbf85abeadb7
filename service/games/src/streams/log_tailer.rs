//! The **broadcast** of a game's updates to all its watchers in this process.
//!
//! While a game has watchers, one task follows its log, with one table and one read for each wake-up. The updates form
//! a linked list in which each watcher holds its own position: items that all watchers have read are freed, and a slow
//! watcher delays nobody. The task reads when it is woken, and polls, since a wake-up may be lost. A broadcast ends
//! when anything goes wrong; each watcher then reads the log and reports what happened.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};

use gamekeeper_store::{ChangeReceiver, GameId, StoreError, StoredEntry};
use gamekeeper_wire::Wire;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::aggregate::game::Game;
use crate::broadcast::registry::GameBroadcast;
use crate::broadcast::update::{Next, Update};
use crate::errors::ServiceError;
use crate::metadata::GameMetadata;
use crate::service::game_service::GameService;
use crate::timing::yielder::Yielder;

/// The maximum number of updates, and of bytes of their messages, that a broadcast keeps for slow watchers. Slower
/// watchers read the log.
const MAX_UPDATES: usize = 64;
const MAX_BYTES: usize = 1 << 20;

/// The starting point of a broadcast.
pub(crate) struct BroadcastStart<W: Wire> {
    /// The table at which the broadcast starts.
    pub(crate) game: Game<W>,
    /// The wake-ups of the game. If the table was read before subscribing to them, `next_poll` must be now, since a
    /// change may have been missed.
    pub(crate) wake_ups: ChangeReceiver,
    /// The latest time for the first read.
    pub(crate) next_poll: Instant,
}

/// The source from which a watcher learns of new versions.
pub(crate) enum Subscription<W: Wire> {
    Broadcast(Arc<GameBroadcast<W>>),
    WakeUps(ChangeReceiver),
}

impl<W: Wire> GameService<W> {
    /// Returns the broadcast of a game or, if it has none, subscribes to the wake-ups that a new broadcast needs.
    pub(crate) async fn subscribe_or_watch(
        &self,
        id: GameId,
    ) -> Result<Subscription<W>, ServiceError> {
        Ok(match self.broadcasts.find(id) {
            Some(broadcast) => Subscription::Broadcast(broadcast),
            None => Subscription::WakeUps(self.context.store.watch(id).await?),
        })
    }

    /// Applies the next entry of a log to the table before it, and returns it as an update.
    pub(crate) async fn next_update(
        &self,
        previous: &Arc<Game<W>>,
        metadata: &GameMetadata,
        entry: &StoredEntry,
    ) -> Result<Update<W>, ServiceError> {
        let mut game = previous.clone_for_read();
        if game.metadata != *metadata {
            game.metadata = metadata.clone();
        }
        let entry = self.replay_next(&mut game, entry).await?;
        Ok(Update::of_entry(previous, game, entry))
    }

    /// Returns the broadcast of a game. If it has none, starts one with `start`.
    pub(crate) fn broadcast(self: &Arc<Self>, start: BroadcastStart<W>) -> Arc<GameBroadcast<W>> {
        self.broadcasts.find_or_create(start.game.id, || {
            let update = Arc::new(Update::of_table(Arc::new(start.game)));
            let (latest_sender, latest) = watch::channel(Arc::clone(&update));
            let store_error = Arc::default();
            let tailer = LogTailer {
                games: Arc::clone(self),
                wake_ups: start.wake_ups,
                next_poll: start.next_poll,
                retained: VecDeque::from([Arc::downgrade(&update)]),
                latest: latest_sender,
                store_error: Arc::clone(&store_error),
            };
            tokio::spawn(tailer.run());
            (latest, store_error)
        })
    }
}

/// The task that follows a log for a broadcast.
struct LogTailer<W: Wire> {
    games: Arc<GameService<W>>,
    wake_ups: ChangeReceiver,
    next_poll: Instant,
    /// The latest updates, as far as any watcher still holds them.
    retained: VecDeque<Weak<Update<W>>>,
    latest: watch::Sender<Arc<Update<W>>>,
    store_error: Arc<OnceLock<StoreError>>,
}

/// A signal that the broadcast ends.
struct TailingEnded;

impl<W: Wire> LogTailer<W> {
    /// Follows the log until the last watcher is gone or something goes wrong.
    async fn run(mut self) {
        let latest = self.latest.clone();
        let tail = async {
            loop {
                self.wait_for_wake_up().await;
                if let Err(TailingEnded) = self.poll().await {
                    return;
                }
            }
        };
        tokio::select! {
            biased;
            () = latest.closed() => {}
            () = tail => {}
        }
    }

    /// Waits for a wake-up, or until the next poll is due.
    async fn wait_for_wake_up(&mut self) {
        if let Ok(Err(_)) = timeout_at(self.next_poll, self.wake_ups.changed()).await {
            // The store no longer sends wake-ups, so only polling is left.
            sleep_until(self.next_poll).await;
        }
    }

    /// Reads new entries and the metadata in one round trip.
    async fn poll(&mut self) -> Result<(), TailingEnded> {
        let shared = &self.games.context;
        self.next_poll = Instant::now() + shared.settings.bookmark_every;
        let previous = Arc::clone(&self.latest.borrow());
        let (id, head) = (previous.game.id, previous.game.head());
        let loaded = match shared.store.load(id, Some(head)).await {
            Ok(loaded) => loaded.ok_or(TailingEnded)?,
            Err(error) => {
                let _set = self.store_error.set(error);
                return Err(TailingEnded);
            }
        };
        if loaded.snapshot.is_some() {
            // The version of the last update is no longer in the log.
            return Err(TailingEnded);
        }
        let metadata = match GameMetadata::from_bytes(&loaded.access) {
            Ok(metadata) => metadata,
            Err(problem) => {
                // Not every watcher reads the metadata itself, so report the error through the broadcast.
                let _set = self
                    .store_error
                    .set(StoreError::Damaged(problem.to_string()));
                return Err(TailingEnded);
            }
        };
        let (mut previous, mut yielder) = (previous, Yielder::new());
        if loaded.entries.is_empty() && metadata != previous.game.metadata {
            let mut game = previous.game.clone_for_read();
            game.metadata = metadata.clone();
            previous = self.publish(&previous, Update::of_table(Arc::new(game)));
        }
        let mut failure = None;
        for entry in &loaded.entries {
            match self
                .games
                .next_update(&previous.game, &metadata, entry)
                .await
            {
                Ok(update) => previous = self.publish(&previous, update),
                Err(problem) => {
                    failure = Some(problem);
                    break;
                }
            }
            yielder.yield_if_due().await;
        }
        if !Arc::ptr_eq(&previous, &self.latest.borrow()) {
            self.latest.send_replace(previous);
        }
        failure.map_or(Ok(()), |_: ServiceError| Err(TailingEnded))
    }

    /// Appends an item to the list, and cuts off the oldest items if the list is too long.
    fn publish(&mut self, previous: &Update<W>, update: Update<W>) -> Arc<Update<W>> {
        let update = Arc::new(update);
        previous.set_next(Next::Update(Arc::clone(&update)));
        self.retained.push_back(Arc::downgrade(&update));
        self.retained.retain(|weak| weak.strong_count() > 0);
        let retained_size =
            |weak: &Weak<Update<W>>| weak.upgrade().map_or(0, |update| update.encoded_size());
        let mut bytes: usize = self.retained.iter().map(retained_size).sum();
        while self.retained.len() > MAX_UPDATES || self.retained.len() > 1 && bytes > MAX_BYTES {
            if let Some(oldest) = self.retained.pop_front().as_ref().and_then(Weak::upgrade) {
                bytes = bytes.saturating_sub(oldest.encoded_size());
                oldest.set_next(Next::Lagged);
            }
        }
        update
    }
}

#[cfg(test)]
mod tests;
