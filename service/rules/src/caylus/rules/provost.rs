//! The provost: the guild moves him free of charge, everybody may bribe him in phase 4
//! (CAY-6.5.3, CAY-6.6).

use std::ops::ControlFlow;

use crate::caylus::action::Action;
use crate::caylus::data::{Goods, PROVOST_MOST_SPACES, Space};
use crate::caylus::event::Event;
use crate::caylus::legal::Deed;
use crate::caylus::pending::Decision;
use crate::caylus::refusal::Refusal;
use crate::caylus::state::{Log, Phase, State, Step};
use crate::table::{Seat, Visit};

/// # Rule CAY-6.6.1
/// Every player acts once, in the order of passing.
pub(in crate::caylus) fn ask(state: &mut State) {
    let seat = state.pass_order[usize::from(state.cursor)];
    state.ask(seat, Decision::BribeProvost);
    state.step = Step::AfterBribe;
}

/// The next player, or phase 5.
pub(in crate::caylus) fn next(state: &mut State) {
    state.cursor += 1;
    if usize::from(state.cursor) < state.pass_order.len() {
        state.step = Step::Bribe;
    } else {
        state.enter(Phase::Activation);
        state.cursor = Space::FIRST.number();
        state.step = Step::Road;
    }
}

/// Where the provost gets to.
///
/// # Rule CAY-6.5.3, CAY-6.6.1
/// 3 spaces at most, within the road. Empty spaces count.
fn check_move(state: &State, delta: i32) -> Result<Space, Refusal> {
    if delta.unsigned_abs() > u32::from(PROVOST_MOST_SPACES) {
        return Err(Refusal::ProvostMoveTooLong { delta });
    }
    let provost = state.provost;
    provost
        .moved(delta)
        .ok_or(Refusal::ProvostOutOfRange { provost, delta })
}

/// # Rule CAY-6.5.3
pub(in crate::caylus) fn check_guild(state: &State, delta: i32) -> Result<Deed, Refusal> {
    let to = check_move(state, delta)?;
    Ok(Deed::GuildMove { to })
}

/// # Rule CAY-6.6.1
/// 1 denier for each space.
pub(in crate::caylus) fn check_bribe(
    state: &State,
    seat: Seat,
    delta: i32,
) -> Result<Deed, Refusal> {
    let to = check_move(state, delta)?;
    let price = u16::from(to.number().abs_diff(state.provost.number()));
    if state.players[seat].deniers < price {
        return Err(Refusal::CannotAfford {
            price: Goods::deniers(price),
            rule: "CAY-6.6.1",
        });
    }
    Ok(Deed::Bribe { to, price })
}

/// All moves, towards the bridge first.
pub(in crate::caylus) fn candidates(visit: &mut dyn FnMut(Action) -> Visit) -> Visit {
    let most = i32::from(PROVOST_MOST_SPACES);
    for delta in -most..=most {
        visit(Action::MoveProvost { delta })?;
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-6.5.3
/// Free of charge; the worker returns.
pub(in crate::caylus) fn guild_move(state: &mut State, seat: Seat, to: Space, journal: &mut Log) {
    state.special.merchants_guild = None;
    state.bring_home(seat);
    bribe(state, seat, to, 0, journal);
}

/// # Rule CAY-6.6.1
pub(in crate::caylus) fn bribe(
    state: &mut State,
    seat: Seat,
    to: Space,
    paid: u16,
    journal: &mut Log,
) {
    state.players[seat].deniers -= paid;
    let from = std::mem::replace(&mut state.provost, to);
    journal.event(Event::ProvostMoved {
        seat,
        from,
        to,
        paid,
    });
}
