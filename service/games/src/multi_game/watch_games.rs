//! `WatchGames`: follows several games on one stream, which **merges** their changes: named games, all active games of
//! a user, or both. With a filter, it follows a feed (`tenant_feed`).
//!
//! Each game is followed as by a watch of its own, from the same shared broadcast and at its own pace. Little is read
//! ahead of the client (backpressure): a game waits until its last change was taken. The index says which games a user
//! has, and a wake-up of the user says when to read it. Wake-ups may be lost, so a stream also polls.

mod request;
mod watched_user;

use std::collections::HashMap;
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;

use futures_util::stream::{AbortHandle, SelectAll, abortable};
use futures_util::{Stream, StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::Malformed;
use prost_types::Timestamp;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};
use tracing::Instrument;

use self::request::decode_games;
use self::watched_user::WatchedUser;
use crate::admission::ConcurrencyPermit;
use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::multi_game::batch_get_games::MAX_CONCURRENT_READS;
use crate::multi_game::games_update::GamesUpdate;
use crate::registry::Registry;
use crate::service::game_service::ResponseStream;
use crate::streams::limits::{BUFFER_SIZE, StreamLimits, StreamSource, spawn_pump};
use crate::streams::watched_game::{VersionChange, VersionChanges, ViewerSelector, WatchedGame};

/// A report of a followed game: a change, an error, or `None` at its end.
type GameReport = (GameId, Option<Result<VersionChange, ServiceError>>);

impl Registry {
    /// Follows several games.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, there are too many watches, or the store fails. The
    /// stream ends with [`ServiceError::GoingAway`] when the server shuts down.
    pub async fn watch_games(
        self: &Arc<Self>,
        caller: &Caller,
        call: &pb::WatchGamesRequest,
    ) -> Result<ResponseStream<GamesUpdate>, ServiceError> {
        if call.filter.is_some() {
            return self.follow_feed(caller, call).await;
        }
        let shared = self.shared();
        let call = &with_default_user(caller, call);
        // Each game takes a share of its own; this one is for the subscription to the user.
        let follows_user = !call.user.is_empty();
        let share = follows_user.then(|| shared.watch_permits.try_acquire(caller.account));
        let share = share.transpose()?;
        let user = self.resolve_user(caller, call).await?;
        if !call.cursor.is_empty() || call.from_time.is_some() {
            let field = if call.cursor.is_empty() {
                "from_time"
            } else {
                "cursor"
            };
            return Err(Malformed::new(field, "is only for a feed, which needs a filter").into());
        }
        let requested = decode_games(caller, call)?;
        if requested.is_empty() && user.is_none() {
            return Err(Malformed::new("games", "is empty, and there is no user").into());
        }
        let mut watcher = GamesWatcher {
            registry: Arc::clone(self),
            caller: caller.clone(),
            show: call.show.clone(),
            user,
            changes: SelectAll::new(),
            followed: HashMap::new(),
            sent_versions: HashMap::new(),
            removed: Vec::new(),
            open_permits: Arc::new(Semaphore::new(MAX_CONCURRENT_READS)),
            first_poll_done: false,
            next_poll: Instant::now(),
            _share: share,
        };
        for game in requested {
            watcher.follow(game);
        }
        let limits = StreamLimits::new(shared, caller).with_max_age(shared);
        Ok(spawn_pump(watcher, limits, 0))
    }
}

/// Completes the request of a user who names no games: they follow all of their own games.
fn with_default_user(caller: &Caller, call: &pb::WatchGamesRequest) -> pb::WatchGamesRequest {
    let mut call = call.clone();
    if call.games.is_empty()
        && call.user.is_empty()
        && let Some(user) = caller.user()
    {
        user.clone_into(&mut call.user);
    }
    call
}

