//! Cellar (DOM-7.3).

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::dominion::subsets::subsets;
use crate::table::Visit;

pub(crate) fn candidates(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    let hand = &state.active().hand;
    subsets(hand, 0, hand.len(), &mut |cards| {
        visit(Action::CellarDiscard { cards })
    })
}

/// # Rule DOM-7.3
/// The cards are discarded at once, then as many are drawn; a refill shuffles them in.
pub(crate) fn perform(table: &mut Table<'_>, cards: Vec<Card>) {
    table.state.stack.pop();
    let seat = table.active();
    let count = table.discard_from_hand(seat, cards);
    table.draw(seat, count);
}
