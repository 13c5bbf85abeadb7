//! `WatchGames` with a filter: follows the feed of a tenant, a **change feed** that the store keeps.
//!
//! The feed lists, page by page, which games have which new versions; the versions themselves are read from the logs.
//! Each message carries a cursor. The cursor of the last message of a page points after the page, that of the others
//! before it: delivery is at least once, so a client that resumes may get some messages again, and never misses one. A
//! store may report a change before it is made. Until the change is made, or can no longer be, the cursor stays before
//! it.

mod cursor;
mod follower_cache;
mod game_delta;
mod game_updates;
mod request;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::feed::{
    ChangeKind, FeedFrom, FeedOffset, FeedPage, FeedRead, FeedRecord, feed_topic,
};
use gamekeeper_store::{ChangeReceiver, GameId, Version};
use gamekeeper_telemetry::OpenFeed;
use tokio::time::{Instant, sleep_until};

use self::cursor::FeedCursor;
use self::follower_cache::FollowerCache;
use self::game_delta::{GameDelta, coalesce};
use self::game_updates::{FeedLookup, GameUpdateStream, look_up};
use self::request::FeedRequest;
use crate::admission::ConcurrencyPermit;
use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::multi_game::games_update::GamesUpdate;
use crate::registry::{Registry, unknown_ruleset};
use crate::service::game_service::ResponseStream;
use crate::streams::limits::{StreamLimits, StreamSource, spawn_pump};
use crate::timing::yielder::Yielder;

/// The maximum number of records in one read.
const PAGE_SIZE: usize = 64;

/// The maximum number of games of a page that are read at the same time.
const MAX_CONCURRENT_OPENS: usize = 8;

/// The backoff while waiting for reported changes that are not made yet: at first, and at most.
const RETRY_BACKOFF: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

impl Registry {
    /// Follows the feed of a tenant.
    ///
    /// # Errors
    /// If the caller has no feed, the request is malformed, its cursor has expired, there are too many watches, or the
    /// store fails. The stream ends with [`ServiceError::GoingAway`] when the server shuts down.
    pub(super) async fn follow_feed(
        self: &Arc<Self>,
        caller: &Caller,
        call: &pb::WatchGamesRequest,
    ) -> Result<ResponseStream<GamesUpdate>, ServiceError> {
        let shared = self.shared();
        let filter = call.filter.clone().unwrap_or_default();
        let request = FeedRequest::decode(caller, call, &filter)?;
        if !filter.ruleset.is_empty() && !self.services().contains_key(&filter.ruleset) {
            return Err(unknown_ruleset("filter.ruleset"));
        }
        let share = shared.watch_permits.try_acquire(caller.account)?;
        // Subscribe before the first read, so that no change is missed.
        let wake_ups = shared.store.watch(feed_topic(&request.tenant)).await?;
        let from = request.from;
        let page = read_page(self, &request.tenant, from).await?;
        let epoch = page.feed_epoch;
        if request.cursor.is_some_and(|cursor| cursor.epoch != epoch) {
            return Err(ServiceError::CursorExpired);
        }
        let start = match from {
            FeedFrom::After(position) => position,
            FeedFrom::Time(ms) => FeedOffset::at(ms.min(page.now_ms)),
            FeedFrom::End => page.end_offset,
        };
        let mut follower = Follower {
            registry: Arc::clone(self),
            caller: caller.clone(),
            cursor: FeedCursor {
                epoch,
                position: start,
            },
            request,
            page: CurrentPage::default(),
            read_position: start,
            uncommitted: Vec::new(),
            retry_delay: RETRY_BACKOFF[0],
            cache: FollowerCache::default(),
            lookahead: None,
            wake_ups,
            bookmark_at: Instant::now(),
            yielder: Yielder::new(),
            _share: share,
            _open: shared.metrics.following(),
        };
        follower.begin_page(page);
        let limits = StreamLimits::new(shared, caller).with_max_age(shared);
        Ok(spawn_pump(follower, limits, 0))
    }
}

/// Reads a page of a feed.
async fn read_page(
    registry: &Registry,
    tenant: &str,
    from: FeedFrom,
) -> Result<FeedPage, ServiceError> {
    match registry
        .shared()
        .store
        .feed(tenant, from, PAGE_SIZE)
        .await?
    {
        FeedRead::Page(page) => Ok(page),
        FeedRead::Expired => Err(ServiceError::CursorExpired),
        FeedRead::Disabled => Err(ServiceError::NoFeed),
    }
}

