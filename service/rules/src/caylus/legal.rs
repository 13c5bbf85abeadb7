//! **Move generation**: `check` validates an action, `candidates` lists those that it then filters (CAY-6.2).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::{Effect, LAWYER_PRICE, Space};
use super::refusal::{No, Refusal};
use super::rules::building::Craft;
use super::rules::{activation, building, castle, favors, goods, placement, provost, special};
use super::stage::Decision;
use super::state::State;
use crate::table::{Kind as _, Lister, Refusal as _, Seat, Visit, owed, wrong_decision};

/// A validated action of a seat. Only `check` makes one, so that no unchecked action can be carried out.
#[derive(Debug)]
pub struct Permit {
    pub seat: Seat,
    pub deed: Deed,
}

/// A validated action, with prices and targets worked out by its theme.
#[derive(Debug)]
pub enum Deed {
    Placement(placement::Deed),
    Special(special::Deed),
    Provost(provost::Deed),
    Activation(activation::Deed),
    Goods(goods::Deed),
    Building(building::Deed),
    Favor(favors::Deed),
    Castle(castle::Deed),
}

/// Validates an action: the game is not over, the seat owes the decision, the action answers it; then the checks of
/// the action itself.
///
/// # Rule CAY-6.1.5
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, No> {
    let decision = owed(state.asked(), seat, Decision::id, "CAY-6.1.5", "CAY-6.1.5")?;
    let deed = judge(state, seat, decision, action)?;
    Ok(Permit { seat, deed })
}

/// Validates an action as the answer to this decision.
#[rustfmt::skip]
fn judge(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<Deed, No> {
    match (decision, action) {
        (Decision::PlaceWorker, Action::PlaceWorker { target }) => placement::check(state, seat, *target).map(Deed::Placement),
        (Decision::PlaceWorker, Action::PassTurn) => Ok(Deed::Placement(placement::Deed::Pass)),
        (Decision::GateRelocate, Action::MoveGateWorker { target }) => special::check_gate(state, seat, *target).map(Deed::Special),
        (Decision::GateRelocate, Action::RecallGateWorker) => Ok(Deed::Special(special::Deed::RecallGateWorker)),
        (Decision::GuildMove, &Action::MoveProvost { delta }) => provost::check_guild(state, delta).map(Deed::Provost),
        (Decision::Joust, &Action::Joust { accept }) => special::check_joust(state, seat, accept).map(Deed::Special),
        (Decision::InnStay, &Action::InnChoice { stay }) => Ok(Deed::Special(special::Deed::InnChoice { stay })),
        (Decision::BribeProvost, &Action::MoveProvost { delta }) => provost::check_bribe(state, seat, delta).map(Deed::Provost),
        (Decision::UseBuilding { space }, action) => judge_use(state, seat, space, action),
        (Decision::OwnerBonus { space }, Action::ChooseOwnerBonus { resource }) => {
            activation::check_owner_bonus(state, space, *resource).map(Deed::Activation)
        }
        (Decision::TakeFavor, Action::TakeFavor { line, column, effect }) => favors::check(state, seat, *line, *column, effect).map(Deed::Favor),
        (Decision::CastleBuild, Action::BuildCastleBatch { second, third }) => castle::check_batch(state, seat, *second, *third).map(Deed::Castle),
        (Decision::CastleBuild, Action::FinishCastle) => Ok(Deed::Castle(castle::Deed::Finish)),
        (_, action) => Err(wrong_decision(action, decision.id(), "CAY-6.1.5")),
    }
}

/// Validates the use of the building on this space.
///
/// # Rule CAY-6.11
/// A kind of action that belongs to another building is `WRONG_DECISION`.
#[rustfmt::skip]
fn judge_use(state: &State, seat: Seat, space: Space, action: &Action) -> Result<Deed, No> {
    let tile = state.road.tile(space);
    match (tile.sheet().effect, action) {
        (Effect::Produce(_) | Effect::None, Action::Decline) => Err(Refusal::NotOptional { tile }.at("CAY-7.1")),
        (_, Action::Decline) => Ok(Deed::Activation(activation::Deed::Decline { space })),
        (Effect::Produce(options), Action::Produce { option }) => goods::check_produce(options, *option).map(Deed::Goods),
        (Effect::SellCube(price), Action::SellCube { resource }) => goods::check_sell(state, seat, price, *resource).map(Deed::Goods),
        (Effect::BuyCubes { price, most }, Action::BuyCubes { resources }) => goods::check_buy(state, seat, price, most, resources).map(Deed::Goods),
        (Effect::Trade(options), Action::Trade { option }) => goods::check_trade(state, seat, options, *option).map(Deed::Goods),
        (Effect::Alchemy, Action::Alchemy { payment }) => goods::check_alchemy(state, seat, payment).map(Deed::Goods),
        (Effect::BuildCraft(kind), Action::BuildCraft { tile, any_payment }) => {
            let craft = Craft { kind, discount: None, rule: "CAY-7.4" };
            building::check_craft(state, seat, craft, *tile, *any_payment).map(Deed::Building)
        }
        (Effect::BuildPrestige, Action::BuildPrestige { tile, space }) => {
            building::check_prestige(state, seat, *tile, *space, "CAY-7.6").map(Deed::Building)
        }
        (Effect::Transform, Action::TransformBuilding { space }) => {
            building::check_transform(state, seat, *space, LAWYER_PRICE, "CAY-7.5").map(Deed::Building)
        }
        (_, action) => Err(wrong_decision(action, Decision::UseBuilding { space }.id(), "CAY-6.1.5")),
    }
}

/// Visits the candidates for legal actions of this seat, in canonical order: passive choices last.
///
/// # Rule CAY-6.2.2
pub fn candidates(state: &State, seat: Seat, list: &mut Lister<'_, Action>) -> Visit {
    let Some((_, decision)) = state.asked().filter(|&(to_act, _)| to_act == seat) else {
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

fn candidates_use(state: &State, seat: Seat, space: Space, list: &mut Lister<'_, Action>) -> Visit {
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
    let (_, decision) = state.asked().filter(|&(to_act, _)| to_act == seat)?;
    let mut only = None;
    let mut visit = |action| match judge(state, seat, decision, &action) {
        Ok(_) if only.is_some() => ControlFlow::Break(()),
        Ok(deed) => {
            only = Some((action, Permit { seat, deed }));
            ControlFlow::Continue(())
        }
        Err(_) => ControlFlow::Continue(()),
    };
    let mut list = Lister::new(Action::kind, &mut visit);
    let choice = candidates(state, seat, &mut list);
    only.filter(|_| choice.is_continue())
}
