//! Reading of one game that a feed reports.

use std::sync::Arc;

use futures_util::StreamExt;
use gamekeeper_store::GameId;

use super::groups::Group;
use super::request::Asked;
use crate::across::games_update::GamesUpdate;
use crate::heart::access::Caller;
use crate::heart::problem::Problem;
use crate::registry::Registry;
use crate::streams::followed::Changes;
use crate::streams::marked::{Marked, MarkedGame};

/// The result of reading a game.
pub(super) enum Found {
    /// The game, with its changes.
    Game(Marked),
    /// The game is of a ruleset that the filter does not select.
    Other,
    /// The game does not exist, or not yet.
    Missing(Problem),
    /// The game is no longer followed, or cannot be read.
    Left(Option<Problem>),
}

/// Reads a game that the feed reports. Errors of this game alone are part of the result.
///
/// # Errors
/// If the store fails.
pub(super) async fn find(
    (registry, caller, asked): (&Registry, &Caller, &Asked),
    group: &Group,
    is_unsure: bool,
) -> Result<Found, Problem> {
    if group.is_deleted {
        // The store may report a deletion before it is made, so the game may still exist.
        let store = &registry.shared().store;
        let is_gone = !is_unsure || store.log(group.id, 0, 1).await?.is_none();
        let problem = Problem::no_such_game(group.id);
        return Ok(if is_gone {
            Found::Left(Some(problem))
        } else {
            Found::Missing(problem)
        });
    }
    match look(registry, caller, asked, group).await {
        Err(problem @ Problem::NoSuchGame { .. }) => Ok(Found::Missing(problem)),
        Err(problem) if problem.is_of_game() => Ok(Found::Left(Some(problem))),
        found => found,
    }
}

async fn look(
    registry: &Registry,
    caller: &Caller,
    asked: &Asked,
    group: &Group,
) -> Result<Found, Problem> {
    let (games, id) = registry.games_of(caller, &group.id.to_string()).await?;
    let wanted = registry.by_ruleset().get(&asked.filter.ruleset);
    if !asked.filter.ruleset.is_empty() && !wanted.is_some_and(|wanted| Arc::ptr_eq(wanted, &games))
    {
        return Ok(Found::Other);
    }
    let marked = MarkedGame {
        id,
        versions: group.versions.clone(),
        is_created: group.is_created,
        relisted: group.relisted,
        filter: Arc::clone(&asked.filter),
        viewer: asked.viewers.get(&id).copied(),
        show: asked.show,
    };
    Ok(Found::Game(games.marked(caller, marked).await?))
}

/// A game whose changes are being sent.
pub(super) struct Opened {
    id: GameId,
    changes: Changes,
    left: Option<Option<Problem>>,
}

impl Opened {
    /// Creates a game with these changes.
    pub(super) fn of(id: GameId, changes: Changes) -> Opened {
        let left = None;
        Opened { id, changes, left }
    }

    /// Creates a game that is no longer followed, with the error to send.
    pub(super) fn left(id: GameId, problem: Option<Problem>) -> Opened {
        Opened {
            id,
            changes: Box::pin(futures_util::stream::empty()),
            left: Some(problem),
        }
    }

    /// Returns the next item. Returns `None` after the last one.
    pub(super) async fn next(&mut self) -> Result<Option<GamesUpdate>, Problem> {
        Ok(match self.changes.next().await {
            Some(Ok(change)) => Some(GamesUpdate::Change(change.message)),
            Some(Err(problem)) if problem.is_of_game() => {
                Some(GamesUpdate::Left(self.id, Some(problem)))
            }
            Some(Err(problem)) => return Err(problem),
            None => {
                let left = self.left.take();
                left.map(|problem| GamesUpdate::Left(self.id, problem))
            }
        })
    }
}
