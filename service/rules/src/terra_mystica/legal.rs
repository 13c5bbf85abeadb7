//! **Move generation**: `check` validates an action, `candidates` lists those that it then filters (TM-6.3, TM-6.4).

use std::ops::ControlFlow;

use super::action::Action;
use super::data::{Cult, Faction, FavorTile, Goods, Land};
use super::refusal::{Refusal, RefusedAction};
use super::rules::conversions::Exchange;
use super::rules::cults::PriestSent;
use super::rules::follow_ups::TownTaken;
use super::rules::passing::PoolPlace;
use super::rules::spades::SpadeSource;
use super::rules::towns::RiverTown;
use super::rules::transform::PricedTransform;
use super::rules::upgrades::Upgrade;
use super::rules::{
    bridges, conversions, cult_rewards, cults, dwellings, follow_ups, offers, passing,
    power_actions, setting_up, special_actions, towns, tracks, transform, upgrades,
};
use super::stage::Decision;
use super::state::State;
use crate::table::{
    self, ActionEnumerator, Refusal as _, Seat, VisitFlow, pending_decision, wrong_decision,
};

/// A validated action of a seat.
pub type Permit = table::Permit<ValidAction>;

/// A validated action, with prices and targets worked out by its theme.
#[derive(Debug)]
pub enum ValidAction {
    Faction(Faction),
    Dwelling(Land),
    Card(PoolPlace),
    Work(PricedTransform),
    LateDwelling(Land),
    Shipping,
    Terraforming(Goods),
    Upgrade(Upgrade),
    Priest(PriestSent),
    Power(power_actions::ValidAction),
    Special(special_actions::ValidAction),
    EngineerBridge(usize),
    Pass(Option<PoolPlace>),
    Convert(Exchange),
    Sacrifice(u8),
    RiverTown(RiverTown),
    EndTurn,
    DecidePower(bool),
    Favor(FavorTile),
    TownTile(TownTaken),
    CultStep(Cult),
    Ordain(u16),
    StrongholdSpades(PricedTransform),
    CultSpades(PricedTransform),
}

impl ValidAction {
    /// Returns whether this begins one of the eight main actions, or a bridge of the Engineers (TM-6.7).
    pub const fn is_main_action(&self) -> bool {
        match self {
            Self::Work(_)
            | Self::Shipping
            | Self::Terraforming(_)
            | Self::Upgrade(_)
            | Self::Priest(_)
            | Self::Power(_)
            | Self::Special(_)
            | Self::EngineerBridge(_)
            | Self::Pass(_) => true,
            Self::Faction(_)
            | Self::Dwelling(_)
            | Self::Card(_)
            | Self::LateDwelling(_)
            | Self::Convert(_)
            | Self::Sacrifice(_)
            | Self::RiverTown(_)
            | Self::EndTurn
            | Self::DecidePower(_)
            | Self::Favor(_)
            | Self::TownTile(_)
            | Self::CultStep(_)
            | Self::Ordain(_)
            | Self::StrongholdSpades(_)
            | Self::CultSpades(_) => false,
        }
    }
}

/// Validates an action: the game is not over, the seat owes the decision, the action answers it; then the checks of
/// the action itself.
///
/// # Rule TM-6.4, TM-14.1
pub fn check(state: &State, seat: Seat, action: &Action) -> Result<Permit, RefusedAction> {
    let decision = pending_decision(state.pending(), seat, Decision::id, "TM-6.1", "TM-6.1")?;
    answers(state, seat, decision, action)?;
    let valid_action = judge(state, seat, decision, action)?;
    Ok(Permit { seat, valid_action })
}

