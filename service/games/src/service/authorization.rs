//! Permission checks, when a call begins and again while a stream lasts.

use gamekeeper_rules::table::Viewer;
use gamekeeper_store::{GameId, Version};
use gamekeeper_wire::Wire;

use crate::aggregate::game::Game;
use crate::authz::{Caller, Permission};
use crate::errors::ServiceError;
use crate::service::game_service::GameService;
use crate::service::seats::ensure_seat_exists;

/// Checks that a caller may read a game in this way.
pub(crate) fn authorize_read<W: Wire>(
    caller: &Caller,
    game: &Game<W>,
    permission: Permission,
) -> Result<(), ServiceError> {
    if let Permission::View(Viewer::Seat(seat)) = permission {
        ensure_seat_exists(caller, game, seat, "viewer.seat")?;
    }
    caller.authorize(game.access_target(), permission)
}

impl<W: Wire> GameService<W> {
    /// Checks that a user may know of a game, before anything else of the request is decoded. A user who had a seat at
    /// the cached version passes; later checks are made on the newest version.
    ///
    /// # Errors
    /// If the user has no seat, or the store fails.
    pub async fn ensure_visible(&self, caller: &Caller, id: GameId) -> Result<(), ServiceError> {
        let mut game = self.lock_cached(caller, id).await?;
        if caller
            .authorize(game.access_target(), Permission::ReadInfo)
            .is_err()
        {
            self.refresh(&mut game).await?;
        }
        caller.authorize(game.access_target(), Permission::ReadInfo)
    }

    /// Checks that this caller may do this now.
    ///
    /// # Errors
    /// If the caller may not, or the store fails.
    pub async fn authorize(
        &self,
        caller: &Caller,
        id: GameId,
        permission: Permission,
    ) -> Result<(), ServiceError> {
        self.reauthorize(caller, id, permission, None).await
    }

    /// Checks again that this caller may do this. A token is refused if it was replaced before `version` was played or,
    /// with a `version` of `None`, before now.
    ///
    /// The cached metadata record of a game was read at the cached version or later, so one read of the store per
    /// version is enough for all readers.
    pub(crate) async fn reauthorize(
        &self,
        caller: &Caller,
        id: GameId,
        permission: Permission,
        version: Option<Version>,
    ) -> Result<(), ServiceError> {
        caller.ensure_not_expired()?;
        self.context.user_tokens.ensure_not_revoked(caller).await?;
        if !caller.needs_reauthorization() {
            return Ok(());
        }
        let mut game = self.lock_cached(caller, id).await?;
        if version.is_none_or(|version| game.version < version) {
            self.refresh(&mut game).await?;
        }
        caller.authorize(game.access_target(), permission)
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::TableOptions;
    use gamekeeper_rules::dominion::Dominion;
    use gamekeeper_rules::table::Seat;
    use uuid::Uuid;

    use super::*;
    use crate::authz::Role;
    use crate::test_server::{TestServer, store};

    /// Readers of one version share one read of the store. A token that is replaced later is refused from the next
    /// version on.
    #[tokio::test]
    async fn a_token_is_looked_at_once_for_each_version() {
        let store = store();
        let (one, other) = (
            TestServer::<Dominion>::new(&store),
            TestServer::<Dominion>::new(&store),
        );
        let game = one.create(2, TableOptions::default()).await;
        let game = other.play_first_legal(&game).await;
        let id = Uuid::try_parse(&game.game_id).unwrap();
        let caller = Caller::new(Role::Seat {
            game: id,
            seat: Seat::FIRST,
            generation: 0,
            incarnation: None,
        });
        let may = async |version| {
            let permission = Permission::View(Viewer::Seat(Seat::FIRST));
            other
                .games
                .reauthorize(&caller, id, permission, version)
                .await
        };
        may(None).await.unwrap();
        let revoked = one
            .games
            .revoke_tokens(&Caller::UNAUTHENTICATED, id, Some(1));
        revoked.await.unwrap();
        may(Some(2)).await.unwrap();
        let next = may(Some(3)).await;
        assert!(matches!(next, Err(ServiceError::TokenReplaced(_))));
        let now = may(None).await;
        assert!(matches!(now, Err(ServiceError::TokenReplaced(_))));
    }
}
