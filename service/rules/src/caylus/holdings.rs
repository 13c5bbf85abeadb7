//! The **holdings** of a seat: its countable resources.

use super::data::{Resource as Cube, TRADING_POST_DENIERS, Tile};
use super::state::State;
use crate::table::{Holdings, Resource, Seat};

const DENIER: usize = 0;
const WORKER: usize = 1;
const CUBES: usize = 2;
const FAVOR: usize = CUBES + Cube::COUNT;
const PRESTIGE: usize = FAVOR + 1;

/// All countable resources; cubes in their order.
pub const RESOURCES: &[Resource] = &[
    Resource::new("denier", "denier"),
    Resource::new("worker", "worker").without_text(),
    Resource::mass("food", "food"),
    Resource::mass("wood", "wood"),
    Resource::mass("stone", "stone"),
    Resource::mass("cloth", "cloth"),
    Resource::mass("gold", "gold"),
    Resource::new("favor", "royal favor").without_cost_text(),
    Resource::mass("prestige_point", "VP"),
];

pub fn count(state: &State, seat: Seat, holdings: &mut Holdings) {
    let player = &state.players[seat];
    holdings.add(DENIER, player.deniers);
    holdings.add(WORKER, player.workers);
    for cube in Cube::ALL {
        holdings.add(CUBES + cube.index(), player.cubes.count(cube));
    }
    if let Some(favors) = state.pending_favors.filter(|favors| favors.seat == seat) {
        holdings.add(FAVOR, favors.count);
    }
    holdings.add(PRESTIGE, player.vp);
    // The trading post pays its worker, and a paid residence waits only for a worker to leave.
    if state.special.trading_post == Some(seat) {
        holdings.add_expected(DENIER, TRADING_POST_DENIERS);
    }
    let waiting = state.road.lots();
    let waiting = waiting.filter(|(_, lot)| lot.pending_transform == Some(seat));
    for _ in waiting {
        holdings.add_expected(PRESTIGE, Tile::Residence.sheet().vp);
    }
}
