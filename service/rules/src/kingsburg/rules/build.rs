//! Buildings are built (KIN-6.4, step BUILD).

use std::ops::ControlFlow;

use super::super::Log;
use super::super::action::Action;
use super::super::data::{Building, Goods, ROWS};
use super::super::event::Event;
use super::super::pending::{Decision, Stage};
use super::super::refusal::Refusal;
use super::super::state::{Player, State};
use super::{Answer, Decided, Deed};
use crate::table::{Seat, Visit};

/// The turn of the player at this place, with all his build actions.
///
/// # Rule KIN-6.60
pub(super) fn turn(state: &State, place: u8) -> Stage {
    let actions = |seat| state.envoy.build_actions(seat);
    Stage::Build {
        place,
        actions_left: state.at(place).map_or(0, actions),
    }
}

/// Who can afford nothing passes.
///
/// # Rule KIN-6.60, KIN-6.64
pub(in super::super) fn enter(
    state: &mut State,
    place: u8,
    actions_left: u8,
    journal: &mut Log,
) -> ControlFlow<()> {
    match state.at(place) {
        None => state.stage = Stage::SeasonEnd { place: 0 },
        Some(_) if actions_left == 0 => state.stage = turn(state, place + 1),
        Some(seat) => {
            let player = &state.players[seat];
            if buildable(player).any(|building| player.goods.covers(price(player, building))) {
                return ControlFlow::Break(());
            }
            journal.automatic(seat, Action::PassBuild);
            perform_pass(state, seat, Decided::Auto, journal);
        }
    }
    ControlFlow::Continue(())
}

/// The next building of each row.
fn buildable(player: &Player) -> impl Iterator<Item = Building> {
    (0..ROWS).filter_map(|row| player.province.next_in_row(row))
}

/// The printed cost; the Crane saves one gold in columns 3 and 4.
///
/// # Rule KIN-6.63, KIN-7.18
fn price(player: &Player, building: Building) -> Goods {
    if building.column() >= 3 && player.has(Building::Crane) {
        building.cost().minus(Goods::new(1, 0, 0))
    } else {
        building.cost()
    }
}

/// Lists `build` row by row, then `pass_build`.
pub(in super::super) fn candidates(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    for building in buildable(&state.players[seat]) {
        visit(Action::Build {
            building: Some(building),
        })?;
    }
    visit(Action::PassBuild)
}

/// Judges `build` and `pass_build`.
pub(in super::super) fn check(
    state: &State,
    seat: Seat,
    asked: Decision,
    action: &Action,
) -> Answer {
    if let Action::Build { building } = *action {
        return Some(check_building(&state.players[seat], building, asked));
    }
    matches!(action, Action::PassBuild).then_some(Ok(Deed::PassBuild))
}

/// # Rule KIN-6.62
fn check_building(
    player: &Player,
    building: Option<Building>,
    decision: Decision,
) -> Result<Deed, Refusal> {
    let building = building.ok_or(Refusal::UnknownBuilding(decision))?;
    if player.has(building) {
        return Err(Refusal::AlreadyBuilt(building));
    }
    if let Some(needs) = building.before().filter(|&before| !player.has(before)) {
        return Err(Refusal::PrerequisiteMissing { building, needs });
    }
    let price = price(player, building);
    let owned = player.goods;
    if !owned.covers(price) {
        return Err(Refusal::CannotAfford { owned, decision });
    }
    Ok(Deed::Build { building, price })
}

/// Pays and builds; the building works at once.
///
/// # Rule KIN-6.63
pub(super) fn perform(
    state: &mut State,
    seat: Seat,
    building: Building,
    price: Goods,
    journal: &mut Log,
) {
    let player = &mut state.players[seat];
    player.goods = player.goods.minus(price);
    player.province.add(building);
    journal.event(Event::Built {
        seat,
        building,
        paid: price,
        vp: building.vp(),
    });
    if let Stage::Build { actions_left, .. } = &mut state.stage {
        *actions_left -= 1;
    }
}

/// A pass ends all build actions of the season.
///
/// # Rule KIN-6.61
pub(super) fn perform_pass(state: &mut State, seat: Seat, decided: Decided, journal: &mut Log) {
    journal.event(Event::BuildPassed {
        seat,
        auto: decided.is_auto(),
    });
    if let Stage::Build { actions_left, .. } = &mut state.stage {
        *actions_left = 0;
    }
}
