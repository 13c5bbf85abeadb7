//! The starting points of self-play games: the set-up, a later position, described tables, or sampled worlds of a
//! stored game (**determinization**).
//!
//! The true state of that game never leaves the server. A world is sampled from it with a random stream from the seed
//! of the plan, and contains nothing that the seat cannot know.

use gamekeeper_learn::EventCounts;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::starts::{Start, WarmStart};
use gamekeeper_rules::table::{Chance, Seat, Seed, TextContext, Viewer, encode};
use gamekeeper_rules::table_life::TableRefusal;
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::{Malformed, PositionFault, Wire};
use sha2::{Digest, Sha256};

use super::described::DescribedTables;
use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::requests::ids::parse_id;
use crate::service::authorization::authorize_read;
use crate::service::game_service::GameService;
use crate::service::seats::{ensure_seat_exists, parse_seat};
use crate::timing::yielder::Yielder;

/// The starting point of the games.
pub(super) enum StartMode<W: Wire> {
    /// The set-up or a later position, with the options of the plan.
    Fresh(Start),
    /// Tables that the plan describes, for its options.
    Described(DescribedTables<W>),
    /// Sampled worlds of a game.
    Worlds(Box<SourceGame<W>>),
}

/// A game whose worlds are sampled.
pub(super) struct SourceGame<W: Wire> {
    pub(super) id: GameId,
    pub(super) options: W::Options,
    pub(super) version: Version,
    state: W::State,
    seat: Seat,
    /// The number of different worlds. 0 stands for one per game.
    worlds: u64,
    /// The events that the seat has seen since its last decision. Empty if the plan shows no numbers.
    seen: EventCounts,
}

/// A game at its starting point.
pub(super) struct StartedGame<W: Wire> {
    pub(super) state: W::State,
    pub(super) chance: Chance,
    pub(super) version: Version,
    /// The events up to the first decision.
    pub(super) events: Vec<W::Event>,
    /// The scene before these events.
    pub(super) scene: TextContext,
    /// The events that a seat has seen before, since its last decision: that of the seat whose world this is.
    pub(super) seen: Option<(Seat, EventCounts)>,
}

impl<W: Wire> StartMode<W> {
    /// Builds the game `number` at its starting point. `seed` is the seed of its random stream.
    ///
    /// # Errors
    /// If luck deals something that contradicts what a described table gives.
    pub(super) async fn start_game(
        &self,
        options: &W::Options,
        master: &Seed,
        (number, seed): (u64, &Seed),
    ) -> Result<StartedGame<W>, PositionFault> {
        Ok(match self {
            Self::Fresh(start) => play_opening::<W>(options, *start, seed).await,
            Self::Described(tables) => {
                let first = tables.first_version(options, (number, seed))?;
                on_described_table(first.state, first.chance)
            }
            Self::Worlds(origin) => {
                let state = origin.sample_world(master, number);
                StartedGame {
                    scene: W::text_context(&state).unwrap_or_default(),
                    state,
                    chance: Chance::from_seed(seed),
                    version: origin.version,
                    events: Vec::new(),
                    seen: Some((origin.seat, origin.seen.clone())),
                }
            }
        })
    }
}

/// Builds a game that starts at its set-up or later. Only the events of the set-up are reported, not those of a later
/// start.
async fn play_opening<W: Wire>(options: &W::Options, start: Start, seed: &Seed) -> StartedGame<W> {
    let mut opening = WarmStart::<W>::new(options, start, seed);
    let mut yielder = Yielder::new();
    while opening.step(options, seed) {
        yielder.yield_if_due().await;
    }
    let WarmStart {
        state,
        mut chance,
        events,
        ..
    } = opening;
    chance.release_buffers();
    let (events, scene) = match start {
        Start::SetUp => (events, TextContext::default()),
        Start::Rich | Start::Late => (Vec::new(), W::text_context(&state).unwrap_or_default()),
    };
    StartedGame {
        state,
        chance,
        version: 1,
        events,
        scene,
        seen: None,
    }
}

