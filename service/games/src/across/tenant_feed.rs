//! `WatchGames` with a filter: follows the feed of a tenant, a **change feed** that the store keeps.
//!
//! The feed lists, page by page, which games have which new versions; the versions themselves are read from the logs.
//! Each message carries a cursor. The cursor of the last message of a page points after the page, that of the others
//! before it: delivery is at least once, so a client that resumes may get some messages again, and never misses one. A
//! store may report a change before it is made. Until the change is made, or can no longer be, the cursor stays before
//! it.

mod cursor;
mod groups;
mod known;
mod opening;
mod request;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::feed::{FeedFrom, FeedPage, FeedPlace, FeedRead, Marker, Told, feed_topic};
use gamekeeper_store::{GameId, Version, WakeUps};
use gamekeeper_telemetry::OpenFeed;
use tokio::time::{Instant, sleep_until};

use self::cursor::Cursor;
use self::groups::{Group, groups};
use self::known::Known;
use self::opening::{Found, Opened, find};
use self::request::Asked;
use crate::across::games_update::GamesUpdate;
use crate::heart::access::{Caller, Share};
use crate::heart::games::Answers;
use crate::heart::problem::Problem;
use crate::heart::yielding::Yielder;
use crate::registry::{Registry, unknown_ruleset};
use crate::streams::bounded::{Bounds, Source, follow};

/// The maximum number of markers in one read.
const PAGE: usize = 64;

/// The maximum number of games of a page that are read at the same time.
const AT_ONCE: usize = 8;

/// The backoff while waiting for reported changes that are not made yet: at first, and at most.
const RETRY: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

impl Registry {
    /// Follows the feed of a tenant.
    ///
    /// # Errors
    /// If the caller has no feed, the request is malformed, its cursor has expired, there are too many watches, or the
    /// store fails. The stream ends with [`Problem::GoingAway`] when the server shuts down.
    pub(super) async fn follow_feed(
        self: &Arc<Self>,
        caller: &Caller,
        call: &pb::WatchGamesRequest,
    ) -> Result<Answers<GamesUpdate>, Problem> {
        let shared = self.shared();
        let filter = call.filter.clone().unwrap_or_default();
        let asked = Asked::read(caller, call, &filter)?;
        if !filter.ruleset.is_empty() && !self.by_ruleset().contains_key(&filter.ruleset) {
            return Err(unknown_ruleset("filter.ruleset"));
        }
        let share = shared.watches.take(caller.account)?;
        // Subscribe before the first read, so that no change is missed.
        let wake_ups = shared.store.watch(feed_topic(&asked.tenant)).await?;
        let from = asked.from;
        let page = read(self, &asked.tenant, from).await?;
        let life = page.life;
        if asked.cursor.is_some_and(|cursor| cursor.life != life) {
            return Err(Problem::CursorExpired);
        }
        let begin = match from {
            FeedFrom::After(place) => place,
            FeedFrom::Time(ms) => FeedPlace::at(ms.min(page.now_ms)),
            FeedFrom::End => page.end,
        };
        let mut follower = Follower {
            registry: Arc::clone(self),
            caller: caller.clone(),
            cursor: Cursor { life, place: begin },
            asked,
            page: Page::default(),
            read_to: begin,
            waiting: Vec::new(),
            retry: RETRY[0],
            known: Known::default(),
            held: None,
            wake_ups,
            bookmark_at: Instant::now(),
            yielder: Yielder::new(),
            _share: share,
            _open: shared.metrics.following(),
        };
        follower.turn_to(page);
        let bounds = Bounds::new(shared, caller).aging(shared);
        Ok(follow(follower, bounds, 0))
    }
}

/// Reads a page of a feed.
async fn read(registry: &Registry, tenant: &str, from: FeedFrom) -> Result<FeedPage, Problem> {
    match registry.shared().store.feed(tenant, from, PAGE).await? {
        FeedRead::Page(page) => Ok(page),
        FeedRead::Expired => Err(Problem::CursorExpired),
        FeedRead::Off => Err(Problem::NoFeed),
    }
}

struct Follower {
    registry: Arc<Registry>,
    caller: Caller,
    asked: Asked,
    /// The position after everything that was sent.
    cursor: Cursor,
    page: Page,
    /// The position after everything that was read.
    read_to: FeedPlace,
    /// The markers of reported changes that are not made yet.
    waiting: Vec<Marker>,
    /// The backoff before they are read again.
    retry: Duration,
    known: Known,
    /// The item that is sent next, once it is known whether it is the last of its page.
    held: Option<GamesUpdate>,
    wake_ups: WakeUps,
    bookmark_at: Instant,
    yielder: Yielder,
    _share: Share,
    _open: OpenFeed,
}

/// A page of the feed whose items are being sent.
#[derive(Default)]
struct Page {
    markers: Vec<Marker>,
    groups: VecDeque<Group>,
    opened: VecDeque<Opened>,
    /// The position after the page. Is `None` once the whole page was sent.
    end: Option<FeedPlace>,
    is_last: bool,
    now_ms: u64,
    unsure_ms: u64,
}

impl Source for Follower {
    type Item = GamesUpdate;

    async fn next(&mut self) -> Result<GamesUpdate, Problem> {
        loop {
            if let Some(update) = self.told().await? {
                self.caller.holds()?;
                if let Some(before) = self.held.replace(update) {
                    return Ok(self.of_feed(before));
                }
                continue;
            }
            if let Some(end) = self.page.end.take() {
                self.cursor.place = self.safe(end);
                if let Some(last) = self.held.take() {
                    return Ok(self.of_feed(last));
                }
            }
            if Instant::now() >= self.bookmark_at {
                self.caller.holds()?;
                self.bookmark_at = Instant::now() + self.registry.shared().settings.bookmark_every;
                return Ok(self.of_feed(GamesUpdate::Bookmark(0)));
            }
            if self.page.is_last {
                self.woken().await;
            }
            self.read_on().await?;
        }
    }

