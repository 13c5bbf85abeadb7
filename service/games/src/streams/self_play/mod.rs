//! **Self-play**: many games in parallel in memory, for bots that learn. Nothing is stored.
//!
//! The response stream is pulled, which gives backpressure: while a client does not read responses, its requests are
//! not read either, and a client that disconnects ends its games. The work yields to other calls, between games and
//! within long lists.

mod described;
mod game;
mod refusal;
mod start_mode;

use std::collections::VecDeque;
use std::sync::Arc;

use described::DescribedTables;
use futures_util::{FutureExt, StreamExt, stream};
use game::{Plan, SelfPlayGame};
use gamekeeper_learn::MAX_ACTIONS;
use gamekeeper_proto::raw::self_play_request::Step;
use gamekeeper_proto::raw::{
    self, SelfPlayMove, SelfPlayObservation, SelfPlayPlan, SelfPlayRequest, SelfPlayResponse,
};
use gamekeeper_rules::table::{MAX_SEATS, Seed};
use gamekeeper_store::GameId;
use gamekeeper_wire::{Malformed, PositionFault, Wire};
use prost::Message;
use refusal::malformed_move;
use start_mode::{SourceGame, StartMode, parse_start};

use crate::admission::ConcurrencyPermit;
use crate::authz::{Caller, Permission};
use crate::context::settings::Settings;
use crate::errors::{OptionRefusal, ServiceError};
use crate::handlers::list_legal_actions::parse_detail;
use crate::requests::ruleset_message::decode_options;
use crate::service::game_service::{GameService, ResponseStream};
use crate::service::tensor_encoder::TensorEncoder;
use crate::streams::limits::StreamLimits;
use crate::timing::yielder::Yielder;

/// The size at which a response is sent, in bytes. Clients accept 4 MiB at most, unless they are configured otherwise,
/// and can work on the first part while the next one is being computed.
const MAX_RESPONSE_BYTES: usize = 256 << 10;

/// The approximate size of an observation without optional parts, in bytes.
const MIN_OBSERVATION_BYTES: usize = 32;

/// The default number of listed actions.
const DEFAULT_ACTIONS: usize = 1_000;

impl<W: Wire> GameService<W> {
    /// Plays many games in memory, driven by the client.
    ///
    /// # Errors
    /// If the plan is malformed or refused. The stream ends with an error if a message is out of order, if the token is
    /// no longer valid, and with [`ServiceError::GoingAway`] when the server shuts down.
    pub async fn self_play(
        self: &Arc<Self>,
        caller: &Caller,
        plan: SelfPlayPlan,
        requests: ResponseStream<SelfPlayRequest>,
        share: ConcurrencyPermit,
    ) -> Result<ResponseStream<SelfPlayResponse>, ServiceError> {
        let (pool, source) = self.prepare(caller, plan).await?;
        let play = SelfPlay::<W> {
            games: Arc::clone(self),
            bounds: StreamLimits::new(&self.context, caller),
            caller: caller.clone(),
            requests,
            pending_work: (0..pool.slots).map(WorkItem::StartGame).collect(),
            pool,
            source,
            _share: share,
        };
        Ok(Box::pin(stream::unfold(Some(play), |play| async move {
            let mut self_play = play?;
            match self_play.next_response().await.transpose()? {
                Ok(response) => Some((Ok(response), Some(self_play))),
                Err(problem) => Some((Err(problem), None)),
            }
        })))
    }

    /// Validates the plan, and reads the game whose worlds are sampled, if it names one.
    async fn prepare(
        self: &Arc<Self>,
        caller: &Caller,
        plan: SelfPlayPlan,
    ) -> Result<(GamePool<W>, Option<WatchedSource>), ServiceError> {
        let Some(worlds) = &plan.worlds else {
            caller.tenant_for_create()?;
            let mut pool = GamePool::new(&plan, None, &self.context.settings)?;
            if !plan.positions.is_empty() {
                let tables = DescribedTables::judge(&plan.positions, &pool.plan.options).await?;
                pool.plan.start_mode = StartMode::Described(tables);
            }
            return Ok((self.with_tensor_encoder(pool).await?, None));
        };
        let shows_numbers = plan.show.is_some_and(|show| show.numbers != 0);
        let source = self.load_source(caller, worlds, shows_numbers).await?;
        let watched_source = WatchedSource {
            id: source.id,
            permission: source.permission(),
        };
        let pool = GamePool::new(&plan, Some(source), &self.context.settings)?;
        Ok((self.with_tensor_encoder(pool).await?, Some(watched_source)))
    }