/// Checks that the action answers the decision.
///
/// # Rule TM-6.1
fn answers(
    state: &State,
    seat: Seat,
    decision: Decision,
    action: &Action,
) -> Result<(), RefusedAction> {
    let follow_ups = state.turn.follow_ups;
    let own_turn = matches!(decision, Decision::Turn | Decision::FollowUp);
    let alchemist = || state.faction(seat) == Faction::Alchemists;
    let choosing = decision == Decision::FollowUp;
    let fits = match action {
        Action::ChooseFaction { .. } => decision == Decision::ChooseFaction,
        Action::PlaceDwelling { .. } => decision == Decision::PlaceDwelling,
        Action::ChooseBonusCard { .. } => decision == Decision::ChooseBonusCard,
        Action::TransformAndBuild { .. }
        | Action::AdvanceShipping
        | Action::AdvanceTerraforming
        | Action::UpgradeStructure { .. }
        | Action::SendPriest { .. }
        | Action::TakePowerAction { .. }
        | Action::TakeSpecialAction { .. }
        | Action::BuildEngineerBridge { .. }
        | Action::PassTurn { .. } => {
            if decision == Decision::Turn && state.turn.main_action_done {
                return Err(Refusal::MainActionDone.citing("TM-6.7"));
            }
            decision == Decision::Turn
        }
        Action::BuildDwelling { .. } => decision == Decision::Turn,
        Action::Convert { .. } => own_turn || decision == Decision::PowerDecision && alchemist(),
        Action::SacrificePower { .. } | Action::FoundRiverTown { .. } => own_turn,
        Action::EndTurn => {
            if choosing {
                return Err(Refusal::FollowUpPending.citing("TM-6.60"));
            }
            if decision == Decision::Turn && !state.turn.main_action_done {
                return Err(Refusal::MainActionRequired.citing("TM-6.60"));
            }
            decision == Decision::Turn
        }
        Action::DecidePower { .. } => decision == Decision::PowerDecision,
        Action::ChooseFavorTile { .. } => choosing && follow_ups.favor_tiles > 0,
        Action::ChooseTownTile { .. } => choosing && state.open_towns() > 0,
        Action::ChooseCultStep { .. } => choosing && follow_ups.cult_step,
        Action::OrdainPriests { .. } => choosing && follow_ups.ordination,
        Action::UseStrongholdSpades { .. } => choosing && follow_ups.stronghold_spades,
        Action::UseCultSpades { .. } => decision == Decision::CultSpades,
    };
    if fits {
        Ok(())
    } else {
        Err(wrong_decision(action, decision.id(), "TM-6.1"))
    }
}

