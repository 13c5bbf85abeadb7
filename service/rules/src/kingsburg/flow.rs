//! The course of play as a **state machine**: carries out a validated action, then runs the stages up to the next
//! decision (KIN-6.1).

use std::ops::ControlFlow;

use super::legal::{Deed, Permit};
use super::rules::{
    build, envoy, help, influence, kings_aid, kings_reward, losses, recruit, roll, season_end,
    two_players, winter,
};
use super::stage::Stage;
use super::state::Play;
use crate::table;

/// Carries out a validated action, and everything automatic after it.
pub fn perform(play: &mut Play<'_>, permit: Permit) {
    answer(play, permit);
    settle(play);
}

/// Carries out the answer to the decision, without seeking the next decision.
pub fn answer(play: &mut Play<'_>, Permit { seat, deed }: Permit) {
    match deed {
        Deed::AidGood(good) => kings_aid::perform(play, seat, good),
        Deed::Envoy(purpose) => envoy::perform(play, seat, purpose),
        Deed::Reroll(deed) => roll::perform(play, seat, deed),
        Deed::SetAside(die) => two_players::perform(play, seat, die),
        Deed::Influence(deed) => influence::perform(play, seat, deed),
        Deed::Help(deed) => help::perform(play, seat, deed),
        Deed::Build(deed) => build::perform(play, seat, deed),
        Deed::SeasonEnd(deed) => season_end::perform(play, seat, deed),
        Deed::Recruit(deed) => recruit::perform(play, seat, deed),
        Deed::RewardGood(good) => winter::perform(play, seat, good),
        Deed::Loss(deed) => losses::perform(play, seat, deed),
    }
}

/// Runs stages up to the next decision, or to the end of the game.
///
/// # Rule KIN-6.1
pub fn settle(play: &mut Play<'_>) {
    table::settle(play, enter);
}

/// Enters the current stage. Breaks where a player must decide.
fn enter(play: &mut Play<'_>) -> ControlFlow<()> {
    match play.state.stage {
        Stage::KingsAid => kings_aid::enter(play),
        Stage::AidGood { place, tied } => return kings_aid::enter_choice(play, place, tied),
        Stage::EnvoyDeclaration => return envoy::enter_declaration(play),
        Stage::Roll => roll::enter(play),
        Stage::Reroll { place } => return roll::enter_reroll(play, place),
        Stage::Order => roll::enter_order(play),
        Stage::SetAside { place } => return two_players::enter_set_aside(play, place),
        Stage::Influence { place } => return influence::enter(play, place),
        Stage::Help { advisor, served } => return help::enter(play, advisor, served),
        Stage::Build {
            place,
            actions_left,
        } => return build::enter(play, place, actions_left),
        Stage::SeasonEnd { place } => return season_end::enter(play, place),
        Stage::KingsReward => kings_reward::enter(play),
        Stage::KingsEnvoy => envoy::enter_award(play),
        Stage::Recruit { place } => return recruit::enter(play, place),
        Stage::Reveal => winter::enter(play),
        Stage::Resolve { place, part } => return winter::enter_resolve(play, place, part),
        Stage::Strongest => winter::enter_strongest(play),
        Stage::Over => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}
