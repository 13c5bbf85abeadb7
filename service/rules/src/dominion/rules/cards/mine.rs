//! Mine (DOM-7.14).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::refusal::{No, Refusal};
use crate::dominion::rules::common::{held, nothing};
use crate::dominion::rules::procedures::{chose_nothing, trash_from_hand};
use crate::dominion::stage::{Destination, Frame, Gain};
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit};

/// The maximum difference between the cost of the gained Treasure and that of the trashed one.
const STEP: u8 = 3;

pub fn candidates(state: &State, list: &mut Lister<'_, Action>) -> Visit {
    let treasures = state.active().hand.of_type(CardType::Treasure);
    if treasures.is_empty() {
        return list.visit(Action::MineTrash { card: None });
    }
    treasures.iter().try_for_each(|(card, _)| {
        list.visit(Action::MineTrash {
            card: Some(Some(card)),
        })
    })
}

/// Checks that the card is in hand and a Treasure. To name none is legal only without a Treasure in hand.
///
/// # Rule DOM-7.14
pub fn check(state: &State, seat: Seat, card: Option<Named<Card>>) -> Result<Option<Card>, No> {
    match card {
        Some(card) => treasure(state, seat, card).map(Some),
        None => nothing(state, seat, CardType::Treasure),
    }
}

fn treasure(state: &State, seat: Seat, card: Named<Card>) -> Result<Card, No> {
    let card = held(state, seat, card, "DOM-7.14")?;
    if card.is(CardType::Treasure) {
        Ok(card)
    } else {
        Err(Refusal::NotATreasure { card }.at("DOM-7.14"))
    }
}

/// The Treasure is trashed; then a Treasure is gained into the hand.
pub fn perform(play: &mut Play<'_>, card: Option<Card>) {
    play.state.stack.pop();
    let Some(card) = card else {
        return chose_nothing(play, Card::Mine);
    };
    trash_from_hand(play, play.state.turn.active, vec![card]);
    play.state.stack.push(Frame::Gain(Gain {
        max_cost: card.cost() + STEP,
        treasure_only: true,
        destination: Destination::Hand,
    }));
}
