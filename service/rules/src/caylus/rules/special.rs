//! Phase 3: special buildings (CAY-6.5). The guild's move is one of the provost's.

use super::common::{Bill, afford, gain_favors};
use super::placement;
use crate::caylus::action::{Action, Target};
use crate::caylus::data::{JOUST_PRICE, Special, TRADING_POST_DENIERS};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, No, known};
use crate::caylus::stage::{Decision, Phase, SeatList, Stage};
use crate::caylus::state::{Play, State};
use crate::table::{Lister, Named, Seat, Visit};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum Deed {
    MoveGateWorker { target: Target },
    RecallGateWorker,
    Joust { accept: bool },
    InnChoice { stay: bool },
}

/// Activates the special building at the cursor, regardless of the provost (CAY-10.3).
pub fn enter(play: &mut Play<'_>) {
    play.state.stage = Stage::AfterSpecial;
    let special = Special::ALL[usize::from(play.state.cursor)];
    let worker = play.state.worker_on(Target::Special(special));
    match special {
        Special::Gate => ask(play, worker, Decision::GateRelocate),
        Special::TradingPost => pay_trading_post(play),
        Special::MerchantsGuild => ask(play, worker, Decision::GuildMove),
        Special::JoustField => ask(play, worker, Decision::Joust),
        Special::Stables => change_turn_order(play),
        Special::Inn => activate_inn(play),
    }
}

fn ask(play: &mut Play<'_>, worker: Option<Seat>, decision: Decision) {
    if let Some(seat) = worker {
        play.state.ask(seat, decision);
    }
}

/// Continues with the next special building, or with phase 4.
pub fn enter_next(play: &mut Play<'_>) {
    play.state.cursor += 1;
    if usize::from(play.state.cursor) < Special::COUNT {
        play.state.stage = Stage::Special;
    } else {
        play.state.enter(Phase::Provost);
        play.state.stage = Stage::Bribe;
    }
}

/// # Rule CAY-6.5.2
fn pay_trading_post(play: &mut Play<'_>) {
    if let Some(seat) = play.state.special.trading_post.take() {
        let deniers = TRADING_POST_DENIERS;
        play.state.players[seat].deniers += deniers;
        play.state.bring_home(seat);
        play.tell(Event::TradingPostPaid { seat, deniers });
    }
}

/// # Rule CAY-6.5.5
/// The players in the stables by circle, then the others as they were. Effective immediately.
fn change_turn_order(play: &mut Play<'_>) {
    let first = std::mem::take(&mut play.state.special.stables);
    if first.is_empty() {
        return;
    }
    let order = &play.state.turn_order;
    let others = order.iter().filter(|seat| !first.contains(seat));
    let turn_order: SeatList = first.iter().chain(others).copied().collect();
    for seat in first {
        play.state.bring_home(seat);
    }
    play.state.turn_order.clone_from(&turn_order);
    play.tell(Event::TurnOrderChanged { turn_order });
}

/// # Rule CAY-6.5.6
/// The left worker moves to the right circle, and a worker already there returns. With nobody on
/// the left, the right worker may stay or return.
fn activate_inn(play: &mut Play<'_>) {
    let inn = &mut play.state.special;
    if let Some(left) = inn.inn_left.take() {
        let returned = inn.inn_right.replace(left);
        if let Some(seat) = returned {
            play.state.bring_home(seat);
        }
        let right = Some(left);
        play.tell(Event::InnChanged { returned, right });
    } else {
        let right = inn.inn_right;
        ask(play, right, Decision::InnStay);
    }
}

/// Lists the places where there may be room; taking the worker back comes last.
pub fn candidates_gate(state: &State, list: &mut Lister<'_, Action>) -> Visit {
    placement::targets(state, &mut |target| {
        list.visit(Action::MoveGateWorker { target })
    })?;
    list.visit(Action::RecallGateWorker)
}

pub fn candidates_joust(list: &mut Lister<'_, Action>) -> Visit {
    list.visit(Action::Joust { accept: true })?;
    list.visit(Action::Joust { accept: false })
}

pub fn candidates_inn(list: &mut Lister<'_, Action>) -> Visit {
    list.visit(Action::InnChoice { stay: true })?;
    list.visit(Action::InnChoice { stay: false })
}

/// # Rule CAY-6.5.1
/// Anywhere a worker could be placed now, at any price; the gate itself holds this worker.
pub fn check_gate(state: &State, seat: Seat, target: Named<Target>) -> Result<Deed, No> {
    let rule = "CAY-6.5.1";
    let target = known(target, "target", rule)?;
    placement::check_target(state, seat, target, rule)?;
    Ok(Deed::MoveGateWorker { target })
}

/// # Rule CAY-6.5.4
/// A favor costs 1 denier and 1 cloth.
pub fn check_joust(state: &State, seat: Seat, accept: bool) -> Result<Deed, No> {
    if accept {
        let bill = Bill::of(Expense::Joust, JOUST_PRICE);
        afford(state, seat, bill, "CAY-6.5.4")?;
    }
    Ok(Deed::Joust { accept })
}

pub fn perform(play: &mut Play<'_>, seat: Seat, deed: Deed) {
    match deed {
        Deed::MoveGateWorker { target } => move_gate_worker(play, seat, target),
        Deed::RecallGateWorker => recall_gate_worker(play, seat),
        Deed::Joust { accept } => joust(play, seat, accept),
        Deed::InnChoice { stay } => choose_inn(play, seat, stay),
    }
}

/// # Rule CAY-6.5.1
fn move_gate_worker(play: &mut Play<'_>, seat: Seat, target: Target) {
    play.state.special.gate = None;
    let owner = placement::put_worker(play.state, seat, target);
    play.tell(Event::GateMoved {
        seat,
        target,
        owner,
    });
}

/// # Rule CAY-6.5.1
fn recall_gate_worker(play: &mut Play<'_>, seat: Seat) {
    play.state.special.gate = None;
    play.state.bring_home(seat);
    play.tell(Event::GateRecalled { seat });
}

/// # Rule CAY-6.5.4
/// The worker returns before the favor is used.
fn joust(play: &mut Play<'_>, seat: Seat, accept: bool) {
    play.state.special.joust_field = None;
    play.state.bring_home(seat);
    if accept {
        play.state.players[seat].pay(JOUST_PRICE);
    }
    let paid = accept.then_some(JOUST_PRICE);
    play.tell(Event::Jousted { seat, paid });
    gain_favors(play, seat, u8::from(accept));
}

/// # Rule CAY-6.5.6
fn choose_inn(play: &mut Play<'_>, seat: Seat, stay: bool) {
    let returned = (!stay).then_some(seat);
    if !stay {
        play.state.special.inn_right = None;
        play.state.bring_home(seat);
    }
    let right = play.state.special.inn_right;
    play.tell(Event::InnChanged { returned, right });
}
