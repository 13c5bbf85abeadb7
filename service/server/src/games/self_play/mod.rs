//! Self-play: many games side by side in memory, for bots that learn. Nothing is stored.
//!
//! The stream of answers is pulled: a client that does not read is not read from, and a client that
//! goes away takes its games with it. The work gives way to other calls, between games and within long lists.

mod refusal;
mod table;

use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::{StreamExt, stream};
use gamekeeper_proto::envelope::self_play_request::Step;
use gamekeeper_proto::envelope::{
    Messages, SelfPlayMove, SelfPlayObservation, SelfPlayPlan, SelfPlayRequest, SelfPlayResponse,
};
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::table::{Field, MAX_SEATS, Seed};
use gamekeeper_wire::{Malformed, Wire};
use prost::Message;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;

use refusal::malformed;
use table::{House, Table};

use super::breath::Breath;
use super::legal::detail;
use super::{Answers, Games, Settings};
use crate::auth::{Bearer, Caller, Taken, Tally};
use crate::problem::{OptionRefused, Problem};

/// A message of the answer is sent when it has grown so large. Clients take 4 MiB at most, unless
/// they are configured otherwise, and work on the first part while the next is made.
const FULL: usize = 256 << 10;

/// About as many bytes has an observation that shows nothing.
const BARE: usize = 32;

/// The default number of listed actions.
const USUAL_ACTIONS: usize = 1_000;

/// The most actions that are listed.
const MOST_ACTIONS: usize = 10_000;

/// Counts the self-plays of this process, in all and of each tenant: one tenant alone must not hold
/// every place.
pub(super) struct Places {
    all: Arc<Semaphore>,
    of_tenants: Option<Arc<Tally>>,
}

/// A self-play that is open; it is counted as long as this lives.
type Place = (OwnedSemaphorePermit, Option<Taken>);

impl Places {
    pub(super) fn new(settings: &Settings) -> Self {
        let most = settings.most_self_plays.min(Semaphore::MAX_PERMITS);
        Self {
            all: Arc::new(Semaphore::new(most)),
            of_tenants: settings.most_self_plays_per_tenant.map(Tally::new),
        }
    }

    fn enter(&self, caller: &Caller) -> Result<Place, Problem> {
        let full = |limit, what: &str| Problem::Exhausted {
            limit,
            what: what.to_owned(),
        };
        let of_tenant = self.of_tenants.as_ref().map(|tally| {
            let what = "this tenant has reached its limit of self-plays; end one";
            let taken = tally.take(caller);
            taken.ok_or_else(|| full("max_self_plays_per_tenant", what))
        });
        let of_tenant = of_tenant.transpose()?;
        let what = "this server has reached its limit of self-plays; try again later";
        let place = Arc::clone(&self.all).try_acquire_owned();
        let place = place.map_err(|_| full("max_self_plays", what))?;
        Ok((place, of_tenant))
    }
}

impl<W: Wire> Games<W> {
    /// Plays many games in memory, as the client says.
    ///
    /// # Errors
    /// When the caller may not create games, or there are too many self-plays. The stream ends with
    /// an error when the plan is malformed or refused, when a message is not what belongs there, and
    /// with [`Problem::GoingAway`] when the server stops.
    pub fn self_play(
        &self,
        caller: &Bearer,
        asked: Answers<SelfPlayRequest<W::Messages>>,
    ) -> Result<Answers<SelfPlayResponse<W::Messages>>, Problem> {
        caller.creates_for()?;
        let place = self.house.self_plays.enter(caller)?;
        let play = SelfPlay::<W> {
            bearer: caller.clone(),
            asked,
            work: VecDeque::new(),
            arena: None,
            most_games: self.house.settings.most_self_play_games,
            allow_seeds: self.house.settings.allow_seeds,
            closing: self.house.closing.clone(),
            _place: place,
        };
        Ok(Box::pin(stream::unfold(Some(play), |play| async move {
            let mut play = play?;
            match play.next().await.transpose()? {
                Ok(told) => Some((Ok(told), Some(play))),
                Err(problem) => Some((Err(problem), None)),
            }
        })))
    }
}