/// Builds a game that begins on a described table. Nothing has happened there yet.
fn on_described_table<W: Wire>(state: W::State, mut chance: Chance) -> StartedGame<W> {
    chance.release_buffers();
    StartedGame {
        scene: W::text_context(&state).unwrap_or_default(),
        state,
        chance,
        version: 1,
        events: Vec::new(),
        seen: None,
    }
}

/// Decodes the starting point that a plan names. `is_described` says whether the plan describes tables, which are then
/// the only ones.
pub(super) fn parse_start(requested: i32, is_described: bool) -> Result<Start, Malformed> {
    let start = match pb::SelfPlayStart::try_from(requested) {
        Ok(pb::SelfPlayStart::Unspecified) => return Ok(Start::SetUp),
        Ok(pb::SelfPlayStart::Position) if is_described => return Ok(Start::SetUp),
        Ok(pb::SelfPlayStart::Position) => return Err(Malformed::missing("plan.positions")),
        Ok(pb::SelfPlayStart::SetUp) => Start::SetUp,
        Ok(pb::SelfPlayStart::Rich) => Start::Rich,
        Ok(pb::SelfPlayStart::Late) => Start::Late,
        Err(_) => return Err(Malformed::new("plan.start", "is unknown")),
    };
    if is_described {
        let text = "is not SELF_PLAY_START_POSITION, but `positions` are given";
        return Err(Malformed::new("plan.start", text));
    }
    Ok(start)
}

impl<W: Wire> SourceGame<W> {
    /// Returns the permission that a caller needs to sample worlds of the game.
    pub(super) const fn permission(&self) -> Permission {
        Permission::View(Viewer::Seat(self.seat))
    }

    /// Samples the world in which a game is played.
    fn sample_world(&self, master: &Seed, game: u64) -> W::State {
        let index = game.saturating_sub(1);
        let world = index.checked_rem(self.worlds).unwrap_or(index);
        let mut chance = Chance::from_seed(&seed_of_world(master, world));
        W::sample_world(&self.state, self.seat, &mut chance)
    }
}

/// Derives the seed from which a world is sampled. The random streams of games are derived by other hashes.
fn seed_of_world(master: &Seed, world: u64) -> Seed {
    let hash = Sha256::new()
        .chain_update(master.as_bytes())
        .chain_update(b"world")
        .chain_update(world.to_le_bytes())
        .finalize();
    Seed::new(hash.into())
}

/// Encodes the full state, for programs that link the rules.
pub(super) fn full_world<W: Wire>(state: &W::State) -> pb::SelfPlayWorld {
    pb::SelfPlayWorld {
        ruleset: W::INFO.id.to_owned(),
        revision: W::INFO.revision,
        state: encode(state),
    }
}

impl<W: Wire> GameService<W> {
    /// Reads the game whose worlds a caller wants to sample, and checks that the caller may.
    pub(super) async fn load_source(
        &self,
        caller: &Caller,
        worlds: &pb::SelfPlayWorlds,
        shows_numbers: bool,
    ) -> Result<SourceGame<W>, ServiceError> {
        if worlds.game_id.is_empty() {
            return Err(Malformed::missing("plan.worlds.game_id").into());
        }
        let id = parse_id(&worlds.game_id)?;
        let seat = match parse_seat(worlds.seat, "plan.worlds.seat") {
            Ok(seat) => seat,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        let game = self.lock_current(caller, id).await?;
        ensure_seat_exists(caller, &game, seat, "plan.worlds.seat")?;
        authorize_read(caller, &game, Permission::View(Viewer::Seat(seat)))?;
        if game.is_over() || W::pending(&game.state).is_empty() {
            return Err(ServiceError::RefusedByTable(TableRefusal::GameOver));
        }
        let mut source = SourceGame {
            id,
            options: game.genesis.options.clone(),
            version: game.version,
            state: game.state.clone(),
            seat,
            worlds: worlds.worlds.into(),
            seen: EventCounts::default(),
        };
        if shows_numbers {
            source.seen = Box::pin(self.count_events(game)).await?.events_of(seat);
        }
        Ok(source)
    }
}
