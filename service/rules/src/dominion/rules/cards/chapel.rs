//! Chapel (DOM-7.5).

use crate::dominion::action::Action;
use crate::dominion::data::{CHAPEL_CARDS, Card};
use crate::dominion::decision::Decision;
use crate::dominion::refusal::Refusal;
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::dominion::subsets::subsets;
use crate::table::{Seat, Visit};

/// # Rule DOM-7.5
/// At most four cards, all in hand.
pub(crate) fn check(state: &State, seat: Seat, cards: &[Card]) -> Result<(), Refusal> {
    let decision = Decision::ChapelTrash;
    if cards.len() > usize::from(CHAPEL_CARDS) {
        return Err(Refusal::WrongNumberOfCards {
            count: cards.len(),
            least: 0,
            most: CHAPEL_CARDS,
            decision,
        });
    }
    state.in_hand(seat, cards, decision)
}

pub(crate) fn candidates(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    subsets(&state.active().hand, 0, CHAPEL_CARDS, &mut |cards| {
        visit(Action::ChapelTrash { cards })
    })
}

pub(crate) fn perform(table: &mut Table<'_>, cards: Vec<Card>) {
    table.state.stack.pop();
    table.trash_from_hand(table.active(), cards);
}