struct SelfPlay<W: Wire> {
    bearer: Bearer,
    asked: Answers<SelfPlayRequest<W::Messages>>,
    /// What is left of the last request.
    work: VecDeque<Work<W>>,
    /// Set by the plan.
    arena: Option<Arena<W>>,
    most_games: usize,
    allow_seeds: bool,
    closing: CancellationToken,
    _place: Place,
}

enum Work<W: Wire> {
    Begin(u32),
    Play(SelfPlayMove<W::Messages>),
}

impl<W: Wire> SelfPlay<W> {
    /// The next message; nothing when all is played, or the client has said all.
    async fn next(&mut self) -> Result<Option<SelfPlayResponse<W::Messages>>, Problem> {
        self.bearer.holds()?;
        if self.work.is_empty() {
            if self.arena.as_ref().is_some_and(Arena::is_done) {
                return Ok(None);
            }
            let closing = self.closing.clone();
            let ask = tokio::select! {
                biased;
                () = closing.cancelled() => return Err(Problem::GoingAway { version: 0 }),
                () = self.bearer.ended() => return Err(Problem::TokenExpired),
                ask = self.asked.next() => ask,
            };
            match ask.transpose()? {
                Some(ask) => self.take(ask.step)?,
                None => return Ok(None),
            }
        }
        self.work_on().await
    }

    /// Reads a message.
    fn take(&mut self, step: Option<Step<W::Messages>>) -> Result<(), Problem> {
        match (step, &self.arena) {
            (Some(Step::Plan(plan)), None) => {
                let arena = Arena::new(plan, self.most_games, self.allow_seeds)?;
                self.work = (0..arena.slots).map(Work::Begin).collect();
                self.arena = Some(arena);
                Ok(())
            }
            (Some(Step::Moves(moves)), Some(_)) => {
                self.work = moves.moves.into_iter().map(Work::Play).collect();
                Ok(())
            }
            (Some(Step::Plan(_)), Some(_)) => Err(Malformed::new("plan", "comes once").into()),
            (Some(Step::Moves(_)), None) => {
                Err(Malformed::new("step", "must be the plan first").into())
            }
            (None, _) => Err(Malformed::missing("step").into()),
        }
    }

    /// Works until the request is done or the message is full.
    async fn work_on(&mut self) -> Result<Option<SelfPlayResponse<W::Messages>>, Problem> {
        let Some(arena) = &mut self.arena else {
            return Ok(None);
        };
        let mut told = SelfPlayResponse::default();
        let (mut size, mut breath) = (0, Breath::new());
        while size < FULL {
            match self.work.pop_front() {
                Some(Work::Begin(slot)) => arena.begin(slot),
                Some(Work::Play(given)) => {
                    let refusal = arena.play(&mut told, given).await;
                    told.observations.extend(refusal);
                }
                None => break,
            }
            size += arena.tell(&mut told).await;
            breath.take().await;
        }
        told.more = !self.work.is_empty();
        Ok(Some(told))
    }
}

/// The games that are played side by side.
struct Arena<W: Wire> {
    house: House<W>,
    slots: u32,
    /// The game of every slot; nothing: no game is left for it.
    tables: Vec<Option<Table<W>>>,
    /// The slot whose game has moved and was not told yet.
    moved: Option<usize>,
    begun: u64,
    total: u64,
}

impl<W: Wire> Arena<W> {
    fn new(
        plan: SelfPlayPlan<W::Messages>,
        most_games: usize,
        allow_seeds: bool,
    ) -> Result<Self, Problem> {
        let (slots, total) = (slots(&plan, most_games)?, plan.total_games);
        if plan.most_versions == 1 {
            let text = "is 1; every game has more versions";
            return Err(Malformed::new("plan.most_versions", text).into());
        }
        let most_actions = match usize::try_from(plan.most_actions) {
            Ok(0) => USUAL_ACTIONS,
            Ok(most) if most <= MOST_ACTIONS => most,
            Ok(_) | Err(_) => {
                let text = format!("is not from 1 to {MOST_ACTIONS}");
                return Err(Malformed::new("plan.most_actions", text).into());
            }
        };
        let detail = detail(plan.detail, "plan.detail")?;
        let house = House {
            show: plan.show.unwrap_or_default(),
            most_versions: plan.most_versions,
            most_actions,
            detail,
            seed: seed(&plan.seed, allow_seeds)?,
            options: options::<W>(plan)?,
        };
        Ok(Self {
            house,
            slots,
            tables: (0..slots).map(|_| None).collect(),
            moved: None,
            begun: 0,
            total,
        })
    }

