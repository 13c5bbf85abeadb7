//! **Self-play**: many games in parallel in memory, for bots that learn. Nothing is stored.
//!
//! The response stream is pulled, which gives backpressure: while a client does not read responses, its requests are
//! not read either, and a client that disconnects ends its games. The work yields to other calls, between games and
//! within long lists.

mod numbers;
mod refusal;
mod start;
mod table;

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::{FutureExt, StreamExt, stream};
use gamekeeper_proto::raw::self_play_request::Step;
use gamekeeper_proto::raw::{
    self, SelfPlayMove, SelfPlayObservation, SelfPlayPlan, SelfPlayRequest, SelfPlayResponse,
};
use gamekeeper_rules::table::{Field, MAX_SEATS, Seed};
use gamekeeper_store::GameId;
use gamekeeper_wire::{Malformed, Wire};
use numbers::Numbers;
use prost::Message;
use refusal::malformed;
use start::{Begin, Origin, start};
use table::{Plan, Table};

use crate::heart::access::{Caller, Share, Wish};
use crate::heart::games::{Answers, Games};
use crate::heart::own::own_options;
use crate::heart::problem::{OptionRefused, Problem};
use crate::heart::settings::Settings;
use crate::heart::yielding::Yielder;
use crate::streams::bounded::Bounds;
use crate::verbs::legal::detail;

/// The size at which a response is sent, in bytes. Clients accept 4 MiB at most, unless they are configured otherwise,
/// and can work on the first part while the next one is being computed.
const FULL: usize = 256 << 10;

/// The approximate size of an observation without optional parts, in bytes.
const BARE: usize = 32;

/// The default number of listed actions.
const USUAL_ACTIONS: usize = 1_000;

/// The maximum number of listed actions.
const MAX_ACTIONS: usize = 10_000;

impl<W: Wire> Games<W> {
    /// Plays many games in memory, driven by the client.
    ///
    /// # Errors
    /// If the plan is malformed or refused. The stream ends with an error if a message is out of order, if the token is
    /// no longer valid, and with [`Problem::GoingAway`] when the server shuts down.
    pub async fn self_play(
        self: &Arc<Self>,
        caller: &Caller,
        plan: SelfPlayPlan,
        asked: Answers<SelfPlayRequest>,
        share: Share,
    ) -> Result<Answers<SelfPlayResponse>, Problem> {
        let (arena, of_game) = self.begin(caller, plan).await?;
        let play = SelfPlay::<W> {
            games: Arc::clone(self),
            bounds: Bounds::new(&self.shared, caller),
            caller: caller.clone(),
            asked,
            work: (0..arena.slots).map(Work::Begin).collect(),
            arena,
            of_game,
            _share: share,
        };
        Ok(Box::pin(stream::unfold(Some(play), |play| async move {
            let mut play = play?;
            match play.next().await.transpose()? {
                Ok(response) => Some((Ok(response), Some(play))),
                Err(problem) => Some((Err(problem), None)),
            }
        })))
    }

    /// Validates the plan, and reads the game whose worlds are sampled, if it names one.
    async fn begin(
        self: &Arc<Self>,
        caller: &Caller,
        plan: SelfPlayPlan,
    ) -> Result<(Arena<W>, Option<OfGame>), Problem> {
        let Some(worlds) = &plan.worlds else {
            caller.creates_for()?;
            let arena = Arena::new(&plan, None, &self.shared.settings)?;
            return Ok((self.with_numbers(arena).await?, None));
        };
        let origin = self.origin(caller, worlds).await?;
        let of_game = OfGame {
            id: origin.id,
            wish: origin.wish(),
        };
        let arena = Arena::new(&plan, Some(origin), &self.shared.settings)?;
        Ok((self.with_numbers(arena).await?, Some(of_game)))
    }

