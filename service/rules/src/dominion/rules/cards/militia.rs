//! Militia (DOM-7.13).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, MILITIA_HAND};
use crate::dominion::decision::Decision;
use crate::dominion::pending::{Frame, Immune, Queue};
use crate::dominion::refusal::Refusal;
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::dominion::subsets::subsets;
use crate::table::{Seat, Visit};

pub(crate) fn resolve(table: &mut Table<'_>, immune: &Immune) {
    table.push(Frame::Militia {
        queue: touched(table.state, immune),
        immune: immune.clone(),
    });
}

/// Asked is who holds more than three cards.
pub(crate) fn advance(table: &Table<'_>, mut queue: Queue, immune: Immune) -> Option<Frame> {
    while let Some(&seat) = queue.first() {
        if surplus(table.state, seat) > 0 {
            return Some(Frame::Militia { queue, immune });
        }
        queue.remove(0);
    }
    None
}

/// How many cards must go.
pub(crate) fn surplus(state: &State, seat: Seat) -> u16 {
    state.players[seat].hand.len().saturating_sub(MILITIA_HAND)
}

/// # Rule DOM-7.13
/// All cards are in hand, and exactly three stay.
pub(crate) fn check(state: &State, seat: Seat, cards: &[Card]) -> Result<(), Refusal> {
    let decision = Decision::MilitiaDiscard;
    state.in_hand(seat, cards, decision)?;
    let surplus = surplus(state, seat);
    if cards.len() == usize::from(surplus) {
        Ok(())
    } else {
        Err(Refusal::WrongNumberOfCards {
            count: cards.len(),
            least: surplus,
            most: surplus,
            decision,
        })
    }
}

pub(crate) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let surplus = surplus(state, seat);
    subsets(&state.players[seat].hand, surplus, surplus, &mut |cards| {
        visit(Action::MilitiaDiscard { cards })
    })
}

pub(crate) fn perform(table: &mut Table<'_>, cards: Vec<Card>) {
    if let Some(Frame::Militia { queue, .. }) = table.state.stack.last_mut()
        && let Some(seat) = queue.pop_at(0)
    {
        table.discard_from_hand(seat, cards);
    }
}
