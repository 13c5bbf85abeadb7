//! The **holdings** of a seat: its countable resources.

use super::data::points;
use super::state::State;
use crate::table::{Holdings, Resource, Seat};

const CARD: usize = 0;
const POINT: usize = 1;

/// All countable resources.
pub const RESOURCES: &[Resource] = &[
    Resource::new("card", "card").without_cost_text(),
    Resource::new("point", "point"),
];

pub fn count(state: &State, seat: Seat, holdings: &mut Holdings) {
    let player = &state.players[seat];
    let cards = player.hand.len() - usize::from(player.bid.is_some());
    holdings.add(CARD, i32::try_from(cards).unwrap_or(i32::MAX));
    holdings.add(POINT, points(player.won));
    if wins_for_sure(state, seat) {
        holdings.add_expected(POINT, points(state.offered));
    }
}

/// Returns whether the seat has bid more than anybody else can, so that the prizes are certain.
fn wins_for_sure(state: &State, seat: Seat) -> bool {
    let bid = state.players[seat].bid;
    let mut others = seat.others(state.seats());
    bid.is_some() && others.all(|other| state.players[other].hand.iter().max() < bid)
}
