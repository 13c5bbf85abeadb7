//! The end of a productive season (KIN-6d, step SEASON_END).

use std::ops::ControlFlow;

use super::common::owned;
use super::{envoy, year};
use crate::kingsburg::action::Action;
use crate::kingsburg::data::{Building, Good, Goods, Phase};
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::RefusedAction;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{ExecContext, PointSource, State};
use crate::table::{ActionEnumerator, MaybeKnown, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    TakeToken,
    SellGood(Good),
}

/// Resolves Inn, Embassy and Town Hall in turn order. Buildings of this season count.
///
/// # Rule KIN-6.70, KIN-6.71, KIN-16.14
pub fn enter(ctx: &mut ExecContext<'_>, turn_index: u8) -> ControlFlow<()> {
    let Some(seat) = ctx.state.seat_at(turn_index) else {
        close(ctx);
        return ControlFlow::Continue(());
    };
    let has = |play: &ExecContext<'_>, building| play.state.players[seat].has(building);
    if ctx.state.phase == Phase::Summer && has(ctx, Building::Inn) {
        ctx.state.players[seat].plus2 += 1;
        ctx.emit(Event::InnToken { seat });
    }
    if has(ctx, Building::Embassy) {
        ctx.state.players[seat].score(PointSource::Embassy, 1);
        ctx.emit(Event::EmbassyPoint { seat });
    }
    if has(ctx, Building::TownHall) {
        return ask(ctx, seat);
    }
    ctx.state.stage = Stage::SeasonEnd {
        turn_index: turn_index + 1,
    };
    ControlFlow::Continue(())
}

/// Goes on where the buildings have given already: on a described table, the Town Hall is left.
///
/// # Rule KIN-5.8
pub fn resume(ctx: &mut ExecContext<'_>, turn_index: u8) -> ControlFlow<()> {
    match ctx.state.seat_at(turn_index) {
        Some(seat) => ask(ctx, seat),
        None => ControlFlow::Continue(()),
    }
}

/// Asks the owner of the Town Hall. Who has no goods can only take the token.
fn ask(ctx: &mut ExecContext<'_>, seat: Seat) -> ControlFlow<()> {
    if !ctx.state.players[seat].goods.is_none() {
        return ControlFlow::Break(());
    }
    let action = Action::TownHallTakeToken;
    ctx.execute_forced(seat, action, |ctx| take_token(ctx, seat));
    ControlFlow::Continue(())
}

/// Returns the white die and the envoy at the very end.
///
/// # Rule KIN-6.72, KIN-16.14
fn close(ctx: &mut ExecContext<'_>) {
    if ctx.state.phase == Phase::Spring
        && let Some(seat) = ctx.state.aid_die.take()
    {
        ctx.emit(Event::AidDieReturned { seat });
    }
    if ctx.state.phase == Phase::Autumn {
        envoy::end_of_autumn(ctx);
    }
    year::next_phase(ctx);
}

/// Lists `town_hall_take_token`, then a sale of each kind owned.
pub fn candidates(state: &State, seat: Seat, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    list.visit(Action::TownHallTakeToken)?;
    let goods = state.players[seat].goods;
    Good::ALL
        .into_iter()
        .filter(|&good| goods.amount(good) > 0)
        .try_for_each(|good| list.visit(Action::TownHallSellGood { good: Some(good) }))
}

/// Judges `town_hall_sell_good`.
pub fn check(
    state: &State,
    seat: Seat,
    good: MaybeKnown<Good>,
) -> Result<ValidAction, RefusedAction> {
    let goods = state.players[seat].goods;
    owned(goods, good, "good", "KIN-6.70").map(ValidAction::SellGood)
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::TakeToken => take_token(ctx, seat),
        ValidAction::SellGood(good) => {
            let player = &mut ctx.state.players[seat];
            player.goods = player.goods.minus(Goods::of(good, 1));
            player.score(PointSource::TownHall, 1);
            ctx.emit(Event::TownHallSale { seat, good });
            next_player(ctx, seat);
        }
    }
}

fn take_token(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.state.players[seat].plus2 += 1;
    ctx.emit(Event::TownHallToken { seat });
    next_player(ctx, seat);
}

fn next_player(ctx: &mut ExecContext<'_>, seat: Seat) {
    let turn_index = ctx.state.turn_index_of(seat) + 1;
    ctx.state.stage = Stage::SeasonEnd { turn_index };
}
