//! Deleting games and giving seats new tokens.

use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_wire::{Malformed, Wire, seat};
use uuid::Uuid;

use super::Games;
use super::apply::subject;
use crate::auth::{Caller, Wish};
use crate::problem::Problem;

impl<W: Wire> Games<W> {
    /// Forgets a game for good.
    ///
    /// # Errors
    /// When the caller may not, or the store fails.
    pub async fn delete(&self, caller: &Caller, id: Uuid) -> Result<(), Problem> {
        let game = self.open_fresh(caller, id).await?;
        caller.may(subject(&game), Wish::Manage)?;
        self.forget(id);
        if self.house.store.delete(id).await? {
            Ok(())
        } else {
            Err(Problem::no_such_game(id))
        }
    }

    /// Gives a seat a new token; the old one is worthless from then on.
    ///
    /// # Errors
    /// When the caller may not, the seat does not exist, or the store fails.
    pub async fn rotate(
        &self,
        caller: &Caller,
        id: Uuid,
        number: u32,
    ) -> Result<pb::SeatToken, Problem> {
        let seat = seat(number, "seat")?;
        let mut game = self.open_fresh(caller, id).await?;
        loop {
            caller.may(subject(&game), Wish::Manage)?;
            if seat.index() >= W::seats(&game.birth.options) {
                return Err(
                    Malformed::new("seat", format!("there is no {seat} at this table")).into(),
                );
            }
            let rotated = game.access.rotated(seat);
            let (before, after) = (game.access.to_bytes(), rotated.to_bytes());
            if self.house.store.set_access(id, before, after).await? {
                let token =
                    self.house
                        .authority
                        .seat_token(id, Some(seat), rotated.generation(seat))?;
                game.access = rotated;
                return Ok(pb::SeatToken {
                    seat: number,
                    token,
                });
            }
            // Somebody else gave a seat a new token meanwhile, or the game is gone.
            self.refresh(&mut game).await?;
        }
    }
}
