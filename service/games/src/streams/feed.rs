//! **Feeds**: the broadcast of a game's news to all its watchers in this process.
//!
//! While a game has watchers, one task follows its log, with one table and one read for each wake-up. The news items
//! form a linked list in which each watcher holds its own position: items that all watchers have read are freed, and a
//! slow watcher delays nobody. The task reads when it is woken, and polls, since a wake-up may be lost. A feed ends
//! when anything goes wrong; each watcher then reads the log and reports what happened.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock, Weak};

use gamekeeper_store::{GameId, StoreError, StoredEntry, WakeUps};
use gamekeeper_wire::Wire;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};

use crate::heart::access::Access;
use crate::heart::feeds::Feed;
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::news::{News, Next};
use crate::heart::problem::Problem;
use crate::heart::yielding::Yielder;

/// The maximum number of news items, and of bytes of their messages, that a feed keeps for slow watchers. Slower
/// watchers read the log.
const MAX_NEWS: usize = 64;
const MAX_BYTES: usize = 1 << 20;

/// The starting point of a feed.
pub(crate) struct FeedStart<W: Wire> {
    /// The table at which the feed starts.
    pub(crate) game: Game<W>,
    /// The wake-ups of the game. If the table was read before subscribing to them, `look_at` must be now, since a
    /// change may have been missed.
    pub(crate) wake_ups: WakeUps,
    /// The latest time for the first read.
    pub(crate) look_at: Instant,
}

/// The source from which a watcher learns of new versions.
pub(crate) enum Subscription<W: Wire> {
    Feed(Arc<Feed<W>>),
    WakeUps(WakeUps),
}

impl<W: Wire> Games<W> {
    /// Returns the feed of a game or, if it has none, subscribes to the wake-ups that a new feed needs.
    pub(crate) async fn subscribe(&self, id: GameId) -> Result<Subscription<W>, Problem> {
        Ok(match self.feeds.find(id) {
            Some(feed) => Subscription::Feed(feed),
            None => Subscription::WakeUps(self.shared.store.watch(id).await?),
        })
    }

    /// Applies the next entry of a log to the table before it, and returns it as a news item.
    pub(crate) async fn next_news(
        &self,
        before: &Arc<Game<W>>,
        access: &Access,
        entry: &StoredEntry,
    ) -> Result<News<W>, Problem> {
        let mut game = before.copied();
        if game.access != *access {
            game.access = access.clone();
        }
        let played = self.step(&mut game, entry).await?;
        Ok(News::step(before, game, played))
    }

    /// Returns the feed of a game. If it has none, starts one with `start`.
    pub(crate) fn feed(self: &Arc<Self>, start: FeedStart<W>) -> Arc<Feed<W>> {
        self.feeds.find_or_begin(start.game.id, || {
            let news = Arc::new(News::of(Arc::new(start.game)));
            let (newest, read) = watch::channel(Arc::clone(&news));
            let failed = Arc::default();
            let follower = Follower {
                games: Arc::clone(self),
                wake_ups: start.wake_ups,
                look_at: start.look_at,
                kept: VecDeque::from([Arc::downgrade(&news)]),
                newest,
                failed: Arc::clone(&failed),
            };
            tokio::spawn(follower.run());
            (read, failed)
        })
    }
}

/// The task that follows a log for a feed.
struct Follower<W: Wire> {
    games: Arc<Games<W>>,
    wake_ups: WakeUps,
    look_at: Instant,
    /// The latest news items, as far as any watcher still holds them.
    kept: VecDeque<Weak<News<W>>>,
    newest: watch::Sender<Arc<News<W>>>,
    failed: Arc<OnceLock<StoreError>>,
}

/// A marker that the feed ends.
struct End;

impl<W: Wire> Follower<W> {
    /// Follows the log until the last watcher is gone or something goes wrong.
    async fn run(mut self) {
        let newest = self.newest.clone();
        let follow = async {
            loop {
                self.woken().await;
                if let Err(End) = self.look().await {
                    return;
                }
            }
        };
        tokio::select! {
            biased;
            () = newest.closed() => {}
            () = follow => {}
        }
    }

    /// Waits for a wake-up, or until the next poll is due.
    async fn woken(&mut self) {
        if let Ok(Err(_)) = timeout_at(self.look_at, self.wake_ups.changed()).await {
            // The store no longer sends wake-ups, so only polling is left.
            sleep_until(self.look_at).await;
        }
    }

    /// Reads new entries and the access record in one round trip.
    async fn look(&mut self) -> Result<(), End> {
        let shared = &self.games.shared;
        self.look_at = Instant::now() + shared.settings.bookmark_every;
        let last = Arc::clone(&self.newest.borrow());
        let (id, head) = (last.game.id, last.game.head());
        let loaded = match shared.store.load(id, Some(head)).await {
            Ok(loaded) => loaded.ok_or(End)?,
            Err(error) => {
                let _first = self.failed.set(error);
                return Err(End);
            }
        };
        if loaded.snapshot.is_some() {
            // The version of the last news item is no longer in the log.
            return Err(End);
        }
        let access = match Access::from_bytes(&loaded.access) {
            Ok(access) => access,
            Err(problem) => {
                // Not every watcher reads the access record itself, so report the error through the feed.
                let _first = self.failed.set(StoreError::Damaged(problem.to_string()));
                return Err(End);
            }
        };
        let (mut last, mut yielder) = (last, Yielder::new());
        if loaded.entries.is_empty() && access != last.game.access {
            let mut game = last.game.copied();
            game.access = access.clone();
            last = self.link(&last, News::of(Arc::new(game)));
        }
        let mut wrong = None;
        for entry in &loaded.entries {
            match self.games.next_news(&last.game, &access, entry).await {
                Ok(news) => last = self.link(&last, news),
                Err(problem) => {
                    wrong = Some(problem);
                    break;
                }
            }
            yielder.yield_if_due().await;
        }
        if !Arc::ptr_eq(&last, &self.newest.borrow()) {
            self.newest.send_replace(last);
        }
        wrong.map_or(Ok(()), |_: Problem| Err(End))
    }

    /// Appends an item to the list, and cuts off the oldest items if the list is too long.
    fn link(&mut self, last: &News<W>, news: News<W>) -> Arc<News<W>> {
        let news = Arc::new(news);
        last.set_next(Next::News(Arc::clone(&news)));
        self.kept.push_back(Arc::downgrade(&news));
        self.kept.retain(|kept| kept.strong_count() > 0);
        let size = |kept: &Weak<News<W>>| kept.upgrade().map_or(0, |kept| kept.size());
        let mut bytes: usize = self.kept.iter().map(size).sum();
        while self.kept.len() > MAX_NEWS || self.kept.len() > 1 && bytes > MAX_BYTES {
            if let Some(oldest) = self.kept.pop_front().as_ref().and_then(Weak::upgrade) {
                bytes = bytes.saturating_sub(oldest.size());
                oldest.set_next(Next::Cut);
            }
        }
        news
    }
}

#[cfg(test)]
mod tests;