struct Follower {
    registry: Arc<Registry>,
    caller: Caller,
    request: FeedRequest,
    /// The position after everything that was sent.
    cursor: FeedCursor,
    page: CurrentPage,
    /// The position after everything that was read.
    read_position: FeedOffset,
    /// The records of reported changes that are not made yet.
    uncommitted: Vec<FeedRecord>,
    /// The backoff before they are read again.
    retry_delay: Duration,
    cache: FollowerCache,
    /// The item that is sent next, once it is known whether it is the last of its page.
    lookahead: Option<GamesUpdate>,
    wake_ups: ChangeReceiver,
    bookmark_at: Instant,
    yielder: Yielder,
    _share: ConcurrencyPermit,
    _open: OpenFeed,
}

/// A page of the feed whose items are being sent.
#[derive(Default)]
struct CurrentPage {
    markers: Vec<FeedRecord>,
    deltas: VecDeque<GameDelta>,
    opened: VecDeque<GameUpdateStream>,
    /// The position after the page. Is `None` once the whole page was sent.
    end: Option<FeedOffset>,
    is_last: bool,
    now_ms: u64,
    commit_lag_ms: u64,
}

impl StreamSource for Follower {
    type Item = GamesUpdate;

    async fn next(&mut self) -> Result<GamesUpdate, ServiceError> {
        loop {
            if let Some(update) = self.next_update().await? {
                self.caller.ensure_not_expired()?;
                if let Some(previous) = self.lookahead.replace(update) {
                    return Ok(self.with_cursor(previous));
                }
                continue;
            }
            if let Some(end) = self.page.end.take() {
                self.cursor.position = self.low_watermark(end);
                if let Some(last) = self.lookahead.take() {
                    return Ok(self.with_cursor(last));
                }
            }
            if Instant::now() >= self.bookmark_at {
                self.caller.ensure_not_expired()?;
                self.bookmark_at = Instant::now() + self.registry.shared().settings.bookmark_every;
                return Ok(self.with_cursor(GamesUpdate::Bookmark(0)));
            }
            if self.page.is_last {
                self.wait_for_wake_up().await;
            }
            self.read_next_page().await?;
        }
    }

    /// A stream of several games has no version of its own.
    fn version(&self) -> Version {
        0
    }
}

impl Follower {
    fn with_cursor(&self, update: GamesUpdate) -> GamesUpdate {
        let cursor = self.cursor.encode(&self.request.tenant);
        GamesUpdate::WithCursor(Box::new(update), cursor)
    }

    /// Returns the position from which a client that has everything up to `end` may resume: before the first change
    /// that is missing.
    fn low_watermark(&self, end: FeedOffset) -> FeedOffset {
        let uncommitted = self.uncommitted.iter().map(|marker| FeedOffset {
            record_hash: 0,
            ..marker.offset
        });
        uncommitted.min().map_or(end, |earliest| earliest.min(end))
    }

