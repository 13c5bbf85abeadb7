//! Throne Room (DOM-7.21).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::refusal::RefusedAction;
use crate::dominion::rules::common::nothing;
use crate::dominion::rules::play_card::{action_card, lay_out, play_card};
use crate::dominion::rules::procedures::chose_nothing;
use crate::dominion::stage::{EffectFrame, Playing};
use crate::dominion::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Seat, VisitFlow};

pub fn candidates(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let actions = state.active().hand.of_type(CardType::Action);
    if actions.is_empty() {
        return list.visit(Action::ThroneRoomChoose { card: None });
    }
    actions.iter().try_for_each(|(card, _)| {
        list.visit(Action::ThroneRoomChoose {
            card: Some(Some(card)),
        })
    })
}

/// Checks that the card is in hand and an Action card. To name none is legal only without an Action card in hand.
///
/// # Rule DOM-7.21
pub fn check(
    state: &State,
    seat: Seat,
    card: Option<MaybeKnown<Card>>,
) -> Result<Option<Card>, RefusedAction> {
    match card {
        Some(card) => action_card(state, seat, card, "DOM-7.21").map(Some),
        None => nothing(state, seat, CardType::Action),
    }
}

/// Plays the card, and plays it again when it is completely resolved.
pub fn execute(ctx: &mut ExecContext<'_>, card: Option<Card>) {
    ctx.state.stack.pop();
    let Some(card) = card else {
        return chose_nothing(ctx, Card::ThroneRoom);
    };
    lay_out(ctx, card);
    ctx.state.stack.push(EffectFrame::ThroneSecond { card });
    play_card(ctx, card, Playing::First);
}
