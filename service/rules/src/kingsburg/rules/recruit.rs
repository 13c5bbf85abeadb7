//! Phase 7, soldiers are recruited (KIN-6g).

use std::ops::ControlFlow;

use super::common::{payment, payments};
use super::year;
use crate::kingsburg::action::{Action, Payment};
use crate::kingsburg::data::Goods;
use crate::kingsburg::event::Event;
use crate::kingsburg::refusal::RefusedAction;
use crate::kingsburg::stage::Stage;
use crate::kingsburg::state::{ExecContext, State};
use crate::table::{ActionEnumerator, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Recruit(Goods),
    Pass,
}

/// Asks in turn order, for one soldier after the other. A player who cannot pay for one passes.
///
/// # Rule KIN-6.90
pub fn enter(ctx: &mut ExecContext<'_>, turn_index: u8) -> ControlFlow<()> {
    match ctx.state.seat_at(turn_index) {
        None => year::next_phase(ctx),
        Some(seat) => {
            let player = &ctx.state.players[seat];
            if player.goods.total() >= u16::from(player.soldier_price()) {
                return ControlFlow::Break(());
            }
            ctx.execute_forced(seat, Action::PassRecruit, |ctx| pass(ctx, seat));
        }
    }
    ControlFlow::Continue(())
}

/// Lists `recruit_soldier` with every payment, then `pass_recruit`.
pub fn candidates(
    state: &State,
    seat: Seat,
    price: u8,
    list: &mut ActionEnumerator<'_, Action>,
) -> VisitFlow {
    for goods in payments(state.players[seat].goods, price) {
        list.visit(Action::RecruitSoldier(goods.into()))?;
    }
    list.visit(Action::PassRecruit)
}

/// Judges `recruit_soldier`.
pub fn check(
    state: &State,
    seat: Seat,
    price: u8,
    offer: Payment,
) -> Result<ValidAction, RefusedAction> {
    payment(state.players[seat].goods, offer, price, "KIN-6.90").map(ValidAction::Recruit)
}

/// Recruits, or passes. After a soldier the same player is asked again.
pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Recruit(paid) => {
            let player = &mut ctx.state.players[seat];
            player.goods = player.goods.minus(paid);
            player.soldiers += 1;
            ctx.emit(Event::SoldierRecruited { seat, paid });
        }
        ValidAction::Pass => pass(ctx, seat),
    }
}

/// Ends the recruiting of this player.
fn pass(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.emit(Event::RecruitPassed { seat });
    let turn_index = ctx.state.turn_index_of(seat) + 1;
    ctx.state.stage = Stage::Recruit { turn_index };
}
