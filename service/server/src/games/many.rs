//! Following many games on one stream: those that are named, or all active games of a user.
//!
//! Each game is followed as a watch of it alone would follow it, at its own pace and with its own table; here
//! the changes of all come together. Nothing is sent ahead of a reader: while one takes nothing,
//! nothing is read for them. What the games of a user are, the lists say; a wake-up of the user
//! says when to look, and like any other it may be lost, so a watch also looks from time to time.

use std::collections::{HashMap, HashSet};
use std::future::ready;
use std::pin::{Pin, pin};
use std::sync::Arc;

use futures_util::stream::{AbortHandle, SelectAll, abortable};
use futures_util::{Stream, StreamExt, stream};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::Malformed;
use pb::ViewMode;
use prost_types::Timestamp;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use tracing::Instrument;

use super::batch::AT_ONCE;
use super::keeper::Registry;
use super::page::LARGEST_PAGE;
use super::query::viewer;
use super::tagged::{of_user, part, user_topic};
use super::{Answers, parse_id};
use crate::auth::{Bearer, Caller, Taken, check_user};
use crate::connection::jittered;
use crate::problem::Problem;
use crate::store::{GameId, ListFilter, Version, WakeUps};

/// The most games of one stream.
const MOST_GAMES: usize = 1_000;

/// How many messages wait for a reader.
const UNREAD: usize = 1;

/// A game to be followed.
#[derive(Clone, Debug)]
pub struct Followed {
    /// The game.
    pub id: GameId,
    /// The last version that the caller has; 0: begin with the newest.
    pub after_version: Version,
    /// The time of that version, as it was reported.
    pub after_time: Option<Timestamp>,
    /// Who looks, if views are wanted.
    pub sight: Sight,
}

/// What is to be seen of a game besides the public facts.
#[derive(Clone, Debug)]
pub enum Sight {
    /// Nothing.
    Facts,
    /// The view of whom the request names.
    Of(Option<pb::Viewer>),
    /// The view of the first seat of a user.
    OfUser(String),
}

/// What a stream of many games tells.
#[derive(Debug)]
pub enum Told {
    /// A game that is followed from now on, or one of its versions.
    Change(Box<pb::FoundGame>),
    /// A game that is not followed any more, and why; nothing: it is the user's no more.
    Left(GameId, Option<Problem>),
    /// The stream is alive, and follows this many games.
    Bookmark(usize),
}

/// The changes of one game, until it is over or cannot be followed any more.
pub type Changes = Pin<Box<dyn Stream<Item = Result<pb::FoundGame, Problem>> + Send>>;

/// What a followed game says: a change, a problem, or that nothing follows.
type Said = (GameId, Option<Result<Box<pb::FoundGame>, Problem>>);

impl Registry {
    /// Follows many games.
    ///
    /// # Errors
    /// When the caller may not, the request means nothing, there are too many watches, or the store
    /// fails. The stream ends with [`Problem::GoingAway`] when the server stops.
    pub async fn watch_games(
        self: &Arc<Self>,
        caller: &Bearer,
        call: &pb::WatchGamesRequest,
    ) -> Result<Answers<Told>, Problem> {
        let user = self.user_of(caller, call).await?;
        let asked = asked(caller, call)?;
        if asked.is_empty() && user.is_none() {
            return Err(Malformed::new("games", "is empty, and there is no user").into());
        }
        let house = self.house();
        let age = house.settings.watch_age.map(jittered);
        let mut many = Many {
            registry: Arc::clone(self),
            bearer: caller.clone(),
            with_views: with_views(call)?,
            user,
            changes: SelectAll::new(),
            followed: HashMap::new(),
            told: HashMap::new(),
            left: Vec::new(),
            opening: Arc::new(Semaphore::new(AT_ONCE)),
            begun: false,
            look_at: Instant::now(),
            old_at: age.map(|age| Instant::now() + age),
            _of_caller: house.watches.of_caller(caller)?,
        };
        for game in asked {
            many.follow(game);
        }
        Ok(many.start())
    }

