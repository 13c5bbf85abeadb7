//! Seats that a request names: a table has only a few.

use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Wire, seat_number};

use super::game::Game;
use crate::auth::{Caller, Wish};
use crate::problem::Problem;

/// The seat of this number.
///
/// # Errors
/// For 0 and for numbers that no table has.
pub(super) fn seat(number: u32, field: &'static str) -> Result<Seat, Problem> {
    gamekeeper_wire::seat(number, field).map_err(|_| Problem::NoSuchSeat {
        field,
        number,
        seats: None,
    })
}

/// Is this seat at the table? Only callers that may know of the game learn it.
///
/// # Errors
/// When it is not, and for strangers.
pub(super) fn seated<W: Wire>(
    caller: &Caller,
    game: &Game<W>,
    seat: Seat,
    field: &'static str,
) -> Result<(), Problem> {
    caller.may(game.subject(), Wish::Info)?;
    let seats = W::seats(&game.birth.options);
    if seat.index() < seats {
        return Ok(());
    }
    Err(Problem::NoSuchSeat {
        field,
        number: seat_number(seat),
        seats: Some(seats),
    })
}
