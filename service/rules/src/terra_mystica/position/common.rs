//! Queries that several judgments share.

use crate::table::Seat;
use crate::terra_mystica::stage::Stage;
use crate::terra_mystica::state::State;

/// Returns whether all things differ.
pub(super) fn distinct<T: PartialEq>(things: &[T]) -> bool {
    (1..things.len()).all(|index| !things[..index].contains(&things[index]))
}

/// Returns whether the game is in its set-up.
pub(super) fn is_setup(state: &State) -> bool {
    match state.stage {
        Stage::ChooseFaction(_) | Stage::PlaceDwelling | Stage::ChooseBonusCard => true,
        Stage::Action | Stage::Cult | Stage::Over => false,
    }
}

/// The path of a field of the faction board.
pub(super) fn path(seat: Seat, field: &str) -> String {
    format!("players[{}].board.{field}", seat.index())
}
