//! Changes of the access record of a game, with the lists that contain the game.

use gamekeeper_store::Head;
use gamekeeper_wire::Wire;

use crate::heart::access::Access;
use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::problem::Problem;
use crate::heart::tags::{moved_users, relisted};

impl<W: Wire> Games<W> {
    /// Replaces the access record of a game by a **compare-and-set**. If users, labels or names change, the index row
    /// is updated too. Returns false, and refreshes the game, if another call has changed the record, or the game is
    /// not at `head`. A `head` of `None` stands for the cached version, which is compared only if the index row
    /// changes.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn change_access(
        &self,
        game: &mut Game<W>,
        after: Access,
        head: Option<Head>,
    ) -> Result<bool, Problem> {
        let before = &game.access;
        let is_shown = before.tags() != after.tags()
            || before.names() != after.names()
            || before.first_names() != after.first_names();
        let moved = moved_users(before.tags(), after.tags());
        let (expected, access) = (before.to_bytes(), after.to_bytes());
        let row = is_shown.then(|| relisted(game, &after, self.shared.clock.now_ms()));
        // The index row was computed from the newest version known, so it must still be the newest.
        let head = head.or_else(|| is_shown.then(|| game.head()));
        let store = &self.shared.store;
        if store
            .set_access(game.id, expected, access, head, row)
            .await?
        {
            self.shared.wake_users(&game.birth.tenant, moved);
            game.access = after;
            return Ok(true);
        }
        self.refresh(game).await?;
        Ok(false)
    }
}
