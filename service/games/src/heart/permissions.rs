//! Permission checks, when a call begins and again while a stream lasts.

use gamekeeper_rules::table::Viewer;
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::Wire;

use crate::heart::access::{Caller, Wish};
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::problem::Problem;
use crate::heart::seats::check_seat;

/// Checks that a caller may read a game in this way.
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
    /// Checks that a user may know of a game, before anything else of the request is decoded. A user who had a seat at
    /// the cached version passes; later checks are made on the newest version.
    ///
    /// # Errors
    /// If the user has no seat, or the store fails.
    pub async fn meet(&self, caller: &Caller, id: GameId) -> Result<(), Problem> {
        let mut game = self.open(caller, id).await?;
        if caller.may(game.subject(), Wish::Info).is_err() {
            self.refresh(&mut game).await?;
        }
        caller.may(game.subject(), Wish::Info)
    }

    /// Checks that this caller may do this now.
    ///
    /// # Errors
    /// If the caller may not, or the store fails.
    pub async fn may(&self, caller: &Caller, id: GameId, wish: Wish) -> Result<(), Problem> {
        self.still_may(caller, id, wish, None).await
    }

    /// Checks again that this caller may do this. A token is refused if it was replaced before `version` was played or,
    /// with a `version` of `None`, before now.
    ///
    /// The cached access record of a game was read at the cached version or later, so one read of the store per version
    /// is enough for all readers.
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

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::TableOptions;
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::table::Seat;
    use uuid::Uuid;

    use super::*;
    use crate::heart::access::Role;
    use crate::process::{Process, store};

    /// Readers of one version share one read of the store. A token that is replaced later is refused from the next
    /// version on.
    #[tokio::test]
    async fn a_token_is_looked_at_once_for_each_version() {
        let store = store();
        let (one, other) = (
            Process::<Dominion>::over(&store),
            Process::<Dominion>::over(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        let game = other.act(&game).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let caller = Caller::new(Role::Seat {
            game: id,
            seat: Seat::FIRST,
            generation: 0,
            birth: None,
        });
        let may = async |version| {
            let wish = Wish::Look(Viewer::Seat(Seat::FIRST));
            other.games.still_may(&caller, id, wish, version).await
        };
        may(None).await.unwrap();
        let revoked = one.games.revoke_tokens(&Caller::OPEN, id, Some(1));
        revoked.await.unwrap();
        may(Some(2)).await.unwrap();
        let next = may(Some(3)).await;
        assert!(matches!(next, Err(Problem::TokenReplaced(_))));
        let now = may(None).await;
        assert!(matches!(now, Err(Problem::TokenReplaced(_))));
    }
}
