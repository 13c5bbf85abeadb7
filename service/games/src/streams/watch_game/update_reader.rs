//! The **source of a watch**: the broadcast of the game or, while it is behind, the log itself.

use std::sync::Arc;

use gamekeeper_store::{Head, StoredEntry, Version};
use gamekeeper_wire::Wire;
use tokio::time::Instant;

use crate::aggregate::game::Game;
use crate::broadcast::registry::{GameBroadcast, Latest};
use crate::broadcast::update::{Next, Update};
use crate::errors::ServiceError;
use crate::metadata::GameMetadata;
use crate::service::game_service::GameService;
use crate::service::load::LOG_PAGE;
use crate::streams::log_tailer::{BroadcastStart, Subscription};

/// A reader of the updates of a game, one after the other.
pub(super) struct UpdateReader<W: Wire> {
    games: Arc<GameService<W>>,
    /// The table at the last update.
    game: Arc<Game<W>>,
    broadcast: Arc<GameBroadcast<W>>,
    latest: Latest<W>,
    /// The last item that was taken from the broadcast. Is `None` while this watch reads the log itself.
    cursor: Option<Arc<Update<W>>>,
    /// The data that this watch has read from the log itself.
    log_fallback: LogFallback,
    /// Whether changed names, users and labels make a message of their own.
    reports_tags: bool,
    /// The newest version when the watch started.
    initial_version: Version,
}

/// Data that was read without a broadcast.
#[derive(Default)]
struct LogFallback {
    /// The entries that were read ahead, the next one last.
    prefetched: Vec<StoredEntry>,
    /// The metadata at that time. Is `None` if it is that of the last update.
    metadata: Option<GameMetadata>,
}

impl<W: Wire> UpdateReader<W> {
    /// Creates a reader that starts after this table.
    pub(super) fn new(
        games: Arc<GameService<W>>,
        game: Game<W>,
        broadcast: Arc<GameBroadcast<W>>,
        initial_version: Version,
    ) -> Self {
        Self {
            games,
            game: Arc::new(game),
            latest: broadcast.subscribe(),
            broadcast,
            cursor: None,
            log_fallback: LogFallback::default(),
            reports_tags: false,
            initial_version,
        }
    }

    /// Sets whether changed names, users and labels make a message of their own.
    pub(super) fn report_tags(&mut self, reports_tags: bool) {
        self.reports_tags = reports_tags;
    }

    /// Returns the table at the last item that was accepted.
    pub(super) fn game(&self) -> &Game<W> {
        &self.game
    }

    /// Returns the table of the last item from the broadcast, with its metadata. Returns `None` while this watch reads
    /// the log itself.
    pub(super) fn broadcast_game(&self) -> Option<&Game<W>> {
        self.cursor.as_ref().map(|update| &*update.game)
    }

    /// Waits until there may be more updates.
    pub(super) async fn wait_for_update(&mut self) {
        // The end of a broadcast wakes the watch as well.
        let _closed = self.latest.changed().await;
    }

    /// Returns the table at which the reading starts, as an update. It joins the broadcast if possible.
    pub(super) fn initial_update(&mut self) -> Arc<Update<W>> {
        let has_same_metadata = self.latest.borrow().game.metadata == self.game.metadata;
        if has_same_metadata && let Some(update) = self.latest_if_current() {
            self.move_cursor_to(Arc::clone(&update));
            return update;
        }
        Arc::new(Update::of_table(Arc::clone(&self.game)))
    }

    /// Accepts an update that the watcher may see. Returns whether it makes a message.
    pub(super) fn accept(&mut self, update: &Update<W>) -> bool {
        let previous = std::mem::replace(&mut self.game, Arc::clone(&update.game));
        update.has_entry()
            || self.reports_tags && !update.game.metadata.same_public_part(&previous.metadata)
    }

    /// Returns the next update. Returns `None` if there is none yet.
    pub(super) async fn next_update(&mut self) -> Result<Option<Arc<Update<W>>>, ServiceError> {
        loop {
            // Marked before looking, so that every later item wakes this watch.
            self.latest.mark_unchanged();
            if let Some(cursor) = &self.cursor {
                match cursor.next() {
                    Next::Update(update) => {
                        self.cursor = Some(Arc::clone(&update));
                        return Ok(Some(update));
                    }
                    Next::Pending if !self.broadcast.is_closed() => return Ok(None),
                    Next::Pending => self.ensure_broadcast_ok()?,
                    Next::Lagged => {}
                }
                // The log has the next entries, or shows why there are none.
                self.cursor = None;
                self.log_fallback = LogFallback::default();
            }
            if self.log_fallback.prefetched.is_empty() {
                if let Some(update) = self.latest_if_current() {
                    self.move_cursor_to(update);
                    continue;
                }
                self.prefetch().await?;
            }
            if let Some(update) = self.next_from_log().await? {
                return Ok(Some(Arc::new(update)));
            }
            if !self.broadcast.is_closed() {
                // The broadcast will soon have read as much, and then wakes this watch.
                return Ok(None);
            }
            self.ensure_broadcast_ok()?;
            self.rejoin_broadcast().await?;
        }
    }

    /// Returns the error of the store, if that has ended the broadcast.
    fn ensure_broadcast_ok(&self) -> Result<(), ServiceError> {
        match self.broadcast.store_error() {
            Some(error) => Err(error.clone().into()),
            None => Ok(()),
        }
    }

