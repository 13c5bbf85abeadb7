//! Changes of the metadata record of a game, with the lists that contain the game.

use gamekeeper_store::Head;
use gamekeeper_wire::Wire;

use crate::aggregate::game::Game;
use crate::errors::ServiceError;
use crate::index::index_keys::{changed_users, index_row_with};
use crate::metadata::GameMetadata;
use crate::service::game_service::GameService;

impl<W: Wire> GameService<W> {
    /// Replaces the metadata record of a game by a **compare-and-set**. If users, labels or names change, the index row
    /// is updated too. Returns false, and refreshes the game, if another call has changed the record, or the game is
    /// not at `head`. A `head` of `None` stands for the cached version, which is compared only if the index row
    /// changes.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn update_metadata(
        &self,
        game: &mut Game<W>,
        metadata: GameMetadata,
        head: Option<Head>,
    ) -> Result<bool, ServiceError> {
        let old = &game.metadata;
        let is_public_change = old.tags() != metadata.tags()
            || old.names() != metadata.names()
            || old.initial_names() != metadata.initial_names();
        let changed_users = changed_users(old.tags(), metadata.tags());
        let (expected, encoded) = (old.to_bytes(), metadata.to_bytes());
        let row =
            is_public_change.then(|| index_row_with(game, &metadata, self.context.clock.now_ms()));
        // The index row was computed from the newest version known, so it must still be the newest.
        let head = head.or_else(|| is_public_change.then(|| game.head()));
        let store = &self.context.store;
        if store
            .set_access(game.id, expected, encoded, head, row)
            .await?
        {
            self.context.wake_users(&game.genesis.tenant, changed_users);
            game.metadata = metadata;
            return Ok(true);
        }
        self.refresh(game).await?;
        Ok(false)
    }
}
