//! Turn start and phase 1: income (CAY-6.3).

use crate::caylus::data::BASE_INCOME;
use crate::caylus::event::Event;
use crate::caylus::stage::{Phase, Stage};
use crate::caylus::state::Play;
use crate::table::PerSeat;

/// # Rule CAY-6.3.1
/// The next turn begins: 2 players swap from turn 2 on, the lists of the last turn are emptied.
pub fn enter(play: &mut Play<'_>) {
    play.state.turn += 1;
    play.state.enter(Phase::Income);
    play.state.pass_order.clear();
    play.state.placement_cursor = 0;
    for batches in play.state.castle.batches.iter_mut() {
        *batches = 0;
    }
    let turn = play.state.turn;
    play.tell(Event::TurnStarted { turn });
    if play.state.seats() == 2 && turn >= 2 {
        play.state.turn_order.reverse();
        let turn_order = play.state.turn_order.clone();
        play.tell(Event::TurnOrderChanged { turn_order });
    }
    pay_income(play);
    play.state.enter(Phase::Placement);
    play.state.stage = Stage::Place;
}

/// # Rule CAY-6.3.2
/// 2 deniers, 1 for each own residence and the library, 2 for the hotel.
fn pay_income(play: &mut Play<'_>) {
    let mut income = PerSeat::new(play.state.seats(), |_| BASE_INCOME);
    for (_, lot) in play.state.road.lots() {
        if let (Some(tile), Some(owner)) = (lot.tile, lot.owner) {
            income[owner] += tile.sheet().income;
        }
    }
    for (seat, &deniers) in income.entries() {
        play.state.players[seat].deniers += deniers;
        play.tell(Event::Income { seat, deniers });
    }
}
