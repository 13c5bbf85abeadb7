//! **Move generation**: `check` validates an action, `candidates` lists those that it then filters (CAY-6.2).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::{Effect, LAWYER_PRICE, Space};
use super::refusal::{Refusal, RefusedAction};
use super::rules::building::Craft;
use super::rules::{activation, building, castle, favors, goods, placement, provost, special};
use super::stage::Decision;
use super::state::State;
use crate::table::{
    self, ActionEnumerator, Kind as _, Refusal as _, Seat, VisitFlow, pending_decision,
    wrong_decision,
};

/// A validated action of a seat.
pub type Permit = table::Permit<ValidAction>;

/// A validated action, with prices and targets worked out by its theme.
#[derive(Debug)]
pub enum ValidAction {
    Placement(placement::ValidAction),
    Special(special::ValidAction),
    Provost(provost::ValidAction),
    Activation(activation::ValidAction),
    Goods(goods::ValidAction),
    Building(building::ValidAction),
    Favor(favors::ValidAction),
    Castle(castle::ValidAction),
}

/// Validates an action: the game is not over, the seat owes the decision, the action answers it; then the checks of
/// the action itself.
///
/// # Rule CAY-6.1.5
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, RefusedAction> {
    let decision = pending_decision(
        state.pending(),
        seat,
        Decision::id,
        "CAY-6.1.5",
        "CAY-6.1.5",
    )?;
    let valid_action = judge(state, seat, decision, action)?;
    Ok(Permit { seat, valid_action })
}

/// Validates an action as the answer to this decision.
#[rustfmt::skip]
fn judge(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<ValidAction, RefusedAction> {
    match (decision, action) {
        (Decision::PlaceWorker, Action::PlaceWorker { target }) => placement::check(state, seat, *target).map(ValidAction::Placement),
        (Decision::PlaceWorker, Action::PassTurn) => Ok(ValidAction::Placement(placement::ValidAction::Pass)),
        (Decision::GateRelocate, Action::MoveGateWorker { target }) => special::check_gate(state, seat, *target).map(ValidAction::Special),
        (Decision::GateRelocate, Action::RecallGateWorker) => Ok(ValidAction::Special(special::ValidAction::RecallGateWorker)),
        (Decision::GuildMove, &Action::MoveProvost { delta }) => provost::check_guild(state, delta).map(ValidAction::Provost),
        (Decision::Joust, &Action::Joust { accept }) => special::check_joust(state, seat, accept).map(ValidAction::Special),
        (Decision::InnStay, &Action::InnChoice { stay }) => Ok(ValidAction::Special(special::ValidAction::InnChoice { stay })),
        (Decision::BribeProvost, &Action::MoveProvost { delta }) => provost::check_bribe(state, seat, delta).map(ValidAction::Provost),
        (Decision::UseBuilding { space }, action) => judge_use(state, seat, space, action),
        (Decision::OwnerBonus { space }, Action::ChooseOwnerBonus { resource }) => {
            activation::check_owner_bonus(state, space, *resource).map(ValidAction::Activation)
        }
        (Decision::TakeFavor, Action::TakeFavor { line, column, effect }) => favors::check(state, seat, *line, *column, effect).map(ValidAction::Favor),
        (Decision::CastleBuild, Action::BuildCastleBatch { second, third }) => castle::check_batch(state, seat, *second, *third).map(ValidAction::Castle),
        (Decision::CastleBuild, Action::FinishCastle) => Ok(ValidAction::Castle(castle::ValidAction::Finish)),
        (_, action) => Err(wrong_decision(action, decision.id(), "CAY-6.1.5")),
    }
}

/// Validates the use of the building on this space.
///
/// # Rule CAY-6.11
/// A kind of action that belongs to another building is `WRONG_DECISION`.
#[rustfmt::skip]
fn judge_use(state: &State, seat: Seat, space: Space, action: &Action) -> Result<ValidAction, RefusedAction> {
    let tile = state.road.tile(space);
    match (tile.sheet().effect, action) {
        (Effect::Produce(_) | Effect::None, Action::Decline) => Err(Refusal::NotOptional { tile }.citing("CAY-7.1")),
        (_, Action::Decline) => Ok(ValidAction::Activation(activation::ValidAction::Decline { space })),
        (Effect::Produce(options), Action::Produce { option }) => goods::check_produce(options, *option).map(ValidAction::Goods),
        (Effect::SellCube(price), Action::SellCube { resource }) => goods::check_sell(state, seat, price, *resource).map(ValidAction::Goods),
        (Effect::BuyCubes { price, most }, Action::BuyCubes { resources }) => goods::check_buy(state, seat, price, most, resources).map(ValidAction::Goods),
        (Effect::Trade(options), Action::Trade { option }) => goods::check_trade(state, seat, options, *option).map(ValidAction::Goods),
        (Effect::Alchemy, Action::Alchemy { payment }) => goods::check_alchemy(state, seat, payment).map(ValidAction::Goods),
        (Effect::BuildCraft(kind), Action::BuildCraft { tile, any_payment }) => {
            let craft = Craft { kind, discount: None, rule: "CAY-7.4" };
            building::check_craft(state, seat, craft, *tile, *any_payment).map(ValidAction::Building)
        }
        (Effect::BuildPrestige, Action::BuildPrestige { tile, space }) => {
            building::check_prestige(state, seat, *tile, *space, "CAY-7.6").map(ValidAction::Building)
        }
        (Effect::Transform, Action::TransformBuilding { space }) => {
            building::check_transform(state, seat, *space, LAWYER_PRICE, "CAY-7.5").map(ValidAction::Building)
        }
        (_, action) => Err(wrong_decision(action, Decision::UseBuilding { space }.id(), "CAY-6.1.5")),
    }
}

/// Visits the candidates for legal actions of this seat, in canonical order: passive choices last.
///
/// # Rule CAY-6.2.2
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let Some((_, decision)) = state.pending().filter(|&(to_act, _)| to_act == seat) else {
        return ControlFlow::Continue(());
    };
    match decision {
        Decision::PlaceWorker => placement::candidates(state, list),
        Decision::GateRelocate => special::candidates_gate(state, list),
        Decision::GuildMove | Decision::BribeProvost => provost::candidates(list),
        Decision::Joust => special::candidates_joust(list),
        Decision::InnStay => special::candidates_inn(list),
        Decision::UseBuilding { space } => candidates_use(state, seat, space, list),
        Decision::OwnerBonus { space } => activation::candidates_owner_bonus(state, space, list),
        Decision::TakeFavor => favors::candidates(state, seat, list),
        Decision::CastleBuild => castle::candidates(list),
    }
}

