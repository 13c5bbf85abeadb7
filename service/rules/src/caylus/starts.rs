//! A rich start: every player has more cubes and deniers.

use super::data::{Cubes, Goods, Resource};
use super::state::State;

/// More cubes of each kind.
const CUBES: u16 = 12;

/// Gives every player more cubes and deniers.
pub fn enrich(state: &mut State) -> bool {
    give(state, CUBES);
    true
}

/// Gives everybody `each` cubes of each kind, and twice as many deniers.
pub fn give(state: &mut State, each: u16) {
    let cubes = Resource::ALL
        .into_iter()
        .fold(Cubes::NONE, |cubes, resource| cubes.and(each, resource));
    for player in state.players.iter_mut() {
        player.gain(Goods {
            deniers: 2 * each,
            cubes,
            vp: 0,
        });
    }
}
