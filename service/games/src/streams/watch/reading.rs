//! The **source of a watch**: the feed of the game or, while it is behind, the log itself.

use std::sync::Arc;

use gamekeeper_store::{Head, StoredEntry, Version};
use gamekeeper_wire::Wire;
use tokio::time::Instant;

use crate::heart::access::Access;
use crate::heart::feeds::{Feed, Newest};
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::load::LOG_PAGE;
use crate::heart::news::{News, Next};
use crate::heart::problem::Problem;
use crate::streams::feed::{FeedStart, Subscription};

/// A reader of the news items of a game, one after the other.
pub(super) struct Reading<W: Wire> {
    games: Arc<Games<W>>,
    /// The table at the last news item.
    game: Arc<Game<W>>,
    feed: Arc<Feed<W>>,
    newest: Newest<W>,
    /// The last item that was taken from the feed. Is `None` while this watch reads the log itself.
    place: Option<Arc<News<W>>>,
    /// The data that this watch has read from the log itself.
    alone: Alone,
    /// Whether changed names, users and labels make a message of their own.
    tells_tags: bool,
    /// The newest version when the watch started.
    old: Version,
}

/// Data that was read without a feed.
#[derive(Default)]
struct Alone {
    /// The entries that were read ahead, the next one last.
    ahead: Vec<StoredEntry>,
    /// The access record at that time. Is `None` if it is that of the last news item.
    access: Option<Access>,
}

impl<W: Wire> Reading<W> {
    /// Creates a reader that starts after this table.
    pub(super) fn new(
        games: Arc<Games<W>>,
        game: Game<W>,
        feed: Arc<Feed<W>>,
        old: Version,
    ) -> Self {
        Self {
            games,
            game: Arc::new(game),
            newest: feed.newest(),
            feed,
            place: None,
            alone: Alone::default(),
            tells_tags: false,
            old,
        }
    }

    /// Sets whether changed names, users and labels make a message of their own.
    pub(super) fn tell_tags(&mut self, tells: bool) {
        self.tells_tags = tells;
    }

    /// Returns the table at the last item that was accepted.
    pub(super) fn game(&self) -> &Game<W> {
        &self.game
    }

    /// Returns the table of the last item from the feed, with its access record. Returns `None` while this watch reads
    /// the log itself.
    pub(super) fn feed_game(&self) -> Option<&Game<W>> {
        self.place.as_ref().map(|place| &*place.game)
    }

    /// Waits until there may be more news.
    pub(super) async fn woken(&mut self) {
        // The end of a feed wakes the watch as well.
        let _ended = self.newest.changed().await;
    }

    /// Returns the table at which the reading starts, as a news item. It joins the feed if possible.
    pub(super) fn begin(&mut self) -> Arc<News<W>> {
        let is_same = self.newest.borrow().game.access == self.game.access;
        if is_same && let Some(place) = self.place_in_feed() {
            self.take(Arc::clone(&place));
            return place;
        }
        Arc::new(News::of(Arc::clone(&self.game)))
    }

    /// Accepts a news item that the watcher may see. Returns whether it makes a message.
    pub(super) fn accept(&mut self, news: &News<W>) -> bool {
        let before = std::mem::replace(&mut self.game, Arc::clone(&news.game));
        news.is_step() || self.tells_tags && !news.game.access.shows_as(&before.access)
    }

    /// Returns the next news item. Returns `None` if there is none yet.
    pub(super) async fn next(&mut self) -> Result<Option<Arc<News<W>>>, Problem> {
        loop {
            // Marked before looking, so that every later item wakes this watch.
            self.newest.mark_unchanged();
            if let Some(place) = &self.place {
                match place.next() {
                    Next::News(news) => {
                        self.place = Some(Arc::clone(&news));
                        return Ok(Some(news));
                    }
                    Next::Open if !self.feed.is_over() => return Ok(None),
                    Next::Open => self.check_feed()?,
                    Next::Cut => {}
                }
                // The log has the next entries, or shows why there are none.
                self.place = None;
                self.alone = Alone::default();
            }
            if self.alone.ahead.is_empty() {
                if let Some(place) = self.place_in_feed() {
                    self.take(place);
                    continue;
                }
                self.read_ahead().await?;
            }
            if let Some(news) = self.next_alone().await? {
                return Ok(Some(Arc::new(news)));
            }
            if !self.feed.is_over() {
                // The feed will soon have read as much, and then wakes this watch.
                return Ok(None);
            }
            self.check_feed()?;
            self.change_feed().await?;
        }
    }

    /// Returns the error of the store, if that has ended the feed.
    fn check_feed(&self) -> Result<(), Problem> {
        match self.feed.failed() {
            Some(error) => Err(error.clone().into()),
            None => Ok(()),
        }
    }

