//! Validation of the seats that requests name.

use std::borrow::Cow;
use std::pin::Pin;

use gamekeeper_rules::table::Seat;
use gamekeeper_store::GameId;
use gamekeeper_wire::{Wire, seat_number};

use crate::aggregate::game::Game;
use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::service::game_service::GameService;

/// Converts the number of a seat.
///
/// # Errors
/// If the number is 0, or no table has such a seat.
pub(crate) fn parse_seat(
    number: u32,
    field: impl Into<Cow<'static, str>>,
) -> Result<Seat, ServiceError> {
    let field = field.into();
    gamekeeper_wire::seat(number, &field).map_err(|_| ServiceError::NoSuchSeat {
        field,
        number,
        seats: None,
    })
}

/// Checks that this seat is at the table. Only callers that may know of the game learn the result.
///
/// # Errors
/// If the seat is not at the table, or the caller may not know of the game.
pub(crate) fn ensure_seat_exists<W: Wire>(
    caller: &Caller,
    game: &Game<W>,
    seat: Seat,
    field: impl Into<Cow<'static, str>>,
) -> Result<(), ServiceError> {
    caller.authorize(game.access_target(), Permission::ReadInfo)?;
    let seats = W::seats(&game.genesis.options);
    if seat.index() < seats {
        return Ok(());
    }
    Err(ServiceError::NoSuchSeat {
        field: field.into(),
        number: seat_number(seat),
        seats: Some(seats),
    })
}

impl<W: Wire> GameService<W> {
    /// Completes the error for a request that cannot be decoded. If it names a seat that no table has, the number of
    /// this game's seats is added for callers that may know of the game.
    pub(crate) fn with_seat_count<'a>(
        &'a self,
        caller: &'a Caller,
        id: GameId,
        problem: ServiceError,
    ) -> Pin<Box<dyn Future<Output = ServiceError> + Send + 'a>> {
        Box::pin(async move {
            let ServiceError::NoSuchSeat { field, number, .. } = problem else {
                return problem;
            };
            match self.seat_count(caller, id).await {
                Ok(seats) => ServiceError::NoSuchSeat {
                    field,
                    number,
                    seats: Some(seats),
                },
                Err(problem) => problem,
            }
        })
    }

    async fn seat_count(&self, caller: &Caller, id: GameId) -> Result<usize, ServiceError> {
        let game = self.lock_current(caller, id).await?;
        caller.authorize(game.access_target(), Permission::ReadInfo)?;
        Ok(W::seats(&game.genesis.options))
    }
}
