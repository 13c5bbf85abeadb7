//! What a player may do: the judge, and the list that the judge filters.

use std::ops::ControlFlow;

use super::action::Action;
use super::pending::{Decision, asked};
use super::refusal::Refusal;
use super::rules::{
    Answer, Deed, build, envoy, help, influence, kings_aid, losses, recruit, roll, season_end,
    two_players, winter,
};
use super::state::State;
use crate::table::{Seat, Visit};

/// An action that was allowed. Only [`check`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Permit {
    pub(super) seat: Seat,
    pub(super) deed: Deed,
}

/// Common checks first, then those of the action.
///
/// # Rule KIN-6.3
pub(super) fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, Refusal> {
    let (actor, decision) = asked(state).ok_or(Refusal::GameOver)?;
    if !state.players.has(seat) {
        return Err(Refusal::NotAPlayer(seat));
    }
    if seat != actor {
        return Err(Refusal::NotYourTurn(actor));
    }
    let answer = judge(state, seat, decision, action);
    let deed = answer.ok_or(Refusal::WrongDecision(decision))??;
    Ok(Permit { seat, deed })
}

fn judge(state: &State, seat: Seat, decision: Decision, action: &Action) -> Answer {
    match decision {
        Decision::AidGood => kings_aid::check(action),
        Decision::EnvoyDeclaration => envoy::check(action),
        Decision::Reroll => roll::check_reroll(state, seat, action),
        Decision::SetAside => two_players::check(state, seat, action),
        Decision::Influence => influence::check(state, seat, action),
        Decision::HelpChoice { advisor } => help::check(state, seat, advisor, action),
        Decision::Build { .. } => build::check(state, seat, decision, action),
        Decision::TownHall => season_end::check(state, seat, action),
        Decision::Recruit { goods } => recruit::check(state, seat, goods, action),
        Decision::RewardGood => winter::check_reward(action),
        Decision::LossGoods { goods } => losses::check_goods(state, seat, goods, action),
        Decision::LossBuilding => losses::check_building(state, seat, action),
    }
}

/// Visits what this seat may be allowed to do, in the order of KIN-6.9.
pub(super) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let Some((actor, decision)) = asked(state) else {
        return ControlFlow::Continue(());
    };
    if actor != seat {
        return ControlFlow::Continue(());
    }
    match decision {
        Decision::AidGood => kings_aid::candidates(visit),
        Decision::EnvoyDeclaration => envoy::candidates(visit),
        Decision::Reroll => roll::candidates_reroll(state, seat, visit),
        Decision::SetAside => two_players::candidates(state, seat, visit),
        Decision::Influence => influence::candidates(state, seat, visit),
        Decision::HelpChoice { advisor } => help::candidates(state, seat, advisor, visit),
        Decision::Build { .. } => build::candidates(state, seat, visit),
        Decision::TownHall => season_end::candidates(state, seat, visit),
        Decision::Recruit { .. } => recruit::candidates(state, seat, visit),
        Decision::RewardGood => winter::candidates_reward(visit),
        Decision::LossGoods { goods } => losses::candidates_goods(state, seat, goods, visit),
        Decision::LossBuilding => losses::candidates_building(state, seat, visit),
    }
}
