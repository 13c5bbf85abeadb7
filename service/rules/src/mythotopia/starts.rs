//! A rich start: every player has drafted improvements, and has all armies and ships in stock.

use super::data::Card;
use super::state::State;

/// The number of improvements that every player drafts from the display.
const IMPROVEMENTS: usize = 3;

/// Moves pieces from the pools to the stocks, and improvements from the display onto the discard piles, where drafted
/// cards go (MYT-6.5.8): the order of a deck that is shuffled already stays random.
pub fn enrich(state: &mut State) -> bool {
    for player in state.players.iter_mut() {
        player.stock.armies += std::mem::take(&mut player.pool.armies);
        player.stock.ships += std::mem::take(&mut player.pool.ships);
        for improvement in state.display.iter().take(IMPROVEMENTS) {
            state.display.remove(improvement);
            player.discard.insert(Card::improvement(improvement));
        }
    }
    true
}
