//! Legal actions: the judge, and the list that the judge filters.

use std::ops::ControlFlow;

use super::action::{Action, EnvoyUse};
use super::data::{DieId, Good};
use super::refusal::{Answer, No, Refusal};
use super::rules::{
    build, envoy, help, influence, kings_aid, losses, recruit, roll, season_end, two_players,
    winter,
};
use super::stage::Decision;
use super::state::State;
use crate::table::{Lister, Refusal as _, Seat, Visit};

/// An action that was allowed. Only [`check`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct Permit {
    pub(crate) seat: Seat,
    pub(crate) deed: Deed,
}

/// What was allowed, with prices and targets worked out by its theme.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    AidGood(Good),
    Envoy(EnvoyUse),
    Reroll(roll::Deed),
    SetAside(DieId),
    Influence(influence::Deed),
    Help(help::Deed),
    Build(build::Deed),
    SeasonEnd(season_end::Deed),
    Recruit(recruit::Deed),
    RewardGood(Good),
    Loss(losses::Deed),
}

/// Common checks first, then those of the action.
///
/// # Rule KIN-6.3
pub(crate) fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, No> {
    let rule = "KIN-6.3";
    let Some((to_act, decision)) = state.asked() else {
        return Err(Refusal::GameOver.at(rule));
    };
    if seat != to_act {
        return Err(Refusal::NotYourTurn { to_act, decision }.at(rule));
    }
    let Some(answer) = judge(state, seat, decision, action) else {
        let action = action.kind();
        return Err(Refusal::WrongDecision { action, decision }.at(rule));
    };
    let deed = answer?;
    Ok(Permit { seat, deed })
}

/// The verdict of the decision's theme on the action.
fn judge(state: &State, seat: Seat, decision: Decision, action: &Action) -> Answer<Deed> {
    match decision {
        Decision::AidGood => wrap(kings_aid::check(action), Deed::AidGood),
        Decision::EnvoyDeclaration => wrap(envoy::check(action), Deed::Envoy),
        Decision::Reroll => wrap(roll::check(state, seat, action), Deed::Reroll),
        Decision::SetAside => wrap(two_players::check(state, seat, action), Deed::SetAside),
        Decision::Influence => wrap(influence::check(state, seat, action), Deed::Influence),
        Decision::HelpChoice { advisor } => {
            wrap(help::check(state, seat, advisor, action), Deed::Help)
        }
        Decision::Build { actions_left } => {
            wrap(build::check(state, seat, actions_left, action), Deed::Build)
        }
        Decision::TownHall => wrap(season_end::check(state, seat, action), Deed::SeasonEnd),
        Decision::Recruit { goods } => {
            wrap(recruit::check(state, seat, goods, action), Deed::Recruit)
        }
        Decision::RewardGood => wrap(winter::check(action), Deed::RewardGood),
        Decision::LossGoods { goods } => {
            wrap(losses::check_goods(state, seat, goods, action), Deed::Loss)
        }
        Decision::LossBuilding => wrap(losses::check_building(state, seat, action), Deed::Loss),
    }
}

fn wrap<D>(answer: Answer<D>, deed: fn(D) -> Deed) -> Answer<Deed> {
    answer.map(|allowed| allowed.map(deed))
}

/// Visits what this seat may be allowed to do, in the order of KIN-6.9.
pub(crate) fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    let decision = match state.asked() {
        Some((actor, decision)) if actor == seat => decision,
        Some(_) | None => return ControlFlow::Continue(()),
    };
    match decision {
        Decision::AidGood => kings_aid::candidates(list),
        Decision::EnvoyDeclaration => envoy::candidates(list),
        Decision::Reroll => roll::candidates(state, seat, list),
        Decision::SetAside => two_players::candidates(state, seat, list),
        Decision::Influence => influence::candidates(state, seat, list),
        Decision::HelpChoice { advisor } => help::candidates(state, seat, advisor, list),
        Decision::Build { .. } => build::candidates(state, seat, list),
        Decision::TownHall => season_end::candidates(state, seat, list),
        Decision::Recruit { goods } => recruit::candidates(state, seat, goods, list),
        Decision::RewardGood => winter::candidates(list),
        Decision::LossGoods { goods } => losses::candidates_goods(state, seat, goods, list),
        Decision::LossBuilding => losses::candidates_building(state, seat, list),
    }
}