    /// Waits until the feed may have grown, missing changes are to be read again, or a bookmark is due.
    async fn wait_for_wake_up(&mut self) {
        let mut wake_at = self.bookmark_at;
        if !self.uncommitted.is_empty() {
            wake_at = wake_at.min(Instant::now() + self.retry_delay);
            self.retry_delay = (2 * self.retry_delay).min(RETRY_BACKOFF[1]);
        }
        let wake_up = async {
            if self.wake_ups.changed().await.is_err() {
                // The store no longer sends wake-ups, so only polling is left.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = wake_up => {}
            () = sleep_until(wake_at) => {}
        }
    }

    /// Reads the next page after the last one.
    async fn read_next_page(&mut self) -> Result<(), ServiceError> {
        let from = FeedFrom::After(self.read_position);
        let page = read_page(&self.registry, &self.request.tenant, from).await?;
        if page.feed_epoch != self.cursor.epoch {
            return Err(ServiceError::CursorExpired);
        }
        self.begin_page(page);
        Ok(())
    }

    /// Starts to send a page, together with the changes that were missing before.
    fn begin_page(&mut self, page: FeedPage) {
        if self.uncommitted.is_empty() {
            self.retry_delay = RETRY_BACKOFF[0];
        }
        let mut markers = std::mem::take(&mut self.uncommitted);
        markers.extend(page.records);
        self.read_position = page.end_offset;
        self.page = CurrentPage {
            deltas: coalesce(&markers).into(),
            markers,
            opened: VecDeque::new(),
            end: Some(page.end_offset),
            is_last: page.is_last,
            now_ms: page.now_ms,
            commit_lag_ms: page.commit_delay_bound_ms,
        };
    }

    /// Returns the next item of the page. Returns `None` after the last one.
    async fn next_update(&mut self) -> Result<Option<GamesUpdate>, ServiceError> {
        loop {
            self.yielder.yield_if_due().await;
            if let Some(opened) = self.page.opened.front_mut() {
                match opened.next().await? {
                    Some(update) => return Ok(Some(update)),
                    None => drop(self.page.opened.pop_front()),
                }
            } else if self.page.deltas.is_empty() {
                return Ok(None);
            } else {
                self.open_next_games().await?;
            }
        }
    }

    /// Reads the next games of the page.
    async fn open_next_games(&mut self) -> Result<(), ServiceError> {
        let count = self.page.deltas.len().min(MAX_CONCURRENT_OPENS);
        let cache = &mut self.cache;
        let deltas = self.page.deltas.drain(..count);
        let deltas: Vec<GameDelta> = deltas.filter_map(|delta| cache.select(delta)).collect();
        let may_be_uncommitted = self.page.commit_lag_ms > 0;
        let context = (&*self.registry, &self.caller, &self.request);
        // All reads complete before anything is sent, since a read that holds the lock of its game must not be
        // suspended.
        let results = join_all(
            deltas
                .iter()
                .map(|delta| look_up(context, delta, may_be_uncommitted)),
        )
        .await;
        for (delta, result) in deltas.iter().zip(results) {
            self.accept(delta, result?);
        }
        Ok(())
    }

    /// Processes the result of reading a game.
    fn accept(&mut self, delta: &GameDelta, result: FeedLookup) {
        let id = delta.id;
        match result {
            FeedLookup::FilteredOut => self.cache.set_filtered_out(id),
            FeedLookup::Missing(problem) => {
                self.cache.forget(id);
                // The client does not know of the game, so a creation that was never made needs no message.
                if !self.await_uncommitted(delta, 0) && !delta.is_created {
                    self.page
                        .opened
                        .push_back(GameUpdateStream::removed(id, Some(problem)));
                }
            }
            FeedLookup::Removed(problem) => self
                .page
                .opened
                .push_back(GameUpdateStream::removed(id, problem)),
            FeedLookup::Game(updates) if !updates.matches_filter => {
                self.cache.set_filtered_out(id);
                if delta.lists_changed_at.is_some() {
                    self.page
                        .opened
                        .push_back(GameUpdateStream::removed(id, None));
                }
            }
            FeedLookup::Game(updates) => {
                let metrics = &self.registry.shared().metrics;
                let lag = self.page.now_ms.saturating_sub(delta.last_ms);
                metrics.feed_lagged(Duration::from_millis(lag));
                self.await_uncommitted(delta, updates.newest_version);
                if let Some(versions) = &delta.versions {
                    self.cache
                        .set_emitted(id, updates.newest_version.min(*versions.end()));
                }
                self.page
                    .opened
                    .push_back(GameUpdateStream::of_changes(id, updates.changes));
            }
        }
    }

    /// Queues the reported changes of a game that are missing. Returns false if there are none, or they can no longer
    /// appear.
    fn await_uncommitted(&mut self, delta: &GameDelta, newest_version: Version) -> bool {
        let uncommitted = self.page.uncommitted_markers(delta.id, newest_version);
        self.uncommitted.extend(&uncommitted);
        !uncommitted.is_empty()
    }
}

impl CurrentPage {
    /// Returns the records of a game whose changes are missing and may still appear.
    fn uncommitted_markers(&self, id: GameId, newest_version: Version) -> Vec<FeedRecord> {
        let is_uncommitted = |marker: &&FeedRecord| {
            marker.id == id
                && (marker.kind == ChangeKind::Deleted || marker.head.version > newest_version)
                && self.now_ms.saturating_sub(marker.offset.ms) < self.commit_lag_ms
        };
        self.markers
            .iter()
            .filter(is_uncommitted)
            .copied()
            .collect()
    }
}

#[cfg(test)]
mod tests;