    /// Prepares the observation and action spaces, if the plan requests numbers.
    async fn with_numbers(self: &Arc<Self>, mut arena: Arena<W>) -> Result<Arena<W>, Problem> {
        let space = self.space(W::seats(&arena.plan.options));
        arena.plan.numbers = Numbers::asked(arena.plan.show, space).await?;
        Ok(arena)
    }
}

struct SelfPlay<W: Wire> {
    games: Arc<Games<W>>,
    caller: Caller,
    bounds: Bounds,
    asked: Answers<SelfPlayRequest>,
    /// The unfinished work of the last request.
    work: VecDeque<Work>,
    arena: Arena<W>,
    /// The game whose worlds are sampled. Is `None` for other plans.
    of_game: Option<OfGame>,
    _share: Share,
}

/// The permission that a self-play in worlds of a game depends on: its caller must remain allowed to view that game.
struct OfGame {
    id: GameId,
    wish: Wish,
}

enum Work {
    Begin(u32),
    Play(SelfPlayMove),
}

impl<W: Wire> SelfPlay<W> {
    /// Returns the next response. Returns `None` if all games are over, or the client has closed its stream.
    async fn next(&mut self) -> Result<Option<SelfPlayResponse>, Problem> {
        self.still_may().await?;
        if self.work.is_empty() {
            if self.arena.is_done() {
                return Ok(None);
            }
            let asked = self.asked.next().map(Option::transpose);
            match self.bounds.within(0, asked).await? {
                Some(ask) => {
                    self.still_may().await?;
                    self.take(ask.step)?;
                }
                None => return Ok(None),
            }
        }
        self.work_on().await
    }

    /// Checks that the token is still valid and, for worlds of a game, still permits viewing that game.
    async fn still_may(&mut self) -> Result<(), Problem> {
        match &self.of_game {
            None => self.caller.holds(),
            Some(OfGame { id, wish, .. }) => {
                let (games, caller) = (&self.games, &self.caller);
                games.still_may(caller, *id, *wish, None).await
            }
        }
    }

    /// Handles a request after the plan.
    fn take(&mut self, step: Option<Step>) -> Result<(), Problem> {
        match step {
            Some(Step::Moves(moves)) => {
                self.work = moves.moves.into_iter().map(Work::Play).collect();
                Ok(())
            }
            Some(Step::Plan(_)) => Err(Malformed::new("plan", "is sent twice").into()),
            None => Err(Malformed::missing("step").into()),
        }
    }

    /// Works until the request is done or the response is full.
    async fn work_on(&mut self) -> Result<Option<SelfPlayResponse>, Problem> {
        let arena = &mut self.arena;
        let mut response = SelfPlayResponse::default();
        let (mut size, mut yielder) = (arena.name(&mut response), Yielder::new());
        while size < FULL {
            match self.work.pop_front() {
                Some(Work::Begin(slot)) => arena.begin(slot).await,
                Some(Work::Play(given)) => {
                    let refusal = arena.play(&mut response, given).await;
                    response.observations.extend(refusal);
                }
                None => break,
            }
            size += arena.observe(&mut response).await;
            yielder.yield_if_due().await;
        }
        response.more = !self.work.is_empty();
        Ok(Some(response))
    }
}

/// The games that are played in parallel.
struct Arena<W: Wire> {
    plan: Plan<W>,
    slots: u32,
    /// The game in each slot. Is `None` if no game is left for the slot.
    tables: Vec<Option<Table<W>>>,
    /// The slot whose game has moved and was not observed yet.
    moved: Option<usize>,
    begun: u64,
    total: u64,
    /// Whether the observation and action spaces were sent.
    is_named: bool,
}