    async fn user_of(
        &self,
        caller: &Caller,
        call: &pb::WatchGamesRequest,
    ) -> Result<Option<User>, Problem> {
        if call.user.is_empty() {
            return Ok(None);
        }
        check_user(&call.user, "user")?;
        let tenant = match caller {
            Caller::Open => String::new(),
            Caller::Tenant(tenant) => tenant.clone(),
            Caller::Operator | Caller::Seat { .. } | Caller::Spectator { .. } => {
                return Err(Problem::PermissionDenied(
                    "only tenants follow the games of their users",
                ));
            }
        };
        let name = call.user.clone();
        let topic = user_topic(&tenant, &name);
        // Wake-ups first: what comes from now on is heard of.
        let wake_ups = self.house().store.watch(topic).await?;
        Ok(Some(User {
            tenant,
            name,
            wake_ups,
        }))
    }
}

/// The games that a call names.
fn asked(caller: &Caller, call: &pb::WatchGamesRequest) -> Result<Vec<Followed>, Problem> {
    if call.games.len() > MOST_GAMES {
        let text = format!("has more than {MOST_GAMES} games");
        return Err(Malformed::new("games", text).into());
    }
    let with_views = with_views(call)?;
    let mut ids = HashSet::new();
    let mut asked = Vec::with_capacity(call.games.len());
    for (index, game) in call.games.iter().enumerate() {
        let id = parse_id(&game.game_id)?;
        if !ids.insert(id) {
            let field = format!("games[{index}].game_id");
            return Err(Malformed::new(field, "is there twice").into());
        }
        // A caller without permission is refused at once.
        viewer(caller, game.viewer.as_ref())?;
        let sight = match (with_views, &game.viewer) {
            (false, _) => Sight::Facts,
            (true, None) if !call.user.is_empty() => Sight::OfUser(call.user.clone()),
            (true, viewer) => Sight::Of(*viewer),
        };
        asked.push(Followed {
            id,
            after_version: game.after_version,
            after_time: game.after_time,
            sight,
        });
    }
    Ok(asked)
}

fn with_views(call: &pb::WatchGamesRequest) -> Result<bool, Malformed> {
    match ViewMode::try_from(call.view_mode) {
        Ok(ViewMode::Unspecified | ViewMode::None) => Ok(false),
        Ok(ViewMode::Seat) => Ok(true),
        Err(_) => Err(Malformed::new("view_mode", "is unknown")),
    }
}

/// A user whose games are followed.
struct User {
    tenant: String,
    name: String,
    wake_ups: WakeUps,
}

struct Many {
    registry: Arc<Registry>,
    bearer: Bearer,
    with_views: bool,
    user: Option<User>,
    changes: SelectAll<Pin<Box<dyn Stream<Item = Said> + Send>>>,
    followed: HashMap<GameId, AbortHandle>,
    /// The last version of each game that was sent, and its time.
    told: HashMap<GameId, (Version, Option<Timestamp>)>,
    /// Games that are the user's no more, to be told.
    left: Vec<GameId>,
    /// This many games are opened at the same time.
    opening: Arc<Semaphore>,
    /// Was looked at the games of the user?
    begun: bool,
    /// When to look at them again, and to say that the stream is alive.
    look_at: Instant,
    old_at: Option<Instant>,
    _of_caller: Option<Taken>,
}

/// Something that a stream waited for.
enum Event {
    Said(Said),
    Woken,
    Look,
    Old,
}

impl Many {
    /// Follows the games in a task of its own, which ends when the reader goes away or falls asleep.
    fn start(self) -> Answers<Told> {
        let (answers, read) = mpsc::channel(UNREAD);
        let (ending, ended) = oneshot::channel();
        let run = async move {
            if let Some(problem) = self.run(&answers).await {
                // A client that has gone needs no reason.
                let _gone = ending.send(problem);
            }
        };
        tokio::spawn(run.in_current_span());
        Box::pin(stream::unfold(
            (read, Some(ended)),
            |(mut read, mut ended)| async move {
                if let Some(told) = read.recv().await {
                    return Some((Ok(told), (read, ended)));
                }
                let problem = ended.take()?.await.ok()?;
                Some((Err(problem), (read, None)))
            },
        ))
    }

