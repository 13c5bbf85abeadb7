//! Workshop (DOM-7.25).

use crate::dominion::stage::{Destination, Frame, Gain};
use crate::dominion::state::Play;

const MAX_COST: u8 = 4;

/// A card is gained onto the discard pile.
///
/// # Rule DOM-7.25
pub fn resolve(play: &mut Play<'_>) {
    play.state.stack.push(Frame::Gain(Gain {
        max_cost: MAX_COST,
        treasure_only: false,
        destination: Destination::DiscardPile,
    }));
}