impl<W: Wire> Arena<W> {
    fn new(
        plan: &SelfPlayPlan,
        origin: Option<Origin<W>>,
        settings: &Settings,
    ) -> Result<Self, Problem> {
        let slots = slots(plan, settings.max_self_play_games)?;
        let total = plan.total_games;
        let first_version = origin.as_ref().map_or(1, |origin| origin.version);
        if (1..=first_version).contains(&plan.max_versions) {
            let text = format!(
                "is {}; games begin at version {first_version}",
                plan.max_versions
            );
            return Err(Malformed::new("plan.max_versions", text).into());
        }
        let max_actions = match usize::try_from(plan.max_actions) {
            Ok(0) => USUAL_ACTIONS,
            Ok(max) if max <= MAX_ACTIONS => max,
            Ok(_) | Err(_) => {
                let text = format!("is not from 1 to {MAX_ACTIONS}");
                return Err(Malformed::new("plan.max_actions", text).into());
            }
        };
        let detail = detail(plan.detail, "plan.detail")?;
        // The seed of sampled worlds discloses nothing about the game, so clients may always choose it.
        let allow_seeds = settings.allow_seeds || origin.is_some();
        let begins_at = Begin::At(start(plan.start)?);
        let plan = Plan {
            show: plan.show.unwrap_or_default(),
            numbers: None,
            max_versions: plan.max_versions,
            max_actions,
            detail,
            seed: seed(&plan.seed, allow_seeds)?,
            options: match &origin {
                Some(origin) => {
                    check_follows_from_game(plan)?;
                    origin.options.clone()
                }
                None => options::<W>(plan)?,
            },
            begin: origin.map_or(begins_at, |origin| Begin::Worlds(Box::new(origin))),
        };
        Ok(Self {
            plan,
            slots,
            tables: (0..slots).map(|_| None).collect(),
            moved: None,
            begun: 0,
            total,
            is_named: false,
        })
    }

    /// Adds the observation and action spaces to the first response. Returns their size, in bytes.
    fn name(&mut self, response: &mut SelfPlayResponse) -> usize {
        if std::mem::replace(&mut self.is_named, true) {
            return 0;
        }
        response.space = self.plan.numbers.as_ref().map(Numbers::space);
        response.space.as_ref().map_or(0, Message::encoded_len)
    }

    /// Returns whether no game is left.
    fn is_done(&self) -> bool {
        self.tables.iter().all(Option::is_none)
    }

    /// Starts the next game in a slot, if one is left.
    async fn begin(&mut self, slot: u32) {
        let Some(place) = usize::try_from(slot)
            .ok()
            .filter(|place| *place < self.tables.len())
        else {
            return;
        };
        let left = self.total == 0 || self.begun < self.total;
        self.begun += u64::from(left);
        self.tables[place] = if left {
            Some(Table::begin(&self.plan, slot, self.begun).await)
        } else {
            None
        };
        self.moved = Some(place);
    }

    /// Plays a move. Returns an observation with the error if the move is refused.
    async fn play(
        &mut self,
        response: &mut SelfPlayResponse,
        given: SelfPlayMove,
    ) -> Option<SelfPlayObservation> {
        let slot = given.slot;
        let place = usize::try_from(slot).unwrap_or(usize::MAX);
        let Some(table) = self.tables.get_mut(place).and_then(Option::as_mut) else {
            let text = format!("is {slot}; no game is played there");
            return Some(nowhere(slot, malformed(&Malformed::new("slot", text))));
        };
        match table.play(&self.plan, given).await {
            Ok(()) => {
                self.moved = Some(place);
                if table.is_over() {
                    response.results.push(table.result());
                    self.begin(slot).await;
                }
                None
            }
            Err(refusal) => Some(table.refused(Some(refusal))),
        }
    }

    /// Adds the observation of the seat to move in the game that has just moved. Returns its approximate size, in
    /// bytes.
    async fn observe(&mut self, response: &mut SelfPlayResponse) -> usize {
        let moved = self.moved.take();
        let Some(table) = moved.and_then(|place| self.tables[place].as_mut()) else {
            return BARE;
        };
        let observation = table.observe(&self.plan).await;
        let size = size(&observation);
        response.observations.push(observation);
        size
    }
}

