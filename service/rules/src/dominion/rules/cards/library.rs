//! Library (DOM-7.11).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType, LIBRARY_HAND};
use crate::dominion::event::Event;
use crate::dominion::refusal::{Refusal, RefusedAction};
use crate::dominion::rules::common::answered;
use crate::dominion::rules::procedures::{discard_held, drawn, take};
use crate::dominion::stage::{Decision, EffectFrame};
use crate::dominion::state::ExecContext;
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow, invariant_violated};

pub fn resolve(ctx: &mut ExecContext<'_>) {
    ctx.state.stack.push(EffectFrame::Library {
        drawn: None,
        set_aside: Vec::new(),
    });
}

/// Draws cards one by one up to seven in hand. Stops to ask about an Action card; under strict secrecy about every card
/// (DOM-13.8). At the end the cards set aside are discarded.
///
/// # Rule DOM-7.11
pub fn advance(ctx: &mut ExecContext<'_>, set_aside: Vec<Card>) -> Option<EffectFrame> {
    let seat = ctx.state.turn.active;
    while ctx.state.active().hand.len() < LIBRARY_HAND
        && let Some((card, is_seen)) = take(ctx, seat)
    {
        if card.is(CardType::Action) || ctx.state.options.strict_secrecy {
            let drawn = Some(card);
            ctx.state.turn.asked_is_seen = is_seen;
            return Some(EffectFrame::Library { drawn, set_aside });
        }
        keep(ctx, seat, card, is_seen);
    }
    discard_held(ctx, seat, set_aside);
    None
}

fn keep(ctx: &mut ExecContext<'_>, seat: Seat, card: Card, is_seen: bool) {
    ctx.state.players[seat].take_up(card, is_seen);
    drawn(ctx, seat, vec![card]);
}

pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    [false, true]
        .into_iter()
        .try_for_each(|set_aside| list.visit(Action::LibraryDecide { set_aside }))
}

/// Checks the answer: only Action cards may be set aside (DOM-10.20); questions about other cards are for secrecy only
/// (DOM-13.8).
///
/// # Rule DOM-7.11
pub fn check(drawn: Option<Card>, set_aside: bool) -> Result<bool, RefusedAction> {
    let decision = Decision::LibraryDecide;
    match drawn {
        Some(card) if set_aside && !card.is(CardType::Action) => {
            Err(Refusal::CardNotEligible { card, decision }.citing("DOM-7.11"))
        }
        Some(_) | None => Ok(set_aside),
    }
}

pub fn execute(ctx: &mut ExecContext<'_>, aside: bool) {
    let EffectFrame::Library {
        drawn: Some(card),
        mut set_aside,
    } = answered(ctx)
    else {
        invariant_violated("DOM-7.11", &ctx.state.stack)
    };
    let seat = ctx.state.turn.active;
    let is_seen = std::mem::take(&mut ctx.state.turn.asked_is_seen);
    if aside {
        set_aside.push(card);
        ctx.emit(Event::CardSetAside { seat, card });
    } else {
        keep(ctx, seat, card, is_seen);
    }
    ctx.state.stack.push(EffectFrame::Library {
        drawn: None,
        set_aside,
    });
}
