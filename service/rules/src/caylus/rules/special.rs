//! Phase 3: special buildings (CAY-6.5).

use crate::caylus::action::Target;
use crate::caylus::data::{JOUST_PRICE, Special, TRADING_POST_DENIERS};
use crate::caylus::event::Event;
use crate::caylus::legal::Deed;
use crate::caylus::options::SeatList;
use crate::caylus::pending::Decision;
use crate::caylus::refusal::Refusal;
use crate::caylus::rules::{favors, placement, vocabulary};
use crate::caylus::state::{Log, Phase, State, Step};
use crate::table::Seat;

/// Activates the special building at the cursor, wherever the provost stands (CAY-10.3).
pub(in crate::caylus) fn activate(state: &mut State, journal: &mut Log) {
    let special = Special::ALL[usize::from(state.cursor)];
    state.step = Step::AfterSpecial;
    match special {
        Special::Gate => ask(state, state.special.gate, Decision::GateRelocate),
        Special::TradingPost => pay_trading_post(state, journal),
        Special::MerchantsGuild => ask(state, state.special.merchants_guild, Decision::GuildMove),
        Special::JoustField => ask(state, state.special.joust_field, Decision::Joust),
        Special::Stables => change_turn_order(state, journal),
        Special::Inn => activate_inn(state, journal),
    }
}

fn ask(state: &mut State, worker: Option<Seat>, decision: Decision) {
    if let Some(seat) = worker {
        state.ask(seat, decision);
    }
}

/// The next special building, or phase 4.
pub(in crate::caylus) fn next(state: &mut State) {
    state.cursor += 1;
    if usize::from(state.cursor) < Special::ALL.len() {
        state.step = Step::Special;
    } else {
        state.enter(Phase::Provost);
        state.step = Step::Bribe;
    }
}

/// # Rule CAY-6.5.1
/// Anywhere a worker could be placed now, whatever the price; the gate itself holds this worker.
pub(in crate::caylus) fn check_gate(
    state: &State,
    seat: Seat,
    target: Option<Target>,
) -> Result<Deed, Refusal> {
    let target = vocabulary::target(target)?;
    placement::check_target(state, seat, target)?;
    Ok(Deed::MoveGateWorker { target })
}

/// # Rule CAY-6.5.1
pub(in crate::caylus) fn move_gate(
    state: &mut State,
    seat: Seat,
    target: Target,
    journal: &mut Log,
) {
    state.special.gate = None;
    let owner = placement::put_worker(state, seat, target);
    journal.event(Event::GateMoved {
        seat,
        target,
        owner,
    });
}

/// # Rule CAY-6.5.1
pub(in crate::caylus) fn recall_gate(state: &mut State, seat: Seat, journal: &mut Log) {
    state.special.gate = None;
    state.bring_home(seat);
    journal.event(Event::GateRecalled { seat });
}

/// # Rule CAY-6.5.2
fn pay_trading_post(state: &mut State, journal: &mut Log) {
    if let Some(seat) = state.special.trading_post.take() {
        let deniers = TRADING_POST_DENIERS;
        state.players[seat].deniers += deniers;
        state.bring_home(seat);
        journal.event(Event::TradingPostPaid { seat, deniers });
    }
}

/// # Rule CAY-6.5.4
/// A favor costs 1 denier and 1 cloth.
pub(in crate::caylus) fn check_joust(
    state: &State,
    seat: Seat,
    accept: bool,
) -> Result<Deed, Refusal> {
    if accept && !state.players[seat].can_pay(JOUST_PRICE) {
        return Err(Refusal::CannotAfford {
            price: JOUST_PRICE,
            rule: "CAY-6.5.4",
        });
    }
    Ok(Deed::Joust { accept })
}

/// # Rule CAY-6.5.4
pub(in crate::caylus) fn joust(state: &mut State, seat: Seat, journal: &mut Log) {
    state.players[seat].pay(JOUST_PRICE);
    leave_joust_field(state, seat);
    journal.event(Event::Jousted {
        seat,
        paid: Some(JOUST_PRICE),
    });
    favors::gain(state, seat, 1, journal);
}

/// # Rule CAY-6.5.4
pub(in crate::caylus) fn decline_joust(state: &mut State, seat: Seat, journal: &mut Log) {
    leave_joust_field(state, seat);
    journal.event(Event::Jousted { seat, paid: None });
}

fn leave_joust_field(state: &mut State, seat: Seat) {
    state.special.joust_field = None;
    state.bring_home(seat);
}

/// # Rule CAY-6.5.5
/// The players in the stables by circle, then the others as they were. Effective immediately.
fn change_turn_order(state: &mut State, journal: &mut Log) {
    let first = std::mem::take(&mut state.special.stables);
    if first.is_empty() {
        return;
    }
    let others = state.turn_order.iter().filter(|seat| !first.contains(seat));
    let turn_order: SeatList = first.iter().chain(others).copied().collect();
    for seat in first {
        state.bring_home(seat);
    }
    state.turn_order.clone_from(&turn_order);
    journal.event(Event::TurnOrderChanged { turn_order });
}

/// # Rule CAY-6.5.6
/// The left worker moves to the right circle, and whoever stood there returns. With nobody on the
/// left, the right worker may stay or return.
fn activate_inn(state: &mut State, journal: &mut Log) {
    if let Some(left) = state.special.inn_left.take() {
        let returned = state.special.inn_right.replace(left);
        if let Some(seat) = returned {
            state.bring_home(seat);
        }
        let right = state.special.inn_right;
        journal.event(Event::InnChanged { returned, right });
    } else {
        ask(state, state.special.inn_right, Decision::InnStay);
    }
}

/// # Rule CAY-6.5.6
pub(in crate::caylus) fn stay_in_inn(state: &State, _seat: Seat, journal: &mut Log) {
    let (returned, right) = (None, state.special.inn_right);
    journal.event(Event::InnChanged { returned, right });
}

/// # Rule CAY-6.5.6
pub(in crate::caylus) fn leave_inn(state: &mut State, seat: Seat, journal: &mut Log) {
    state.special.inn_right = None;
    state.bring_home(seat);
    let (returned, right) = (Some(seat), None);
    journal.event(Event::InnChanged { returned, right });
}
