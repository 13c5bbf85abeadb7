//! Reactions to an Attack, and the players affected by it (DOM-6.18, DOM-6.19).

use super::common::{answered, held};
use crate::dominion::action::Action;
use crate::dominion::data::Card;
use crate::dominion::event::Event;
use crate::dominion::refusal::{No, Refusal, known};
use crate::dominion::stage::{Decision, Frame, Immune, Queue};
use crate::dominion::state::{Play, State};
use crate::table::{Lister, Named, Refusal as _, Seat, Visit, broken};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    Reveal(Card),
    Decline,
}

/// Asks the opponents one after another; then resolves the Attack.
pub fn advance(play: &mut Play<'_>, card: Card, mut queue: Queue, immune: Immune) -> Option<Frame> {
    while let Some(&seat) = queue.first() {
        if is_asked(play.state, seat) {
            return Some(Frame::Reactions {
                card,
                queue,
                immune,
            });
        }
        queue.remove(0);
    }
    play.state.stack.push(Frame::Resolve { card, immune });
    None
}

/// Returns whether this opponent is asked: a player with a Moat is. Under strict secrecy every player with cards in
/// hand is asked, if there are Moats in this game.
///
/// # Rule DOM-13.8
fn is_asked(state: &State, seat: Seat) -> bool {
    let hand = &state.players[seat].hand;
    let secret = state.options.strict_secrecy && state.supply.count(Card::Moat).is_some();
    hand.has(Card::Moat) || secret && !hand.is_empty()
}

pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    list.visit(Action::RevealReaction {
        card: Some(Card::Moat),
    })?;
    list.visit(Action::DeclineReaction)
}

/// Checks that the card is a Moat, and in hand.
///
/// # Rule DOM-6.18
pub fn check(state: &State, seat: Seat, named: Named<Card>) -> Result<Deed, No> {
    let (card, decision) = (known(named, "card")?, Decision::ReactToAttack);
    if card == Card::Moat {
        held(state, seat, named, "DOM-6.18").map(Deed::Reveal)
    } else {
        Err(Refusal::CardNotEligible { card, decision }.at("DOM-6.18"))
    }
}

/// A Moat stays in hand; this play of the Attack does not affect its owner.
pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    let Frame::Reactions {
        card: attack,
        mut queue,
        mut immune,
    } = answered(play)
    else {
        broken("DOM-6.18", &play.state.stack)
    };
    queue.remove(0);
    let event = match deed {
        Deed::Reveal(card) => {
            immune.push(seat);
            play.state.players[seat].show(card);
            Event::ReactionShown { seat, card }
        }
        Deed::Decline => Event::ReactionDeclined { seat },
    };
    play.tell(event);
    play.state.stack.push(Frame::Reactions {
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
