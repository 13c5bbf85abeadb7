//! The course of play: carries out a validated action, then runs on to the next decision (GOO-6).

use std::ops::ControlFlow;

use super::legal::Permit;
use super::rules::{bid, turn};
use super::state::ExecContext;
use crate::table;

/// Carries out the answer to the decision, without seeking the next decision.
pub fn execute_immediate(ctx: &mut ExecContext<'_>, Permit { seat, valid_action }: Permit) {
    bid::execute(ctx, seat, valid_action);
}

/// Ends turns in which all have bid, and begins the next ones, up to a decision or the end of the game.
///
/// # Rule GOO-6.4, GOO-6.5
pub fn run_to_decision(ctx: &mut ExecContext<'_>) {
    table::run_to_decision(ctx, |ctx| {
        if ctx.state.is_over() || ctx.state.pending().next().is_some() {
            return ControlFlow::Break(());
        }
        turn::end(ctx);
        begin(ctx);
        ControlFlow::Continue(())
    });
}

/// Begins a turn. In the last turn nobody has a choice.
pub fn begin(ctx: &mut ExecContext<'_>) {
    turn::begin(ctx);
    bid::perform_forced(ctx);
}
