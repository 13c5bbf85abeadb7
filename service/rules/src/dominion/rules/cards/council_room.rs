//! Council Room (DOM-7.6).

use crate::dominion::rules::procedures::Table;

/// # Rule DOM-7.6
/// Each opponent draws a card. No Attack: nobody is protected.
pub(crate) fn resolve(table: &mut Table<'_>) {
    for seat in table.state.opponents() {
        table.draw(seat, 1);
    }
}
