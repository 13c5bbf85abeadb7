//! A random policy that finishes games: it builds, is a patron, fights wars that it can win, ends them, and ends the
//! game as soon as it may. One move in seven is any legal one.

use crate::mythotopia::action::Action;
use crate::mythotopia::heuristics::eagerness;
use crate::mythotopia::state::State;
use crate::table::{Chance, Seat};

const ANY_MOVE: u8 = 7;

pub fn choose(state: &State, seat: Seat, legal: &[Action], chance: &mut Chance) -> usize {
    let random = chance.roll("policy", None, ANY_MOVE, 1) == [1];
    let noise = chance.roll("policy", None, 100, legal.len());
    let worth = |(place, action): (usize, &Action)| {
        let noise = 50 + u32::from(noise[place]);
        let worth = if random {
            1
        } else {
            eagerness(state, seat, action)
        };
        (worth * noise, place)
    };
    let best = legal.iter().enumerate().map(worth).max();
    drop(chance.take_record());
    best.map_or(0, |(_, place)| place)
}