    /// Sends until there is a reason to stop; none: the reader is gone.
    async fn run(mut self, answers: &mpsc::Sender<Told>) -> Option<Problem> {
        let house = Arc::clone(self.registry.house());
        let patience = house.settings.watch_patience;
        let closing = house.closing.clone();
        let bearer = self.bearer.clone();
        let mut ended = pin!(bearer.ended());
        let going_away = || Some(Problem::GoingAway { version: 0 });
        loop {
            let next = tokio::select! {
                () = answers.closed() => return None,
                () = &mut ended => return Some(Problem::TokenExpired),
                () = closing.cancelled() => return going_away(),
                next = self.next() => next,
            };
            let told = match next {
                Ok(told) => told,
                Err(problem) => return Some(problem),
            };
            let sent = tokio::select! {
                biased;
                sent = answers.send_timeout(told, patience) => sent,
                () = closing.cancelled() => return going_away(),
            };
            match sent {
                Ok(()) => {}
                Err(SendTimeoutError::Closed(_)) => return None,
                Err(SendTimeoutError::Timeout(_)) => {
                    return Some(Problem::WatchTooSlow { version: 0 });
                }
            }
        }
    }

    async fn next(&mut self) -> Result<Told, Problem> {
        loop {
            if let Some(id) = self.left.pop() {
                return Ok(Told::Left(id, None));
            }
            match self.event().await {
                Event::Said((id, Some(Ok(found)))) => {
                    self.bearer.holds()?;
                    if !self.is_of_user(&found) {
                        self.leave(id);
                        continue;
                    }
                    if let Some(info) = &found.game {
                        self.told.insert(id, (info.version, info.update_time));
                    }
                    return Ok(Told::Change(found));
                }
                Event::Said((id, Some(Err(problem)))) if is_of_game(&problem) => {
                    // Should it still be the user's, it is begun anew.
                    self.told.remove(&id);
                    return Ok(Told::Left(id, Some(problem)));
                }
                Event::Said((_, Some(Err(Problem::GoingAway { .. })))) | Event::Old => {
                    return Err(Problem::GoingAway { version: 0 });
                }
                Event::Said((_, Some(Err(problem)))) => return Err(problem),
                Event::Said((id, None)) => drop(self.followed.remove(&id)),
                Event::Woken => self.look().await?,
                Event::Look => {
                    self.look().await?;
                    self.look_at = Instant::now() + self.registry.house().settings.bookmark_every;
                    // At the beginning the games themselves are reported, if there are any.
                    let begun = std::mem::replace(&mut self.begun, true);
                    if begun || self.followed.is_empty() {
                        self.bearer.holds()?;
                        return Ok(Told::Bookmark(self.followed.len()));
                    }
                }
            }
        }
    }

