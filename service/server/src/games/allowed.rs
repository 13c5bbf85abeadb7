//! Whether somebody who is being told of a game may still be told.

use gamekeeper_rules::table::Viewer;
use gamekeeper_wire::Wire;

use super::Games;
use super::game::Game;
use super::seated::seated;
use crate::audit;
use crate::auth::{Bearer, Caller, Wish};
use crate::problem::Problem;
use crate::store::{GameId, Version};

/// Judges the wish to read a game; what operators read is noted.
pub(super) fn may_read<W: Wire>(
    caller: &Caller,
    game: &Game<W>,
    wish: Wish,
    what: &str,
) -> Result<(), Problem> {
    let judged = may_ask(caller, game, wish);
    if *caller == Caller::Operator {
        audit::note(caller, what, &game.id.to_string(), &judged);
    }
    judged
}

/// Judges the wish to read a game.
pub(super) fn may_ask<W: Wire>(caller: &Caller, game: &Game<W>, wish: Wish) -> Result<(), Problem> {
    if let Wish::Look(Viewer::Seat(seat)) = wish {
        seated(caller, game, seat, "viewer.seat")?;
    }
    caller.may(game.subject(), wish)
}

impl<W: Wire> Games<W> {
    /// May this bearer still have the wish? A token that was replaced before `version` was played does
    /// not hold; without a version, one that was replaced before now.
    ///
    /// What the cache has of a game was true at its newest version, so one look at the store for each
    /// version is enough, however many look on.
    pub(super) async fn still_may(
        &self,
        bearer: &Bearer,
        id: GameId,
        wish: Wish,
        version: Option<Version>,
    ) -> Result<(), Problem> {
        bearer.holds()?;
        if !bearer.is_of_one_game() {
            return Ok(());
        }
        let mut game = self.open(bearer, id).await?;
        if version.is_none_or(|version| game.version < version) {
            self.refresh(&mut game).await?;
        }
        bearer.may(game.subject(), wish)
    }
}
