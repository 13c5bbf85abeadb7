//! Permission to read a game, checked when a call begins and again while a stream lasts.

use gamekeeper_rules::table::Viewer;
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::Wire;

use crate::heart::access::{Caller, Wish};
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::problem::Problem;
use crate::heart::seats::check_seat;

/// Checks whether a caller may read a game.
pub(crate) fn may_read<W: Wire>(
    caller: &Caller,
    game: &Game<W>,
    wish: Wish,
) -> Result<(), Problem> {
    if let Wish::Look(Viewer::Seat(seat)) = wish {
        check_seat(caller, game, seat, "viewer.seat")?;
    }
    caller.may(game.subject(), wish)
}

impl<W: Wire> Games<W> {
    /// Checks whether a user may know of a game, before anything else of a request is read. A user who had a seat
    /// when this process last read the game goes on: what follows checks it on the newest version.
    ///
    /// # Errors
    /// When the user has no seat, or the store fails.
    pub async fn meet(&self, caller: &Caller, id: GameId) -> Result<(), Problem> {
        let mut game = self.open(caller, id).await?;
        if caller.may(game.subject(), Wish::Info).is_err() {
            self.refresh(&mut game).await?;
        }
        caller.may(game.subject(), Wish::Info)
    }

    /// Checks whether this caller may do this now.
    ///
    /// # Errors
    /// When it may not, or the store fails.
    pub async fn may(&self, caller: &Caller, id: GameId, wish: Wish) -> Result<(), Problem> {
        self.still_may(caller, id, wish, None).await
    }

    /// Checks again whether this caller may do this. A token is refused if it was replaced before `version` was
    /// played or, without a version, before now.
    ///
    /// The cached access record of a game was read at the cached version or later, so one read of the store per
    /// version is enough for all readers.
    pub(crate) async fn still_may(
        &self,
        caller: &Caller,
        id: GameId,
        wish: Wish,
        version: Option<Version>,
    ) -> Result<(), Problem> {
        caller.holds()?;
        self.shared.user_tokens.still_valid(caller).await?;
        if !caller.may_lose_games() {
            return Ok(());
        }
        let mut game = self.open(caller, id).await?;
        if version.is_none_or(|version| game.version < version) {
            self.refresh(&mut game).await?;
        }
        caller.may(game.subject(), wish)
    }
}
