//! The judge and the list: which actions answer the open decision (CAY-6.2).

use std::ops::ControlFlow;

use super::action::{Action, Target};
use super::data::{Cubes, Effect, Resource, Space, Tile, Trade};
use super::pending::{Asked, Decision};
use super::refusal::Refusal;
use super::rules::building::{CraftPlan, PrestigePlan, TransformPlan};
use super::rules::favors::FavorPlan;
use super::rules::{activation, building, castle, favors, goods, placement, provost, special};
use super::state::{Log, State};
use crate::table::{Seat, Visit};

/// An action that was allowed, with prices and places worked out.
#[derive(Clone, Debug)]
pub struct Permit {
    seat: Seat,
    deed: Deed,
}

/// What is done once it is allowed.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    Place { target: Target, price: u16 },
    Pass,
    MoveGateWorker { target: Target },
    RecallGateWorker,
    GuildMove { to: Space },
    Joust { accept: bool },
    InnChoice { stay: bool },
    Bribe { to: Space, price: u16 },
    Produce { cubes: Cubes },
    Trade(Trade),
    Craft(CraftPlan),
    Prestige(PrestigePlan),
    Transform(TransformPlan),
    Decline { space: Space },
    OwnerBonus { space: Space, resource: Resource },
    Favor(FavorPlan),
    Batch(castle::Batch),
    FinishCastle,
}

/// # Rule CAY-6.1.5
/// Game over, unknown seat, not his turn, wrong kind of action; then what the action asks for.
pub(super) fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, Refusal> {
    let asked = state.asked.ok_or(Refusal::GameOver)?;
    if !state.players.has(seat) {
        return Err(Refusal::UnknownPlayer { seat });
    }
    if seat != asked.seat {
        let acting = asked.seat;
        return Err(Refusal::NotYourTurn { acting });
    }
    let deed = check_answer(state, asked, action)?;
    Ok(Permit { seat, deed })
}

/// Does the action answer the decision, and may it?
fn check_answer(state: &State, asked: Asked, action: &Action) -> Result<Deed, Refusal> {
    let seat = asked.seat;
    match (asked.decision, action) {
        (Decision::PlaceWorker, Action::PlaceWorker { target }) => {
            placement::check(state, seat, *target)
        }
        (Decision::PlaceWorker, Action::Pass) => Ok(Deed::Pass),
        (Decision::GateRelocate, Action::MoveGateWorker { target }) => {
            special::check_gate(state, seat, *target)
        }
        (Decision::GateRelocate, Action::RecallGateWorker) => Ok(Deed::RecallGateWorker),
        (Decision::GuildMove, Action::MoveProvost { delta }) => provost::check_guild(state, *delta),
        (Decision::Joust, &Action::Joust { accept }) => special::check_joust(state, seat, accept),
        (Decision::InnStay, &Action::InnChoice { stay }) => Ok(Deed::InnChoice { stay }),
        (Decision::BribeProvost, Action::MoveProvost { delta }) => {
            provost::check_bribe(state, seat, *delta)
        }
        (Decision::UseBuilding { space }, action) => {
            let tile = activation::tile_in_use(state, space);
            check_effect(state, asked, (space, tile), action)
        }
        (Decision::OwnerBonus { space }, Action::ChooseOwnerBonus { resource }) => {
            activation::check_owner_bonus(state, space, *resource)
        }
        (
            Decision::TakeFavor,
            Action::TakeFavor {
                line,
                column,
                effect,
            },
        ) => favors::check(state, seat, *line, *column, effect).map(Deed::Favor),
        (Decision::CastleBuild, Action::BuildCastleBatch { second, third }) => {
            castle::check_batch(state, seat, *second, *third)
        }
        (Decision::CastleBuild, Action::FinishCastle) => Ok(Deed::FinishCastle),
        (_, action) => Err(wrong(asked, action)),
    }
}

/// # Rule CAY-6.11
/// A kind of action that belongs to another building is `WRONG_DECISION`.
fn check_effect(
    state: &State,
    asked: Asked,
    (space, tile): (Space, Tile),
    action: &Action,
) -> Result<Deed, Refusal> {
    let seat = asked.seat;
    match (tile.sheet().effect, action) {
        (Effect::Produce(options), Action::Produce { option }) => {
            goods::check_produce(options, *option)
        }
        (Effect::Produce(_) | Effect::None, Action::Decline) => Err(Refusal::NotOptional { tile }),
        (_, Action::Decline) => Ok(Deed::Decline { space }),
        (Effect::SellCube(price), Action::SellCube { resource }) => {
            goods::check_sell(state, seat, price, *resource)
        }
        (Effect::BuyCubes { price, most }, Action::BuyCubes { resources }) => {
            goods::check_buy(state, seat, price, most, resources)
        }
        (Effect::Trade(options), Action::Trade { option }) => {
            goods::check_trade(state, seat, options, *option)
        }
        (Effect::Alchemy, Action::Alchemy { payment }) => {
            goods::check_alchemy(state, seat, payment)
        }
        (Effect::BuildCraft(kind), Action::BuildCraft { tile, any_payment }) => {
            building::check_craft_action(state, seat, kind, *tile, *any_payment)
        }
        (Effect::BuildPrestige, Action::BuildPrestige { tile, space }) => {
            building::check_prestige_action(state, seat, *tile, *space)
        }
        (Effect::Transform, Action::TransformBuilding { space }) => {
            building::check_transform_action(state, seat, *space)
        }
        (_, action) => Err(wrong(asked, action)),
    }
}

