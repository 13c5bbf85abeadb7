//! Validation of the seats that requests name.

use std::pin::Pin;

use gamekeeper_rules::table::Seat;
use gamekeeper_store::GameId;
use gamekeeper_wire::{Wire, seat_number};

use crate::heart::access::{Caller, Wish};
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::problem::Problem;

/// Converts the number of a seat.
///
/// # Errors
/// If the number is 0, or no table has such a seat.
pub(crate) fn seat(number: u32, field: &'static str) -> Result<Seat, Problem> {
    gamekeeper_wire::seat(number, field).map_err(|_| Problem::NoSuchSeat {
        field,
        number,
        seats: None,
    })
}

/// Checks that this seat is at the table. Only callers that may know of the game learn the result.
///
/// # Errors
/// If the seat is not at the table, or the caller may not know of the game.
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

impl<W: Wire> Games<W> {
    /// Completes the error for a request that cannot be decoded. If it names a seat that no table has, the number of
    /// this game's seats is added for callers that may know of the game.
    pub(crate) fn unreadable<'a>(
        &'a self,
        caller: &'a Caller,
        id: GameId,
        problem: Problem,
    ) -> Pin<Box<dyn Future<Output = Problem> + Send + 'a>> {
        Box::pin(async move {
            let Problem::NoSuchSeat { field, number, .. } = problem else {
                return problem;
            };
            match self.seats_of(caller, id).await {
                Ok(seats) => Problem::NoSuchSeat {
                    field,
                    number,
                    seats: Some(seats),
                },
                Err(problem) => problem,
            }
        })
    }

    async fn seats_of(&self, caller: &Caller, id: GameId) -> Result<usize, Problem> {
        let game = self.open_fresh(caller, id).await?;
        caller.may(game.subject(), Wish::Info)?;
        Ok(W::seats(&game.birth.options))
    }
}
