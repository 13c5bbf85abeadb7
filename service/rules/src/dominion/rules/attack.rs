//! Reactions to an Attack, and the players affected by it (DOM-6.18, DOM-6.19).

use super::common::{answered, require_in_hand};
use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::event::Event;
use crate::dominion::refusal::{Refusal, RefusedAction, require_known};
use crate::dominion::stage::{Decision, EffectFrame, Immune, Queue};
use crate::dominion::state::{ExecContext, State};
use crate::table::{
    ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow, invariant_violated,
};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Reveal(Card),
    Decline,
}

/// Asks the opponents one after another; then resolves the Attack.
pub fn advance(
    ctx: &mut ExecContext<'_>,
    card: Card,
    mut queue: Queue,
    immune: Immune,
) -> Option<EffectFrame> {
    while let Some(&seat) = queue.first() {
        if is_asked(ctx.state, seat) {
            return Some(EffectFrame::Reactions {
                card,
                queue,
                immune,
            });
        }
        queue.remove(0);
    }
    ctx.state.stack.push(EffectFrame::Resolve { card, immune });
    None
}

/// Returns whether this opponent is asked: a player with a Moat is. Under strict secrecy every player with cards in
/// hand is asked, if there are Moats in this game.
///
/// # Rule DOM-13.8
pub fn is_asked(state: &State, seat: Seat) -> bool {
    let hand = &state.players[seat].hand;
    let secret = state.options.strict_secrecy && state.supply.count(Card::Moat).is_some();
    hand.has(Card::Moat) || secret && !hand.is_empty()
}

pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    list.visit(Action::RevealReaction {
        card: Some(Card::Moat),
    })?;
    list.visit(Action::DeclineReaction)
}

/// Checks that the card is a Moat, and in hand.
///
/// # Rule DOM-6.18
pub fn check(
    state: &State,
    seat: Seat,
    named: MaybeKnown<Card>,
) -> Result<ValidAction, RefusedAction> {
    let (card, decision) = (require_known(named, "card")?, Decision::ReactToAttack);
    if card == Card::Moat {
        require_in_hand(state, seat, named, "DOM-6.18").map(ValidAction::Reveal)
    } else {
        Err(Refusal::CardNotEligible { card, decision }.citing("DOM-6.18"))
    }
}

/// A Moat stays in hand; this play of the Attack does not affect its owner.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    let EffectFrame::Reactions {
        card: attack,
        mut queue,
        mut immune,
    } = answered(ctx)
    else {
        invariant_violated("DOM-6.18", &ctx.state.stack)
    };
    queue.remove(0);
    let event = match valid_action {
        ValidAction::Reveal(card) => {
            immune.push(seat);
            ctx.state.players[seat].show(card);
            Event::ReactionShown { seat, card }
        }
        ValidAction::Decline => Event::ReactionDeclined { seat },
    };
    ctx.emit(event);
    ctx.state.stack.push(EffectFrame::Reactions {
        card: attack,
        queue,
        immune,
    });
}

/// The opponents that an Attack affects, clockwise.
///
/// # Rule DOM-6.19
pub fn touched(state: &State, immune: &Immune) -> Queue {
    let opponents = state.opponents();
    opponents.filter(|seat| !immune.contains(seat)).collect()
}
