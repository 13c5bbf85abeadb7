//! Alternative starts: games that begin on another table than the set-up gives, for people who want the middle of a
//! game, for training, soak tests, and tests of other programs. The same options, start and seed give the same table.

use sha2::{Digest, Sha256};

use crate::ruleset::{Applied, Ruleset, apply_in_place, create, visit_legal};
use crate::table::{Chance, Detail, Seed};

/// The point at which a game begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// At the set-up.
    #[default]
    SetUp,
    /// At the set-up, but every player has much more than the rules give them: by [`Ruleset::enrich`], called again
    /// after a random action until the table is ready for it.
    Rich,
    /// Late in the game: after three quarters of a random game, or of its first 400 actions.
    Late,
}

/// A table other than the set-up on which a stored game begins: the same point gives the same table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartPoint {
    /// The kind of table.
    pub start: Start,
    /// The seed from which it is made, see [`start_seed`].
    pub seed: Seed,
}

impl StartPoint {
    /// Returns the point at which a game of this seed begins. Returns `None` if it begins at the set-up.
    #[must_use]
    pub fn of_game(start: Start, seed: &Seed) -> Option<Self> {
        (start != Start::SetUp).then(|| Self {
            start,
            seed: start_seed(seed),
        })
    }
}

impl Start {
    /// Returns a sentence on how the game begins; empty for the set-up, which has events of its own.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::SetUp => "",
            Self::Rich => "The game begins with much more for every player than the rules give.",
            Self::Late => "The game begins late, on the table of a game played at random.",
        }
    }
}

/// Returns the seed of the table on which a stored game begins, which follows from the seed of the game. The game's own
/// luck begins after that table, at the first word of its stream: no word is used twice, and the seed of the table
/// tells nothing about the seed of the game.
#[must_use]
pub fn start_seed(game: &Seed) -> Seed {
    let hash = Sha256::new()
        .chain_update(game.as_bytes())
        .chain_update(b"position");
    Seed::new(hash.finalize().into())
}

/// A random game is cut off after this many actions.
const MAX_RANDOM_ACTIONS: u32 = 400;

/// The maximum number of actions from which a random one is chosen.
const MAX_CHOICES: usize = 1_000;

/// A game being played to its start.
#[derive(Debug)]
pub struct WarmStart<R: Ruleset> {
    /// The table.
    pub state: R::State,
    /// The luck of the game.
    pub chance: Chance,
    /// The events of the set-up.
    pub events: Vec<R::Event>,
    /// Chooses the random actions.
    player: Chance,
    remaining: Remaining,
}

/// The remaining work.
#[derive(Clone, Copy, Debug)]
enum Remaining {
    Ready,
    Enrich,
    /// Measure the length of a random game.
    Measure {
        played: u32,
    },
    /// Replay the same game, up to this action.
    Play {
        left: u32,
    },
}

impl<R: Ruleset> WarmStart<R> {
    /// Creates a game at its set-up, with the work that its start requires.
    #[must_use]
    pub fn new(options: &R::Options, start: Start, seed: &Seed) -> Self {
        let remaining = match start {
            Start::SetUp => Remaining::Ready,
            Start::Rich => Remaining::Enrich,
            Start::Late => Remaining::Measure { played: 0 },
        };
        Self::with_remaining(options, seed, remaining)
    }

    fn with_remaining(options: &R::Options, seed: &Seed, remaining: Remaining) -> Self {
        let created = create::<R>(options, Chance::from_seed(seed));
        let player_seed = Sha256::new()
            .chain_update(seed.as_bytes())
            .chain_update(b"start");
        Self {
            state: created.state,
            chance: created.chance,
            events: created.events,
            player: Chance::from_seed(&Seed::new(player_seed.finalize().into())),
            remaining,
        }
    }

    /// Does a part of the work, at most one action. Returns false when the game can begin.
    pub fn step(&mut self, options: &R::Options, seed: &Seed) -> bool {
        match &mut self.remaining {
            Remaining::Ready | Remaining::Play { left: 0 } => return false,
            Remaining::Enrich => {
                if R::enrich(&mut self.state) {
                    self.remaining = Remaining::Ready;
                    return true;
                }
            }
            Remaining::Play { left } => *left -= 1,
            Remaining::Measure { played } => {
                if *played == MAX_RANDOM_ACTIONS || R::pending(&self.state).is_empty() {
                    let left = *played * 3 / 4;
                    *self = Self::with_remaining(options, seed, Remaining::Play { left });
                    return true;
                }
                *played += 1;
            }
        }
        self.play_random_action();
        true
    }

    /// Turns the table into the first version of a game with this luck. It has neither events nor draws: the game begins
    /// on the table, whatever has led to it.
    #[must_use]
    pub fn into_first_version(self, chance: Chance) -> Applied<R> {
        Applied {
            state: self.state,
            chance,
            events: Vec::new(),
            automatic: Vec::new(),
            draws: Vec::new(),
        }
    }

    /// Plays a random action of the first seat that owes a decision.
    fn play_random_action(&mut self) {
        let Some(pending) = R::pending(&self.state).first().copied() else {
            return;
        };
        let mut legal = Vec::new();
        let _enough = visit_legal::<R>(&self.state, pending.seat, Detail::Moves, &mut |action| {
            legal.push(action);
            if legal.len() < MAX_CHOICES {
                std::ops::ControlFlow::Continue(())
            } else {
                std::ops::ControlFlow::Break(())
            }
        });
        let indexes: Vec<u16> = (0..).take(legal.len()).collect();
        let index = self.player.pick("start", None, &indexes);
        if let Some(action) = index.and_then(|index| legal.get(usize::from(index))) {
            // Listed actions are legal.
            let _played =
                apply_in_place::<R>(&mut self.state, &mut self.chance, pending.seat, action);
        }
        drop((self.player.take_record(), self.chance.take_record()));
    }
}

/// Plays a game to its start.
#[must_use]
pub fn warm_start<R: Ruleset>(options: &R::Options, start: Start, seed: &Seed) -> WarmStart<R> {
    let mut game = WarmStart::<R>::new(options, start, seed);
    while game.step(options, seed) {}
    game
}
