//! Feeds: the news of a game, for all its watchers in this process.
//!
//! While a game has watchers, one task follows its log, with one table and one read for each wake-up. The news
//! items form a chain in which each watcher holds its own place: items that all have read are freed, and nobody
//! waits for a slow watcher. The task reads when it is woken, and periodically, since a wake-up may be lost. A
//! feed ends when anything goes wrong; each watcher then reads the log and finds out what.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use gamekeeper_store::{GameId, StoreError, WakeUps};
use gamekeeper_wire::Wire;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::Games;
use super::game::Game;
use super::news::{News, Next};
use super::yielding::Yielder;
use crate::access::Access;
use crate::problem::Problem;

/// A feed keeps at most this many news items, and at most this many bytes of messages, for slow watchers.
/// Slower ones read the log.
const MAX_NEWS: usize = 64;
const MAX_BYTES: usize = 1 << 20;

/// The feeds of one ruleset in this process. A feed is forgotten when its last watcher goes.
pub(super) struct Feeds<W: Wire>(Mutex<HashMap<GameId, Weak<Feed<W>>>>);

impl<W: Wire> Default for Feeds<W> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

/// The latest news item of a game.
pub(super) type Newest<W> = watch::Receiver<Arc<News<W>>>;

/// The feed of a game, as its watchers hold it.
pub(super) struct Feed<W: Wire> {
    id: GameId,
    feeds: Arc<Feeds<W>>,
    newest: Newest<W>,
    failed: Arc<OnceLock<StoreError>>,
}

impl<W: Wire> Feed<W> {
    /// A receiver for one watcher; every later news item wakes it.
    pub(super) fn newest(&self) -> Newest<W> {
        self.newest.clone()
    }

    /// Has it ended?
    pub(super) fn is_over(&self) -> bool {
        self.newest.has_changed().is_err()
    }

    /// The store's error, if that is why the feed ended.
    pub(super) fn failed(&self) -> Option<&StoreError> {
        self.failed.get()
    }
}

impl<W: Wire> Drop for Feed<W> {
    fn drop(&mut self) {
        let mut feeds = self.feeds.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Another feed may have taken its place.
        if let Some(feed) = feeds.get(&self.id)
            && feed.strong_count() == 0
        {
            feeds.remove(&self.id);
        }
    }
}

impl<W: Wire> Feeds<W> {
    /// The feed of a game, unless it has none or it has ended.
    pub(super) fn find(&self, id: GameId) -> Option<Arc<Feed<W>>> {
        let feeds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let feed = feeds.get(&id).and_then(Weak::upgrade);
        drop(feeds);
        feed.filter(|feed| !feed.is_over())
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// Where a feed begins.
pub(super) struct FeedStart<W: Wire> {
    /// The table.
    pub(super) game: Game<W>,
    /// Wake-ups of the game. If it may have changed between the read of the table and the subscription,
    /// `look_at` must be now.
    pub(super) wake_ups: WakeUps,
    /// The latest time for the first read.
    pub(super) look_at: Instant,
}

/// How a watcher hears of new versions.
pub(super) enum Subscription<W: Wire> {
    Feed(Arc<Feed<W>>),
    WakeUps(WakeUps),
}

impl<W: Wire> Games<W> {
    /// The feed of a game or, if it has none, the wake-ups that a new one needs.
    pub(super) async fn subscribe(&self, id: GameId) -> Result<Subscription<W>, Problem> {
        Ok(match self.feeds.find(id) {
            Some(feed) => Subscription::Feed(feed),
            None => Subscription::WakeUps(self.shared.store.watch(id).await?),
        })
    }

    /// The feed of a game; if it has none, one begins with `start`.
    pub(super) fn feed(self: &Arc<Self>, start: FeedStart<W>) -> Arc<Feed<W>> {
        let id = start.game.id;
        let mut feeds = self.feeds.0.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = match feeds.get(&id).and_then(Weak::upgrade) {
            Some(feed) if !feed.is_over() => return feed,
            ended => ended,
        };
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
        let feed = Arc::new(Feed {
            id,
            feeds: Arc::clone(&self.feeds),
            newest: read,
            failed,
        });
        feeds.insert(id, Arc::downgrade(&feed));
        // Outside the lock: this may be the last reference, and dropping a feed takes the lock.
        drop(feeds);
        drop(ended);
        tokio::spawn(follower.run());
        feed
    }
}

/// Follows a log for a feed.
struct Follower<W: Wire> {
    games: Arc<Games<W>>,
    wake_ups: WakeUps,
    look_at: Instant,
    /// The latest news items, as far as somebody still holds them.
    kept: VecDeque<Weak<News<W>>>,
    newest: watch::Sender<Arc<News<W>>>,
    failed: Arc<OnceLock<StoreError>>,
}

/// The feed ends.
struct End;

impl<W: Wire> Follower<W> {
    /// Follows the log until nobody watches or something goes wrong.
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
            () = newest.closed() => {}
            () = follow => {}
        }
    }

    /// Waits for a wake-up, or until the next periodic read is due.
    async fn woken(&mut self) {
        if let Ok(Err(_)) = timeout_at(self.look_at, self.wake_ups.changed()).await {
            // The store's notifier is gone, so only periodic reads are left.
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
                // Not every watcher reads the record itself.
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
            match News::step(&self.games, &last.game, &access, entry).await {
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

    /// Appends an item to the chain, and cuts off the oldest ones if the chain is too long.
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
