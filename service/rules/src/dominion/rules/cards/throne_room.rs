//! Throne Room (DOM-7.21).

use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::decision::Decision;
use crate::dominion::event::Play;
use crate::dominion::pending::Frame;
use crate::dominion::refusal::Refusal;
use crate::dominion::rules::action_phase::{check_play, lay_out, play};
use crate::dominion::rules::procedures::Table;
use crate::dominion::state::State;
use crate::table::{Seat, Visit};

/// Asked with an Action card in hand; under strict secrecy with any hand (DOM-14.2).
pub(crate) fn advance(table: &Table<'_>) -> Option<Frame> {
    let hand = &table.state.active().hand;
    let secret = table.state.options.strict_secrecy && !hand.is_empty();
    (hand.has_type(CardType::Action) || secret).then_some(Frame::ThroneChoose)
}

/// # Rule DOM-7.21
/// The card is in hand and an Action card. No card: only without an Action card in hand.
pub(crate) fn check(state: &State, seat: Seat, card: Option<Card>) -> Result<(), Refusal> {
    match card {
        Some(card) => check_play(state, seat, card, Decision::ThroneRoomChoose),
        None if state.players[seat].hand.has_type(CardType::Action) => Err(Refusal::UnknownCard),
        None => Ok(()),
    }
}

pub(crate) fn candidates(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    let actions = state.active().hand.of_type(CardType::Action);
    if actions.is_empty() {
        return visit(Action::ThroneRoomChoose { card: None });
    }
    actions.iter().try_for_each(|(card, _)| {
        visit(Action::ThroneRoomChoose {
            card: Some(Some(card)),
        })
    })
}

/// The card is played, and played again when that is completely resolved.
pub(crate) fn perform(table: &mut Table<'_>, card: Option<Card>) {
    table.state.stack.pop();
    let Some(card) = card else {
        return table.chose_nothing(Card::ThroneRoom);
    };
    lay_out(table, card);
    table.push(Frame::ThroneSecond { card });
    play(table, card, Play::First);
}
