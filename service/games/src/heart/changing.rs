//! **Optimistic concurrency**: every change of a game is first tried on the cached game, and again after a refresh if
//! the game turns out to have moved on. The store decides, so nothing is refused on the basis of a game that may be
//! stale, and nothing is shown before it is stored.

use gamekeeper_rules::life::{self, Deed, Life};
use gamekeeper_rules::table::Scene;
use gamekeeper_store::{GameId, Version};
use gamekeeper_telemetry::{step, traced};
use gamekeeper_wire::Wire;

use crate::heart::access::Caller;
use crate::heart::append::Judged;
use crate::heart::game::{EntryOf, Game};
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::outages::Owed;
use crate::heart::problem::Problem;
use crate::heart::recent::{Repeat, Request};
use crate::heart::record::{Beside, Done, RequestMark};
use crate::heart::scenes::Later;
use crate::heart::show::Show;

/// The maximum number of attempts when concurrent writers keep winning.
const MAX_TRIES: usize = 16;

/// A decoded request that changes a game.
pub(crate) trait Change<W: Wire>: Sync {
    /// The response of the call.
    type Answer: Send;

    /// Tries once, on the cached game. Returns `None` if the game had moved on and was refreshed.
    fn attempt(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> impl Future<Output = Result<Option<Self::Answer>, Problem>> + Send;
}

/// A change that appends an entry to the log: an action, or something outside the rules. It is idempotent: requests
/// of one seat, or of the owner, with the same id and body are carried out once and get the same response.
pub(crate) trait NewEntry<W: Wire>: Sync {
    /// The response of the call.
    type Answer: Send;

    /// Returns the key by which the request is recognized when this caller repeats it.
    fn request(&self, caller: &Caller, game: &Game<W>) -> Request;

    /// Returns the parts of the game that the response shows.
    fn show(&self) -> Show;

    /// Returns the version that the request expects to act on. Returns 0 if it acts on the newest version, whichever
    /// that is.
    fn expected(&self) -> Version {
        0
    }

    /// Returns whether the request is only to be validated (a dry run).
    fn validate_only(&self) -> bool {
        false
    }

    /// Checks that the caller may make this change.
    fn may(&self, caller: &Caller, game: &Game<W>) -> Result<(), Problem>;

    /// Validates the request and applies it to a copy of the game. Returns `None` if the game had moved on and was
    /// refreshed.
    fn judge(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> impl Future<Output = Result<Option<Box<Judged<W>>>, Problem>> + Send;

    /// Builds the response from the game after the entry. `entry` holds the entry and the scene before it, and is
    /// `None` if the request was only validated.
    fn answer(
        &self,
        caller: &Caller,
        game: &Game<W>,
        entry: Option<(&EntryOf<W>, Scene)>,
    ) -> Result<Self::Answer, Problem>;
}

/// The verdict on a request that was not refused.
enum Verdict<W: Wire> {
    Legal(Box<Judged<W>>),
    PlayedBefore(Version),
    MovedOn,
}

impl<W: Wire> Games<W> {
    /// Carries out a change of a game.
    ///
    /// # Errors
    /// If the change is refused on the newest version, concurrent writers keep winning, or the store fails.
    pub(crate) async fn change<C: Change<W>>(
        &self,
        caller: &Caller,
        id: GameId,
        change: &C,
    ) -> Result<C::Answer, Problem> {
        let mut game = self.open(caller, id).await?;
        for _ in 0..MAX_TRIES {
            match change.attempt(self, caller, &mut game).await {
                Ok(Some(answer)) => return Ok(answer),
                Ok(None) => {}
                // The cached game may be stale, so refuse only on the basis of the newest version.
                Err(problem) if may_be_stale(&problem) && self.refresh(&mut game).await? => {}
                Err(problem) => {
                    if matches!(problem, Problem::Store(_) | Problem::Damaged(_)) {
                        self.forget(id);
                    }
                    return Err(problem);
                }
            }
        }
        Err(Problem::Contended)
    }

    async fn verdict<E: NewEntry<W>>(
        &self,
        caller: &Caller,
        game: &mut LockedGame<W>,
        new: &E,
    ) -> Result<Verdict<W>, Problem> {
        new.may(caller, game)?;
        let request = new.request(caller, game);
        match self.repeat(game, request, new.expected()).await? {
            Repeat::Played(version) => return Ok(Verdict::PlayedBefore(version)),
            Repeat::Reused => return Err(Problem::RequestIdReused),
            Repeat::Unknown => {}
        }
        let (expected, current) = (new.expected(), game.version);
        if expected != 0 && expected != current {
            return Err(Problem::StaleVersion { expected, current });
        }
        let judged = new.judge(self, caller, game).await?;
        Ok(judged.map_or(Verdict::MovedOn, Verdict::Legal))
    }

