//! Reactions to an Attack, and who is touched by it (DOM-6.18, DOM-6.19).

use super::procedures::Table;
use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::decision::Decision;
use crate::dominion::event::Event;
use crate::dominion::pending::{Frame, Immune, Queue};
use crate::dominion::refusal::Refusal;
use crate::dominion::state::State;
use crate::table::{Seat, Visit};

/// # Rule DOM-6.18
/// The card is a Moat, and in hand.
pub(crate) fn check_reveal(state: &State, seat: Seat, card: Card) -> Result<(), Refusal> {
    let decision = Decision::ReactToAttack;
    if card != Card::Moat {
        Err(Refusal::CardNotEligible { card, decision })
    } else if !state.players[seat].hand.has(card) {
        Err(Refusal::CardNotInHand { card, decision })
    } else {
        Ok(())
    }
}

pub(crate) fn candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    visit(Action::RevealReaction {
        card: Some(Card::Moat),
    })?;
    visit(Action::DeclineReaction)
}

/// Asks the opponents one after the other; then the Attack takes effect.
pub(crate) fn advance(
    table: &mut Table<'_>,
    card: Card,
    mut queue: Queue,
    immune: Immune,
) -> Option<Frame> {
    while let Some(&seat) = queue.first() {
        if is_asked(table.state, seat) {
            return Some(Frame::Reactions {
                card,
                queue,
                immune,
            });
        }
        queue.remove(0);
    }
    table.push(Frame::Resolve { card, immune });
    None
}

/// # Rule DOM-13.8
/// Asked is who holds a Moat. Under strict secrecy everybody who holds cards is asked, if there are
/// Moats in this game.
fn is_asked(state: &State, seat: Seat) -> bool {
    let hand = &state.players[seat].hand;
    let secret = state.options.strict_secrecy && state.supply.count(Card::Moat).is_some();
    hand.has(Card::Moat) || secret && !hand.is_empty()
}

/// The Moat stays in hand; this play of the Attack does not touch its owner.
pub(crate) fn perform_reveal(table: &mut Table<'_>) {
    if let Some(Frame::Reactions { queue, immune, .. }) = table.state.stack.last_mut()
        && let Some(seat) = queue.pop_at(0)
    {
        immune.push(seat);
        let card = Card::Moat;
        table.event(Event::ReactionShown { seat, card });
    }
}

pub(crate) fn perform_decline(table: &mut Table<'_>) {
    if let Some(Frame::Reactions { queue, .. }) = table.state.stack.last_mut()
        && let Some(seat) = queue.pop_at(0)
    {
        table.event(Event::ReactionDeclined { seat });
    }
}

/// # Rule DOM-6.19
/// The opponents that an Attack touches, clockwise.
pub(crate) fn touched(state: &State, immune: &Immune) -> Queue {
    let opponents = state.opponents();
    opponents.filter(|seat| !immune.contains(seat)).collect()
}
