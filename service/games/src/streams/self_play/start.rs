//! The starting points of self-play games: the set-up, a later position, or sampled worlds of a stored game
//! (**determinization**).
//!
//! The true state of that game never leaves the server. A world is sampled from it with a random stream from the seed
//! of the plan, and contains nothing that the seat cannot know.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_rules::life::No;
use gamekeeper_rules::starts::{Opening, Start};
use gamekeeper_rules::table::{Chance, Scene, Seat, Seed, Viewer, encode};
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::{Malformed, Wire};
use sha2::{Digest, Sha256};

use crate::heart::access::{Caller, Wish};
use crate::heart::games::Games;
use crate::heart::permissions::may_read;
use crate::heart::problem::Problem;
use crate::heart::requests::parse_id;
use crate::heart::seats::{check_seat, seat};
use crate::heart::yielding::Yielder;

/// The starting point of the games.
pub(super) enum Begin<W: Wire> {
    /// The set-up or a later position, with the options of the plan.
    At(Start),
    /// Sampled worlds of a game.
    Worlds(Box<Origin<W>>),
}

/// A game whose worlds are sampled.
pub(super) struct Origin<W: Wire> {
    pub(super) id: GameId,
    pub(super) options: W::Options,
    pub(super) version: Version,
    state: W::State,
    seat: Seat,
    /// The number of different worlds. 0 stands for one per game.
    worlds: u64,
}

/// A game at its starting point.
pub(super) struct Begun<W: Wire> {
    pub(super) state: W::State,
    pub(super) chance: Chance,
    pub(super) version: Version,
    /// The events up to the first decision.
    pub(super) events: Vec<W::Event>,
    /// The scene before these events.
    pub(super) scene: Scene,
}

impl<W: Wire> Begin<W> {
    /// Builds the game `number` at its starting point. `seed` is the seed of its random stream.
    pub(super) async fn game(
        &self,
        options: &W::Options,
        master: &Seed,
        (number, seed): (u64, &Seed),
    ) -> Begun<W> {
        match self {
            Self::At(start) => opened::<W>(options, *start, seed).await,
            Self::Worlds(origin) => {
                let state = origin.world(master, number);
                Begun {
                    scene: W::scene(&state).unwrap_or_default(),
                    state,
                    chance: Chance::from_seed(seed),
                    version: origin.version,
                    events: Vec::new(),
                }
            }
        }
    }
}

/// Builds a game that starts at its set-up or later. Only the events of the set-up are reported, not those of a later
/// start.
async fn opened<W: Wire>(options: &W::Options, start: Start, seed: &Seed) -> Begun<W> {
    let mut opening = Opening::<W>::new(options, start, seed);
    let mut yielder = Yielder::new();
    while opening.step(options, seed) {
        yielder.yield_if_due().await;
    }
    let Opening {
        state,
        mut chance,
        events,
        ..
    } = opening;
    chance.rest();
    let (events, scene) = match start {
        Start::SetUp => (events, Scene::default()),
        Start::Rich | Start::Late => (Vec::new(), W::scene(&state).unwrap_or_default()),
    };
    Begun {
        state,
        chance,
        version: 1,
        events,
        scene,
    }
}

/// Decodes the starting point that a plan names.
pub(super) fn start(asked: i32) -> Result<Start, Malformed> {
    match pb::SelfPlayStart::try_from(asked) {
        Ok(pb::SelfPlayStart::Unspecified | pb::SelfPlayStart::SetUp) => Ok(Start::SetUp),
        Ok(pb::SelfPlayStart::Rich) => Ok(Start::Rich),
        Ok(pb::SelfPlayStart::Late) => Ok(Start::Late),
        Err(_) => Err(Malformed::new("plan.start", "is unknown")),
    }
}

impl<W: Wire> Origin<W> {
    /// Returns the permission that a caller needs to sample worlds of the game.
    pub(super) const fn wish(&self) -> Wish {
        Wish::Look(Viewer::Seat(self.seat))
    }

    /// Samples the world in which a game is played.
    fn world(&self, master: &Seed, game: u64) -> W::State {
        let place = game.saturating_sub(1);
        let world = place.checked_rem(self.worlds).unwrap_or(place);
        let mut chance = Chance::from_seed(&seed_of_world(master, world));
        W::sample(&self.state, self.seat, &mut chance)
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
pub(super) fn whole<W: Wire>(state: &W::State) -> pb::SelfPlayWorld {
    pb::SelfPlayWorld {
        ruleset: W::SHEET.id.to_owned(),
        revision: W::SHEET.revision,
        state: encode(state),
    }
}

impl<W: Wire> Games<W> {
    /// Reads the game whose worlds a caller wants to sample, and checks that the caller may.
    pub(super) async fn origin(
        &self,
        caller: &Caller,
        worlds: &pb::SelfPlayWorlds,
    ) -> Result<Origin<W>, Problem> {
        if worlds.game_id.is_empty() {
            return Err(Malformed::missing("plan.worlds.game_id").into());
        }
        let id = parse_id(&worlds.game_id)?;
        let seat = match seat(worlds.seat, "plan.worlds.seat") {
            Ok(seat) => seat,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        let game = self.open_fresh(caller, id).await?;
        check_seat(caller, &game, seat, "plan.worlds.seat")?;
        may_read(caller, &game, Wish::Look(Viewer::Seat(seat)))?;
        if game.is_over() || W::pending(&game.state).is_empty() {
            return Err(Problem::Table(No::GameOver));
        }
        Ok(Origin {
            id,
            options: game.birth.options.clone(),
            version: game.version,
            state: game.state.clone(),
            seat,
            worlds: worlds.worlds.into(),
        })
    }
}
