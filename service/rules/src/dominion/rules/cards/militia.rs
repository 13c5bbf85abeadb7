//! Militia (DOM-7.13).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, MILITIA_HAND};
use crate::dominion::refusal::{Refusal, RefusedAction};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::common::{all_held, answered};
use crate::dominion::rules::procedures::{discard_from_hand, number};
use crate::dominion::rules::subsets::subsets;
use crate::dominion::stage::{EffectFrame, Immune, Queue};
use crate::dominion::state::{ExecContext, State};
use crate::table::{
    ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};

pub fn resolve(ctx: &mut ExecContext<'_>, immune: Immune) {
    let queue = touched(ctx.state, &immune);
    ctx.state.stack.push(EffectFrame::Militia { queue, immune });
}

/// Opponents with more than three cards are asked.
pub fn advance(state: &State, mut queue: Queue, immune: Immune) -> Option<EffectFrame> {
    while let Some(&seat) = queue.first() {
        if surplus(state, seat) > 0 {
            return Some(EffectFrame::Militia { queue, immune });
        }
        queue.remove(0);
    }
    None
}

/// The number of cards that the player must discard.
pub fn surplus(state: &State, seat: Seat) -> u16 {
    state.players[seat].hand.len().saturating_sub(MILITIA_HAND)
}

pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let surplus = surplus(state, seat);
    list.kind("militia_discard", |list| {
        subsets(list, &state.players[seat].hand, surplus, surplus, |cards| {
            Action::MilitiaDiscard { cards }
        })
    })
}

/// Checks that all cards are in hand, and that exactly three stay.
///
/// # Rule DOM-7.13
pub fn check(
    state: &State,
    seat: Seat,
    cards: &[MaybeKnown<Card>],
) -> Result<Vec<Card>, RefusedAction> {
    let cards = all_held(state, seat, cards, "DOM-7.13")?;
    let surplus = surplus(state, seat);
    if cards.len() == usize::from(surplus) {
        return Ok(cards);
    }
    let refusal = Refusal::WrongNumberOfCards {
        count: number(&cards),
        min: surplus,
        max: surplus,
    };
    Err(refusal.citing("DOM-7.13"))
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, cards: Vec<Card>) {
    let EffectFrame::Militia { mut queue, immune } = answered(ctx) else {
        invariant_violated("DOM-7.13", &ctx.state.stack)
    };
    queue.remove(0);
    ctx.state.stack.push(EffectFrame::Militia { queue, immune });
    discard_from_hand(ctx, seat, cards);
}
