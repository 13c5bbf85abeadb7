//! `WatchGames`: follows several games on one stream, which **merges** their changes: named games, all active games of
//! a user, or both. With a filter, it follows a feed (`tenant_feed`).
//!
//! Each game is followed as by a watch of its own, from the same shared feed and at its own pace. Little is read ahead
//! of the client (backpressure): a game waits until its last change was taken. The index says which games a user has,
//! and a wake-up of the user says when to read it. Wake-ups may be lost, so a stream also polls.

mod request;
mod user;

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

use self::request::requested_games;
use self::user::User;
use crate::across::batch::AT_ONCE;
use crate::across::games_update::GamesUpdate;
use crate::heart::access::{Caller, Share};
use crate::heart::games::Answers;
use crate::heart::problem::Problem;
use crate::registry::Registry;
use crate::streams::bounded::{Bounds, Source, UNREAD, follow};
use crate::streams::followed::{Change, Changes, FollowedGame, Look};

/// A report of a followed game: a change, an error, or `None` at its end.
type Report = (GameId, Option<Result<Change, Problem>>);

impl Registry {
    /// Follows several games.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, there are too many watches, or the store fails. The
    /// stream ends with [`Problem::GoingAway`] when the server shuts down.
    pub async fn watch_games(
        self: &Arc<Self>,
        caller: &Caller,
        call: &pb::WatchGamesRequest,
    ) -> Result<Answers<GamesUpdate>, Problem> {
        if call.filter.is_some() {
            return self.follow_feed(caller, call).await;
        }
        let shared = self.shared();
        let call = &own_games(caller, call);
        // Each game takes a share of its own; this one is for the subscription to the user.
        let follows_user = !call.user.is_empty();
        let share = follows_user.then(|| shared.watches.take(caller.account));
        let share = share.transpose()?;
        let user = self.user_of(caller, call).await?;
        if !call.cursor.is_empty() || call.from_time.is_some() {
            let field = if call.cursor.is_empty() {
                "from_time"
            } else {
                "cursor"
            };
            return Err(Malformed::new(field, "is only for a feed, which needs a filter").into());
        }
        let asked = requested_games(caller, call)?;
        if asked.is_empty() && user.is_none() {
            return Err(Malformed::new("games", "is empty, and there is no user").into());
        }
        let mut watcher = GamesWatcher {
            registry: Arc::clone(self),
            caller: caller.clone(),
            show: call.show,
            user,
            changes: SelectAll::new(),
            followed: HashMap::new(),
            sent_versions: HashMap::new(),
            left: Vec::new(),
            opening: Arc::new(Semaphore::new(AT_ONCE)),
            begun: false,
            look_at: Instant::now(),
            _share: share,
        };
        for game in asked {
            watcher.follow(game);
        }
        let bounds = Bounds::new(shared, caller).aging(shared);
        Ok(follow(watcher, bounds, 0))
    }
}

/// Completes the request of a user who names no games: they follow all of their own games.
fn own_games(caller: &Caller, call: &pb::WatchGamesRequest) -> pb::WatchGamesRequest {
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
    user: Option<User>,
    changes: SelectAll<Pin<Box<dyn Stream<Item = Report> + Send>>>,
    followed: HashMap<GameId, AbortHandle>,
    /// The last version of each game that was sent, with its time, from which the game is resumed.
    sent_versions: HashMap<GameId, (Version, Option<Timestamp>)>,
    /// The games at which the user no longer has a seat, still to be reported.
    left: Vec<GameId>,
    /// Limits how many games are opened at the same time.
    opening: Arc<Semaphore>,
    /// Whether the first read of the user's games has taken place.
    begun: bool,
    /// The time of the next read of the user's games and of the next bookmark.
    look_at: Instant,
    _share: Option<Share>,
}

/// An event that wakes the stream.
enum Event {
    Reported(Report),
    Woken,
    Look,
}

impl Source for GamesWatcher {
    type Item = GamesUpdate;