fn candidates_use(
    state: &State,
    seat: Seat,
    space: Space,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    match state.road.tile(space).sheet().effect {
        Effect::None => ControlFlow::Continue(()),
        Effect::Produce(options) => return goods::candidates_produce(options, list),
        Effect::SellCube(_) => goods::candidates_sell(list),
        Effect::BuyCubes { most, .. } => goods::candidates_buy(most, list),
        Effect::Trade(options) => goods::candidates_trade(options, list),
        Effect::Alchemy => goods::candidates_alchemy(list),
        Effect::BuildCraft(kind) => building::candidates_craft(kind, &mut |tile, any_payment| {
            let tile = Some(tile);
            list.visit(Action::BuildCraft { tile, any_payment })
        }),
        Effect::BuildPrestige => building::candidates_prestige(state, seat, &mut |tile, space| {
            let (tile, space) = (Some(tile), Some(space));
            list.visit(Action::BuildPrestige { tile, space })
        }),
        Effect::Transform => building::candidates_transform(state, seat, &mut |space| {
            let space = Some(space);
            list.visit(Action::TransformBuilding { space })
        }),
    }?;
    list.visit(Action::Decline)
}

/// The only legal action of this seat; `None` if there is a choice.
pub fn only_action(state: &State, seat: Seat) -> Option<(Action, Permit)> {
    let (_, decision) = state.pending().filter(|&(to_act, _)| to_act == seat)?;
    let mut only = None;
    let mut visit = |action| match judge(state, seat, decision, &action) {
        Ok(_) if only.is_some() => ControlFlow::Break(()),
        Ok(valid_action) => {
            only = Some((action, Permit { seat, valid_action }));
            ControlFlow::Continue(())
        }
        Err(_) => ControlFlow::Continue(()),
    };
    let mut list = ActionEnumerator::new(Action::kind, &mut visit);
    let choice = candidates(state, seat, &mut list);
    only.filter(|_| choice.is_continue())
}