fn slots(plan: &SelfPlayPlan, max_games: usize) -> Result<u32, Problem> {
    match usize::try_from(plan.games) {
        Ok(0) => Err(Malformed::new("plan.games", "is 0").into()),
        Ok(games) if games <= max_games => Ok(plan.games),
        Ok(_) | Err(_) => Err(Problem::OutOfBounds {
            field: "plan.games",
            limit: "max_self_play_games",
            max: max_games,
        }),
    }
}

/// Checks that a plan with worlds of a game does not set what follows from the game.
fn check_follows_from_game(plan: &SelfPlayPlan) -> Result<(), Malformed> {
    let said = [
        ("plan.ruleset", !plan.ruleset.is_empty()),
        ("plan.seats", plan.seats != 0),
        ("plan.options", plan.options.is_some()),
        ("plan.start", plan.start != 0),
    ];
    match said.into_iter().find(|(_, said)| *said) {
        Some((field, _)) => Err(Malformed::new(field, "cannot be set for worlds of a game")),
        None => Ok(()),
    }
}

/// Returns the validated options of all games. Players are named after their seats.
fn options<W: Wire>(plan: &SelfPlayPlan) -> Result<W::Options, Problem> {
    let seats = usize::try_from(plan.seats).unwrap_or(usize::MAX);
    if seats > MAX_SEATS {
        return Err(Malformed::new("plan.seats", format!("must be at most {MAX_SEATS}")).into());
    }
    let names: Vec<String> = (1..=seats).map(|seat| format!("Player {seat}")).collect();
    let sent = own_options::<W>(plan.options.clone(), "plan.options")?;
    let draft = sent.clone().map(W::draft).transpose()?.unwrap_or_default();
    W::options(&names, &draft).map_err(|refusal| {
        // A plan gives the number of players, not their names, so the error names that field.
        let refused = OptionRefused::beside::<W>(&refusal, &names, sent.as_ref());
        let field = match refusal.field {
            Field::Players => String::from("plan.seats"),
            Field::Option(_) | Field::Item(..) => format!("plan.{}", refused.field),
        };
        OptionRefused { field, ..refused }.into()
    })
}

fn seed(asked: &[u8], allowed: bool) -> Result<Seed, Problem> {
    if asked.is_empty() {
        return Ok(Seed::new(rand::random()));
    }
    if !allowed {
        return Err(Problem::PermissionDenied(
            "this server does not let creators give seeds",
        ));
    }
    let bytes = asked
        .try_into()
        .map_err(|_| Malformed::new("plan.seed", "is not 32 bytes long"))?;
    Ok(Seed::new(bytes))
}

/// Estimates the size of an observation, in bytes.
fn size(observation: &SelfPlayObservation) -> usize {
    let view = observation.view.as_ref().map_or(0, Message::encoded_len);
    let actions: usize = observation.actions.iter().map(Message::encoded_len).sum();
    let events: usize = observation.events.iter().map(Message::encoded_len).sum();
    let tensor = observation.tensor.as_ref().map_or(0, Message::encoded_len);
    view + actions + events + tensor + BARE
}

/// Builds the observation for a move in a slot without a game.
fn nowhere(slot: u32, refusal: raw::Problem) -> SelfPlayObservation {
    SelfPlayObservation {
        slot,
        refusal: Some(refusal),
        ..SelfPlayObservation::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_of_a_game_leave_nothing_to_say_that_follows_from_it() {
        let refused = |plan: &SelfPlayPlan| {
            let checked = check_follows_from_game(plan);
            checked.err().map(|wrong| wrong.field)
        };
        let plan = SelfPlayPlan {
            games: 3,
            ..SelfPlayPlan::default()
        };
        assert_eq!(refused(&plan), None);
        let mut said = [(); 4].map(|()| plan.clone());
        said[0].ruleset = String::from("dominion");
        said[1].seats = 2;
        said[2].options = Some(raw::Options::default());
        said[3].start = 1;
        let fields = ["plan.ruleset", "plan.seats", "plan.options", "plan.start"];
        assert_eq!(
            said.each_ref().map(refused),
            fields.map(|field| Some(field.to_owned()))
        );
    }
}
