//! Witch (DOM-7.23).

use crate::dominion::data::Card;
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::procedures::gain;
use crate::dominion::stage::{Destination, Immune};
use crate::dominion::state::Play;

/// Gives each opponent a Curse, clockwise, while there are any.
///
/// # Rule DOM-7.23
pub fn resolve(play: &mut Play<'_>, immune: &Immune) {
    for seat in touched(play.state, immune) {
        gain(play, seat, Card::Curse, Destination::DiscardPile);
    }
}
