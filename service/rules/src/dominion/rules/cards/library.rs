//! Library (DOM-7.11).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType, LIBRARY_HAND};
use crate::dominion::decision::Decision;
use crate::dominion::event::Event;
use crate::dominion::pending::Frame;
use crate::dominion::refusal::Refusal;
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::table::Visit;

/// A Library that begins to draw.
pub(crate) const fn frame() -> Frame {
    Frame::Library {
        drawn: None,
        set_aside: Vec::new(),
    }
}

/// # Rule DOM-7.11
/// Cards are drawn one by one up to seven in hand. An Action card is a question; under strict
/// secrecy every card is (DOM-13.8). In the end the cards set aside are discarded.
pub(crate) fn advance(table: &mut Table<'_>, set_aside: Vec<Card>) -> Option<Frame> {
    let seat = table.active();
    while table.state.active().hand.len() < LIBRARY_HAND
        && let Some(card) = table.take_top(seat)
    {
        if card.is(CardType::Action) || table.state.options.strict_secrecy {
            let drawn = Some(card);
            return Some(Frame::Library { drawn, set_aside });
        }
        keep(table, card);
    }
    table.discard_held(seat, set_aside);
    None
}

fn keep(table: &mut Table<'_>, card: Card) {
    let seat = table.active();
    table.player(seat).hand.add(card);
    table.drawn(seat, vec![card]);
}

/// The card in question.
fn drawn(state: &State) -> Option<Card> {
    match state.stack.last() {
        Some(Frame::Library { drawn, .. }) => *drawn,
        Some(_) | None => None,
    }
}

/// Only Action cards may be set aside (DOM-10.20); others are asked about for secrecy alone.
pub(crate) fn check_set_aside(state: &State) -> Result<(), Refusal> {
    match drawn(state) {
        Some(card) if !card.is(CardType::Action) => Err(Refusal::CardNotEligible {
            card,
            decision: Decision::LibraryDecide,
        }),
        Some(_) | None => Ok(()),
    }
}

pub(crate) fn candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    [false, true]
        .into_iter()
        .try_for_each(|set_aside| visit(Action::LibraryDecide { set_aside }))
}

pub(crate) fn perform_keep(table: &mut Table<'_>) {
    if let Some(Frame::Library { drawn, .. }) = table.state.stack.last_mut()
        && let Some(card) = drawn.take()
    {
        keep(table, card);
    }
}

pub(crate) fn perform_set_aside(table: &mut Table<'_>) {
    if let Some(Frame::Library { drawn, set_aside }) = table.state.stack.last_mut()
        && let Some(card) = drawn.take()
    {
        set_aside.push(card);
        let seat = table.active();
        table.event(Event::CardSetAside { seat, card });
    }
}
