//! Witch (DOM-7.23).

use crate::dominion::data::Card;
use crate::dominion::pending::{Destination, Immune};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::procedures::Table;

/// # Rule DOM-7.23
/// Each opponent gains a Curse, clockwise, while there are any.
pub(crate) fn resolve(table: &mut Table<'_>, immune: &Immune) {
    for seat in touched(table.state, immune) {
        table.gain(seat, Card::Curse, Destination::DiscardPile);
    }
}