    /// Prepares the observation and action spaces, if the plan requests numbers.
    async fn with_tensor_encoder(
        self: &Arc<Self>,
        mut pool: GamePool<W>,
    ) -> Result<GamePool<W>, ServiceError> {
        let space = self.space(W::seats(&pool.plan.options));
        pool.plan.tensor_encoder = TensorEncoder::from_plan(pool.plan.show, space).await?;
        Ok(pool)
    }
}

struct SelfPlay<W: Wire> {
    games: Arc<GameService<W>>,
    caller: Caller,
    bounds: StreamLimits,
    requests: ResponseStream<SelfPlayRequest>,
    /// The unfinished work of the last request.
    pending_work: VecDeque<WorkItem>,
    pool: GamePool<W>,
    /// The game whose worlds are sampled. Is `None` for other plans.
    source: Option<WatchedSource>,
    _share: ConcurrencyPermit,
}

/// The permission that a self-play in worlds of a game depends on: its caller must remain allowed to view that game.
struct WatchedSource {
    id: GameId,
    permission: Permission,
}

enum WorkItem {
    StartGame(u32),
    /// A move, with its place in the request.
    ApplyMove(usize, SelfPlayMove),
}

impl<W: Wire> SelfPlay<W> {
    /// Returns the next response. Returns `None` if all games are over, or the client has closed its stream.
    async fn next_response(&mut self) -> Result<Option<SelfPlayResponse>, ServiceError> {
        self.reauthorize().await?;
        if self.pending_work.is_empty() {
            if self.pool.is_done() {
                return Ok(None);
            }
            let request = self.requests.next().map(Option::transpose);
            match self.bounds.run_until_limit(0, request).await? {
                Some(request) => {
                    self.reauthorize().await?;
                    self.accept_request(request.step)?;
                }
                None => return Ok(None),
            }
        }
        self.work_until_full().await
    }

    /// Checks that the token is still valid and, for worlds of a game, still permits viewing that game.
    async fn reauthorize(&mut self) -> Result<(), ServiceError> {
        match &self.source {
            None => self.caller.ensure_not_expired(),
            Some(WatchedSource { id, permission, .. }) => {
                let (games, caller) = (&self.games, &self.caller);
                games.reauthorize(caller, *id, *permission, None).await
            }
        }
    }

    /// Handles a request after the plan.
    fn accept_request(&mut self, step: Option<Step>) -> Result<(), ServiceError> {
        match step {
            Some(Step::Moves(moves)) => {
                let moves = moves.moves.into_iter().enumerate();
                self.pending_work = moves
                    .map(|(place, one)| WorkItem::ApplyMove(place, one))
                    .collect();
                Ok(())
            }
            Some(Step::Plan(_)) => Err(Malformed::new("plan", "is sent twice").into()),
            None => Err(Malformed::missing("step").into()),
        }
    }

    /// Works until the request is done or the response is full.
    async fn work_until_full(&mut self) -> Result<Option<SelfPlayResponse>, ServiceError> {
        let pool = &mut self.pool;
        let mut response = SelfPlayResponse::default();
        let (mut size, mut yielder) = (pool.send_space_once(&mut response), Yielder::new());
        while size < MAX_RESPONSE_BYTES {
            match self.pending_work.pop_front() {
                Some(WorkItem::StartGame(slot)) => pool.start_game(slot).await?,
                Some(WorkItem::ApplyMove(place, move_request)) => {
                    let ended = response.results.len();
                    let refusal = pool
                        .apply_move(&mut response, (place, move_request))
                        .await?;
                    response.observations.extend(refusal);
                    let results = response.results[ended..].iter();
                    size += results.map(Message::encoded_len).sum::<usize>();
                }
                None => break,
            }
            size += pool.observe(&mut response).await;
            yielder.yield_if_due().await;
        }
        response.more = !self.pending_work.is_empty();
        Ok(Some(response))
    }
}

/// The games that are played in parallel.
struct GamePool<W: Wire> {
    plan: Plan<W>,
    slots: u32,
    /// The game in each slot. Is `None` if no game is left for the slot.
    games: Vec<Option<SelfPlayGame<W>>>,
    /// The slot whose game has moved and was not observed yet.
    unobserved: Option<usize>,
    /// The number of games that have begun in each slot.
    begun: Vec<u64>,
    max_games: u64,
    /// Whether the observation and action spaces were sent.
    space_sent: bool,
}

