//! Phase 2: workers are placed (CAY-6.4).

use std::ops::ControlFlow;

use super::common::{Bill, afford};
use crate::caylus::action::{Action, Target};
use crate::caylus::data::{
    FIRST_PASS_DENIERS, Goods, OWNER_VP, STABLES_PLACES, Space, Special, placement_price,
};
use crate::caylus::event::Event;
use crate::caylus::refusal::{Expense, Refusal, RefusedAction, require_known};
use crate::caylus::stage::{Decision, Phase, Stage};
use crate::caylus::state::{ExecContext, State};
use crate::table::{ActionEnumerator, MaybeKnown, Refusal as _, Seat, VisitFlow};

/// A validated action of this theme.
#[derive(Clone, Copy, Debug)]
pub enum ValidAction {
    Place { target: Target, price: u16 },
    Pass,
}

/// # Rule CAY-6.4.1
/// The next player who has not passed acts; when all have passed, the phase ends.
pub fn enter(ctx: &mut ExecContext<'_>) {
    if ctx.state.pass_order.len() == ctx.state.seats() {
        ctx.state.enter(Phase::Special);
        ctx.state.stage = Stage::Special;
    } else {
        let seat = ctx.state.turn_order[usize::from(ctx.state.placement_cursor)];
        ctx.state.ask(seat, Decision::PlaceWorker);
    }
}

/// Moves the cursor to the next player who has not passed; it stays when there is none.
fn advance(state: &mut State) {
    let next = (0..)
        .zip(&state.turn_order)
        .cycle()
        .skip(usize::from(state.placement_cursor) + 1)
        .take(state.seats())
        .find(|(_, seat)| !state.pass_order.contains(seat));
    if let Some((place, _)) = next {
        state.placement_cursor = place;
    }
}

/// # Rule CAY-6.4.2
/// 1 on an own building; 1 everywhere for the holder of the inn's right circle; otherwise by the
/// number of players who have passed.
pub fn price(state: &State, seat: Seat, target: Target) -> u16 {
    let is_owner = match target {
        Target::Road(space) => state.road[space].owner == Some(seat),
        Target::Castle | Target::Special(_) => false,
    };
    if is_owner || state.special.inn_right == Some(seat) {
        1
    } else {
        placement_price(state.seats(), state.pass_order.len())
    }
}

/// Lists the places where there may be room, in canonical order; passing comes last.
pub fn candidates(state: &State, list: &mut ActionEnumerator<'_, Action>) -> VisitFlow {
    targets(state, &mut |target| {
        list.visit(Action::PlaceWorker { target })
    })?;
    list.visit(Action::PassTurn)
}

/// Visits all places; of the road only the buildings without a worker.
pub fn targets(state: &State, visit: &mut dyn FnMut(Option<Target>) -> VisitFlow) -> VisitFlow {
    visit(Some(Target::Castle))?;
    for special in Special::ALL {
        visit(Some(Target::Special(special)))?;
    }
    for (space, lot) in state.road.lots() {
        if lot.tile.is_some() && lot.worker.is_none() {
            visit(Some(Target::Road(space)))?;
        }
    }
    ControlFlow::Continue(())
}

/// # Rule CAY-6.4.3
pub fn check(
    state: &State,
    seat: Seat,
    target: MaybeKnown<Target>,
) -> Result<ValidAction, RefusedAction> {
    let rule = "CAY-6.4.3";
    let target = require_known(target, "target", rule)?;
    if state.players[seat].workers == 0 {
        return Err(Refusal::NoWorkers.citing(rule));
    }
    check_target(state, seat, target, rule)?;
    let price = price(state, seat, target);
    let bill = Bill::of(Expense::Worker, Goods::deniers(price));
    afford(state, seat, bill, rule)?;
    Ok(ValidAction::Place { target, price })
}

/// Checks that the place takes workers and has room for one of this seat.
///
/// # Rule CAY-6.4.3, points 3 and 4
pub fn check_target(
    state: &State,
    seat: Seat,
    target: Target,
    rule: &'static str,
) -> Result<(), RefusedAction> {
    let refusal = match target {
        Target::Castle => {
            let inside = state.castle.queue.contains(&seat);
            inside.then_some(Refusal::AlreadyInCastle)
        }
        Target::Special(Special::Stables) => refused_stables(state, seat),
        Target::Road(space) => refused_building(state, space),
        Target::Special(
            Special::Gate
            | Special::TradingPost
            | Special::MerchantsGuild
            | Special::JoustField
            | Special::Inn,
        ) => refused_room(state, target),
    };
    refusal.map_or(Ok(()), |refusal| Err(refusal.citing(rule)))
}

fn refused_stables(state: &State, seat: Seat) -> Option<Refusal> {
    if state.seats() == 2 {
        Some(Refusal::StablesNotUsed)
    } else if state.special.stables.contains(&seat) {
        Some(Refusal::AlreadyInStables)
    } else if state.special.stables.len() == STABLES_PLACES {
        Some(Refusal::StablesFull)
    } else {
        None
    }
}

/// # Rule CAY-6.4.5
/// Any building, also beyond the provost; the gold mine from turn 1 on.
fn refused_building(state: &State, space: Space) -> Option<Refusal> {
    match state.road[space].tile {
        None => Some(Refusal::SpaceEmpty { space }),
        Some(tile) if !tile.takes_workers() => Some(Refusal::SpaceNotWorkable { space, tile }),
        Some(_) => refused_room(state, Target::Road(space)),
    }
}

fn refused_room(state: &State, target: Target) -> Option<Refusal> {
    state
        .worker_on(target)
        .map(|_| Refusal::SpaceOccupied { target })
}

pub fn execute(ctx: &mut ExecContext<'_>, seat: Seat, valid_action: ValidAction) {
    match valid_action {
        ValidAction::Place { target, price } => place(ctx, seat, target, price),
        ValidAction::Pass => pass(ctx, seat),
    }
    advance(ctx.state);
}

/// # Rule CAY-6.4.4
/// Pay, and put a worker there.
fn place(ctx: &mut ExecContext<'_>, seat: Seat, target: Target, price: u16) {
    let player = &mut ctx.state.players[seat];
    player.deniers -= price;
    player.workers -= 1;
    let owner = put_worker(ctx.state, seat, target);
    ctx.emit(Event::WorkerPlaced {
        seat,
        target,
        price,
        owner,
    });
}

/// Puts a worker on a place. Another player who owns the building gains 1 VP at once; returns that player.
///
/// # Rule CAY-6.4.4
pub fn put_worker(state: &mut State, seat: Seat, target: Target) -> Option<Seat> {
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
fn pass(ctx: &mut ExecContext<'_>, seat: Seat) {
    let first = ctx.state.pass_order.is_empty();
    let bonus = if first { FIRST_PASS_DENIERS } else { 0 };
    ctx.state.pass_order.push(seat);
    ctx.state.players[seat].deniers += bonus;
    ctx.emit(Event::Passed { seat, bonus });
}
