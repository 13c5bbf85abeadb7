//! **Replays** of games, whatever the layout of their entries.

use gamekeeper_store::{GameId, StoredEntry, Version};
use gamekeeper_wire::Wire;

use crate::aggregate::game::Game;
use crate::aggregate::undo_states::{ReplayError, UndoStates};
use crate::errors::ServiceError;
use crate::log::EntryOf;
use crate::service::game_service::GameService;
use crate::service::load::LOG_PAGE;
use crate::timing::yielder::Yielder;

impl<W: Wire> GameService<W> {
    /// Advances a game by its next entry. If the entry restores a state that it stores in another layout, the log is
    /// first replayed from its beginning.
    pub(crate) async fn replay_next(
        &self,
        game: &mut Game<W>,
        entry: &StoredEntry,
    ) -> Result<EntryOf<W>, ServiceError> {
        match game.replay_entry(entry) {
            Ok(replayed) => return Ok(replayed),
            Err(ReplayError::Service(problem)) => return Err(problem),
            Err(ReplayError::NeedsUndoState) => {}
        }
        // Boxed: other layouts are rare, and must not enlarge the future of every call.
        game.undo_states = Some(Box::pin(self.collect_undo_states(game.id, game.version)).await?);
        game.replay_entry(entry).map_err(|error| match error {
            ReplayError::Service(problem) => problem,
            ReplayError::NeedsUndoState => {
                let version = entry.version;
                ServiceError::Damaged(format!("version {version}: it returns to no earlier one"))
            }
        })
    }

    /// Collects the states that take-backs restore, up to a version, by replaying the log from its beginning.
    async fn collect_undo_states(
        &self,
        id: GameId,
        version: Version,
    ) -> Result<Box<UndoStates<W::State>>, ServiceError> {
        let (mut undo_targets, mut read_version, mut yielder) = (Vec::new(), 1, Yielder::new());
        loop {
            let page = self.entries(id, read_version, LOG_PAGE).await?;
            let Some(last) = page.last() else {
                break;
            };
            read_version = last.version;
            for entry in &page {
                if let Some(version) = Game::<W>::read_entry(entry)?.undo_target() {
                    undo_targets.push(version);
                }
                yielder.yield_if_due().await;
            }
        }
        let mut game = Game::<W>::replay_genesis(id, &self.first_entry(id).await?).await?;
        let mut undo_states = Box::new(UndoStates::of_versions(undo_targets));
        undo_states.record(game.version, &game.state);
        game.undo_states = Some(undo_states);
        while game.version < version {
            let missing = usize::try_from(version - game.version).unwrap_or(usize::MAX);
            let page = self
                .entries(id, game.version, missing.min(LOG_PAGE))
                .await?;
            if page.is_empty() {
                // A failover has lost the end of the log.
                return Err(ServiceError::TooManyConflicts);
            }
            for entry in &page {
                game.replay_entry(entry).map_err(|error| match error {
                    ReplayError::Service(problem) => problem,
                    ReplayError::NeedsUndoState => ServiceError::TooManyConflicts,
                })?;
                yielder.yield_if_due().await;
            }
        }
        game.undo_states.ok_or(ServiceError::TooManyConflicts)
    }
}