    /// Waits for whatever comes first.
    async fn event(&mut self) -> Event {
        let woken = async {
            let heard = match &mut self.user {
                Some(user) => user.wake_ups.changed().await.is_ok(),
                None => false,
            };
            if !heard {
                // There is nobody, or the store's messenger went away: it is looked from time to time.
                std::future::pending::<()>().await;
            }
        };
        let said = async {
            match self.changes.next().await {
                Some(said) => said,
                None => std::future::pending().await,
            }
        };
        let old = async {
            match self.old_at {
                Some(at) => sleep_until(at).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            said = said => Event::Said(said),
            () = woken => Event::Woken,
            () = sleep_until(self.look_at) => Event::Look,
            () = old => Event::Old,
        }
    }

    /// Follows one more game, in a task of its own: what is being read of a game must not stand still, with
    /// the game locked, while others are sent.
    fn follow(&mut self, game: Followed) {
        let (registry, bearer) = (Arc::clone(&self.registry), self.bearer.clone());
        let (id, opening) = (game.id, Arc::clone(&self.opening));
        let (sender, changes) = mpsc::channel(UNREAD);
        let follow = async move {
            // It is never closed.
            let turn = opening.acquire().await;
            let mut changes = match registry.follow(&bearer, game).await {
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
                if sender.send(change.map(Box::new)).await.is_err() {
                    return;
                }
            }
        };
        tokio::spawn(follow.in_current_span());
        let said = stream::unfold(changes, move |mut changes| async move {
            let change = changes.recv().await?;
            Some(((id, Some(change)), changes))
        });
        let (said, handle) = abortable(said.chain(stream::once(ready((id, None)))));
        self.changes.push(Box::pin(said));
        self.followed.insert(id, handle);
    }

    /// Does the user whose games are followed sit there?
    fn is_of_user(&self, found: &pb::FoundGame) -> bool {
        let Some(user) = &self.user else {
            return true;
        };
        let mut players = found.game.iter().flat_map(|game| &game.players);
        players.any(|player| player.user == user.name)
    }

    /// Follows a game no more that is not the user's.
    fn leave(&mut self, id: GameId) {
        if let Some(handle) = self.followed.remove(&id) {
            handle.abort();
            self.told.remove(&id);
            self.left.push(id);
        }
    }

    /// Looks which games the user has, follows new ones, and leaves those that are the user's no more.
    async fn look(&mut self) -> Result<(), Problem> {
        let Some(User { tenant, name, .. }) = &self.user else {
            return Ok(());
        };
        let (tenant, name) = (tenant.clone(), name.clone());
        let registry = Arc::clone(&self.registry);
        let found = registry.active_games(tenant, &name).await?;
        let sight = if self.with_views {
            Sight::OfUser(name.clone())
        } else {
            Sight::Facts
        };
        for id in &found {
            if !self.followed.contains_key(id) {
                // One that ended and is still listed is gone on with, not begun again.
                let (after_version, after_time) = self.told.get(id).copied().unwrap_or_default();
                self.follow(Followed {
                    id: *id,
                    after_version,
                    after_time,
                    sight: sight.clone(),
                });
            }
        }
        let missing = self.followed.keys().filter(|id| !found.contains(id));
        let missing: Vec<GameId> = missing.copied().collect();
        let bearer = self.bearer.clone();
        for id in registry.without(&bearer, &name, missing).await? {
            self.leave(id);
        }
        let followed = &self.followed;
        self.told
            .retain(|id, _| followed.contains_key(id) || found.contains(id));
        Ok(())
    }
}

impl Registry {
    /// The active games of a user.
    async fn active_games(&self, tenant: String, user: &str) -> Result<HashSet<GameId>, Problem> {
        let filter = ListFilter {
            tenant: Some(tenant),
            lists: vec![part(&of_user(user), false)],
            finished: Some(false),
            ..ListFilter::default()
        };
        let (mut found, mut after) = (HashSet::new(), None);
        loop {
            let store = &self.house().store;
            let page = store.page(&filter, after, LARGEST_PAGE).await?;
            found.extend(page.games.into_iter().map(|game| game.id));
            if found.len() > MOST_GAMES {
                return Err(Problem::Exhausted {
                    limit: "watched_games",
                    what: format!("this user has more than {MOST_GAMES} active games"),
                });
            }
            after = page.next;
            if after.is_none() {
                return Ok(found);
            }
        }
    }

    /// Those of these games at which the user has no seat. The others are over, which they say themselves, or
    /// gone.
    async fn without(
        &self,
        caller: &Caller,
        user: &str,
        games: Vec<GameId>,
    ) -> Result<Vec<GameId>, Problem> {
        let mut without = Vec::new();
        for id in games {
            match self.info(caller, id).await {
                Ok(info) if info.players.iter().all(|player| player.user != user) => {
                    without.push(id);
                }
                Ok(_) => {}
                // The game itself will say.
                Err(problem) if is_of_game(&problem) => {}
                Err(problem) => return Err(problem),
            }
        }
        Ok(without)
    }

    async fn follow(&self, bearer: &Bearer, game: Followed) -> Result<Changes, Problem> {
        let (keeper, _) = self.keeper_of(bearer, &game.id.to_string()).await?;
        Arc::clone(keeper).follow(bearer, game).await
    }

    async fn info(&self, caller: &Caller, id: GameId) -> Result<pb::GameInfo, Problem> {
        let (keeper, _) = self.keeper_of(caller, &id.to_string()).await?;
        keeper.info(caller, id).await
    }
}

/// Does this end the following of one game, and of no other?
fn is_of_game(problem: &Problem) -> bool {
    problem.is_of_record()
        || matches!(
            problem,
            Problem::NoSuchGame { .. }
                | Problem::NoSuchVersion { .. }
                | Problem::NoSuchSeat { .. }
                | Problem::PermissionDenied(_)
        )
}
