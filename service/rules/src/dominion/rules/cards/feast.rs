//! Feast (DOM-7.7).

use crate::dominion::data::Card;
use crate::dominion::event::Zone;
use crate::dominion::pending::{Destination, Frame, Gain};
use crate::dominion::rules::procedures::Table;

const MAX_COST: u8 = 5;

/// # Rule DOM-7.7
/// The Feast goes from play to the trash, unless it is there already; then a card is gained. Every
/// Feast leaves play at once: one in play is this one.
pub(crate) fn resolve(table: &mut Table<'_>) {
    let in_play = &mut table.state.turn.in_play;
    if let Some(place) = in_play.iter().position(|&card| card == Card::Feast) {
        let card = in_play.remove(place);
        table.trash_taken(table.active(), Zone::InPlay, card);
    }
    table.push(Frame::Gain(Gain {
        max_cost: MAX_COST,
        treasure_only: false,
        destination: Destination::DiscardPile,
    }));
}