    /// Repeats the response to a request that was played as this version.
    async fn answer_again<E: NewEntry<W>>(
        &self,
        caller: &Caller,
        game: &mut LockedGame<W>,
        new: &E,
        version: Version,
    ) -> Result<Option<E::Answer>, Problem> {
        // The token must be valid now, and the log must still have that version.
        if self.refresh(game).await? {
            return Ok(None);
        }
        let request = new.request(caller, game);
        let before = self.played_before(game, request, version);
        let before = before.await?;
        let Some((then, played)) = before else {
            return Ok(None);
        };
        let now = new.show().tells().then(|| Later::of(&then)).flatten();
        let scene = self.scene_after(then.id, version - 1, now).await?;
        new.answer(caller, &then, Some((&played, scene))).map(Some)
    }
}

impl<W: Wire> Games<W> {
    /// Returns whether any clocks of a game are running.
    fn runs(&self, game: &Game<W>) -> bool {
        let clock = game.life.as_deref().and_then(Life::clock);
        clock.is_some_and(|clock| !clock.is_paused()) && !game.is_over()
    }

    fn knows_outages(&self) -> bool {
        let shared = &self.shared;
        shared.outages.are_known(shared.clock.now_ms())
    }

    /// Returns the time that a game must be credited for outages. Returns `None` if there is none, or its clocks are
    /// not running.
    pub(crate) fn owed(&self, game: &Game<W>) -> Option<Owed> {
        let since_ms = game.time_ms.max(game.birth.created_ms());
        let owed = self.shared.outages.owed(since_ms)?;
        self.runs(game).then_some(owed)
    }

    /// Credits a game with the time of outages, by an entry of its own. The time of that entry marks the credit as
    /// made. If another process comes first, the game is refreshed.
    pub(crate) async fn give_back(
        &self,
        game: &mut LockedGame<W>,
        owed: Owed,
    ) -> Result<(), Problem> {
        let seats = game.pending().iter().map(|owed| owed.seat).collect();
        let deed = Deed::OutagePassed { seats, ms: owed.ms };
        let time_ms = self.next_time(game).max(owed.until_ms);
        let after = life::perform(game.table(), &deed, None, game.moment(time_ms));
        let after = after.map_err(Problem::Table)?;
        let back = Vec::new();
        let done = Done::Beside(Beside { deed, back });
        let judged = Judged::new(game, done, after, RequestMark::new("", &[]), time_ms);
        self.append(game, judged).await.map(drop)
    }
}

/// A change that appends a new entry.
pub(crate) struct Adding<'a, E>(pub(crate) &'a E);

impl<W: Wire, E: NewEntry<W>> Change<W> for Adding<'_, E> {
    type Answer = E::Answer;

    async fn attempt(
        &self,
        games: &Games<W>,
        caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<E::Answer>, Problem> {
        if !self.0.validate_only() && games.runs(game) && !games.knows_outages() {
            Box::pin(games.shared.outages.beat(games.shared.clock.now_ms())).await?;
        }
        if let Some(owed) = games.owed(game).filter(|_| !self.0.validate_only()) {
            Box::pin(games.give_back(game, owed)).await?;
            return Ok(None);
        }
        let judging = games.verdict(caller, game, self.0);
        match traced(step!("judge"), judging).await? {
            Verdict::MovedOn => Ok(None),
            Verdict::Legal(judged) if self.0.validate_only() => {
                drop(judged);
                // The verdict must hold for the newest version.
                if games.refresh(game).await? {
                    return Ok(None);
                }
                self.0.answer(caller, game, None).map(Some)
            }
            Verdict::Legal(judged) => {
                // Only sentences need the scene before the entry.
                let show = self.0.show();
                let scene = show.tells().then(|| Box::new(show.scene(game)));
                let Some(played) = games.append(game, judged).await? else {
                    return Ok(None);
                };
                let scene = scene.map_or_else(Scene::default, |scene| *scene);
                self.0
                    .answer(caller, game, Some((&played, scene)))
                    .map(Some)
            }
            Verdict::PlayedBefore(version) => {
                // Boxed: repeated requests are rare, and must not enlarge the future of every call.
                Box::pin(games.answer_again(caller, game, self.0, version)).await
            }
        }
    }
}

/// Returns whether the call could succeed, or fail differently, if the cached game was stale.
fn may_be_stale(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::Refused(_)
            | Problem::Table(_)
            | Problem::StaleVersion { .. }
            | Problem::BadToken(_)
            | Problem::TokenReplaced(_)
            | Problem::GameNotOver
            | Problem::PermissionDenied(_)
            | Problem::RequestIdReused
            // The user may have been given a seat.
            | Problem::NoSuchGame { .. }
    )
}