/// Validates an action that answers the decision.
#[rustfmt::skip]
fn judge(state: &State, seat: Seat, decision: Decision, action: &Action) -> Result<ValidAction, RefusedAction> {
    match action {
        Action::ChooseFaction { faction } => setting_up::check_faction(state, seat, *faction).map(ValidAction::Faction),
        Action::PlaceDwelling { space } => setting_up::check_dwelling(state, seat, *space).map(ValidAction::Dwelling),
        Action::ChooseBonusCard { card } => passing::check_card(state, *card, "TM-5.8").map(ValidAction::Card),
        Action::TransformAndBuild { work } => transform::check(state, seat, SpadeSource::Bought, work).map(ValidAction::Work),
        Action::BuildDwelling { space } => dwellings::check_late(state, seat, *space).map(ValidAction::LateDwelling),
        Action::AdvanceShipping => tracks::check_shipping(state, seat).map(|()| ValidAction::Shipping),
        Action::AdvanceTerraforming => tracks::check_terraforming(state, seat).map(ValidAction::Terraforming),
        Action::UpgradeStructure { space, to_structure: to } => upgrades::check(state, seat, *space, *to).map(ValidAction::Upgrade),
        Action::SendPriest { cult, slot } => cults::check_priest(state, seat, *cult, *slot).map(ValidAction::Priest),
        Action::TakePowerAction { power_use, sacrifice } => power_actions::check(state, seat, power_use, *sacrifice).map(ValidAction::Power),
        Action::TakeSpecialAction { special_use } => special_actions::check(state, seat, special_use).map(ValidAction::Special),
        Action::BuildEngineerBridge { span } => bridges::check(state, seat, *span).map(ValidAction::EngineerBridge),
        Action::PassTurn { card } => passing::check(state, *card).map(ValidAction::Pass),
        Action::Convert { kind, times, sacrifice } => {
            let wanted = (*kind, *times, *sacrifice);
            conversions::check(state, seat, decision, wanted).map(ValidAction::Convert)
        }
        Action::SacrificePower { tokens } => conversions::check_sacrifice(state, seat, *tokens).map(ValidAction::Sacrifice),
        Action::FoundRiverTown { river } => towns::check(state, seat, *river).map(ValidAction::RiverTown),
        Action::EndTurn => Ok(ValidAction::EndTurn),
        Action::DecidePower { accept } => Ok(ValidAction::DecidePower(*accept)),
        Action::ChooseFavorTile { tile } => follow_ups::check_favor_tile(state, seat, *tile).map(ValidAction::Favor),
        Action::ChooseTownTile { tile, key_cults } => follow_ups::check_town_tile(state, seat, *tile, key_cults).map(ValidAction::TownTile),
        Action::ChooseCultStep { cult } => follow_ups::check_cult_step(state, seat, *cult).map(ValidAction::CultStep),
        Action::OrdainPriests { count } => follow_ups::check_ordination(state, seat, *count).map(ValidAction::Ordain),
        Action::UseStrongholdSpades { work } => follow_ups::check_spades(state, seat, work).map(ValidAction::StrongholdSpades),
        Action::UseCultSpades { transforms } => cult_rewards::check(state, seat, transforms).map(ValidAction::CultSpades),
    }
}

/// Visits the candidates for legal actions of this seat, in canonical order.
///
/// # Rule TM-6.3
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let Some((_, decision)) = state.pending().filter(|&(to_act, _)| to_act == seat) else {
        return ControlFlow::Continue(());
    };
    match decision {
        Decision::ChooseFaction => setting_up::candidates_faction(list),
        Decision::PlaceDwelling => setting_up::candidates_dwelling(state, seat, list),
        Decision::ChooseBonusCard => setting_up::candidates_card(list),
        Decision::Turn => {
            let open = !state.turn.main_action_done;
            if open {
                list.kind("transform_and_build", |list| {
                    transform::one_space(state, seat, SpadeSource::Bought, &mut |work| {
                        list.visit(Action::TransformAndBuild { work })
                    })
                })?;
            }
            dwellings::candidates_late(state, list)?;
            if open {
                list.group(|list| main_actions(state, seat, list))?;
            }
            free_actions(state, seat, decision, list)?;
            list.visit(Action::EndTurn)
        }
        Decision::PowerDecision => {
            conversions::candidates(state, seat, decision, list)?;
            offers::candidates(list)
        }
        Decision::FollowUp => {
            free_actions(state, seat, decision, list)?;
            list.group(|list| follow_ups::candidates(state, seat, list))
        }
        Decision::CultSpades => list.kind("use_cult_spades", |list| {
            cult_rewards::candidates(state, seat, list)
        }),
    }
}

/// The main actions except the first.
fn main_actions(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    list.visit(Action::AdvanceShipping)?;
    list.visit(Action::AdvanceTerraforming)?;
    upgrades::candidates(state, seat, list)?;
    cults::candidates_priest(state, seat, list)?;
    list.kind("take_power_action", |list| {
        power_actions::candidates(state, seat, list)
    })?;
    list.kind("take_special_action", |list| {
        special_actions::candidates(state, seat, list)
    })?;
    bridges::candidates(state, seat, list)?;
    passing::candidates(state, list)
}

fn free_actions(
    state: &State,
    seat: Seat,
    decision: Decision,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    conversions::candidates(state, seat, decision, list)?;
    conversions::candidates_sacrifice(state, seat, list)?;
    towns::candidates(state, seat, list)
}
