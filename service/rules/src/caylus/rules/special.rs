//! Phase 3: special buildings (CAY-6.5). The guild's move is one of the provost's.

use super::common::{Bill, afford, gain_favors};
use super::placement;
use crate::caylus::action::{Action, Target};
use crate::caylus::data::{JOUST_PRICE, Special, TRADING_POST_DENIERS};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, RefusedAction, require_known};
use crate::caylus::stage::{Decision, Phase, SeatList, Stage};
use crate::caylus::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    MoveGateWorker { target: Target },
    RecallGateWorker,
    Joust { accept: bool },
    InnChoice { stay: bool },
}

/// Activates the special building at the cursor, regardless of the provost (CAY-10.3).
pub fn enter(ctx: &mut ExecContext<'_>) {
    ctx.state.stage = Stage::AfterSpecial;
    let special = Special::ALL[usize::from(ctx.state.cursor)];
    let worker = ctx.state.worker_on(Target::Special(special));
    match special {
        Special::Gate => ask(ctx, worker, Decision::GateRelocate),
        Special::TradingPost => pay_trading_post(ctx),
        Special::MerchantsGuild => ask(ctx, worker, Decision::GuildMove),
        Special::JoustField => ask(ctx, worker, Decision::Joust),
        Special::Stables => change_turn_order(ctx),
        Special::Inn => activate_inn(ctx),
    }
}

fn ask(ctx: &mut ExecContext<'_>, worker: Option<Seat>, decision: Decision) {
    if let Some(seat) = worker {
        ctx.state.ask(seat, decision);
    }
}

/// Continues with the next special building, or with phase 4.
pub fn enter_next(ctx: &mut ExecContext<'_>) {
    ctx.state.cursor += 1;
    if usize::from(ctx.state.cursor) < Special::COUNT {
        ctx.state.stage = Stage::Special;
    } else {
        ctx.state.enter(Phase::Provost);
        ctx.state.stage = Stage::Bribe;
    }
}

/// # Rule CAY-6.5.2
fn pay_trading_post(ctx: &mut ExecContext<'_>) {
    if let Some(seat) = ctx.state.special.trading_post.take() {
        let deniers = TRADING_POST_DENIERS;
        ctx.state.players[seat].deniers += deniers;
        ctx.state.bring_home(seat);
        ctx.emit(Event::TradingPostPaid { seat, deniers });
    }
}

/// # Rule CAY-6.5.5
/// The players in the stables by circle, then the others as they were. Effective immediately.
fn change_turn_order(ctx: &mut ExecContext<'_>) {
    let first = std::mem::take(&mut ctx.state.special.stables);
    if first.is_empty() {
        return;
    }
    let order = &ctx.state.turn_order;
    let others = order.iter().filter(|seat| !first.contains(seat));
    let turn_order: SeatList = first.iter().chain(others).copied().collect();
    for seat in first {
        ctx.state.bring_home(seat);
    }
    ctx.state.turn_order.clone_from(&turn_order);
    ctx.emit(Event::TurnOrderChanged { turn_order });
}

/// # Rule CAY-6.5.6
/// The left worker moves to the right circle, and a worker already there returns. With nobody on
/// the left, the right worker may stay or return.
fn activate_inn(ctx: &mut ExecContext<'_>) {
    let inn = &mut ctx.state.special;
    if let Some(left) = inn.inn_left.take() {
        let returned = inn.inn_right.replace(left);
        if let Some(seat) = returned {
            ctx.state.bring_home(seat);
        }
        let right = Some(left);
        ctx.emit(Event::InnChanged { returned, right });
    } else {
        let right = inn.inn_right;
        ask(ctx, right, Decision::InnStay);
    }
}

/// Lists the places where there may be room; taking the worker back comes last.
pub fn candidates_gate(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    placement::targets(state, &mut |target| {
        list.visit(Action::MoveGateWorker { target })
    })?;
    list.visit(Action::RecallGateWorker)
}

pub fn candidates_joust(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    list.visit(Action::Joust { accept: true })?;
    list.visit(Action::Joust { accept: false })
}

pub fn candidates_inn(list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    list.visit(Action::InnChoice { stay: true })?;
    list.visit(Action::InnChoice { stay: false })
}

/// # Rule CAY-6.5.1
/// Anywhere a worker could be placed now, at any price; the gate itself holds this worker.
pub fn check_gate(
    state: &State,
    seat: Seat,
    target: MaybeKnown<Target>,
) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-6.5.1";
    let target = require_known(target, "target", rule)?;
    placement::check_target(state, seat, target, rule)?;
    Ok(ValidAction::MoveGateWorker { target })
}

/// # Rule CAY-6.5.4
/// A favor costs 1 denier and 1 cloth.
pub fn check_joust(state: &State, seat: Seat, accept: bool) -> Result<ValidAction, RefusedAction> {
    if accept {
        let bill = Bill::of(Expense::Joust, JOUST_PRICE);
        afford(state, seat, bill, "CAY-6.5.4")?;
    }
    Ok(ValidAction::Joust { accept })
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::MoveGateWorker { target } => move_gate_worker(ctx, seat, target),
        ValidAction::RecallGateWorker => recall_gate_worker(ctx, seat),
        ValidAction::Joust { accept } => joust(ctx, seat, accept),
        ValidAction::InnChoice { stay } => choose_inn(ctx, seat, stay),
    }
}

/// # Rule CAY-6.5.1
fn move_gate_worker(ctx: &mut ExecContext<'_>, seat: Seat, target: Target) {
    ctx.state.special.gate = None;
    let owner = placement::put_worker(ctx.state, seat, target);
    ctx.emit(Event::GateMoved {
        seat,
        target,
        owner,
    });
}

/// # Rule CAY-6.5.1
fn recall_gate_worker(ctx: &mut ExecContext<'_>, seat: Seat) {
    ctx.state.special.gate = None;
    ctx.state.bring_home(seat);
    ctx.emit(Event::GateRecalled { seat });
}

/// # Rule CAY-6.5.4
/// The worker returns before the favor is used.
fn joust(ctx: &mut ExecContext<'_>, seat: Seat, accept: bool) {
    ctx.state.special.joust_field = None;
    ctx.state.bring_home(seat);
    if accept {
        ctx.state.players[seat].pay(JOUST_PRICE);
    }
    let paid = accept.then_some(JOUST_PRICE);
    ctx.emit(Event::Jousted { seat, paid });
    gain_favors(ctx, seat, u8::from(accept));
}

/// # Rule CAY-6.5.6
fn choose_inn(ctx: &mut ExecContext<'_>, seat: Seat, stay: bool) {
    let returned = (!stay).then_some(seat);
    if !stay {
        ctx.state.special.inn_right = None;
        ctx.state.bring_home(seat);
    }
    let right = ctx.state.special.inn_right;
    ctx.emit(Event::InnChanged { returned, right });
}
