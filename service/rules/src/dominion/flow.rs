//! The course of play: carries out a validated action, then runs the **stack of effects**, the last one first, up to
//! the next decision (DOM-6.4, DOM-6.20).

use std::ops::ControlFlow;

use super::data::{Card, CardType};
use super::legal::{Deed, Permit};
use super::rules::cards::{
    adventurer, bureaucrat, cellar, chancellor, chapel, council_room, feast, library, militia,
    mine, moneylender, remodel, spy, thief, throne_room, witch, workshop,
};
use super::rules::common::asks_for;
use super::rules::{action_phase, attack, buy_phase, clean_up, gain, play_card};
use super::stage::{Frame, Immune, Playing};
use super::state::Play;
use crate::table;

/// Carries out a validated action, and everything automatic after it.
pub fn perform(play: &mut Play<'_>, permit: Permit) {
    let ending = permit.deed.ends_turn();
    answer(play, permit);
    if let Some(discard_top) = ending {
        clean_up::perform(play, discard_top);
    }
    settle(play);
}

/// Carries out the answer to the decision. The effects that it puts on the stack, and clean-up, run later.
pub fn answer(play: &mut Play<'_>, Permit { seat, deed }: Permit) {
    match deed {
        Deed::ActionPhase(deed) => action_phase::perform(play, deed),
        Deed::BuyPhase(deed) => buy_phase::perform(play, deed),
        Deed::Reaction(deed) => attack::perform(play, seat, deed),
        Deed::Cellar(cards) => cellar::perform(play, cards),
        Deed::Chancellor(discard_deck) => chancellor::perform(play, discard_deck),
        Deed::Chapel(cards) => chapel::perform(play, cards),
        Deed::Gain(deed) => gain::perform(play, deed),
        Deed::Remodel(card) => remodel::perform(play, card),
        Deed::Mine(card) => mine::perform(play, card),
        Deed::Library(set_aside) => library::perform(play, set_aside),
        Deed::Militia(cards) => militia::perform(play, seat, cards),
        Deed::Bureaucrat(card) => bureaucrat::perform(play, seat, card),
        Deed::Spy(discard) => spy::perform(play, discard),
        Deed::Thief(deed) => thief::perform(play, deed),
        Deed::ThroneRoom(card) => throne_room::perform(play, card),
    }
}

/// Runs everything automatic up to the next decision, or to the end of the game.
///
/// # Rule DOM-6.4
pub fn settle(play: &mut Play<'_>) {
    table::settle(play, |play| match play.state.stack.pop() {
        None => action_phase::advance(play),
        Some(frame) => match advance(play, frame) {
            None => ControlFlow::Continue(()),
            Some(waiting) => {
                play.state.stack.push(waiting);
                ControlFlow::Break(())
            }
        },
    });
}

/// Advances one effect. Returns it if it waits for an answer. Returns `None` if it is finished.
///
/// # Rule DOM-6.21
fn advance(play: &mut Play<'_>, frame: Frame) -> Option<Frame> {
    match frame {
        Frame::Reactions {
            card,
            queue,
            immune,
        } => attack::advance(play, card, queue, immune),
        Frame::Resolve { card, immune } => {
            resolve(play, card, immune);
            None
        }
        Frame::ThroneChoose => asks_for(play.state, CardType::Action).then_some(frame),
        Frame::ThroneSecond { card } => {
            play_card::play_card(play, card, Playing::Repeated);
            None
        }
        Frame::Gain(wanted) => gain::advance(play, wanted),
        Frame::Cellar | Frame::Chapel | Frame::RemodelTrash => {
            let asks = !play.state.active().hand.is_empty();
            asks.then_some(frame)
        }
        Frame::Chancellor => chancellor::asks(play.state).then_some(frame),
        Frame::MineTrash => asks_for(play.state, CardType::Treasure).then_some(frame),
        Frame::Library { set_aside, .. } => library::advance(play, set_aside),
        Frame::Militia { queue, immune } => militia::advance(play.state, queue, immune),
        Frame::Bureaucrat { queue, immune } => bureaucrat::advance(play, queue, immune),
        Frame::Spy { queue, immune, .. } => spy::advance(play, queue, immune),
        Frame::Thief {
            queue,
            immune,
            trashed,
            ..
        } => thief::advance(play, queue, immune, trashed),
        Frame::ThiefGain { ref trashed } => (!trashed.is_empty()).then_some(frame),
    }
}

/// Printed bonuses first, then the further effect.
///
/// # Rule DOM-6.17
fn resolve(play: &mut Play<'_>, card: Card, immune: Immune) {
    play_card::bonuses(play, card);
    match card {
        Card::Adventurer => adventurer::resolve(play),
        Card::Bureaucrat => bureaucrat::resolve(play, immune),
        Card::Cellar => play.state.stack.push(Frame::Cellar),
        Card::Chancellor => play.state.stack.push(Frame::Chancellor),
        Card::Chapel => play.state.stack.push(Frame::Chapel),
        Card::CouncilRoom => council_room::resolve(play),
        Card::Feast => feast::resolve(play),
        Card::Library => library::resolve(play),
        Card::Militia => militia::resolve(play, immune),
        Card::Mine => play.state.stack.push(Frame::MineTrash),
        Card::Moneylender => moneylender::resolve(play),
        Card::Remodel => play.state.stack.push(Frame::RemodelTrash),
        Card::Spy => spy::resolve(play, immune),
        Card::Thief => thief::resolve(play, immune),
        Card::ThroneRoom => play.state.stack.push(Frame::ThroneChoose),
        Card::Witch => witch::resolve(play, &immune),
        Card::Workshop => workshop::resolve(play),
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
        | Card::Gardens => table::broken("DOM-6.5", card),
    }
}