    /// Is no game left?
    fn is_done(&self) -> bool {
        self.tables.iter().all(Option::is_none)
    }

    /// Begins the next game in a slot, if one is left.
    fn begin(&mut self, slot: u32) {
        let Some(place) = usize::try_from(slot)
            .ok()
            .filter(|place| *place < self.tables.len())
        else {
            return;
        };
        let left = self.total == 0 || self.begun < self.total;
        self.begun += u64::from(left);
        self.tables[place] = left.then(|| Table::begin(&self.house, slot, self.begun));
        self.moved = Some(place);
    }

    /// Plays a move; gives the observation that says why not.
    async fn play(
        &mut self,
        told: &mut SelfPlayResponse<W::Messages>,
        given: SelfPlayMove<W::Messages>,
    ) -> Option<SelfPlayObservation<W::Messages>> {
        let slot = given.slot;
        let place = usize::try_from(slot).unwrap_or(usize::MAX);
        let Some(table) = self.tables.get_mut(place).and_then(Option::as_mut) else {
            let text = format!("is {slot}; no game is played there");
            return Some(nowhere(slot, malformed(&Malformed::new("slot", text))));
        };
        match table.play(&self.house, given).await {
            Ok(()) => {
                self.moved = Some(place);
                if table.is_over() {
                    told.results.push(table.result());
                    self.begin(slot);
                }
                None
            }
            Err(refusal) => Some(table.refused(Some(refusal))),
        }
    }

    /// Tells what the seat to move shall see in the game that has just moved. Gives the size of it.
    async fn tell(&mut self, told: &mut SelfPlayResponse<W::Messages>) -> usize {
        let moved = self.moved.take();
        let Some(table) = moved.and_then(|place| self.tables[place].as_mut()) else {
            return BARE;
        };
        let observation = table.observe(&self.house).await;
        let size = size(&observation);
        told.observations.push(observation);
        size
    }
}

fn slots<M: Messages>(plan: &SelfPlayPlan<M>, most_games: usize) -> Result<u32, Problem> {
    match usize::try_from(plan.games) {
        Ok(0) => Err(Malformed::new("plan.games", "is 0").into()),
        Ok(games) if games <= most_games => Ok(plan.games),
        Ok(_) | Err(_) => Err(Problem::OutOfBounds {
            field: "plan.games",
            limit: "max_self_play_games",
            most: most_games,
        }),
    }
}

/// The checked options of every game; players are named by their seats.
fn options<W: Wire>(plan: SelfPlayPlan<W::Messages>) -> Result<W::Options, Problem> {
    let seats = usize::try_from(plan.seats).unwrap_or(usize::MAX);
    if seats > MAX_SEATS {
        return Err(Malformed::new("plan.seats", format!("must be at most {MAX_SEATS}")).into());
    }
    let names: Vec<String> = (1..=seats).map(|seat| format!("Player {seat}")).collect();
    let draft = plan.options.map(W::draft).transpose()?.unwrap_or_default();
    W::options(&names, &draft).map_err(|refusal| {
        // A plan says how many players there are, not who.
        let field = match refusal.field {
            Field::Players => String::from("plan.seats"),
            field @ (Field::Option(_) | Field::Item(..)) => format!("plan.{field}"),
        };
        let refused = OptionRefused::of::<W>(&refusal, seats);
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

/// The bytes that matter of an observation.
fn size<M: Messages>(observation: &SelfPlayObservation<M>) -> usize {
    let view = observation.view.as_ref().map_or(0, Message::encoded_len);
    let actions: usize = observation.actions.iter().map(Message::encoded_len).sum();
    let events: usize = observation.events.iter().map(Message::encoded_len).sum();
    view + actions + events + BARE
}

/// The answer to a move in a slot without a game.
fn nowhere<M: Messages>(slot: u32, refusal: pb::SelfPlayRefusal) -> SelfPlayObservation<M> {
    SelfPlayObservation {
        slot,
        refusal: Some(refusal),
        ..SelfPlayObservation::default()
    }
}
