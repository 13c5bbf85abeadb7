//! Queries that several judgments share.

use crate::caylus::data::Special;
use crate::caylus::state::State;
use crate::table::Seat;

/// Returns whether all things differ.
pub(super) fn distinct<T: PartialEq>(things: &[T]) -> bool {
    (1..things.len()).all(|index| !things[..index].contains(&things[index]))
}

/// Lists the numbers of seats, for refusals: `[2, 1]`.
pub(super) fn seats(list: &[Seat]) -> String {
    let numbers = list.iter().map(|seat| seat.number().to_string());
    format!("[{}]", numbers.collect::<Vec<_>>().join(", "))
}

/// Returns whether the joust field has been activated, in the phase of the special buildings.
pub(super) fn joust_is_over(state: &State) -> bool {
    state.pending_favors.is_some() || usize::from(state.cursor) > Special::JoustField.index()
}
