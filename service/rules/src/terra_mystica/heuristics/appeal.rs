//! The appeal of an action: the worth of the table after it. Actions that lead nowhere are not even tried.

use std::ops::ControlFlow;

use super::figures::rating;
use super::judge;
use crate::bots::state_after;
use crate::ruleset::{Ruleset as _, visit_legal_from};
use crate::table::{ActionCursor, Chance, Detail, Journal, Seat, Wanted};
use crate::terra_mystica::TerraMystica;
use crate::terra_mystica::action::{Action, Direction, PowerUse, SpecialUse, Work};
use crate::terra_mystica::data::{Goods, SHIPPING_STEP, Spades};
use crate::terra_mystica::flow::execute_immediate;
use crate::terra_mystica::state::{ExecContext, Player, State};

/// An appeal below that of every table, with which `search` does not try the action.
pub(super) const NOWHERE: i32 = i32::MIN;

/// The kinds of actions for which a conversion may pay.
const BOUGHT: &[&str] = &[
    "transform_and_build",
    "upgrade_structure",
    "advance_shipping",
    "advance_terraforming",
];

pub(super) fn appeal(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
    if let Action::ChooseFaction { faction } = action {
        // With the last choice the factions are on the table, where none has done anything yet.
        faction.map_or(NOWHERE, rating)
    } else if let Action::Convert { .. } = action {
        converted(state, seat, action, luck)
    } else if leads_nowhere(state, seat, action) {
        NOWHERE
    } else if let Action::PassTurn { .. } = action {
        passed(state, seat, action, luck)
    } else {
        outcome(state, seat, action, luck)
    }
}

fn outcome(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
    state_after::<TerraMystica>(state, seat, action, luck)
        .map_or(NOWHERE, |after| judge(&after, seat))
}

/// The appeal of a pass without its consequences: another round would not compare with the actions of this one.
fn passed(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
    let Ok(permit) = TerraMystica::check(state, seat, action) else {
        return NOWHERE;
    };
    let (mut state, mut chance) = (state.clone(), luck.clone());
    let mut ctx = ExecContext {
        state: &mut state,
        chance: &mut chance,
        journal: &mut Journal::new(),
    };
    execute_immediate(&mut ctx, permit);
    judge(&state, seat)
}

/// The appeal of a conversion: that of the best action that it makes affordable.
fn converted(state: &State, seat: Seat, action: &Action, luck: &Chance) -> i32 {
    let turn = &state.turn;
    if turn.main_action_done || !turn.offers.is_empty() || state.owes_choice() {
        return NOWHERE;
    }
    let Some(after) = state_after::<TerraMystica>(state, seat, action, luck) else {
        return NOWHERE;
    };
    if !buys_more(&state.players[seat], &after.players[seat]) {
        return NOWHERE;
    }
    let (mut best, detail) = (NOWHERE, Detail::Moves);
    let (wanted, from) = (
        Wanted {
            detail,
            kinds: BOUGHT,
        },
        ActionCursor::default(),
    );
    let _all =
        visit_legal_from::<TerraMystica>(&after, seat, wanted, (from, u32::MAX), &mut |next| {
            let is_new = TerraMystica::check(state, seat, &next).is_err();
            if is_new && !leads_nowhere(&after, seat, &next) {
                best = best.max(outcome(&after, seat, &next, luck));
            }
            ControlFlow::Continue(())
        });
    best
}

/// Returns whether the player with these goods has a price in reach that was not before.
fn buys_more(before: &Player, after: &Player) -> bool {
    let sheet = before.sheet();
    let track = match sheet.spades {
        Spades::Workers { step, .. } => step,
        Spades::Priests => SHIPPING_STEP,
    };
    let prices = sheet.costs.into_iter();
    let mut prices = prices.chain([sheet.trading_house_near_others, SHIPPING_STEP, track]);
    prices.any(|price: Goods| !before.can_pay(price) && after.can_pay(price))
}

/// Returns whether an action leads nowhere: sacrifices by themselves, free spades and bridges given up, land turned
/// into another terrain than home, or the long way around.
fn leads_nowhere(state: &State, seat: Seat, action: &Action) -> bool {
    let idle = |work: &Work| {
        let home = state.faction(seat).home();
        let mut spaces = work.transforms.iter();
        spaces.any(|one| one.target != home || one.direction == Direction::Long)
            || work.transforms.is_empty() && work.build_at.is_none()
    };
    match action {
        Action::SacrificePower { .. } => true,
        Action::TransformAndBuild { work } => idle(work),
        Action::TakePowerAction { power_use, .. } => match power_use {
            PowerUse::Bridge { span } => span.is_none(),
            PowerUse::Spade(work) | PowerUse::TwoSpades(work) => idle(work),
            PowerUse::Priest | PowerUse::Workers | PowerUse::Coins => false,
        },
        Action::TakeSpecialAction { special_use } => match special_use {
            SpecialUse::BonusSpade(work) | SpecialUse::GiantSpades(work) => idle(work),
            SpecialUse::BonusCultStep(_)
            | SpecialUse::FavorCultStep(_)
            | SpecialUse::CultSteps(_)
            | SpecialUse::WitchesRide(_)
            | SpecialUse::FreeTradingHouse(_)
            | SpecialUse::DoubleTurn
            | SpecialUse::Sandstorm { .. } => false,
        },
        Action::ChooseFaction { .. }
        | Action::PlaceDwelling { .. }
        | Action::ChooseBonusCard { .. }
        | Action::BuildDwelling { .. }
        | Action::AdvanceShipping
        | Action::AdvanceTerraforming
        | Action::UpgradeStructure { .. }
        | Action::SendPriest { .. }
        | Action::BuildEngineerBridge { .. }
        | Action::PassTurn { .. }
        | Action::Convert { .. }
        | Action::FoundRiverTown { .. }
        | Action::EndTurn
        | Action::DecidePower { .. }
        | Action::ChooseFavorTile { .. }
        | Action::ChooseTownTile { .. }
        | Action::ChooseCultStep { .. }
        | Action::OrdainPriests { .. }
        | Action::UseStrongholdSpades { .. }
        | Action::UseCultSpades { .. } => false,
    }
}
