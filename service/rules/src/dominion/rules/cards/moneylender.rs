//! Moneylender (DOM-7.16).

use crate::dominion::data::{Card, MONEYLENDER_COINS};
use crate::dominion::rules::action_phase::report_counters;
use crate::dominion::rules::procedures::Table;

/// # Rule DOM-7.16
/// A Copper of the hand, if there is one, must be trashed and gives coins.
pub(crate) fn resolve(table: &mut Table<'_>) {
    let seat = table.active();
    if table.state.active().hand.has(Card::Copper) {
        table.trash_from_hand(seat, vec![Card::Copper]);
        table.state.turn.counters.coins += MONEYLENDER_COINS;
        report_counters(table, Card::Moneylender);
    }
}
