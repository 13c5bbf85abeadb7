//! The course of play as a **state machine**: carries out a validated action, then runs the stages up to the next
//! decision (KIN-6.1).

use std::ops::ControlFlow;

use super::legal::{Permit, ValidAction};
use super::rules::{
    build, envoy, help, influence, kings_aid, kings_reward, losses, recruit, roll, season_end,
    two_players, winter,
};
use super::stage::Stage;
use super::state::ExecContext;
use crate::table;

/// Carries out the answer to the decision, without seeking the next decision.
pub fn execute_immediate(ctx: &mut ExecContext<'_>, Permit { seat, valid_action }: Permit) {
    match valid_action {
        ValidAction::AidGood(good) => kings_aid::execute(ctx, seat, good),
        ValidAction::Envoy(purpose) => envoy::execute(ctx, seat, purpose),
        ValidAction::Reroll(valid_action) => roll::execute(ctx, seat, valid_action),
        ValidAction::SetAside(die) => two_players::execute(ctx, seat, die),
        ValidAction::Influence(valid_action) => influence::execute(ctx, seat, valid_action),
        ValidAction::Help(valid_action) => help::execute(ctx, seat, valid_action),
        ValidAction::Build(valid_action) => build::execute(ctx, seat, valid_action),
        ValidAction::SeasonEnd(valid_action) => season_end::execute(ctx, seat, valid_action),
        ValidAction::Recruit(valid_action) => recruit::execute(ctx, seat, valid_action),
        ValidAction::RewardGood(good) => winter::execute(ctx, seat, good),
        ValidAction::Loss(valid_action) => losses::execute(ctx, seat, valid_action),
    }
}

/// Runs stages up to the next decision, or to the end of the game.
///
/// # Rule KIN-6.1
pub fn run_to_decision(ctx: &mut ExecContext<'_>) {
    table::run_to_decision(ctx, enter);
}

/// Goes on from a described table, at which a seat is asked, up to the first decision that has several answers. What a
/// stage gives before it asks, the table has.
///
/// # Rule KIN-5.8
pub fn settle(ctx: &mut ExecContext<'_>) {
    let asked = if let Stage::Help { advisor, served } = ctx.state.stage {
        help::settle(ctx, advisor, served)
    } else if let Stage::SeasonEnd { turn_index } = ctx.state.stage {
        season_end::settle(ctx, turn_index)
    } else {
        ControlFlow::Continue(())
    };
    if asked.is_continue() {
        run_to_decision(ctx);
    }
}

/// Enters the current stage. Breaks where a player must decide.
fn enter(ctx: &mut ExecContext<'_>) -> ControlFlow<()> {
    match ctx.state.stage {
        Stage::KingsAid => kings_aid::enter(ctx),
        Stage::AidGood { turn_index, tied } => {
            return kings_aid::enter_choice(ctx, turn_index, tied);
        }
        Stage::EnvoyDeclaration => return envoy::enter_declaration(ctx),
        Stage::Roll => roll::enter(ctx),
        Stage::Reroll { turn_index } => return roll::enter_reroll(ctx, turn_index),
        Stage::Order => roll::enter_order(ctx),
        Stage::SetAside { turn_index } => return two_players::enter_set_aside(ctx, turn_index),
        Stage::Influence { turn_index } => return influence::enter(ctx, turn_index),
        Stage::Help { advisor, served } => return help::enter(ctx, advisor, served),
        Stage::Build {
            turn_index,
            actions_left,
        } => return build::enter(ctx, turn_index, actions_left),
        Stage::SeasonEnd { turn_index } => return season_end::enter(ctx, turn_index),
        Stage::KingsReward => kings_reward::enter(ctx),
        Stage::KingsEnvoy => envoy::enter_award(ctx),
        Stage::Recruit { turn_index } => return recruit::enter(ctx, turn_index),
        Stage::Reveal => winter::enter(ctx),
        Stage::Resolve { turn_index, part } => return winter::enter_resolve(ctx, turn_index, part),
        Stage::Strongest => winter::enter_strongest(ctx),
        Stage::Over => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}
