//! The provost: the guild moves it free of charge, everybody may bribe it in phase 4
//! (CAY-6.5.3, CAY-6.6).

use std::ops::ControlFlow;

use super::common::{Bill, afford};
use crate::caylus::action::Action;
use crate::caylus::data::{Goods, PROVOST_MOST_SPACES, Space};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, Refusal, RefusedAction};
use crate::caylus::stage::{Decision, Phase, Stage};
use crate::caylus::state::{ExecContext, State};
use crate::table::{ActionEnumerator, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Guild { to: Space },
    Bribe { to: Space, price: u16 },
}

/// # Rule CAY-6.6.1
/// Every player acts once, in the order of passing.
pub fn enter(ctx: &mut ExecContext<'_>) {
    let seat = ctx.state.pass_order[usize::from(ctx.state.cursor)];
    ctx.state.ask(seat, Decision::BribeProvost);
    ctx.state.stage = Stage::AfterBribe;
}

/// Continues with the next player, or with phase 5.
pub fn enter_next(ctx: &mut ExecContext<'_>) {
    ctx.state.cursor += 1;
    if usize::from(ctx.state.cursor) < ctx.state.pass_order.len() {
        ctx.state.stage = Stage::Bribe;
    } else {
        ctx.state.enter(Phase::Activation);
        ctx.state.cursor = Space::FIRST.number();
        ctx.state.stage = Stage::Road;
    }
}

/// Lists all moves, towards the bridge first.
pub fn candidates(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    let most = i32::from(PROVOST_MOST_SPACES);
    for delta in -most..=most {
        list.visit(Action::MoveProvost { delta })?;
    }
    ControlFlow::Continue(())
}

/// Returns the provost's destination: at most 3 spaces away, within the road. Empty spaces count.
fn check_move(state: &State, delta: i32, rule: &'static str) -> Result<Space, RefusedAction> {
    let most = PROVOST_MOST_SPACES;
    if delta.unsigned_abs() > u32::from(most) {
        return Err(Refusal::ProvostMoveTooLong { delta, max: most }.citing(rule));
    }
    let provost = state.provost;
    provost
        .moved(delta)
        .ok_or(Refusal::ProvostOutOfRange { provost, delta }.citing(rule))
}

pub fn check_guild(state: &State, delta: i32) -> Result<ValidAction, RefusedAction> {
    let to = check_move(state, delta, "CAY-6.5.3")?;
    Ok(ValidAction::Guild { to })
}

/// # Rule CAY-6.6.1
/// 1 denier for each space.
pub fn check_bribe(state: &State, seat: Seat, delta: i32) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-6.6.1";
    let to = check_move(state, delta, rule)?;
    let price = u16::from(to.number().abs_diff(state.provost.number()));
    let bill = Bill::of(Expense::Provost, Goods::deniers(price));
    afford(state, seat, bill, rule)?;
    Ok(ValidAction::Bribe { to, price })
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Guild { to } => {
            ctx.state.special.merchants_guild = None;
            ctx.state.bring_home(seat);
            move_provost(ctx, seat, to, 0);
        }
        ValidAction::Bribe { to, price } => move_provost(ctx, seat, to, price),
    }
}

fn move_provost(ctx: &mut ExecContext<'_>, seat: Seat, to: Space, paid: u16) {
    ctx.state.players[seat].deniers -= paid;
    let from = std::mem::replace(&mut ctx.state.provost, to);
    ctx.emit(Event::ProvostMoved {
        seat,
        from_space: from,
        to_space: to,
        paid,
    });
}
