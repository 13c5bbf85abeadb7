//! The losses of a defeat: gold, stone, wood, goods of any kind, a building, points, in this order. Missing goods and
//! buildings are never replaced by another loss (KIN-6.106).

use std::ops::ControlFlow;

use super::common::{payment, payments};
use crate::kingsburg::action::{Action, Payment};
use crate::kingsburg::data::{Building, Goods};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::{Refusal, RefusedAction, require_known};
use crate::kingsburg::stage::{Part, Stage};
use crate::kingsburg::state::{ExecContext, PointSource, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Goods(Goods),
    Building(Building),
}

/// Takes the goods that the card names; returns the next part.
///
/// # Rule KIN-6.104
pub fn lose_named_goods(ctx: &mut ExecContext<'_>, seat: Seat) -> Part {
    let loss = ctx.state.enemy().card().loss;
    let player = &mut ctx.state.players[seat];
    let goods = player.goods.at_most(loss.goods);
    player.goods = player.goods.minus(goods);
    let left = u8::try_from(player.goods.total()).unwrap_or(u8::MAX);
    if !goods.is_none() {
        ctx.emit(Event::GoodsLost { seat, goods });
    }
    Part::AnyGoods {
        goods: loss.any_goods.min(left),
    }
}

/// Takes this many goods of any kind. Asks only if there is more than one way.
///
/// # Rule KIN-6.104
pub fn enter_goods(ctx: &mut ExecContext<'_>, seat: Seat, due: u8) -> ControlFlow<()> {
    if due == 0 {
        go_on(ctx, seat, Part::Building);
        return ControlFlow::Continue(());
    }
    let mut ways = payments(ctx.state.players[seat].goods, due);
    let (Some(only), None) = (ways.next(), ways.next()) else {
        return ControlFlow::Break(());
    };
    let action = Action::PayLostGoods(only.into());
    ctx.execute_forced(seat, action, |ctx| lose_goods(ctx, seat, only));
    ControlFlow::Continue(())
}

/// Lists `pay_lost_goods` with every payment.
pub fn candidates_goods(
    state: &State,
    seat: Seat,
    due: u8,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    payments(state.players[seat].goods, due)
        .try_for_each(|goods| list.visit(Action::PayLostGoods(goods.into())))
}

/// Judges `pay_lost_goods`.
pub fn check_goods(
    state: &State,
    seat: Seat,
    due: u8,
    offer: Payment,
) -> Result<ValidAction, RefusedAction> {
    payment(state.players[seat].goods, offer, due, "KIN-6.104").map(ValidAction::Goods)
}

fn lose_goods(ctx: &mut ExecContext<'_>, seat: Seat, goods: Goods) {
    let player = &mut ctx.state.players[seat];
    player.goods = player.goods.minus(goods);
    ctx.emit(Event::AnyGoodsLost { seat, goods });
    go_on(ctx, seat, Part::Building);
}

/// Takes a building of the rightmost column. Asks only if there are several.
///
/// # Rule KIN-6.105
pub fn enter_building(ctx: &mut ExecContext<'_>, seat: Seat) -> ControlFlow<()> {
    let mut rightmost = ctx.state.players[seat].province.rightmost();
    let lost = match ctx.state.enemy().card().loss.buildings {
        0 => None,
        _ => rightmost.next(),
    };
    match (lost, rightmost.next()) {
        (None, _) => go_on(ctx, seat, Part::Points),
        (Some(building), None) => {
            let action = Action::LoseBuilding {
                building: Some(building),
            };
            ctx.execute_forced(seat, action, |ctx| lose_building(ctx, seat, building));
        }
        (Some(_), Some(_)) => return ControlFlow::Break(()),
    }
    ControlFlow::Continue(())
}

/// Lists `lose_building` for the last building of every longest row.
pub fn candidates_building(
    state: &State,
    seat: Seat,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    let mut rightmost = state.players[seat].province.rightmost();
    rightmost.try_for_each(|building| {
        list.visit(Action::LoseBuilding {
            building: Some(building),
        })
    })
}

/// Judges `lose_building`.
///
/// # Rule KIN-6.105, KIN-16.9
pub fn check_building(
    state: &State,
    seat: Seat,
    building: MaybeKnown<Building>,
) -> Result<ValidAction, RefusedAction> {
    let rule = "KIN-6.105";
    let building = require_known(building, "building", rule)?;
    let mut rightmost = state.players[seat].province.rightmost();
    if rightmost.any(|candidate| candidate == building) {
        Ok(ValidAction::Building(building))
    } else {
        Err(Refusal::NotRightmost { building }.citing(rule))
    }
}

/// Takes the building with its points and its ability; it may be rebuilt.
fn lose_building(ctx: &mut ExecContext<'_>, seat: Seat, building: Building) {
    ctx.state.players[seat].province.remove(building);
    ctx.emit(Event::BuildingLost {
        seat,
        building,
        vp: building.vp(),
    });
    go_on(ctx, seat, Part::Points);
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Goods(goods) => lose_goods(ctx, seat, goods),
        ValidAction::Building(building) => lose_building(ctx, seat, building),
    }
}

/// Loses points, possibly below 0 (KIN-ADJ-24).
///
/// # Rule KIN-6.104
pub fn lose_points(ctx: &mut ExecContext<'_>, seat: Seat) {
    let vp = ctx.state.enemy().card().loss.vp;
    if vp > 0 {
        ctx.state.players[seat].score(PointSource::Enemies, -i16::from(vp));
        ctx.emit(Event::PointsLost { seat, vp });
    }
}

fn go_on(ctx: &mut ExecContext<'_>, seat: Seat, part: Part) {
    ctx.state.stage = Stage::Resolve {
        turn_index: ctx.state.turn_index_of(seat),
        part,
    };
}
