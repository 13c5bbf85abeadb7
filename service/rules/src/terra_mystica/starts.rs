//! A rich start: every player has plenty of goods.

use super::state::State;

/// Fills the purse of every player. Players have boards only once all factions are chosen. Returns false before that.
pub fn enrich(state: &mut State) -> bool {
    for player in state.players.iter_mut() {
        player.coins += 70;
        player.workers += 50;
        player.priests = 4;
        player.vp += 60;
        player.bowls = [0, 4, 8];
    }
    state.players.count() > 0
}
