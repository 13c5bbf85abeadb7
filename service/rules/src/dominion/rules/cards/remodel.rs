//! Remodel (DOM-7.17).

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::refusal::No;
use crate::dominion::rules::common::held;
use crate::dominion::rules::procedures::trash_from_hand;
use crate::dominion::stage::{Destination, Frame, Gain};
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Seat, Visit};

/// The maximum difference between the cost of the gained card and that of the trashed one.
const STEP: u8 = 2;

pub fn candidates(state: &State, list: &mut Lister<'_, Action>) -> Visit {
    let mut hand = state.active().hand.iter();
    hand.try_for_each(|(card, _)| list.visit(Action::RemodelTrash { card: Some(card) }))
}

/// Checks that the card is in hand.
///
/// # Rule DOM-7.17
pub fn check(state: &State, seat: Seat, card: Named<Card>) -> Result<Card, No> {
    held(state, seat, card, "DOM-7.17")
}

/// Trashes the card; then a card is gained onto the discard pile.
///
/// # Rule DOM-7.17
pub fn perform(play: &mut Play<'_>, card: Card) {
    play.state.stack.pop();
    trash_from_hand(play, play.state.turn.active, vec![card]);
    play.state.stack.push(Frame::Gain(Gain {
        max_cost: card.cost() + STEP,
        treasure_only: false,
        destination: Destination::DiscardPile,
    }));
}