struct GamesWatcher {
    registry: Arc<Registry>,
    caller: Caller,
    show: Option<pb::Show>,
    user: Option<WatchedUser>,
    changes: SelectAll<Pin<Box<dyn Stream<Item = GameReport> + Send>>>,
    followed: HashMap<GameId, AbortHandle>,
    /// The last version of each game that was sent, with its time, from which the game is resumed.
    sent_versions: HashMap<GameId, (Version, Option<Timestamp>)>,
    /// The games at which the user no longer has a seat, still to be reported.
    removed: Vec<GameId>,
    /// Limits how many games are opened at the same time.
    open_permits: Arc<Semaphore>,
    /// Whether the first read of the user's games has taken place.
    first_poll_done: bool,
    /// The time of the next read of the user's games and of the next bookmark.
    next_poll: Instant,
    _share: Option<ConcurrencyPermit>,
}

/// An event that wakes the stream.
enum Event {
    Reported(GameReport),
    WokenUp,
    PollDue,
}

impl StreamSource for GamesWatcher {
    type Item = GamesUpdate;

    async fn next(&mut self) -> Result<GamesUpdate, ServiceError> {
        loop {
            if let Some(id) = self.removed.pop() {
                return Ok(GamesUpdate::Removed(id, None));
            }
            match self.next_event().await {
                Event::Reported((id, Some(Ok(change)))) => {
                    self.caller.ensure_not_expired()?;
                    if !change.user_has_seat {
                        self.stop_following(id);
                        continue;
                    }
                    self.sent_versions
                        .insert(id, (change.version, Some(change.time)));
                    return Ok(GamesUpdate::Change(change.message));
                }
                Event::Reported((id, Some(Err(problem)))) if problem.is_game_scoped() => {
                    // If the user still has a seat there, the next read of the index follows the game from its newest
                    // version.
                    self.sent_versions.remove(&id);
                    return Ok(GamesUpdate::Removed(id, Some(problem)));
                }
                Event::Reported((_, Some(Err(problem)))) => return Err(problem),
                Event::Reported((id, None)) => drop(self.followed.remove(&id)),
                Event::WokenUp => self.refresh_subscriptions().await?,
                Event::PollDue => {
                    self.refresh_subscriptions().await?;
                    self.next_poll =
                        Instant::now() + self.registry.shared().settings.bookmark_every;
                    // At the beginning, reports of the games show that the stream is alive, if there are any.
                    let first_poll_done = std::mem::replace(&mut self.first_poll_done, true);
                    if first_poll_done || self.followed.is_empty() {
                        self.caller.ensure_not_expired()?;
                        return Ok(GamesUpdate::Bookmark(self.followed.len()));
                    }
                }
            }
        }
    }

    /// A stream of several games has no version of its own.
    fn version(&self) -> Version {
        0
    }
}

