//! Phase 3, the King's Reward (KIN-6.5).

use super::super::Log;
use super::super::event::Event;
use super::super::state::{PointSource, State};
use super::year;

/// Everybody with the most buildings gets a point, even with none at all (KIN-ADJ-20).
///
/// # Rule KIN-6.80
pub(in super::super) fn enter(state: &mut State, journal: &mut Log) {
    let buildings = state.players.iter().map(|player| player.province.count());
    let most = buildings.max();
    for &seat in &state.order {
        let player = &mut state.players[seat];
        if Some(player.province.count()) == most {
            player.score(PointSource::KingsReward, 1);
            journal.event(Event::KingsRewardGiven { seat });
        }
    }
    year::next_phase(state, journal);
}
