//! Remodel (DOM-7.17).

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::refusal::RefusedAction;
use crate::dominion::rules::common::require_in_hand;
use crate::dominion::rules::procedures::trash_from_hand;
use crate::dominion::stage::{Destination, EffectFrame, Gain};
use crate::dominion::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Seat, VisitFlow};

/// The maximum difference between the cost of the gained card and that of the trashed one.
const STEP: u8 = 2;

pub fn candidates(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let mut hand = state.active().hand.iter();
    hand.try_for_each(|(card, _)| list.visit(Action::RemodelTrash { card: Some(card) }))
}

/// Checks that the card is in hand.
///
/// # Rule DOM-7.17
pub fn check(state: &State, seat: Seat, card: MaybeKnown<Card>) -> Result<Card, RefusedAction> {
    require_in_hand(state, seat, card, "DOM-7.17")
}

/// Returns the gain that Remodel gives for this card.
///
/// # Rule DOM-7.17
pub const fn gain_for(trashed: Card) -> Gain {
    Gain {
        max_cost: trashed.cost() + STEP,
        treasure_only: false,
        destination: Destination::DiscardPile,
    }
}

/// Trashes the card; then a card is gained onto the discard pile.
///
/// # Rule DOM-7.17
pub fn execute(ctx: &mut ExecContext<'_>, card: Card) {
    ctx.state.stack.pop();
    trash_from_hand(ctx, ctx.state.turn.active, vec![card]);
    ctx.state.stack.push(EffectFrame::Gain(gain_for(card)));
}
