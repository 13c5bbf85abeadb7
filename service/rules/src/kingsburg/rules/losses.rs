//! What a defeat costs: gold, stone, wood, goods of any kind, a building, points, in this order.
//! What is missing is never replaced by another loss (KIN-6.106).

use std::ops::ControlFlow;

use super::super::Log;
use super::super::action::Action;
use super::super::data::{Building, Goods};
use super::super::event::Event;
use super::super::pending::{Decision, Part, Stage};
use super::super::refusal::Refusal;
use super::super::state::{PointSource, State};
use super::{Answer, Decided, Deed, payment, payments, pieces};
use crate::table::{Seat, Visit};

/// The goods that the card names; says what comes next.
///
/// # Rule KIN-6.104
pub(super) fn lose_named_goods(state: &mut State, seat: Seat, journal: &mut Log) -> Part {
    let loss = state.enemy().card().loss;
    let player = &mut state.players[seat];
    let lost = player.goods.at_most(loss.goods);
    player.goods = player.goods.minus(lost);
    if !lost.is_none() {
        journal.event(Event::GoodsLost { seat, goods: lost });
    }
    let left = u8::try_from(player.goods.total()).unwrap_or(u8::MAX);
    Part::AnyGoods {
        goods: loss.any_goods.min(left),
    }
}

/// So many goods of any kind. Asked only if there is more than one way.
///
/// # Rule KIN-6.104
pub(super) fn enter_goods(
    state: &mut State,
    seat: Seat,
    due: u8,
    journal: &mut Log,
) -> ControlFlow<()> {
    if due == 0 {
        go_on(state, seat, Part::Building);
        return ControlFlow::Continue(());
    }
    let held = state.players[seat].goods;
    let mut ways = payments(held, due);
    let only = ways.next().filter(|_| ways.next().is_none());
    let Some(only) = only else {
        return ControlFlow::Break(());
    };
    journal.automatic(seat, Action::PayLostGoods(only));
    perform_goods(state, seat, pieces(only), Decided::Auto, journal);
    ControlFlow::Continue(())
}

/// Lists `pay_lost_goods` with every payment.
pub(in super::super) fn candidates_goods(
    state: &State,
    seat: Seat,
    due: u8,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    payments(state.players[seat].goods, due)
        .try_for_each(|payment| visit(Action::PayLostGoods(payment)))
}

/// Judges `pay_lost_goods`.
pub(in super::super) fn check_goods(state: &State, seat: Seat, due: u8, action: &Action) -> Answer {
    let Action::PayLostGoods(offer) = *action else {
        return None;
    };
    let asked = Decision::LossGoods { goods: due };
    Some(payment(state.players[seat].goods, offer, due, asked).map(Deed::LoseGoods))
}

/// The goods go.
pub(super) fn perform_goods(
    state: &mut State,
    seat: Seat,
    goods: Goods,
    decided: Decided,
    journal: &mut Log,
) {
    let player = &mut state.players[seat];
    player.goods = player.goods.minus(goods);
    journal.event(Event::AnyGoodsLost {
        seat,
        goods,
        auto: decided.is_auto(),
    });
    go_on(state, seat, Part::Building);
}

/// A building of the rightmost column. Asked only if there are several.
///
/// # Rule KIN-6.105
pub(super) fn enter_building(state: &mut State, seat: Seat, journal: &mut Log) -> ControlFlow<()> {
    let mut rightmost = state.players[seat].province.rightmost();
    let lost = match state.enemy().card().loss.buildings {
        0 => None,
        _ => rightmost.next(),
    };
    match (lost, rightmost.next()) {
        (None, _) => go_on(state, seat, Part::Points),
        (Some(building), None) => {
            let action = Action::LoseBuilding {
                building: Some(building),
            };
            journal.automatic(seat, action);
            perform_building(state, seat, building, Decided::Auto, journal);
        }
        (Some(_), Some(_)) => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}

/// Lists `lose_building` for the last building of every longest row.
pub(in super::super) fn candidates_building(
    state: &State,
    seat: Seat,
    visit: &mut dyn FnMut(Action) -> Visit,
) -> Visit {
    let mut rightmost = state.players[seat].province.rightmost();
    rightmost.try_for_each(|building| {
        visit(Action::LoseBuilding {
            building: Some(building),
        })
    })
}

/// Judges `lose_building`.
///
/// # Rule KIN-6.105, KIN-16.9
pub(in super::super) fn check_building(state: &State, seat: Seat, action: &Action) -> Answer {
    let Action::LoseBuilding { building } = *action else {
        return None;
    };
    let Some(building) = building else {
        return Some(Err(Refusal::UnknownBuilding(Decision::LossBuilding)));
    };
    let mut rightmost = state.players[seat].province.rightmost();
    let rightmost = rightmost.any(|candidate| candidate == building);
    let deed = rightmost.then_some(Deed::LoseBuilding(building));
    Some(deed.ok_or(Refusal::NotRightmost(building)))
}

/// The building goes with its points and its ability; it may be built again.
pub(super) fn perform_building(
    state: &mut State,
    seat: Seat,
    building: Building,
    decided: Decided,
    journal: &mut Log,
) {
    state.players[seat].province.remove(building);
    journal.event(Event::BuildingLost {
        seat,
        building,
        vp: building.vp(),
        auto: decided.is_auto(),
    });
    go_on(state, seat, Part::Points);
}

/// Points go, below nothing if need be (KIN-ADJ-24).
///
/// # Rule KIN-6.104
pub(super) fn lose_points(state: &mut State, seat: Seat, journal: &mut Log) {
    let vp = state.enemy().card().loss.vp;
    if vp > 0 {
        state.players[seat].score(PointSource::Enemies, -i16::from(vp));
        journal.event(Event::PointsLost { seat, vp });
    }
}

fn go_on(state: &mut State, seat: Seat, part: Part) {
    state.stage = Stage::Resolve {
        place: state.place_of(seat),
        part,
    };
}
