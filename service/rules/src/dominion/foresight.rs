//! Purchases that lose the game: everybody knows the cards of all players, and so the winner if the game ends now.

use super::data::{Card, EMPTY_PILES_TO_END};
use super::rules::end;
use super::state::State;
use crate::table::Seat;

/// Returns whether buying this card ends the game with another player as the winner. Further purchases of the same turn
/// are not considered.
pub fn loses(state: &State, seat: Seat, card: Card) -> bool {
    if !ends(state, card) {
        return false;
    }
    let mut owned = state.counted(seat);
    owned.add(card);
    // Fewer turns break ties (DOM-8.3).
    let turns = |seat: Seat| std::cmp::Reverse(state.players[seat].turns_taken);
    let result = (end::total(&owned), turns(seat));
    let mut others = seat.others(state.seats());
    others.any(|other| (end::total(&state.counted(other)), turns(other)) > result)
}

/// Returns whether this is the last card of a pile, and the game ends when the pile is empty.
fn ends(state: &State, card: Card) -> bool {
    let is_last = state.supply.count(card) == Some(1);
    is_last && (card == Card::Province || state.supply.empty_piles() + 1 >= EMPTY_PILES_TO_END)
}
