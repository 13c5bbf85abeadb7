//! Reading of one game that a feed reports.

use std::sync::Arc;

use futures_util::StreamExt;
use gamekeeper_store::GameId;

use super::game_delta::GameDelta;
use super::request::FeedRequest;
use crate::authz::Caller;
use crate::errors::ServiceError;
use crate::multi_game::games_update::GamesUpdate;
use crate::registry::Registry;
use crate::streams::feed_game::{FeedGameRequest, FeedGameUpdates};
use crate::streams::watched_game::VersionChanges;

/// The result of reading a game.
pub(super) enum FeedLookup {
    /// The game, with its changes.
    Game(FeedGameUpdates),
    /// The game is of a ruleset that the filter does not select.
    FilteredOut,
    /// The game does not exist, or not yet.
    Missing(ServiceError),
    /// The game is no longer followed, or cannot be read.
    Removed(Option<ServiceError>),
}

/// Reads a game that the feed reports. Errors of this game alone are part of the result.
///
/// # Errors
/// If the store fails.
pub(super) async fn look_up(
    (registry, caller, request): (&Registry, &Caller, &FeedRequest),
    delta: &GameDelta,
    may_be_uncommitted: bool,
) -> Result<FeedLookup, ServiceError> {
    if delta.is_deleted {
        // The store may report a deletion before it is made, so the game may still exist.
        let store = &registry.shared().store;
        let is_deleted = !may_be_uncommitted || store.log(delta.id, 0, 1).await?.is_none();
        let problem = ServiceError::no_such_game(delta.id);
        return Ok(if is_deleted {
            FeedLookup::Removed(Some(problem))
        } else {
            FeedLookup::Missing(problem)
        });
    }
    match read_game(registry, caller, request, delta).await {
        Err(problem @ ServiceError::NoSuchGame { .. }) => Ok(FeedLookup::Missing(problem)),
        Err(problem) if problem.is_game_scoped() => Ok(FeedLookup::Removed(Some(problem))),
        lookup => lookup,
    }
}

async fn read_game(
    registry: &Registry,
    caller: &Caller,
    request: &FeedRequest,
    delta: &GameDelta,
) -> Result<FeedLookup, ServiceError> {
    let (service, id) = registry.resolve_game(caller, &delta.id.to_string()).await?;
    let filtered_service = registry.services().get(&request.filter.ruleset);
    if !request.filter.ruleset.is_empty()
        && !filtered_service.is_some_and(|filtered| Arc::ptr_eq(filtered, &service))
    {
        return Ok(FeedLookup::FilteredOut);
    }
    let game_request = FeedGameRequest {
        id,
        versions: delta.versions.clone(),
        is_created: delta.is_created,
        lists_changed_at: delta.lists_changed_at,
        filter: Arc::clone(&request.filter),
        viewer: request.viewers.get(&id).copied(),
        show: request.show.clone(),
    };
    Ok(FeedLookup::Game(
        service.feed_game_updates(caller, game_request).await?,
    ))
}

/// A game whose changes are being sent.
pub(super) struct GameUpdateStream {
    id: GameId,
    changes: VersionChanges,
    removal: Option<Option<ServiceError>>,
}

impl GameUpdateStream {
    /// Creates a game with these changes.
    pub(super) fn of_changes(id: GameId, changes: VersionChanges) -> GameUpdateStream {
        let removal = None;
        GameUpdateStream {
            id,
            changes,
            removal,
        }
    }

    /// Creates a game that is no longer followed, with the error to send.
    pub(super) fn removed(id: GameId, problem: Option<ServiceError>) -> GameUpdateStream {
        GameUpdateStream {
            id,
            changes: Box::pin(futures_util::stream::empty()),
            removal: Some(problem),
        }
    }

    /// Returns the next item. Returns `None` after the last one.
    pub(super) async fn next(&mut self) -> Result<Option<GamesUpdate>, ServiceError> {
        Ok(match self.changes.next().await {
            Some(Ok(change)) => Some(GamesUpdate::Change(change.message)),
            Some(Err(problem)) if problem.is_game_scoped() => {
                Some(GamesUpdate::Removed(self.id, Some(problem)))
            }
            Some(Err(problem)) => return Err(problem),
            None => {
                let removal = self.removal.take();
                removal.map(|problem| GamesUpdate::Removed(self.id, problem))
            }
        })
    }
}
