//! Spy (DOM-7.19).

use crate::dominion::action::Action;
use crate::dominion::event::{Event, Zone};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::common::answered;
use crate::dominion::rules::procedures::{discard_held, reveal, take_top, topdeck};
use crate::dominion::stage::{EffectFrame, Immune, Queue};
use crate::dominion::state::ExecContext;
use crate::table::{ActionEnumerator, VisitFlow, invariant_violated};

/// The player's own card first, then those of the opponents.
pub fn resolve(ctx: &mut ExecContext<'_>, immune: Immune) {
    let active = std::iter::once(ctx.state.turn.active);
    let queue = active.chain(touched(ctx.state, &immune)).collect();
    ctx.state.stack.push(EffectFrame::Spy {
        queue,
        immune,
        revealed: None,
    });
}

/// Reveals the next top card, only after the last one was decided; players without a card are skipped.
///
/// # Rule DOM-7.19
pub fn advance(ctx: &mut ExecContext<'_>, mut queue: Queue, immune: Immune) -> Option<EffectFrame> {
    while let Some(&seat) = queue.first() {
        if let Some(card) = take_top(ctx, seat) {
            reveal(ctx, seat, Zone::DrawPile, vec![card]);
            return Some(EffectFrame::Spy {
                queue,
                immune,
                revealed: Some(card),
            });
        }
        queue.remove(0);
    }
    None
}

pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    [false, true]
        .into_iter()
        .try_for_each(|discard| list.visit(Action::SpyDecide { discard }))
}

/// Puts the card on its owner's discard pile, or back onto the draw pile.
pub fn execute(ctx: &mut ExecContext<'_>, discard: bool) {
    let EffectFrame::Spy {
        mut queue,
        immune,
        revealed: Some(card),
    } = answered(ctx)
    else {
        invariant_violated("DOM-7.19", &ctx.state.stack)
    };
    let owner = queue.remove(0);
    ctx.state.stack.push(EffectFrame::Spy {
        queue,
        immune,
        revealed: None,
    });
    ctx.emit(Event::SpyDecided {
        seat: ctx.state.turn.active,
        owner,
        card,
        discarded: discard,
    });
    if discard {
        discard_held(ctx, owner, vec![card]);
    } else {
        topdeck(ctx, owner, Zone::Revealed, card);
    }
}