    async fn next(&mut self) -> Result<GamesUpdate, Problem> {
        loop {
            if let Some(id) = self.left.pop() {
                return Ok(GamesUpdate::Left(id, None));
            }
            match self.event().await {
                Event::Reported((id, Some(Ok(change)))) => {
                    self.caller.holds()?;
                    if !change.is_of_user {
                        self.leave(id);
                        continue;
                    }
                    self.sent_versions
                        .insert(id, (change.version, Some(change.time)));
                    return Ok(GamesUpdate::Change(change.message));
                }
                Event::Reported((id, Some(Err(problem)))) if problem.is_of_game() => {
                    // If the user still has a seat there, the next read of the index follows the game from its newest
                    // version.
                    self.sent_versions.remove(&id);
                    return Ok(GamesUpdate::Left(id, Some(problem)));
                }
                Event::Reported((_, Some(Err(problem)))) => return Err(problem),
                Event::Reported((id, None)) => drop(self.followed.remove(&id)),
                Event::Woken => self.look().await?,
                Event::Look => {
                    self.look().await?;
                    self.look_at = Instant::now() + self.registry.shared().settings.bookmark_every;
                    // At the beginning, reports of the games show that the stream is alive, if there are any.
                    let begun = std::mem::replace(&mut self.begun, true);
                    if begun || self.followed.is_empty() {
                        self.caller.holds()?;
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
    async fn event(&mut self) -> Event {
        let woken = async {
            let heard = match &mut self.user {
                Some(user) => user.wake_ups.changed().await.is_ok(),
                None => false,
            };
            if !heard {
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
            () = woken => Event::Woken,
            () = sleep_until(self.look_at) => Event::Look,
        }
    }

    /// Follows another game, in a task of its own: a read that holds the lock of its game must not be suspended while
    /// changes of other games are sent.
    fn follow(&mut self, game: FollowedGame) {
        let (registry, caller) = (Arc::clone(&self.registry), self.caller.clone());
        let (id, opening) = (game.id, Arc::clone(&self.opening));
        let (sender, changes) = mpsc::channel(UNREAD);
        let follow = async move {
            // The semaphore is never closed, so this cannot fail.
            let turn = opening.acquire().await;
            let mut changes = match registry.follow(&caller, game).await {
                Ok(changes) => changes,
                Err(problem) => Box::pin(stream::once(ready(Err(problem)))) as Changes,
            };
            drop(turn);
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
    fn leave(&mut self, id: GameId) {
        if let Some(handle) = self.followed.remove(&id) {
            handle.abort();
            self.sent_versions.remove(&id);
            self.left.push(id);
        }
    }

    /// Reads which games the user has, follows new ones, and leaves those at which the user no longer has a seat.
    async fn look(&mut self) -> Result<(), Problem> {
        let Some(User { tenant, name, .. }) = &self.user else {
            return Ok(());
        };
        let (tenant, name) = (tenant.clone(), name.clone());
        let registry = Arc::clone(&self.registry);
        let found = registry.active_games(tenant, &name).await?;
        for id in &found {
            if !self.followed.contains_key(id) {
                // A game that ended and is still listed is resumed, not started over.
                let (after_version, after_time) =
                    self.sent_versions.get(id).copied().unwrap_or_default();
                self.follow(FollowedGame {
                    id: *id,
                    after_version,
                    after_time,
                    look: Look::OfUser(name.clone()),
                    show: self.show,
                    user: Some(name.clone()),
                });
            }
        }
        let missing = self.followed.keys().filter(|id| !found.contains(id));
        let missing: Vec<GameId> = missing.copied().collect();
        let caller = self.caller.clone();
        for id in registry.without(&caller, &name, missing).await? {
            self.leave(id);
        }
        let followed = &self.followed;
        self.sent_versions.retain(|id, _| followed.contains_key(id));
        Ok(())
    }
}

impl Registry {
    async fn follow(&self, caller: &Caller, game: FollowedGame) -> Result<Changes, Problem> {
        let (games, _) = self.games_of(caller, &game.id.to_string()).await?;
        games.follow(caller, game).await
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::dominion::Dominion;

    use super::*;
    use crate::heart::access::Caller;
    use crate::process::{Process, store};

    #[tokio::test]
    async fn a_stream_that_follows_a_user_counts_as_a_watch() {
        let process = Process::<Dominion>::over(&store());
        let shared = Arc::clone(&process.games.shared);
        let registry = Arc::new(Registry::none(Arc::clone(&shared)));
        let caller = Caller::OPEN;
        let call = pb::WatchGamesRequest {
            user: "ada".into(),
            ..Default::default()
        };
        let mut held = Vec::new();
        while let Ok(permit) = shared.watches.take(Caller::OPEN.account) {
            held.push(permit);
        }
        let refused = registry.watch_games(&caller, &call).await.err();
        let limit = "max_watches";
        assert!(matches!(refused, Some(Problem::Exhausted { limit: l, .. }) if l == limit));
        held.pop();
        let stream = registry.watch_games(&caller, &call).await.unwrap();
        assert!(shared.watches.take(Caller::OPEN.account).is_err());
        drop(stream);
    }
}
