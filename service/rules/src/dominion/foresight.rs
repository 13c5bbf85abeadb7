//! Purchases that lose the game: the cards of all players are known to everybody, and so is who wins when the game ends.

use super::data::{Card, EMPTY_PILES_TO_END};
use super::rules::end;
use super::state::State;
use crate::table::Seat;

/// Does the game end when this card is bought, and has somebody else won it then? Further purchases of the same turn
/// are not considered.
pub fn loses(state: &State, seat: Seat, card: Card) -> bool {
    if !ends(state, card) {
        return false;
    }
    let mut owned = state.counted(seat);
    owned.add(card);
    // Fewer turns break ties (DOM-8.3).
    let turns = |seat: Seat| std::cmp::Reverse(state.players[seat].turns_taken);
    let own = (end::total(&owned), turns(seat));
    let mut others = seat.others(state.seats());
    others.any(|other| (end::total(&state.counted(other)), turns(other)) > own)
}

/// Is it the last card of a pile whose end is that of the game?
fn ends(state: &State, card: Card) -> bool {
    let is_last = state.supply.count(card) == Some(1);
    is_last && (card == Card::Province || state.supply.empty_piles() + 1 >= EMPTY_PILES_TO_END)
}