impl<W: Wire> GamePool<W> {
    fn new(
        plan: &SelfPlayPlan,
        source: Option<SourceGame<W>>,
        settings: &Settings,
    ) -> Result<Self, ServiceError> {
        let slots = slots(plan, settings.max_self_play_games)?;
        let max_games = plan.total_games;
        let first_version = source.as_ref().map_or(1, |source| source.version);
        if (1..=first_version).contains(&plan.max_versions) {
            let text = format!(
                "is {}; games begin at version {first_version}",
                plan.max_versions
            );
            return Err(Malformed::new("plan.max_versions", text).into());
        }
        let max_actions = match usize::try_from(plan.max_actions) {
            Ok(0) => DEFAULT_ACTIONS,
            Ok(max) if max <= MAX_ACTIONS => max,
            Ok(_) | Err(_) => {
                let text = format!("is not from 1 to {MAX_ACTIONS}");
                return Err(Malformed::new("plan.max_actions", text).into());
            }
        };
        let detail = parse_detail(plan.detail, "plan.detail")?;
        // The seed of sampled worlds discloses nothing about the game, so clients may always choose it.
        let allow_seeds = settings.allow_seeds || source.is_some();
        let start_mode = StartMode::Fresh(parse_start(plan.start, !plan.positions.is_empty())?);
        let plan = Plan {
            show: plan.show.unwrap_or_default(),
            tensor_encoder: None,
            max_versions: plan.max_versions,
            max_actions,
            detail,
            seed: parse_seed(&plan.seed, allow_seeds)?,
            options: match &source {
                Some(source) => {
                    check_follows_from_game(plan)?;
                    source.options.clone()
                }
                None => options::<W>(plan)?,
            },
            start_mode: source.map_or(start_mode, |source| StartMode::Worlds(Box::new(source))),
        };
        Ok(Self {
            plan,
            slots,
            games: (0..slots).map(|_| None).collect(),
            unobserved: None,
            begun: vec![0; slots as usize],
            max_games,
            space_sent: false,
        })
    }

    /// Adds the observation and action spaces to the first response. Returns their size, in bytes.
    fn send_space_once(&mut self, response: &mut SelfPlayResponse) -> usize {
        if std::mem::replace(&mut self.space_sent, true) {
            return 0;
        }
        response.space = self.plan.tensor_encoder.as_ref().map(TensorEncoder::space);
        response.space.as_ref().map_or(0, Message::encoded_len)
    }

    /// Returns whether no game is left.
    fn is_done(&self) -> bool {
        self.games.iter().all(Option::is_none)
    }

    /// Starts the next game in a slot, if one is left. The numbers of its games depend on no other slot, so that the
    /// games are the same in whichever order they end.
    ///
    /// # Errors
    /// If luck deals something that contradicts what a described table gives.
    async fn start_game(&mut self, slot: u32) -> Result<(), PositionFault> {
        let index = usize::try_from(slot).unwrap_or(usize::MAX);
        let Some(begun) = self.begun.get_mut(index) else {
            return Ok(());
        };
        let number = *begun * u64::from(self.slots) + u64::from(slot) + 1;
        *begun += 1;
        self.games[index] = if self.max_games == 0 || number <= self.max_games {
            Some(SelfPlayGame::start(&self.plan, slot, number).await?)
        } else {
            None
        };
        self.unobserved = Some(index);
        Ok(())
    }

    /// Plays a move, given with its place in the request. Returns an observation with the error if the move is refused.
    ///
    /// # Errors
    /// If the next game in the slot cannot begin on its described table.
    async fn apply_move(
        &mut self,
        response: &mut SelfPlayResponse,
        (place, move_request): (usize, SelfPlayMove),
    ) -> Result<Option<SelfPlayObservation>, PositionFault> {
        let slot = move_request.slot;
        let index = usize::try_from(slot).unwrap_or(usize::MAX);
        let Some(table) = self.games.get_mut(index).and_then(Option::as_mut) else {
            let text = format!("is {slot}; no game is played there");
            let refusal = malformed_move(Malformed::new("slot", text), place);
            return Ok(Some(no_game_in_slot(slot, refusal)));
        };
        match table.apply_move(&self.plan, (place, move_request)).await {
            Ok(()) => {
                self.unobserved = Some(index);
                if table.is_over() {
                    response.results.push(table.result(&self.plan));
                    self.start_game(slot).await?;
                }
                Ok(None)
            }
            Err(refusal) => Ok(Some(table.observation_with(Some(refusal)))),
        }
    }

