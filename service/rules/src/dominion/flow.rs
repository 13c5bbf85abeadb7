//! The course of play: carries out a validated action, then runs the **stack of effects**, the last one first, up to
//! the next decision (DOM-6.4, DOM-6.20).

use std::ops::ControlFlow;

use super::data::{Card, CardType};
use super::legal::{Permit, ValidAction};
use super::rules::cards::{
    adventurer, bureaucrat, cellar, chancellor, chapel, council_room, feast, library, militia,
    mine, moneylender, remodel, spy, thief, throne_room, witch, workshop,
};
use super::rules::common::asks_for;
use super::rules::{action_phase, attack, buy_phase, clean_up, gain, play_card};
use super::stage::{EffectFrame, Immune, Playing};
use super::state::ExecContext;
use crate::table;

/// Carries out a validated action, and everything automatic after it.
pub fn execute(ctx: &mut ExecContext<'_>, permit: Permit) {
    let ends_turn = permit.valid_action.ends_turn().is_some();
    execute_immediate(ctx, permit);
    if ends_turn {
        clean_up::next_turn(ctx);
    }
    run_to_decision(ctx);
}

/// Carries out the answer to the decision. The effects that it puts on the stack, and the next turn, run later.
pub fn execute_immediate(ctx: &mut ExecContext<'_>, Permit { seat, valid_action }: Permit) {
    if let Some(discard_top) = valid_action.ends_turn() {
        clean_up::execute(ctx, discard_top);
    }
    match valid_action {
        ValidAction::ActionPhase(valid_action) => action_phase::execute(ctx, valid_action),
        ValidAction::BuyPhase(valid_action) => buy_phase::execute(ctx, valid_action),
        ValidAction::Reaction(valid_action) => attack::execute(ctx, seat, valid_action),
        ValidAction::Cellar(cards) => cellar::execute(ctx, cards),
        ValidAction::Chancellor(discard_deck) => chancellor::execute(ctx, discard_deck),
        ValidAction::Chapel(cards) => chapel::execute(ctx, cards),
        ValidAction::Gain(valid_action) => gain::execute(ctx, valid_action),
        ValidAction::Remodel(card) => remodel::execute(ctx, card),
        ValidAction::Mine(card) => mine::execute(ctx, card),
        ValidAction::Library(set_aside) => library::execute(ctx, set_aside),
        ValidAction::Militia(cards) => militia::execute(ctx, seat, cards),
        ValidAction::Bureaucrat(card) => bureaucrat::execute(ctx, seat, card),
        ValidAction::Spy(discard) => spy::execute(ctx, discard),
        ValidAction::Thief(valid_action) => thief::execute(ctx, valid_action),
        ValidAction::ThroneRoom(card) => throne_room::execute(ctx, card),
    }
}

/// Goes on from a described table, up to the first decision. An open effect already waits for an answer, which
/// `position` has judged.
pub fn settle(ctx: &mut ExecContext<'_>) {
    if ctx.state.stack.is_empty() {
        run_to_decision(ctx);
    }
}

/// Runs everything automatic up to the next decision, or to the end of the game.
///
/// # Rule DOM-6.4
pub fn run_to_decision(ctx: &mut ExecContext<'_>) {
    table::run_to_decision(ctx, |ctx| match ctx.state.stack.pop() {
        None => action_phase::advance(ctx),
        Some(frame) => match advance(ctx, frame) {
            None => ControlFlow::Continue(()),
            Some(waiting) => {
                ctx.state.stack.push(waiting);
                ControlFlow::Break(())
            }
        },
    });
}

/// Advances one effect. Returns it if it waits for an answer. Returns `None` if it is finished.
///
/// # Rule DOM-6.21
fn advance(ctx: &mut ExecContext<'_>, frame: EffectFrame) -> Option<EffectFrame> {
    match frame {
        EffectFrame::Reactions {
            card,
            queue,
            immune,
        } => attack::advance(ctx, card, queue, immune),
        EffectFrame::Resolve { card, immune } => {
            resolve(ctx, card, immune);
            None
        }
        EffectFrame::ThroneChoose => asks_for(ctx.state, CardType::Action).then_some(frame),
        EffectFrame::ThroneSecond { card } => {
            play_card::play_card(ctx, card, Playing::Repeated);
            None
        }
        EffectFrame::Gain(wanted) => gain::advance(ctx, wanted),
        EffectFrame::Cellar | EffectFrame::Chapel | EffectFrame::RemodelTrash => {
            let asks = !ctx.state.active().hand.is_empty();
            asks.then_some(frame)
        }
        EffectFrame::Chancellor => chancellor::asks(ctx.state).then_some(frame),
        EffectFrame::MineTrash => asks_for(ctx.state, CardType::Treasure).then_some(frame),
        EffectFrame::Library { set_aside, .. } => library::advance(ctx, set_aside),
        EffectFrame::Militia { queue, immune } => militia::advance(ctx.state, queue, immune),
        EffectFrame::Bureaucrat { queue, immune } => bureaucrat::advance(ctx, queue, immune),
        EffectFrame::Spy { queue, immune, .. } => spy::advance(ctx, queue, immune),
        EffectFrame::Thief {
            queue,
            immune,
            trashed,
            ..
        } => thief::advance(ctx, queue, immune, trashed),
        EffectFrame::ThiefGain { ref trashed } => (!trashed.is_empty()).then_some(frame),
    }
}

/// Printed bonuses first, then the further effect.
///
/// # Rule DOM-6.17
fn resolve(ctx: &mut ExecContext<'_>, card: Card, immune: Immune) {
    play_card::bonuses(ctx, card);
    match card {
        Card::Adventurer => adventurer::resolve(ctx),
        Card::Bureaucrat => bureaucrat::resolve(ctx, immune),
        Card::Cellar => ctx.state.stack.push(EffectFrame::Cellar),
        Card::Chancellor => ctx.state.stack.push(EffectFrame::Chancellor),
        Card::Chapel => ctx.state.stack.push(EffectFrame::Chapel),
        Card::CouncilRoom => council_room::resolve(ctx),
        Card::Feast => feast::resolve(ctx),
        Card::Library => library::resolve(ctx),
        Card::Militia => militia::resolve(ctx, immune),
        Card::Mine => ctx.state.stack.push(EffectFrame::MineTrash),
        Card::Moneylender => moneylender::resolve(ctx),
        Card::Remodel => ctx.state.stack.push(EffectFrame::RemodelTrash),
        Card::Spy => spy::resolve(ctx, immune),
        Card::Thief => thief::resolve(ctx, immune),
        Card::ThroneRoom => ctx.state.stack.push(EffectFrame::ThroneChoose),
        Card::Witch => witch::resolve(ctx, &immune),
        Card::Workshop => workshop::resolve(ctx),
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
        | Card::Gardens => table::invariant_violated("DOM-6.5", card),
    }
}
