//! Bots: how a program chooses among legal actions.
//!
//! A bot never sees the real table. It gets worlds: tables that are consistent with what its seat knows, drawn with
//! the probabilities of the rules (**determinization**). Its own luck is a separate [`Chance`], so the same seed gives
//! the same choices. At every table the luck of a choice follows from the seed of the game, the seat and the version.
//!
//! * `random` and `kinds` know nothing of the game;
//! * `greedy` plays the action with the highest immediate value for its seat;
//! * `search` tries the most promising actions in many worlds, plays on in each, and compares;
//! * the levels `easy`, `medium` and `strong` are `search` with less or more of it, measured for people;
//! * strategies are published ways to play one ruleset, known by name.

#[cfg(feature = "conformance")]
mod bot_match;
mod glance;
mod heuristics;
mod level;
mod playout;
mod policy;
mod search;

// Hidden parts are public for the tests in `src/tests` (tests/circles.py).
#[cfg(feature = "conformance")]
pub use bot_match::BotMatch;
#[doc(hidden)]
pub use glance::immediate_state;
pub(crate) use heuristics::expected_value_after;
#[doc(hidden)]
pub use heuristics::state_after;
pub use heuristics::{Heuristics, Strategy};
pub use level::{Effort, Level};
pub use policy::{NoPolicy, Policy, choice_luck, rate};
pub use search::{Budget, Rating, WorldSampler};

use std::ops::ControlFlow;

use crate::ruleset::{Ruleset, visit_legal_from};
use crate::table::{ActionCursor, Chance, Detail, Seat, Seed, Wanted};

/// The maximum number of actions that a bot considers. Longer lists are cut off.
pub const MAX_ACTIONS: usize = 1_000;

/// Lists the legal actions of a seat that a bot considers.
#[must_use]
pub fn legal<R: Ruleset>(state: &R::State, seat: Seat) -> Vec<R::Action> {
    legal_of::<R>(state, seat, &[])
}

/// Lists the legal actions of these kinds that a bot considers; of all kinds if `kinds` is empty.
fn legal_of<R: Ruleset>(state: &R::State, seat: Seat, kinds: &[&str]) -> Vec<R::Action> {
    let mut actions = Vec::new();
    let detail = Detail::Moves;
    let (wanted, from) = (Wanted { detail, kinds }, ActionCursor::default());
    let _cut = visit_legal_from::<R>(state, seat, wanted, (from, u32::MAX), &mut |action| {
        actions.push(action);
        if actions.len() == MAX_ACTIONS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    actions
}

/// Returns a random index below `count`, each equally likely.
fn uniform_index(count: usize, chance: &mut Chance) -> usize {
    let bound = u32::try_from(count).unwrap_or(u32::MAX);
    usize::try_from(chance.uniform(bound)).unwrap_or(0)
}

/// Draws a seed for a separate stream of luck.
#[doc(hidden)]
pub fn seed(chance: &mut Chance) -> Seed {
    let mut bytes = [0; 32];
    for part in bytes.chunks_exact_mut(2) {
        let word = u16::try_from(chance.uniform(1 << 16)).unwrap_or(0);
        part.copy_from_slice(&word.to_le_bytes());
    }
    Seed::new(bytes)
}

/// Returns the index of the greatest value; among equals, each is equally likely.
#[doc(hidden)]
pub fn best(values: impl IntoIterator<Item = i32>, chance: &mut Chance) -> Option<usize> {
    let (mut best, mut equals) = (None, 0);
    for (index, value) in values.into_iter().enumerate() {
        match best {
            Some((_, most)) if value < most => {}
            Some((_, most)) if value == most => {
                equals += 1;
                if uniform_index(equals, chance) == 0 {
                    best = Some((index, value));
                }
            }
            Some(_) | None => {
                (best, equals) = (Some((index, value)), 1);
            }
        }
    }
    best.map(|(index, _)| index)
}
