//! Workshop (DOM-7.25).

use crate::dominion::pending::{Destination, Frame, Gain};
use crate::dominion::rules::procedures::Table;

const MAX_COST: u8 = 4;

/// # Rule DOM-7.25
/// A card is gained onto the discard pile.
pub(crate) fn resolve(table: &mut Table<'_>) {
    table.push(Frame::Gain(Gain {
        max_cost: MAX_COST,
        treasure_only: false,
        destination: Destination::DiscardPile,
    }));
}