impl GamesWatcher {
    /// Waits for the next event.
    async fn next_event(&mut self) -> Event {
        let wake_up = async {
            let is_notified = match &mut self.user {
                Some(user) => user.wake_ups.changed().await.is_ok(),
                None => false,
            };
            if !is_notified {
                // No user is followed, or the store no longer sends wake-ups: only polling is left.
                std::future::pending::<()>().await;
            }
        };
        let reported = async {
            match self.changes.next().await {
                Some(report) => report,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            report = reported => Event::Reported(report),
            () = wake_up => Event::WokenUp,
            () = sleep_until(self.next_poll) => Event::PollDue,
        }
    }

    /// Follows another game, in a task of its own: a read that holds the lock of its game must not be suspended while
    /// changes of other games are sent.
    fn follow(&mut self, game: WatchedGame) {
        let (registry, caller) = (Arc::clone(&self.registry), self.caller.clone());
        let (id, open_permits) = (game.id, Arc::clone(&self.open_permits));
        let place = game.place.clone();
        let (sender, changes) = mpsc::channel(BUFFER_SIZE);
        let follow = async move {
            // The semaphore is never closed, so this cannot fail.
            let permit = open_permits.acquire().await;
            let mut changes = match registry.follow_game(&caller, game).await {
                Ok(changes) => changes,
                Err(problem) => {
                    let problem = problem.within(&place);
                    Box::pin(stream::once(ready(Err(problem)))) as VersionChanges
                }
            };
            drop(permit);
            loop {
                let change = tokio::select! {
                    () = sender.closed() => return,
                    change = changes.next() => change,
                };
                let Some(change) = change else {
                    return;
                };
                if sender.send(change).await.is_err() {
                    return;
                }
            }
        };
        tokio::spawn(follow.in_current_span());
        let reports = stream::unfold(changes, move |mut changes| async move {
            let change = changes.recv().await?;
            Some(((id, Some(change)), changes))
        });
        let (reports, handle) = abortable(reports.chain(stream::once(ready((id, None)))));
        self.changes.push(Box::pin(reports));
        self.followed.insert(id, handle);
    }

    /// Stops following a game at which the user no longer has a seat.
    fn stop_following(&mut self, id: GameId) {
        if let Some(handle) = self.followed.remove(&id) {
            handle.abort();
            self.sent_versions.remove(&id);
            self.removed.push(id);
        }
    }

    /// Reads which games the user has, follows new ones, and leaves those at which the user no longer has a seat.
    async fn refresh_subscriptions(&mut self) -> Result<(), ServiceError> {
        let Some(WatchedUser { tenant, name, .. }) = &self.user else {
            return Ok(());
        };
        let (tenant, name) = (tenant.clone(), name.clone());
        let registry = Arc::clone(&self.registry);
        let current_games = registry.active_games(tenant, &name).await?;
        for id in &current_games {
            if !self.followed.contains_key(id) {
                // A game that ended and is still listed is resumed, not started over.
                let (after_version, after_time) =
                    self.sent_versions.get(id).copied().unwrap_or_default();
                self.follow(WatchedGame {
                    id: *id,
                    after_version,
                    after_time,
                    viewer: ViewerSelector::SeatOfUser(name.clone()),
                    show: self.show.clone(),
                    user: Some(name.clone()),
                    place: String::new(),
                });
            }
        }
        let gone = self
            .followed
            .keys()
            .filter(|id| !current_games.contains(id));
        let gone: Vec<GameId> = gone.copied().collect();
        let caller = self.caller.clone();
        for id in registry.games_without_user(&caller, &name, gone).await? {
            self.stop_following(id);
        }
        let followed = &self.followed;
        self.sent_versions.retain(|id, _| followed.contains_key(id));
        Ok(())
    }
}

impl Registry {
    async fn follow_game(
        &self,
        caller: &Caller,
        game: WatchedGame,
    ) -> Result<VersionChanges, ServiceError> {
        let (service, _) = self.resolve_game(caller, &game.id.to_string()).await?;
        service.follow_game(caller, game).await
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::authz::Caller;
    use crate::test_server::{TestServer, store};

    #[tokio::test]
    async fn a_stream_that_follows_a_user_counts_as_a_watch() {
        let process = TestServer::<Dominion>::new(&store());
        let shared = Arc::clone(&process.games.context);
        let registry = Arc::new(Registry::empty(Arc::clone(&shared)));
        let caller = Caller::UNAUTHENTICATED;
        let call = pb::WatchGamesRequest {
            user: "ada".into(),
            ..Default::default()
        };
        let mut permits = Vec::new();
        while let Ok(permit) = shared
            .watch_permits
            .try_acquire(Caller::UNAUTHENTICATED.account)
        {
            permits.push(permit);
        }
        let refused = registry.watch_games(&caller, &call).await.err();
        let limit = "max_watches";
        assert!(matches!(refused, Some(ServiceError::LimitReached { limit: l, .. }) if l == limit));
        permits.pop();
        let stream = registry.watch_games(&caller, &call).await.unwrap();
        assert!(
            shared
                .watch_permits
                .try_acquire(Caller::UNAUTHENTICATED.account)
                .is_err()
        );
        drop(stream);
    }
}
