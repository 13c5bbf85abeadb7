//! Alternative starts: games that begin on another table than the set-up gives, for training, soak tests, and tests of
//! other programs. The same options, start and seed give the same table.

use sha2::{Digest, Sha256};

use crate::ruleset::{Ruleset, create, play, visit_legal};
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

/// A random game is cut off after this many actions.
const LONG: u32 = 400;

/// The maximum number of actions from which a random one is chosen.
const MAX_CHOICES: usize = 1_000;

/// A game being played to its start.
#[derive(Debug)]
pub struct Opening<R: Ruleset> {
    /// The table.
    pub state: R::State,
    /// The luck of the game.
    pub chance: Chance,
    /// The events of the set-up.
    pub events: Vec<R::Event>,
    /// Chooses the random actions.
    player: Chance,
    aim: Aim,
}

/// The remaining work.
#[derive(Clone, Copy, Debug)]
enum Aim {
    Nothing,
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

impl<R: Ruleset> Opening<R> {
    /// Creates a game at its set-up, with the work that its start requires.
    #[must_use]
    pub fn new(options: &R::Options, start: Start, seed: &Seed) -> Self {
        let aim = match start {
            Start::SetUp => Aim::Nothing,
            Start::Rich => Aim::Enrich,
            Start::Late => Aim::Measure { played: 0 },
        };
        Self::aiming(options, seed, aim)
    }

    fn aiming(options: &R::Options, seed: &Seed, aim: Aim) -> Self {
        let begun = create::<R>(options, Chance::from_seed(seed));
        let of_player = Sha256::new()
            .chain_update(seed.as_bytes())
            .chain_update(b"start");
        Self {
            state: begun.state,
            chance: begun.chance,
            events: begun.events,
            player: Chance::from_seed(&Seed::new(of_player.finalize().into())),
            aim,
        }
    }

    /// Does a part of the work, at most one action. Returns false when the game can begin.
    pub fn step(&mut self, options: &R::Options, seed: &Seed) -> bool {
        match &mut self.aim {
            Aim::Nothing | Aim::Play { left: 0 } => return false,
            Aim::Enrich => {
                if R::enrich(&mut self.state) {
                    self.aim = Aim::Nothing;
                    return true;
                }
            }
            Aim::Play { left } => *left -= 1,
            Aim::Measure { played } => {
                if *played == LONG || R::pending(&self.state).is_empty() {
                    let left = *played * 3 / 4;
                    *self = Self::aiming(options, seed, Aim::Play { left });
                    return true;
                }
                *played += 1;
            }
        }
        self.act();
        true
    }

    /// Plays a random action of the first seat that owes a decision.
    fn act(&mut self) {
        let Some(owed) = R::pending(&self.state).first().copied() else {
            return;
        };
        let mut legal = Vec::new();
        let _enough = visit_legal::<R>(&self.state, owed.seat, Detail::Moves, &mut |action| {
            legal.push(action);
            if legal.len() < MAX_CHOICES {
                std::ops::ControlFlow::Continue(())
            } else {
                std::ops::ControlFlow::Break(())
            }
        });
        let places: Vec<u16> = (0..).take(legal.len()).collect();
        let place = self.player.pick("start", None, &places);
        if let Some(action) = place.and_then(|place| legal.get(usize::from(place))) {
            // Listed actions are legal.
            let _played = play::<R>(&mut self.state, &mut self.chance, owed.seat, action);
        }
        drop((self.player.take_record(), self.chance.take_record()));
    }
}

/// Plays a game to its start.
#[must_use]
pub fn open<R: Ruleset>(options: &R::Options, start: Start, seed: &Seed) -> Opening<R> {
    let mut opening = Opening::<R>::new(options, start, seed);
    while opening.step(options, seed) {}
    opening
}
