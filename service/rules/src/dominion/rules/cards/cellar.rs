//! Cellar (DOM-7.3).

use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::refusal::RefusedAction;
use crate::dominion::rules::common::all_held;
use crate::dominion::rules::procedures::{discard_from_hand, draw};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Seat, VisitFlow};

pub fn candidates(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let hand = &state.active().hand;
    list.kind("cellar_discard", |list| {
        subsets(list, hand, 0, hand.len(), |cards| Action::CellarDiscard {
            cards,
        })
    })
}

/// Checks that the cards are in hand; any number is allowed.
///
/// # Rule DOM-7.3
pub fn check(
    state: &State,
    seat: Seat,
    cards: &[MaybeKnown<Card>],
) -> Result<Vec<Card>, RefusedAction> {
    all_held(state, seat, cards, "DOM-7.3")
}

/// Discards the cards at once, then draws as many; a refill shuffles them in.
///
/// # Rule DOM-7.3
pub fn execute(ctx: &mut ExecContext<'_>, cards: Vec<Card>) {
    ctx.state.stack.pop();
    let seat = ctx.state.turn.active;
    let count = discard_from_hand(ctx, seat, cards);
    draw(ctx, seat, count);
}
