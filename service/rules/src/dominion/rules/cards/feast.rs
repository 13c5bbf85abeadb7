//! Feast (DOM-7.7).

use crate::dominion::data::Card;
use crate::dominion::event::Zone;
use crate::dominion::rules::procedures::trash_taken;
use crate::dominion::stage::{Destination, Frame, Gain};
use crate::dominion::state::Play;

const MAX_COST: u8 = 5;

/// Moves the Feast from play to the trash, unless it is there already; then a card is gained. Every Feast leaves play
/// at once, so one in play is this one.
///
/// # Rule DOM-7.7
pub fn resolve(play: &mut Play<'_>) {
    let in_play = &mut play.state.turn.in_play;
    if let Some(place) = in_play.iter().position(|&card| card == Card::Feast) {
        let card = in_play.remove(place);
        trash_taken(play, play.state.turn.active, Zone::InPlay, card);
    }
    play.state.stack.push(Frame::Gain(Gain {
        max_cost: MAX_COST,
        treasure_only: false,
        destination: Destination::DiscardPile,
    }));
}
