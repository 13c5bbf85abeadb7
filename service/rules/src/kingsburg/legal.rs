//! **Move generation**: `check` validates an action, `candidates` lists those that it then filters (KIN-6.3, KIN-6i).

use std::ops::ControlFlow;

use super::action::{Action, EnvoyUse};
use super::data::{DieId, Good};
use super::refusal::RefusedAction;
use super::rules::{
    build, envoy, help, influence, kings_aid, losses, recruit, roll, season_end, two_players,
    winter,
};
use super::stage::Decision;
use super::state::State;
use crate::table::{self, ActionEnumerator, Seat, VisitFlow, pending_decision, wrong_decision};

/// A validated action of a seat.
pub type Permit = table::Permit<ValidAction>;

/// A validated action, with prices and targets worked out by its theme.
#[derive(Debug)]
pub enum ValidAction {
    AidGood(Good),
    Envoy(EnvoyUse),
    Reroll(roll::ValidAction),
    SetAside(DieId),
    Influence(influence::ValidAction),
    Help(help::ValidAction),
    Build(build::ValidAction),
    SeasonEnd(season_end::ValidAction),
    Recruit(recruit::ValidAction),
    RewardGood(Good),
    Loss(losses::ValidAction),
}

/// Validates an action: the game is not over, the seat owes the decision, the action answers it; then the checks of
/// the action itself.
///
/// # Rule KIN-6.3
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, RefusedAction> {
    let decision = pending_decision(state.pending(), seat, Decision::id, "KIN-6.3", "KIN-6.3")?;
    let valid_action = judge(state, seat, decision, action)?;
    Ok(Permit { seat, valid_action })
}

/// Validates an action as the answer to this decision.
#[rustfmt::skip]
fn judge(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<ValidAction, RefusedAction> {
    match (decision, action) {
        (Decision::AidGood, Action::ChooseAidGood { good }) => kings_aid::check(*good).map(ValidAction::AidGood),
        (Decision::EnvoyDeclaration, Action::DeclareEnvoy { purpose }) => envoy::check(*purpose).map(ValidAction::Envoy),
        (Decision::Reroll, Action::RerollDie { die }) => roll::check(state, seat, *die).map(ValidAction::Reroll),
        (Decision::Reroll, Action::KeepRoll) => Ok(ValidAction::Reroll(roll::ValidAction::Keep)),
        (Decision::SetAside, Action::SetAsideDie { die }) => two_players::check(state, seat, *die).map(ValidAction::SetAside),
        (Decision::Influence, Action::Influence(placement)) => influence::check(state, seat, placement).map(ValidAction::Influence),
        (Decision::Influence, Action::PassInfluence) => Ok(ValidAction::Influence(influence::ValidAction::Pass)),
        (
            Decision::HelpChoice { advisor },
            Action::ChooseHelpGood { .. } | Action::AlchemistExchange { .. } | Action::DeclineExchange,
        ) => help::check(state, seat, advisor, action).map(ValidAction::Help),
        (Decision::Build { actions_left }, Action::Build { building }) => build::check(state, seat, actions_left, *building).map(ValidAction::Build),
        (Decision::Build { .. }, Action::PassBuild) => Ok(ValidAction::Build(build::ValidAction::Pass)),
        (Decision::TownHall, Action::TownHallTakeToken) => Ok(ValidAction::SeasonEnd(season_end::ValidAction::TakeToken)),
        (Decision::TownHall, Action::TownHallSellGood { good }) => season_end::check(state, seat, *good).map(ValidAction::SeasonEnd),
        (Decision::Recruit { goods }, Action::RecruitSoldier(offer)) => recruit::check(state, seat, goods, *offer).map(ValidAction::Recruit),
        (Decision::Recruit { .. }, Action::PassRecruit) => Ok(ValidAction::Recruit(recruit::ValidAction::Pass)),
        (Decision::RewardGood, Action::ChooseRewardGood { good }) => winter::check(*good).map(ValidAction::RewardGood),
        (Decision::LossGoods { goods }, Action::PayLostGoods(offer)) => losses::check_goods(state, seat, goods, *offer).map(ValidAction::Loss),
        (Decision::LossBuilding, Action::LoseBuilding { building }) => losses::check_building(state, seat, *building).map(ValidAction::Loss),
        (_, action) => Err(wrong_decision(action, decision.id(), "KIN-6.3")),
    }
}

/// Visits the candidates for legal actions of this seat, in canonical order.
///
/// # Rule KIN-6i
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let Some((_, decision)) = state.pending().filter(|&(to_act, _)| to_act == seat) else {
        return ControlFlow::Continue(());
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
