//! Replays a stored game, to find out whether this build would judge it as it was played (a **compatibility check**).

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use gamekeeper_store::{GameId, StoreError, StoredEntry, Version};
use gamekeeper_wire::Wire;

use crate::aggregate::game::Game;
use crate::errors::ServiceError;
use crate::service::game_service::GameService;
use crate::service::load::LOG_PAGE;
use crate::timing::yielder::Yielder;

/// A version of a game that this build does not replay as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayMismatch {
    /// The first such version.
    pub version: Version,
    /// The difference, in plain English.
    pub what: String,
}

/// The result of replaying a game.
pub type ReplayReport = Result<(), ReplayMismatch>;

impl<W: Wire> GameService<W> {
    /// Replays a game from its first entry. Returns `None` if there is no such game.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn check_game(&self, id: GameId) -> Result<Option<ReplayReport>, StoreError> {
        let first = match self.first_entry(id).await {
            Ok(first) => first,
            // The game was deleted meanwhile, and its id may have been reused.
            Err(ServiceError::NoSuchGame { .. } | ServiceError::TooManyConflicts) => {
                return Ok(None);
            }
            Err(problem) => return report(1, problem),
        };
        let mut game = match catch_rules_panic(Game::<W>::replay_genesis(id, &first)).await {
            Ok(game) => game,
            Err(problem) => return report(1, problem),
        };
        let mut yielder = Yielder::new();
        loop {
            let log = self.context.store.log(id, game.version, LOG_PAGE).await?;
            let Some(entries) = log else {
                return Ok(None);
            };
            if entries.is_empty() {
                return Ok(Some(Ok(())));
            }
            for entry in &entries {
                if let Err(problem) = catch_rules_panic(self.check_entry(&mut game, entry)).await {
                    return report(entry.version, problem);
                }
                yielder.yield_if_due().await;
            }
        }
    }

    async fn check_entry(
        &self,
        game: &mut Game<W>,
        entry: &StoredEntry,
    ) -> Result<(), ServiceError> {
        self.replay_next(game, entry).await.map(drop)
    }
}

/// Runs the work, and converts a panic of the rules to an error.
async fn catch_rules_panic<T>(
    work: impl Future<Output = Result<T, ServiceError>>,
) -> Result<T, ServiceError> {
    let outcome = AssertUnwindSafe(work).catch_unwind().await;
    outcome.unwrap_or_else(|_| Err(ServiceError::Fault(String::from("the rules panic"))))
}

/// Converts an error to a finding about the game, unless the store failed.
fn report(version: Version, problem: ServiceError) -> Result<Option<ReplayReport>, StoreError> {
    let message = if let ServiceError::Store(StoreError::Damaged(what))
    | ServiceError::Fault(what) = problem
    {
        what
    } else if let ServiceError::Store(error) = problem {
        return Err(error);
    } else if let ServiceError::Damaged(what) = problem {
        let prefix = format!("version {version}: ");
        what.strip_prefix(&prefix).unwrap_or(&what).to_owned()
    } else {
        problem.to_string()
    };
    Ok(Some(Err(ReplayMismatch {
        version,
        what: message,
    })))
}