    /// Returns the next update from what this watch has read itself.
    async fn next_from_log(&mut self) -> Result<Option<Update<W>>, ServiceError> {
        let LogFallback {
            prefetched,
            metadata,
        } = &mut self.log_fallback;
        if let Some(entry) = prefetched.pop() {
            let metadata = metadata.as_ref().unwrap_or(&self.game.metadata);
            let update = self.games.next_update(&self.game, metadata, &entry).await?;
            return Ok(Some(update));
        }
        let metadata = metadata.take();
        Ok(metadata
            .filter(|metadata| *metadata != self.game.metadata)
            .map(|metadata| {
                let mut game = self.game.clone_for_read();
                game.metadata = metadata;
                Update::of_table(Arc::new(game))
            }))
    }

    /// Returns the latest item of the broadcast, if it shows exactly the version that was sent last.
    fn latest_if_current(&self) -> Option<Arc<Update<W>>> {
        let latest = Arc::clone(&self.latest.borrow());
        let is_same_version = latest.game.head() == self.game.head();
        let has_reported_metadata =
            !self.reports_tags || latest.game.metadata.same_public_part(&self.game.metadata);
        (is_same_version && has_reported_metadata && !self.broadcast.is_closed()).then_some(latest)
    }

    /// Joins the broadcast at this item.
    fn move_cursor_to(&mut self, update: Arc<Update<W>>) {
        self.game = Arc::clone(&update.game);
        self.cursor = Some(update);
    }

    /// Replaces a broadcast that has ended. If the game has no other one, starts one at this table.
    async fn rejoin_broadcast(&mut self) -> Result<(), ServiceError> {
        self.broadcast = match self.games.subscribe_or_watch(self.game.id).await? {
            Subscription::Broadcast(broadcast) => broadcast,
            Subscription::WakeUps(wake_ups) => self.games.broadcast(BroadcastStart {
                game: self.game.clone_for_read(),
                wake_ups,
                // An entry may have been appended since the table was read, so read at once.
                next_poll: Instant::now(),
            }),
        };
        self.latest = self.broadcast.subscribe();
        Ok(())
    }

    /// Reads ahead in the log, from the last version that was sent: a failover may have lost the end of the log, and
    /// other entries may have replaced it.
    async fn prefetch(&mut self) -> Result<(), ServiceError> {
        if self.reports_tags && self.game.version >= self.initial_version {
            return self.prefetch_with_metadata().await;
        }
        let sent_head = self.game.head();
        let entries = self
            .games
            .entries(self.game.id, sent_head.version - 1, LOG_PAGE)
            .await?;
        let is_sent_entry =
            |entry: &StoredEntry| Head::of(entry.version, &entry.bytes) == sent_head;
        if !entries.first().is_some_and(is_sent_entry) {
            return Err(self.lost_version_error().await);
        }
        let mut prefetched = entries;
        prefetched.reverse();
        // Skip the entry that was sent already.
        prefetched.pop();
        let metadata = None;
        self.log_fallback = LogFallback {
            prefetched,
            metadata,
        };
        Ok(())
    }

    /// Reads new entries together with users and labels, in one round trip. The read has no limit, so it is only for
    /// watches that are up to date.
    async fn prefetch_with_metadata(&mut self) -> Result<(), ServiceError> {
        let (id, sent_head) = (self.game.id, self.game.head());
        let Some(loaded) = self.games.context.store.load(id, Some(sent_head)).await? else {
            return Err(ServiceError::no_such_game(id));
        };
        if loaded.snapshot.is_some() {
            return Err(self.lost_version_error().await);
        }
        let metadata = Some(GameMetadata::from_bytes(&loaded.access)?);
        let mut prefetched = loaded.entries;
        prefetched.reverse();
        self.log_fallback = LogFallback {
            prefetched,
            metadata,
        };
        Ok(())
    }

    /// Returns the error to report when a failover has lost the last version that was sent.
    async fn lost_version_error(&self) -> ServiceError {
        let requested = self.game.version;
        match self.games.context.store.load(self.game.id, None).await {
            Ok(loaded) => {
                let loaded = loaded.unwrap_or_default();
                let current = loaded.entries.last().map_or(0, |last| last.version);
                ServiceError::NoSuchVersion { requested, current }
            }
            Err(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::table::Seat;
    use uuid::Uuid;

    use super::*;
    use crate::authz::Caller;
    use crate::test_server::{TestServer, store};

    #[tokio::test]
    async fn another_access_record_is_news_for_whoever_reads_the_log() {
        let process = TestServer::<Dominion>::new(&store());
        let info = process
            .create_with_users(&Caller::UNAUTHENTICATED, &["ada", "bob"])
            .await;
        let id = Uuid::try_parse(&info.game_id).unwrap();
        let games = Arc::new(process.games);
        let game = games
            .lock_cached(&Caller::UNAUTHENTICATED, id)
            .await
            .unwrap()
            .clone_for_read();
        let feed = games.broadcast(BroadcastStart {
            game: game.clone_for_read(),
            wake_ups: games.context.store.watch(id).await.unwrap(),
            next_poll: Instant::now() + Duration::from_mins(1),
        });
        let mut reading = UpdateReader::new(Arc::clone(&games), game.clone_for_read(), feed, 1);
        let mut tags = game.metadata.tags().clone();
        tags.set_user(Seat::FIRST, "eve");
        let changed = game.metadata.with_tags(tags);
        for (metadata, is_news) in [
            (Some(changed.clone()), true),
            (Some(game.metadata.clone()), false),
            (None, false),
        ] {
            reading.log_fallback = LogFallback {
                prefetched: Vec::new(),
                metadata,
            };
            let news = reading.next_from_log().await.unwrap();
            assert_eq!(news.is_some(), is_news);
            if let Some(news) = news {
                assert!(!news.has_entry());
                assert_eq!(news.game.metadata, changed);
            }
        }
    }
}