    /// A stream of several games has no version of its own.
    fn version(&self) -> Version {
        0
    }
}

impl Follower {
    fn of_feed(&self, update: GamesUpdate) -> GamesUpdate {
        let cursor = self.cursor.written(&self.asked.tenant);
        GamesUpdate::OfFeed(Box::new(update), cursor)
    }

    /// Returns the position from which a client that has everything up to `end` may resume: before the first change
    /// that is missing.
    fn safe(&self, end: FeedPlace) -> FeedPlace {
        let missing = self.waiting.iter().map(|marker| FeedPlace {
            mark: 0,
            ..marker.place
        });
        missing.min().map_or(end, |missing| missing.min(end))
    }

    /// Waits until the feed may have grown, missing changes are to be read again, or a bookmark is due.
    async fn woken(&mut self) {
        let mut until = self.bookmark_at;
        if !self.waiting.is_empty() {
            until = until.min(Instant::now() + self.retry);
            self.retry = (2 * self.retry).min(RETRY[1]);
        }
        let woken = async {
            if self.wake_ups.changed().await.is_err() {
                // The store no longer sends wake-ups, so only polling is left.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = woken => {}
            () = sleep_until(until) => {}
        }
    }

    /// Reads the next page after the last one.
    async fn read_on(&mut self) -> Result<(), Problem> {
        let from = FeedFrom::After(self.read_to);
        let page = read(&self.registry, &self.asked.tenant, from).await?;
        if page.life != self.cursor.life {
            return Err(Problem::CursorExpired);
        }
        self.turn_to(page);
        Ok(())
    }

    /// Starts to send a page, together with the changes that were missing before.
    fn turn_to(&mut self, page: FeedPage) {
        if self.waiting.is_empty() {
            self.retry = RETRY[0];
        }
        let mut markers = std::mem::take(&mut self.waiting);
        markers.extend(page.markers);
        self.read_to = page.end;
        self.page = Page {
            groups: groups(&markers).into(),
            markers,
            opened: VecDeque::new(),
            end: Some(page.end),
            is_last: page.is_last,
            now_ms: page.now_ms,
            unsure_ms: page.unsure_ms,
        };
    }

    /// Returns the next item of the page. Returns `None` after the last one.
    async fn told(&mut self) -> Result<Option<GamesUpdate>, Problem> {
        loop {
            self.yielder.yield_if_due().await;
            if let Some(opened) = self.page.opened.front_mut() {
                match opened.next().await? {
                    Some(update) => return Ok(Some(update)),
                    None => drop(self.page.opened.pop_front()),
                }
            } else if self.page.groups.is_empty() {
                return Ok(None);
            } else {
                self.open_some().await?;
            }
        }
    }

    /// Reads the next games of the page.
    async fn open_some(&mut self) -> Result<(), Problem> {
        let count = self.page.groups.len().min(AT_ONCE);
        let known = &mut self.known;
        let some = self.page.groups.drain(..count);
        let some: Vec<Group> = some.filter_map(|group| known.wanted(group)).collect();
        let is_unsure = self.page.unsure_ms > 0;
        let from = (&*self.registry, &self.caller, &self.asked);
        // All reads complete before anything is sent, since a read that holds the lock of its game must not be
        // suspended.
        let found = join_all(some.iter().map(|group| find(from, group, is_unsure))).await;
        for (group, found) in some.iter().zip(found) {
            self.take(group, found?);
        }
        Ok(())
    }

    /// Processes the result of reading a game.
    fn take(&mut self, group: &Group, found: Found) {
        let id = group.id;
        match found {
            Found::Other => self.known.is_other(id),
            Found::Missing(problem) => {
                self.known.forget(id);
                // The client has not been told of the game, so a creation that was never made needs no message.
                if !self.wait_for(group, 0) && !group.is_created {
                    self.page.opened.push_back(Opened::left(id, Some(problem)));
                }
            }
            Found::Left(problem) => self.page.opened.push_back(Opened::left(id, problem)),
            Found::Game(marked) if !marked.is_asked_for => {
                self.known.is_other(id);
                if group.relisted.is_some() {
                    self.page.opened.push_back(Opened::left(id, None));
                }
            }
            Found::Game(marked) => {
                let metrics = &self.registry.shared().metrics;
                let lag = self.page.now_ms.saturating_sub(group.last_ms);
                metrics.feed_lagged(Duration::from_millis(lag));
                self.wait_for(group, marked.newest);
                if let Some(versions) = &group.versions {
                    self.known.told(id, marked.newest.min(*versions.end()));
                }
                self.page.opened.push_back(Opened::of(id, marked.changes));
            }
        }
    }

    /// Queues the reported changes of a game that are missing. Returns false if there are none, or they can no longer
    /// appear.
    fn wait_for(&mut self, group: &Group, newest: Version) -> bool {
        let missing = self.page.missing(group.id, newest);
        self.waiting.extend(&missing);
        !missing.is_empty()
    }
}

impl Page {
    /// Returns the markers of a game whose changes are missing and may still appear.
    fn missing(&self, id: GameId, newest: Version) -> Vec<Marker> {
        let is_missing = |marker: &&Marker| {
            marker.id == id
                && (marker.told == Told::Deleted || marker.head.version > newest)
                && self.now_ms.saturating_sub(marker.place.ms) < self.unsure_ms
        };
        self.markers.iter().filter(is_missing).copied().collect()
    }
}

#[cfg(test)]
mod tests;
