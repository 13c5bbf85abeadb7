//! Checks of the seats that requests name.

use gamekeeper_rules::table::Seat;
use gamekeeper_wire::{Wire, seat_number};

use crate::heart::access::{Caller, Wish};
use crate::heart::game::Game;
use crate::heart::problem::Problem;

/// The seat of this number.
///
/// # Errors
/// For 0 and for numbers that no table has.
pub(crate) fn seat(number: u32, field: &'static str) -> Result<Seat, Problem> {
    gamekeeper_wire::seat(number, field).map_err(|_| Problem::NoSuchSeat {
        field,
        number,
        seats: None,
    })
}

/// Checks that this seat is at the table. Only callers that may know of the game learn the answer.
///
/// # Errors
/// When the seat is not at the table, and for callers that may not know of the game.
pub(crate) fn check_seat<W: Wire>(
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