fn wrong(asked: Asked, action: &Action) -> Refusal {
    Refusal::WrongDecision {
        decision: asked.decision.id(),
        kind: action.kind(),
    }
}

/// # Rule CAY-6.2.2
/// What may answer the open decision, in canonical order: passive choices last.
pub(super) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let Some(asked) = state.asked.filter(|asked| asked.seat == seat) else {
        return ControlFlow::Continue(());
    };
    match asked.decision {
        Decision::PlaceWorker => {
            placement::targets(&mut |target| visit(Action::PlaceWorker { target }))?;
            visit(Action::Pass)
        }
        Decision::GateRelocate => {
            placement::targets(&mut |target| visit(Action::MoveGateWorker { target }))?;
            visit(Action::RecallGateWorker)
        }
        Decision::GuildMove | Decision::BribeProvost => provost::candidates(visit),
        Decision::Joust => {
            visit(Action::Joust { accept: true })?;
            visit(Action::Joust { accept: false })
        }
        Decision::InnStay => {
            visit(Action::InnChoice { stay: true })?;
            visit(Action::InnChoice { stay: false })
        }
        Decision::UseBuilding { space } => {
            effect_candidates(state, seat, activation::tile_in_use(state, space), visit)
        }
        Decision::OwnerBonus { space } => activation::bonus_candidates(state, space, visit),
        Decision::TakeFavor => favors::candidates(state, seat, visit),
        Decision::CastleBuild => {
            castle::batch_candidates(visit)?;
            visit(Action::FinishCastle)
        }
    }
}

fn effect_candidates(
    state: &State,
    seat: Seat,
    tile: Tile,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    match tile.sheet().effect {
        Effect::None => ControlFlow::Continue(()),
        Effect::Produce(options) => return goods::produce_candidates(options, visit),
        Effect::SellCube(_) => goods::sell_candidates(visit),
        Effect::BuyCubes { most, .. } => goods::buy_candidates(most, visit),
        Effect::Trade(options) => goods::trade_candidates(options, visit),
        Effect::Alchemy => goods::alchemy_candidates(visit),
        Effect::BuildCraft(kind) => building::craft_candidates(kind, &mut |tile, any_payment| {
            let tile = Some(tile);
            visit(Action::BuildCraft { tile, any_payment })
        }),
        Effect::BuildPrestige => building::prestige_candidates(state, seat, &mut |tile, space| {
            let (tile, space) = (Some(tile), Some(space));
            visit(Action::BuildPrestige { tile, space })
        }),
        Effect::Transform => building::transform_candidates(state, seat, &mut |space| {
            let space = Some(space);
            visit(Action::TransformBuilding { space })
        }),
    }?;
    visit(Action::Decline)
}

/// The only legal action of the open decision; nothing, if there is a choice.
pub(super) fn only_action(state: &State, asked: Asked) -> Option<(Action, Permit)> {
    let mut only = None;
    let choice = candidates(
        state,
        asked.seat,
        &mut |action| match check(state, asked.seat, &action) {
            Ok(_) if only.is_some() => ControlFlow::Break(()),
            Ok(permit) => {
                only = Some((action, permit));
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Continue(()),
        },
    );
    only.filter(|_| choice.is_continue())
}

/// Does what was allowed. The decision is answered; the next one is not looked for yet.
pub(super) fn carry_out(state: &mut State, permit: Permit, journal: &mut Log) {
    let Permit { seat, deed } = permit;
    state.asked = None;
    match deed {
        Deed::Place { target, price } => placement::place(state, seat, target, price, journal),
        Deed::Pass => placement::pass(state, seat, journal),
        Deed::MoveGateWorker { target } => special::move_gate(state, seat, target, journal),
        Deed::RecallGateWorker => special::recall_gate(state, seat, journal),
        Deed::GuildMove { to } => provost::guild_move(state, seat, to, journal),
        Deed::Joust { accept: true } => special::joust(state, seat, journal),
        Deed::Joust { accept: false } => special::decline_joust(state, seat, journal),
        Deed::InnChoice { stay: true } => special::stay_in_inn(state, seat, journal),
        Deed::InnChoice { stay: false } => special::leave_inn(state, seat, journal),
        Deed::Bribe { to, price } => provost::bribe(state, seat, to, price, journal),
        Deed::Produce { cubes } => goods::produce(state, seat, cubes, journal),
        Deed::Trade(trade) => goods::trade(state, seat, trade, journal),
        Deed::Craft(plan) => building::build_craft(state, seat, plan, journal),
        Deed::Prestige(plan) => building::build_prestige(state, seat, plan, journal),
        Deed::Transform(plan) => building::transform(state, seat, plan, journal),
        Deed::Decline { space } => activation::decline(seat, space, journal),
        Deed::OwnerBonus { space, resource } => {
            activation::take_owner_bonus(state, seat, space, resource, journal);
        }
        Deed::Favor(plan) => favors::take(state, seat, plan, journal),
        Deed::Batch(batch) => castle::build(state, seat, batch, journal),
        Deed::FinishCastle => castle::finish(state, seat, journal),
    }
}
