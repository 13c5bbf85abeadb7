//! Phase 2: workers are placed (CAY-6.4).

use std::ops::ControlFlow;

use crate::caylus::action::Target;
use crate::caylus::data::{
    FIRST_PASS_DENIERS, Goods, OWNER_VP, STABLES_PLACES, Space, Special, placement_price,
};
use crate::caylus::event::Event;
use crate::caylus::legal::Deed;
use crate::caylus::pending::Decision;
use crate::caylus::refusal::Refusal;
use crate::caylus::rules::vocabulary;
use crate::caylus::state::{Log, Phase, State, Step};
use crate::table::{Seat, Visit};

/// # Rule CAY-6.4.1
/// The next player who has not passed acts; when all have passed, the phase ends.
pub(in crate::caylus) fn ask(state: &mut State) {
    if state.pass_order.len() == state.seats() {
        state.enter(Phase::Special);
        state.step = Step::Special;
    } else {
        let seat = state.turn_order[usize::from(state.placement_cursor)];
        state.ask(seat, Decision::PlaceWorker);
    }
}

/// Moves the cursor to the next player who has not passed; it stays when there is none.
fn advance(state: &mut State) {
    let count = state.seats();
    let cursor = usize::from(state.placement_cursor);
    let next = (1..=count)
        .map(|step| (cursor + step) % count)
        .find(|&place| !state.pass_order.contains(&state.turn_order[place]));
    if let Some(place) = next {
        state.placement_cursor = u8::try_from(place).unwrap_or(0);
    }
}

/// # Rule CAY-6.4.2
/// 1 on an own building; 1 everywhere for the holder of the inn's right circle; otherwise by the
/// number of players who have passed.
pub(in crate::caylus) fn price(state: &State, seat: Seat, target: Target) -> u16 {
    let own = match target {
        Target::Road(space) => state.road[space].owner == Some(seat),
        Target::Castle | Target::Special(_) => false,
    };
    if own || state.special.inn_right == Some(seat) {
        1
    } else {
        placement_price(state.seats(), state.pass_order.len())
    }
}

/// # Rule CAY-6.4.3
pub(in crate::caylus) fn check(
    state: &State,
    seat: Seat,
    target: Option<Target>,
) -> Result<Deed, Refusal> {
    let target = vocabulary::target(target)?;
    if state.players[seat].workers == 0 {
        return Err(Refusal::NoWorkers);
    }
    check_target(state, seat, target)?;
    let price = price(state, seat, target);
    if state.players[seat].deniers < price {
        return Err(Refusal::CannotAfford {
            price: Goods::deniers(price),
            rule: "CAY-6.4.3",
        });
    }
    Ok(Deed::Place { target, price })
}

/// Does the place take workers, and has it room for one of this seat?
///
/// # Rule CAY-6.4.3, points 3 and 4
pub(in crate::caylus) fn check_target(
    state: &State,
    seat: Seat,
    target: Target,
) -> Result<(), Refusal> {
    match target {
        Target::Castle if state.castle.queue.contains(&seat) => Err(Refusal::AlreadyInCastle),
        Target::Castle => Ok(()),
        Target::Special(Special::Stables) => check_stables(state, seat),
        Target::Road(space) => check_building(state, space),
        Target::Special(_) => check_room(state, target),
    }
}

fn check_stables(state: &State, seat: Seat) -> Result<(), Refusal> {
    if state.seats() == 2 {
        Err(Refusal::StablesNotUsed)
    } else if state.special.stables.contains(&seat) {
        Err(Refusal::AlreadyInStables)
    } else if state.special.stables.len() == STABLES_PLACES {
        Err(Refusal::StablesFull)
    } else {
        Ok(())
    }
}

/// # Rule CAY-6.4.5
/// Any building, also beyond the provost; the gold mine from turn 1 on.
fn check_building(state: &State, space: Space) -> Result<(), Refusal> {
    match state.road[space].tile {
        None => Err(Refusal::SpaceEmpty { space }),
        Some(tile) if !tile.takes_workers() => Err(Refusal::SpaceNotWorkable { space, tile }),
        Some(_) => check_room(state, Target::Road(space)),
    }
}

fn check_room(state: &State, target: Target) -> Result<(), Refusal> {
    match state.worker_on(target) {
        Some(_) => Err(Refusal::SpaceOccupied { target }),
        None => Ok(()),
    }
}

/// All places that there are, in canonical order.
pub(in crate::caylus) fn targets(visit: &mut dyn FnMut(Option<Target>) -> Visit) -> Visit {
    visit(Some(Target::Castle))?;
    for special in Special::ALL {
        visit(Some(Target::Special(special)))?;
    }
    for space in Space::all() {
        visit(Some(Target::Road(space)))?;
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-6.4.4
/// Pay, and put a worker there.
pub(in crate::caylus) fn place(
    state: &mut State,
    seat: Seat,
    target: Target,
    price: u16,
    journal: &mut Log,
) {
    let player = &mut state.players[seat];
    player.deniers -= price;
    player.workers -= 1;
    let owner = put_worker(state, seat, target);
    journal.event(Event::WorkerPlaced {
        seat,
        target,
        price,
        owner,
    });
    advance(state);
}

/// Puts a worker somewhere. Another player who owns the building gains 1 VP at once; returns him.
///
/// # Rule CAY-6.4.4
pub(in crate::caylus) fn put_worker(state: &mut State, seat: Seat, target: Target) -> Option<Seat> {
    match target {
        Target::Castle => state.castle.queue.push(seat),
        Target::Special(Special::Gate) => state.special.gate = Some(seat),
        Target::Special(Special::TradingPost) => state.special.trading_post = Some(seat),
        Target::Special(Special::MerchantsGuild) => state.special.merchants_guild = Some(seat),
        Target::Special(Special::JoustField) => state.special.joust_field = Some(seat),
        Target::Special(Special::Stables) => state.special.stables.push(seat),
        Target::Special(Special::Inn) => state.special.inn_left = Some(seat),
        Target::Road(space) => {
            state.road[space].worker = Some(seat);
            let owner = state.road[space].owner.filter(|&owner| owner != seat)?;
            state.players[owner].vp += OWNER_VP;
            return Some(owner);
        }
    }
    None
}

/// # Rule CAY-6.4.6
/// The first player of a turn to pass gains 1 denier.
pub(in crate::caylus) fn pass(state: &mut State, seat: Seat, journal: &mut Log) {
    let first = state.pass_order.is_empty();
    let bonus = if first { FIRST_PASS_DENIERS } else { 0 };
    state.pass_order.push(seat);
    state.players[seat].deniers += bonus;
    journal.event(Event::Passed { seat, bonus });
    advance(state);
}
