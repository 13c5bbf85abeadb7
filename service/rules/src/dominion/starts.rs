//! A rich start: every player has gained Treasures and kingdom cards.

use super::data::Card;
use super::state::State;

/// The Treasures that every player gains.
const TREASURES: [Card; 5] = [
    Card::Silver,
    Card::Silver,
    Card::Silver,
    Card::Gold,
    Card::Gold,
];

/// Gives every player Treasures and one card of each kingdom pile, onto the discard pile.
pub fn enrich(state: &mut State) -> bool {
    let gains = state.kingdom().into_iter().chain(TREASURES);
    for seat in state.players.seats() {
        for card in gains.clone() {
            if state.supply.take(card) {
                state.players[seat].discard_pile.put(card);
            }
        }
    }
    true
}
