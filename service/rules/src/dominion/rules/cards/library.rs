//! Library (DOM-7.11).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType, LIBRARY_HAND};
use crate::dominion::event::Event;
use crate::dominion::refusal::{No, Refusal};
use crate::dominion::rules::common::answered;
use crate::dominion::rules::procedures::{discard_held, drawn, take};
use crate::dominion::stage::{Decision, Frame};
use crate::dominion::state::Play;
use crate::table::{Lister, Refusal as _, Seat, Visit, broken};

pub fn resolve(play: &mut Play<'_>) {
    play.state.stack.push(Frame::Library {
        drawn: None,
        set_aside: Vec::new(),
    });
}

/// Draws cards one by one up to seven in hand. Stops to ask about an Action card; under strict secrecy about every card
/// (DOM-13.8). At the end the cards set aside are discarded.
///
/// # Rule DOM-7.11
pub fn advance(play: &mut Play<'_>, set_aside: Vec<Card>) -> Option<Frame> {
    let seat = play.state.turn.active;
    while play.state.active().hand.len() < LIBRARY_HAND
        && let Some((card, is_seen)) = take(play, seat)
    {
        if card.is(CardType::Action) || play.state.options.strict_secrecy {
            let drawn = Some(card);
            play.state.turn.asked_is_seen = is_seen;
            return Some(Frame::Library { drawn, set_aside });
        }
        keep(play, seat, card, is_seen);
    }
    discard_held(play, seat, set_aside);
    None
}

fn keep(play: &mut Play<'_>, seat: Seat, card: Card, is_seen: bool) {
    play.state.players[seat].take_up(card, is_seen);
    drawn(play, seat, vec![card]);
}

pub fn candidates(list: &mut Lister<'_, Action>) -> Visit {
    [false, true]
        .into_iter()
        .try_for_each(|set_aside| list.visit(Action::LibraryDecide { set_aside }))
}

/// Checks the answer: only Action cards may be set aside (DOM-10.20); questions about other cards are for secrecy only
/// (DOM-13.8).
///
/// # Rule DOM-7.11
pub fn check(drawn: Option<Card>, set_aside: bool) -> Result<bool, No> {
    let decision = Decision::LibraryDecide;
    match drawn {
        Some(card) if set_aside && !card.is(CardType::Action) => {
            Err(Refusal::CardNotEligible { card, decision }.at("DOM-7.11"))
        }
        Some(_) | None => Ok(set_aside),
    }
}

pub fn perform(play: &mut Play<'_>, aside: bool) {
    let Frame::Library {
        drawn: Some(card),
        mut set_aside,
    } = answered(play)
    else {
        broken("DOM-7.11", &play.state.stack)
    };
    let seat = play.state.turn.active;
    let is_seen = std::mem::take(&mut play.state.turn.asked_is_seen);
    if aside {
        set_aside.push(card);
        play.tell(Event::CardSetAside { seat, card });
    } else {
        keep(play, seat, card, is_seen);
    }
    play.state.stack.push(Frame::Library {
        drawn: None,
        set_aside,
    });
}
