//! Remodel (DOM-7.17).

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::pending::{Destination, Frame, Gain};
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::table::Visit;

/// The gained card may cost so much more than the trashed one.
const STEP: u8 = 2;

pub(crate) fn candidates(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    let mut hand = state.active().hand.iter();
    hand.try_for_each(|(card, _)| visit(Action::RemodelTrash { card: Some(card) }))
}

/// # Rule DOM-7.17
/// The card is trashed; then a card is gained onto the discard pile.
pub(crate) fn perform(table: &mut Table<'_>, card: Card) {
    table.state.stack.pop();
    table.trash_from_hand(table.active(), vec![card]);
    table.push(Frame::Gain(Gain {
        max_cost: card.cost() + STEP,
        treasure_only: false,
        destination: Destination::DiscardPile,
    }));
}
