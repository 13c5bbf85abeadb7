//! Council Room (DOM-7.6).

use crate::dominion::rules::procedures::draw;
use crate::dominion::state::Play;

/// Lets each opponent draw a card. Council Room is no Attack, so nobody is protected.
///
/// # Rule DOM-7.6
pub fn resolve(play: &mut Play<'_>) {
    for seat in play.state.opponents() {
        draw(play, seat, 1);
    }
}
