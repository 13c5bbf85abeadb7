//! A rich start: everybody has more cubes and deniers.

use super::data::{Cubes, Goods, Resource};
use super::state::State;

/// More cubes of each kind.
const CUBES: u16 = 12;

/// Gives everybody cubes, and twice as many deniers.
pub(crate) fn enrich(state: &mut State) -> bool {
    let cubes = Resource::ALL
        .into_iter()
        .fold(Cubes::NONE, |cubes, resource| cubes.and(CUBES, resource));
    for player in state.players.iter_mut() {
        player.gain(Goods {
            deniers: 2 * CUBES,
            cubes,
            vp: 0,
        });
    }
    true
}
