//! **Timers** of a game: what the service does by itself once it is due. It is validated and stored like a call, so it
//! happens once, whichever process does it.

use std::time::Instant;

use gamekeeper_rules::life::{self, Deed, Life, No};
use gamekeeper_rules::table::{Chance, Scene, Seat, Seed, Viewer};
use gamekeeper_store::Version;
use gamekeeper_wire::Wire;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::heart::access::{Bot, Caller};
use crate::heart::append::Judged;
use crate::heart::changing::{Adding, Change, NewEntry};
use crate::heart::due::BotTurn;
use crate::heart::game::{EntryOf, Game};
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::problem::Problem;
use crate::heart::recent::Request;
use crate::heart::record::{Beside, Done, RequestMark};
use crate::heart::show::Show;

/// The next thing that is due in a game.
pub enum Due {
    /// Nothing is due, or no longer.
    Nothing,
    /// An outage must be credited to the clocks of the game.
    Outage,
    /// A seat has run out of time.
    Late,
    /// A bot must act.
    Bot(BotTurn),
}

/// An entry that the service appends by itself.
enum Own<W: Wire> {
    /// The decision of a seat that has run out of time is ended.
    EndLate,
    /// The action that a bot chose at this version is played.
    Decide(Version, Seat, W::Action),
}

impl<W: Wire> Games<W> {
    /// Returns what is due in a game now.
    ///
    /// # Errors
    /// If the game cannot be read, or the store fails.
    pub async fn due(&self, caller: &Caller, id: Uuid) -> Result<Due, Problem> {
        let game = self.open_fresh(caller, id).await?;
        if self.owed(&game).is_some() {
            return Ok(Due::Outage);
        }
        let at_ms = game.moment(self.next_time(&game)).at_ms;
        let life = game.life.as_deref();
        let late = life.is_some_and(|life| !life.late(&game.pending(), at_ms).is_empty());
        Ok(match game.turn_of_bot() {
            _ if late => Due::Late,
            Some(turn) => Due::Bot(turn),
            None => Due::Nothing,
        })
    }

    /// Credits a game with the time of outages.
    ///
    /// # Errors
    /// If the game cannot be read, or the store fails.
    pub async fn give_back_all(&self, caller: &Caller, id: Uuid) -> Result<(), Problem> {
        self.change(caller, id, &GiveBack).await
    }

    /// Ends the decision of a seat that has run out of time.
    ///
    /// # Errors
    /// If no seat has run out of time, the game cannot be read, or the store fails.
    pub async fn end_late(&self, caller: &Caller, id: Uuid) -> Result<(), Problem> {
        self.change(caller, id, &Adding(&Own::EndLate)).await
    }

    /// Lets a bot decide for its seat. The bot searches in sampled worlds (determinization), never in the true state,
    /// on a thread of its own.
    ///
    /// # Errors
    /// If the game has moved on, cannot be read, or the store fails.
    pub async fn decide(
        &self,
        caller: &Caller,
        id: Uuid,
        (seat, bot): (Seat, Bot),
    ) -> Result<(), Problem> {
        let (expected, state, tenant) = {
            let game = self.open(caller, id).await?;
            (game.version, game.state.clone(), game.birth.tenant.clone())
        };
        let turn = self.shared.turns.turn(&tenant).await;
        let closing = self.shared.closing.clone();
        let thought = spawn_blocking(move || think::<W>(&bot, seat, &state, &closing));
        let action = thought.await;
        drop(turn);
        let action = action.map_err(|error| Problem::Fault(error.to_string()))?;
        let action = action.ok_or(Problem::Table(No::OwesNothing(seat)))?;
        let decided = Own::Decide(expected, seat, action);
        self.change(caller, id, &Adding(&decided)).await
    }
}

/// The change that credits a game with the time of outages.
struct GiveBack;

impl<W: Wire> Change<W> for GiveBack {
    type Answer = ();

    async fn attempt(
        &self,
        games: &Games<W>,
        _caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<()>, Problem> {
        let Some(owed) = games.owed(game) else {
            return Ok(Some(()));
        };
        games.give_back(game, owed).await?;
        Ok(None)
    }
}

/// Chooses the action of a bot, with a random stream of its own. The search stops early when the server shuts down,
/// which waits for the thread.
fn think<W: Wire>(
    bot: &Bot,
    seat: Seat,
    state: &W::State,
    closing: &CancellationToken,
) -> Option<W::Action> {
    let mut chance = Chance::from_seed(&Seed::new(rand::random()));
    let (begun, time) = (Instant::now(), bot.think_time());
    let mut spent = |_: u32| {
        if closing.is_cancelled() {
            return u32::MAX;
        }
        let part = begun.elapsed().as_micros().saturating_mul(1_000);
        u32::try_from(part / time.as_micros().max(1)).unwrap_or(u32::MAX)
    };
    W::bot_action(bot.policy::<W>(), seat, state, (&mut spent, &mut chance))
}

impl<W: Wire> Own<W> {
    /// Ends the decision of the first seat that has run out of time.
    fn end_late(
        games: &Games<W>,
        game: &Game<W>,
        mark: RequestMark,
    ) -> Result<Box<Judged<W>>, Problem> {
        let time_ms = games.next_time(game);
        let moment = game.moment(time_ms);
        let life: Option<&Life> = game.life.as_deref();
        let late = life.map(|life| life.late(&game.pending(), moment.at_ms));
        let seat = late.and_then(|late| late.iter().next());
        let seat = seat.ok_or(Problem::Table(No::NoClock))?;
        let deed = Deed::TimedOut {
            seat,
            claimed_by: None,
        };
        let after = life::perform(game.table(), &deed, None, moment).map_err(Problem::Table)?;
        let back = Vec::new();
        let done = Done::Beside(Beside { deed, back });
        Ok(Judged::new(game, done, after, mark, time_ms))
    }
}

/// Returns a mark without a request id. Entries by timers need no idempotency key, since no client retries them.
fn nobodys() -> RequestMark {
    RequestMark::new("", &[])
}

impl<W: Wire> NewEntry<W> for Own<W> {
    type Answer = ();

    fn request(&self, _caller: &Caller, _game: &Game<W>) -> Request {
        let mark = nobodys();
        Request { by: None, mark }
    }

    fn show(&self) -> Show {
        Show::facts(Viewer::Spectator)
    }

    fn expected(&self) -> Version {
        match self {
            Self::EndLate => 0,
            Self::Decide(expected, ..) => *expected,
        }
    }

    fn may(&self, _caller: &Caller, _game: &Game<W>) -> Result<(), Problem> {
        Ok(())
    }

    async fn judge(
        &self,
        games: &Games<W>,
        _caller: &Caller,
        game: &mut LockedGame<W>,
    ) -> Result<Option<Box<Judged<W>>>, Problem> {
        let judged = match self {
            Self::EndLate => Self::end_late(games, game, nobodys()),
            // The bot may have been replaced while it was thinking.
            Self::Decide(_, seat, _) if game.access.bot(*seat).is_none() => {
                Err(Problem::Table(No::OwesNothing(*seat)))
            }
            Self::Decide(_, seat, action) => games.judge_action(game, (*seat, action), nobodys()),
        };
        judged.map(Some)
    }

    fn answer(
        &self,
        _caller: &Caller,
        _game: &Game<W>,
        _entry: Option<(&EntryOf<W>, Scene)>,
    ) -> Result<(), Problem> {
        Ok(())
    }
}
