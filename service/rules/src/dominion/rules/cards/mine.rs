//! Mine (DOM-7.14).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::decision::Decision;
use crate::dominion::pending::{Destination, Frame, Gain};
use crate::dominion::refusal::Refusal;
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::table::{Seat, Visit};

/// The gained Treasure may cost so much more than the trashed one.
const STEP: u8 = 3;

/// Asked with a Treasure in hand; under strict secrecy with any hand (DOM-14.2).
pub(crate) fn advance(table: &Table<'_>) -> Option<Frame> {
    let hand = &table.state.active().hand;
    let secret = table.state.options.strict_secrecy && !hand.is_empty();
    (hand.has_type(CardType::Treasure) || secret).then_some(Frame::MineTrash)
}

/// # Rule DOM-7.14
/// The card is in hand and a Treasure. No card: only without a Treasure in hand.
pub(crate) fn check(state: &State, seat: Seat, card: Option<Card>) -> Result<(), Refusal> {
    let decision = Decision::MineTrash;
    let Some(card) = card else {
        let may_choose = state.players[seat].hand.has_type(CardType::Treasure);
        return if may_choose {
            Err(Refusal::UnknownCard)
        } else {
            Ok(())
        };
    };
    state.in_hand(seat, &[card], decision)?;
    if card.is(CardType::Treasure) {
        Ok(())
    } else {
        Err(Refusal::NotATreasure { card, decision })
    }
}

pub(crate) fn candidates(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    let treasures = state.active().hand.of_type(CardType::Treasure);
    if treasures.is_empty() {
        return visit(Action::MineTrash { card: None });
    }
    treasures.iter().try_for_each(|(card, _)| {
        visit(Action::MineTrash {
            card: Some(Some(card)),
        })
    })
}

/// The Treasure is trashed; then a Treasure is gained into the hand.
pub(crate) fn perform(table: &mut Table<'_>, card: Option<Card>) {
    table.state.stack.pop();
    let Some(card) = card else {
        return table.chose_nothing(Card::Mine);
    };
    table.trash_from_hand(table.active(), vec![card]);
    table.push(Frame::Gain(Gain {
        max_cost: card.cost() + STEP,
        treasure_only: true,
        destination: Destination::Hand,
    }));
}
