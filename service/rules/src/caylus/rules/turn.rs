//! Turn start and phase 1: income (CAY-6.3).

use crate::caylus::data::BASE_INCOME;
use crate::caylus::event::Event;
use crate::caylus::stage::{Phase, Stage};
use crate::caylus::state::ExecContext;
use crate::table::PerSeat;

/// # Rule CAY-6.3.1
/// The next turn begins: 2 players swap from turn 2 on, the lists of the last turn are emptied.
pub fn enter(ctx: &mut ExecContext<'_>) {
    ctx.state.turn += 1;
    ctx.state.enter(Phase::Income);
    ctx.state.pass_order.clear();
    ctx.state.placement_cursor = 0;
    for batches in ctx.state.castle.batches.iter_mut() {
        *batches = 0;
    }
    let turn = ctx.state.turn;
    ctx.emit(Event::TurnStarted { turn });
    if ctx.state.seats() == 2 && turn >= 2 {
        ctx.state.turn_order.reverse();
        let turn_order = ctx.state.turn_order.clone();
        ctx.emit(Event::TurnOrderChanged { turn_order });
    }
    pay_income(ctx);
    ctx.state.enter(Phase::Placement);
    ctx.state.stage = Stage::Place;
}

/// # Rule CAY-6.3.2
/// 2 deniers, 1 for each own residence and the library, 2 for the hotel.
fn pay_income(ctx: &mut ExecContext<'_>) {
    let mut income = PerSeat::new(ctx.state.seats(), |_| BASE_INCOME);
    for (_, lot) in ctx.state.road.lots() {
        if let (Some(tile), Some(owner)) = (lot.tile, lot.owner) {
            income[owner] += tile.sheet().income;
        }
    }
    for (seat, &deniers) in income.entries() {
        ctx.state.players[seat].deniers += deniers;
        ctx.emit(Event::Income { seat, deniers });
    }
}
