//! **Determinization**: samples worlds that a seat may be in (GOO-13). Draws everything anew that its view hides.
//!
//! Hidden are the order of the prizes to come, which comes from a shuffled suit, so that every order is equally likely
//! (GOO-14.1), and the bids of the others. A bid is not luck at all; every card in hand is equally likely.

use super::data::Card;
use super::state::State;
use crate::table::{Chance, Seat};

/// Samples a table that this seat cannot tell from the real one.
pub fn sample_world(state: &State, seat: Seat, chance: &mut Chance) -> State {
    let mut world = state.clone();
    let mut to_come: Vec<Card> = state.to_come().iter().collect();
    chance.shuffle("world", None, &mut to_come);
    world.order.truncate(state.turn.into());
    world.order.extend(to_come);
    for other in seat.others(state.seats()) {
        let player = &mut world.players[other];
        if player.bid.is_some() {
            let hand: Vec<Card> = player.hand.iter().collect();
            player.bid = chance.pick("world", Some(other), &hand);
        }
    }
    drop(chance.take_record());
    world
}