    /// Returns the next news item from what this watch has read itself.
    async fn next_alone(&mut self) -> Result<Option<News<W>>, Problem> {
        let Alone { ahead, access } = &mut self.alone;
        if let Some(entry) = ahead.pop() {
            let access = access.as_ref().unwrap_or(&self.game.access);
            let news = self.games.next_news(&self.game, access, &entry).await?;
            return Ok(Some(news));
        }
        let access = access.take();
        Ok(access
            .filter(|access| *access != self.game.access)
            .map(|access| {
                let mut game = self.game.copied();
                game.access = access;
                News::of(Arc::new(game))
            }))
    }

    /// Returns the latest item of the feed, if it shows exactly the version that was sent last.
    fn place_in_feed(&self) -> Option<Arc<News<W>>> {
        let newest = Arc::clone(&self.newest.borrow());
        let is_here = newest.game.head() == self.game.head();
        let is_told = !self.tells_tags || newest.game.access.shows_as(&self.game.access);
        (is_here && is_told && !self.feed.is_over()).then_some(newest)
    }

    /// Joins the feed at this item.
    fn take(&mut self, place: Arc<News<W>>) {
        self.game = Arc::clone(&place.game);
        self.place = Some(place);
    }

    /// Replaces a feed that has ended. If the game has no other one, starts one at this table.
    async fn change_feed(&mut self) -> Result<(), Problem> {
        self.feed = match self.games.subscribe(self.game.id).await? {
            Subscription::Feed(feed) => feed,
            Subscription::WakeUps(wake_ups) => self.games.feed(FeedStart {
                game: self.game.copied(),
                wake_ups,
                // An entry may have been appended since the table was read, so read at once.
                look_at: Instant::now(),
            }),
        };
        self.newest = self.feed.newest();
        Ok(())
    }

    /// Reads ahead in the log, from the last version that was sent: a failover may have lost the end of the log, and
    /// other entries may have replaced it.
    async fn read_ahead(&mut self) -> Result<(), Problem> {
        if self.tells_tags && self.game.version >= self.old {
            return self.read_with_tags().await;
        }
        let sent = self.game.head();
        let entries = self
            .games
            .entries(self.game.id, sent.version - 1, LOG_PAGE)
            .await?;
        let is_sent = |entry: &StoredEntry| Head::of(entry.version, &entry.bytes) == sent;
        if !entries.first().is_some_and(is_sent) {
            return Err(self.lost().await);
        }
        let mut ahead = entries;
        ahead.reverse();
        // Skip the entry that was sent already.
        ahead.pop();
        let access = None;
        self.alone = Alone { ahead, access };
        Ok(())
    }

    /// Reads new entries together with users and labels, in one round trip. The read has no limit, so it is only for
    /// watches that are up to date.
    async fn read_with_tags(&mut self) -> Result<(), Problem> {
        let (id, sent) = (self.game.id, self.game.head());
        let Some(loaded) = self.games.shared.store.load(id, Some(sent)).await? else {
            return Err(Problem::no_such_game(id));
        };
        if loaded.snapshot.is_some() {
            return Err(self.lost().await);
        }
        let access = Some(Access::from_bytes(&loaded.access)?);
        let mut ahead = loaded.entries;
        ahead.reverse();
        self.alone = Alone { ahead, access };
        Ok(())
    }

    /// Returns the error to report when a failover has lost the last version that was sent.
    async fn lost(&self) -> Problem {
        let asked = self.game.version;
        match self.games.shared.store.load(self.game.id, None).await {
            Ok(found) => {
                let found = found.unwrap_or_default();
                let current = found.entries.last().map_or(0, |last| last.version);
                Problem::NoSuchVersion { asked, current }
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
    use crate::heart::access::Caller;
    use crate::process::{Process, store};

    #[tokio::test]
    async fn another_access_record_is_news_for_whoever_reads_the_log() {
        let process = Process::<Dominion>::over(&store());
        let info = process.create_of(&Caller::OPEN, &["ada", "bob"]).await;
        let id = Uuid::try_parse(&info.game_id).unwrap();
        let games = Arc::new(process.games);
        let game = games.open(&Caller::OPEN, id).await.unwrap().copied();
        let feed = games.feed(FeedStart {
            game: game.copied(),
            wake_ups: games.shared.store.watch(id).await.unwrap(),
            look_at: Instant::now() + Duration::from_mins(1),
        });
        let mut reading = Reading::new(Arc::clone(&games), game.copied(), feed, 1);
        let mut tags = game.access.tags().clone();
        tags.set_user(Seat::FIRST, "eve");
        let changed = game.access.tagged(tags);
        for (access, is_news) in [
            (Some(changed.clone()), true),
            (Some(game.access.clone()), false),
            (None, false),
        ] {
            reading.alone = Alone {
                ahead: Vec::new(),
                access,
            };
            let news = reading.next_alone().await.unwrap();
            assert_eq!(news.is_some(), is_news);
            if let Some(news) = news {
                assert!(!news.is_step());
                assert_eq!(news.game.access, changed);
            }
        }
    }
}
