//! Mine (DOM-7.14).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::refusal::{Refusal, RefusedAction};
use crate::dominion::rules::common::{nothing, require_in_hand};
use crate::dominion::rules::procedures::{chose_nothing, trash_from_hand};
use crate::dominion::stage::{Destination, EffectFrame, Gain};
use crate::dominion::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// The maximum difference between the cost of the gained Treasure and that of the trashed one.
const STEP: u8 = 3;

pub fn candidates(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
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
pub fn check(
    state: &State,
    seat: Seat,
    card: Option<MaybeKnown<Card>>,
) -> Result<Option<Card>, RefusedAction> {
    match card {
        Some(card) => treasure(state, seat, card).map(Some),
        None => nothing(state, seat, CardType::Treasure),
    }
}

fn treasure(state: &State, seat: Seat, card: MaybeKnown<Card>) -> Result<Card, RefusedAction> {
    let card = require_in_hand(state, seat, card, "DOM-7.14")?;
    if card.is(CardType::Treasure) {
        Ok(card)
    } else {
        Err(Refusal::NotATreasure { card }.citing("DOM-7.14"))
    }
}

/// Returns the gain that Mine gives for this Treasure.
///
/// # Rule DOM-7.14
pub const fn gain_for(trashed: Card) -> Gain {
    Gain {
        max_cost: trashed.cost() + STEP,
        treasure_only: true,
        destination: Destination::Hand,
    }
}

/// The Treasure is trashed; then a Treasure is gained into the hand.
pub fn execute(ctx: &mut ExecContext<'_>, card: Option<Card>) {
    ctx.state.stack.pop();
    let Some(card) = card else {
        return chose_nothing(ctx, Card::Mine);
    };
    trash_from_hand(ctx, ctx.state.turn.active, vec![card]);
    ctx.state.stack.push(EffectFrame::Gain(gain_for(card)));
}
