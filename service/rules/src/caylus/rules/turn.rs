//! Turn start and phase 1: income (CAY-6.3).

use crate::caylus::data::BASE_INCOME;
use crate::caylus::event::Event;
use crate::caylus::state::{Log, Phase, State, Step};
use crate::table::PerSeat;

/// # Rule CAY-6.3.1
/// The next turn begins: 2 players swap from turn 2 on, the lists of the last turn are emptied.
pub(in crate::caylus) fn start(state: &mut State, journal: &mut Log) {
    state.turn += 1;
    state.enter(Phase::Income);
    state.pass_order.clear();
    state.placement_cursor = 0;
    for batches in state.castle.batches.iter_mut() {
        *batches = 0;
    }
    journal.event(Event::TurnStarted { turn: state.turn });
    if state.seats() == 2 && state.turn >= 2 {
        state.turn_order.reverse();
        let turn_order = state.turn_order.clone();
        journal.event(Event::TurnOrderChanged { turn_order });
    }
    pay_income(state, journal);
    state.enter(Phase::Placement);
    state.step = Step::Place;
}

/// # Rule CAY-6.3.2
/// 2 deniers, 1 for each own residence and the library, 2 for the hotel.
fn pay_income(state: &mut State, journal: &mut Log) {
    let mut income = PerSeat::new(state.seats(), |_| BASE_INCOME);
    for (_, lot) in state.road.lots() {
        if let (Some(tile), Some(owner)) = (lot.tile, lot.owner) {
            income[owner] += tile.sheet().income;
        }
    }
    for (seat, &deniers) in income.entries() {
        state.players[seat].deniers += deniers;
        journal.event(Event::Income { seat, deniers });
    }
}
