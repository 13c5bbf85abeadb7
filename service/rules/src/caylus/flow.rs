//! The course of play as a **state machine**: carries out a validated action, then runs the stages up to the next
//! decision (CAY-6.12).

use std::ops::ControlFlow;

use super::legal::{self, Permit, ValidAction};
use super::rules::{
    activation, building, castle, favors, goods, placement, provost, scoring, special, turn,
};
use super::stage::Stage;
use super::state::ExecContext;
use crate::table::{self, Seat};

/// Carries out the answer to the decision, without seeking the next decision.
pub fn execute_immediate(ctx: &mut ExecContext<'_>, Permit { seat, valid_action }: Permit) {
    ctx.state.pending = None;
    match valid_action {
        ValidAction::Placement(valid_action) => placement::execute(ctx, seat, valid_action),
        ValidAction::Special(valid_action) => special::execute(ctx, seat, valid_action),
        ValidAction::Provost(valid_action) => provost::execute(ctx, seat, valid_action),
        ValidAction::Activation(valid_action) => activation::execute(ctx, seat, valid_action),
        ValidAction::Goods(valid_action) => goods::execute(ctx, seat, valid_action),
        ValidAction::Building(valid_action) => building::execute(ctx, seat, valid_action),
        ValidAction::Favor(valid_action) => favors::execute(ctx, seat, valid_action),
        ValidAction::Castle(valid_action) => castle::execute(ctx, seat, valid_action),
    }
}

/// Runs everything automatic up to the next decision that leaves a choice, or to the end of the game.
///
/// # Rule CAY-6.12
pub fn run_to_decision(ctx: &mut ExecContext<'_>) {
    table::run_to_decision(ctx, step);
}

/// Runs one automatic step. Breaks at a choice, or at the end of the game.
#[inline(always)]
#[expect(
    clippy::inline_always,
    reason = "there are seventeen steps to an action, so that calling them is a part of its cost"
)]
fn step(ctx: &mut ExecContext<'_>) -> ControlFlow<()> {
    if let Some((seat, _)) = ctx.state.pending() {
        decide_if_forced(ctx, seat)
    } else if let Some(favors) = ctx.state.pending_favors {
        favors::enter(ctx, favors);
        ControlFlow::Continue(())
    } else {
        enter(ctx)
    }
}

/// Takes the only legal action, if there is no choice; breaks if there is one.
///
/// # Rule CAY-6.1.2, CAY-14.11
/// A decision with exactly one legal action is taken at once and logged as that action.
fn decide_if_forced(ctx: &mut ExecContext<'_>, seat: Seat) -> ControlFlow<()> {
    let Some((action, permit)) = legal::only_action(ctx.state, seat) else {
        return ControlFlow::Break(());
    };
    ctx.execute_forced(seat, action, |ctx| execute_immediate(ctx, permit));
    ControlFlow::Continue(())
}

/// Enters the current stage. Breaks at the end of the game.
fn enter(ctx: &mut ExecContext<'_>) -> ControlFlow<()> {
    match ctx.state.stage {
        Stage::StartTurn => turn::enter(ctx),
        Stage::Place => placement::enter(ctx),
        Stage::Special => special::enter(ctx),
        Stage::AfterSpecial => special::enter_next(ctx),
        Stage::Bribe => provost::enter(ctx),
        Stage::AfterBribe => provost::enter_next(ctx),
        Stage::Road => activation::enter(ctx),
        Stage::OwnerBonus => activation::enter_owner_bonus(ctx),
        Stage::LeaveBuilding => activation::enter_leaving(ctx),
        Stage::Castle => castle::enter_builder(ctx),
        Stage::MostBatches => castle::enter_most_batches(ctx),
        Stage::LeaveCastle => castle::enter_leaving(ctx),
        Stage::Bailiff => scoring::enter(ctx),
        Stage::SectionDue => scoring::enter_section(ctx),
        Stage::ScoreSeat => scoring::enter_seat(ctx),
        Stage::AfterSeat => scoring::enter_next_seat(ctx),
        Stage::Over => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}