    /// Adds the observation of the seat to move in the game that has just moved. Returns its approximate size, in
    /// bytes.
    async fn observe(&mut self, response: &mut SelfPlayResponse) -> usize {
        let unobserved = self.unobserved.take();
        let Some(table) = unobserved.and_then(|index| self.games[index].as_mut()) else {
            return MIN_OBSERVATION_BYTES;
        };
        let observation = table.observe(&self.plan).await;
        let size = encoded_size(&observation);
        response.observations.push(observation);
        size
    }
}

fn slots(plan: &SelfPlayPlan, max_games: usize) -> Result<u32, ServiceError> {
    match usize::try_from(plan.games) {
        Ok(0) => Err(Malformed::new("plan.games", "is 0").into()),
        Ok(games) if games <= max_games => Ok(plan.games),
        Ok(_) | Err(_) => Err(ServiceError::OutOfBounds {
            field: "plan.games",
            limit: "max_self_play_games",
            max: max_games,
        }),
    }
}

/// Checks that a plan with worlds of a game does not set what follows from the game.
fn check_follows_from_game(plan: &SelfPlayPlan) -> Result<(), Malformed> {
    let set_fields = [
        ("plan.ruleset", !plan.ruleset.is_empty()),
        ("plan.seats", plan.seats != 0),
        ("plan.options", plan.options.is_some()),
        ("plan.start", plan.start != 0),
        ("plan.positions", !plan.positions.is_empty()),
    ];
    match set_fields.into_iter().find(|(_, is_set)| *is_set) {
        Some((field, _)) => Err(Malformed::new(field, "cannot be set for worlds of a game")),
        None => Ok(()),
    }
}

/// Returns the validated options of all games. Players are named after their seats.
fn options<W: Wire>(plan: &SelfPlayPlan) -> Result<W::Options, ServiceError> {
    let seats = usize::try_from(plan.seats).unwrap_or(usize::MAX);
    if seats > MAX_SEATS {
        return Err(Malformed::new("plan.seats", format!("must be at most {MAX_SEATS}")).into());
    }
    let names: Vec<String> = (1..=seats).map(|seat| format!("Player {seat}")).collect();
    let sent_options = decode_options::<W>(plan.options.clone(), "plan.options")?;
    let draft = sent_options
        .clone()
        .map(W::draft)
        .transpose()
        .map_err(|malformed| malformed.with_prefix("plan"))?
        .unwrap_or_default();
    W::options(&names, &draft).map_err(|refusal| {
        OptionRefusal::of::<W>(&refusal, &names, sent_options.as_ref(), "plan.").into()
    })
}

fn parse_seed(requested: &[u8], allowed: bool) -> Result<Seed, ServiceError> {
    if requested.is_empty() {
        return Ok(Seed::new(rand::random()));
    }
    if !allowed {
        return Err(ServiceError::PermissionDenied(
            "this server does not let creators give seeds",
        ));
    }
    let bytes = requested
        .try_into()
        .map_err(|_| Malformed::new("plan.seed", "is not 32 bytes long"))?;
    Ok(Seed::new(bytes))
}

/// Estimates the size of an observation, in bytes.
fn encoded_size(observation: &SelfPlayObservation) -> usize {
    let view = observation.view.as_ref().map_or(0, Message::encoded_len);
    let actions: usize = observation.actions.iter().map(Message::encoded_len).sum();
    let events: usize = observation.events.iter().map(Message::encoded_len).sum();
    let tensor = observation.tensor.as_ref().map_or(0, Message::encoded_len);
    view + actions + events + tensor + MIN_OBSERVATION_BYTES
}

/// Builds the observation for a move in a slot without a game.
fn no_game_in_slot(slot: u32, refusal: raw::Problem) -> SelfPlayObservation {
    SelfPlayObservation {
        slot,
        refusal: Some(refusal),
        ..SelfPlayObservation::default()
    }
}

#[cfg(test)]
mod described_tests;

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
        let mut invalid_plans = [(); 5].map(|()| plan.clone());
        invalid_plans[0].ruleset = String::from("dominion");
        invalid_plans[1].seats = 2;
        invalid_plans[2].options = Some(raw::Options::default());
        invalid_plans[3].start = 1;
        invalid_plans[4].positions = vec![raw::View::default()];
        let fields = [
            "plan.ruleset",
            "plan.seats",
            "plan.options",
            "plan.start",
            "plan.positions",
        ];
        assert_eq!(
            invalid_plans.each_ref().map(refused),
            fields.map(|field| Some(field.to_owned()))
        );
    }
}
