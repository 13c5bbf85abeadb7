//! The Action phase, and how a card is played (DOM-6.5, DOM-6.6, DOM-6.17).

use std::ops::ControlFlow;

use super::cards;
use super::procedures::Table;
use crate::dominion::action::Action;
use crate::dominion::data::{Card, CardType};
use crate::dominion::decision::Decision;
use crate::dominion::event::{Event, Play};
use crate::dominion::pending::{Frame, Immune};
use crate::dominion::refusal::Refusal;
use crate::dominion::state::{Phase, State};
use crate::table::{Seat, Visit};

/// # Rule DOM-6.5
/// The card is in hand and an Action card. Actions are left: else the phase had ended (DOM-6.4).
pub(crate) fn check_play(
    state: &State,
    seat: Seat,
    card: Card,
    decision: Decision,
) -> Result<(), Refusal> {
    if !state.players[seat].hand.has(card) {
        Err(Refusal::CardNotInHand { card, decision })
    } else if !card.is(CardType::Action) {
        Err(Refusal::NotAnAction { card, decision })
    } else {
        Ok(())
    }
}

pub(crate) fn candidates(state: &State, visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    for (card, _) in state.active().hand.of_type(CardType::Action).iter() {
        visit(Action::PlayAction { card: Some(card) })?;
    }
    visit(Action::EndActionPhase)
}

/// Plays a card from the hand for one action (DOM-6.5).
pub(crate) fn perform_play(table: &mut Table<'_>, card: Card) {
    table.state.turn.counters.actions -= 1;
    lay_out(table, card);
    play(table, card, Play::First);
}

/// # Rule DOM-6.6
/// Unused actions are lost; there is no way back.
pub(crate) fn perform_end(table: &mut Table<'_>) {
    let phase = Phase::Buy;
    table.state.turn.phase = phase;
    table.event(Event::PhaseChanged {
        seat: table.active(),
        turn_number: table.state.turn_number(),
        phase,
    });
}

/// # Rule DOM-6.4
/// With nothing left to resolve the turn waits for its player. The Action phase ends by itself
/// without actions, and without Action cards in hand; under strict secrecy the hand does not count
/// (DOM-14.2).
pub(crate) fn advance(table: &mut Table<'_>) -> ControlFlow<()> {
    let state = &table.state;
    if state.turn.phase == Phase::Action {
        let may_play =
            state.active().hand.has_type(CardType::Action) || state.options.strict_secrecy;
        if state.turn.counters.actions == 0 || !may_play {
            perform_end(table);
        }
    }
    ControlFlow::Break(())
}

/// Moves a card from the hand into play.
pub(crate) fn lay_out(table: &mut Table<'_>, card: Card) {
    let active = table.active();
    if table.player(active).hand.remove(card) {
        table.state.turn.in_play.push(card);
    }
}

/// # Rule DOM-6.17
/// Plays a card that lies in play, or in the trash in the case of a Feast played again: Reactions
/// to an Attack come before everything else.
pub(crate) fn play(table: &mut Table<'_>, card: Card, play: Play) {
    table.event(Event::ActionPlayed {
        seat: table.active(),
        card,
        play,
        counters: table.state.turn.counters,
    });
    let immune = Immune::new();
    table.push(if card.is(CardType::Attack) {
        let queue = table.state.opponents().collect();
        Frame::Reactions {
            card,
            queue,
            immune,
        }
    } else {
        Frame::Resolve { card, immune }
    });
}

/// Printed bonuses first, then the further effect (DOM-6.17).
pub(crate) fn resolve(table: &mut Table<'_>, card: Card, immune: &Immune) {
    bonuses(table, card);
    match card {
        Card::Adventurer => cards::adventurer::resolve(table),
        Card::Bureaucrat => cards::bureaucrat::resolve(table, immune),
        Card::Cellar => table.push(Frame::Cellar),
        Card::Chancellor => table.push(Frame::Chancellor),
        Card::Chapel => table.push(Frame::Chapel),
        Card::CouncilRoom => cards::council_room::resolve(table),
        Card::Feast => cards::feast::resolve(table),
        Card::Library => table.push(cards::library::frame()),
        Card::Militia => cards::militia::resolve(table, immune),
        Card::Mine => table.push(Frame::MineTrash),
        Card::Moneylender => cards::moneylender::resolve(table),
        Card::Remodel => table.push(Frame::RemodelTrash),
        Card::Spy => cards::spy::resolve(table, immune),
        Card::Thief => cards::thief::resolve(table, immune),
        Card::ThroneRoom => table.push(Frame::ThroneChoose),
        Card::Witch => cards::witch::resolve(table, immune),
        Card::Workshop => cards::workshop::resolve(table),
        Card::Festival
        | Card::Laboratory
        | Card::Market
        | Card::Moat
        | Card::Smithy
        | Card::Village
        | Card::Woodcutter => {} // Bonuses only.
        Card::Copper
        | Card::Silver
        | Card::Gold
        | Card::Estate
        | Card::Duchy
        | Card::Province
        | Card::Curse
        | Card::Gardens => {} // Never played as an Action.
    }
}

/// Cards, actions, buys and coins, in the printed order.
fn bonuses(table: &mut Table<'_>, card: Card) {
    let active = table.active();
    let plus = card.sheet().plus;
    table.draw(active, u16::from(plus.cards));
    if !plus.counts() {
        return;
    }
    let counters = &mut table.state.turn.counters;
    counters.actions += u16::from(plus.actions);
    counters.buys += u16::from(plus.buys);
    counters.coins += u16::from(plus.coins);
    report_counters(table, card);
}

/// Tells what is left of the turn after a card's bonuses (DOM-14.9).
pub(crate) fn report_counters(table: &mut Table<'_>, card: Card) {
    table.event(Event::Bonuses {
        seat: table.active(),
        card,
        counters: table.state.turn.counters,
    });
}
