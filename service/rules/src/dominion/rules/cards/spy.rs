//! Spy (DOM-7.19).

use crate::dominion::action::Action;
use crate::dominion::event::{Event, Zone};
use crate::dominion::rules::attack::touched;
use crate::dominion::rules::common::answered;
use crate::dominion::rules::procedures::{discard_held, reveal, take_top, topdeck};
use crate::dominion::stage::{Frame, Immune, Queue};
use crate::dominion::state::Play;
use crate::table::{Lister, Visit, broken};

/// The player's own card first, then those of the opponents.
pub fn resolve(play: &mut Play<'_>, immune: Immune) {
    let own = std::iter::once(play.state.turn.active);
    let queue = own.chain(touched(play.state, &immune)).collect();
    play.state.stack.push(Frame::Spy {
        queue,
        immune,
        revealed: None,
    });
}

/// Reveals the next top card, only after the last one was decided; players without a card are skipped.
///
/// # Rule DOM-7.19
pub fn advance(play: &mut Play<'_>, mut queue: Queue, immune: Immune) -> Option<Frame> {
    while let Some(&seat) = queue.first() {
        if let Some(card) = take_top(play, seat) {
            reveal(play, seat, Zone::DrawPile, vec![card]);
            return Some(Frame::Spy {
                queue,
                immune,
                revealed: Some(card),
            });
        }
        queue.remove(0);
    }
    None
}

pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    [false, true]
        .into_iter()
        .try_for_each(|discard| list.visit(Action::SpyDecide { discard }))
}

/// Puts the card on its owner's discard pile, or back onto the draw pile.
pub fn perform(play: &mut Play<'_>, discard: bool) {
    let Frame::Spy {
        mut queue,
        immune,
        revealed: Some(card),
    } = answered(play)
    else {
        broken("DOM-7.19", &play.state.stack)
    };
    let owner = queue.remove(0);
    play.state.stack.push(Frame::Spy {
        queue,
        immune,
        revealed: None,
    });
    play.tell(Event::SpyDecided {
        seat: play.state.turn.active,
        owner,
        card,
        discarded: discard,
    });
    if discard {
        discard_held(play, owner, vec![card]);
    } else {
        topdeck(play, owner, Zone::Revealed, card);
    }
}
