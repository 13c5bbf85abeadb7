//! Replays a stored game, to find out whether this build would judge it as it was played (a **compatibility check**).

use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use gamekeeper_store::{GameId, StoreError, StoredEntry, Version};
use gamekeeper_wire::Wire;

use crate::heart::game::Game;
use crate::heart::games::Games;
use crate::heart::load::LOG_PAGE;
use crate::heart::problem::Problem;
use crate::heart::yielding::Yielder;

/// A version of a game that this build does not replay as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The first such version.
    pub version: Version,
    /// The difference, in plain English.
    pub what: String,
}

/// The result of replaying a game.
pub type Verdict = Result<(), Finding>;

impl<W: Wire> Games<W> {
    /// Replays a game from its first entry. Returns `None` if there is no such game.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn check(&self, id: GameId) -> Result<Option<Verdict>, StoreError> {
        let first = match self.first_entry(id).await {
            Ok(first) => first,
            // The game was deleted meanwhile, and its id may have been reused.
            Err(Problem::NoSuchGame { .. } | Problem::Contended) => return Ok(None),
            Err(problem) => return finding(1, problem),
        };
        let mut game = match guarded(async { Game::<W>::reborn(id, &first) }).await {
            Ok(game) => game,
            Err(problem) => return finding(1, problem),
        };
        let mut yielder = Yielder::new();
        loop {
            let log = self.shared.store.log(id, game.version, LOG_PAGE).await?;
            let Some(entries) = log else {
                return Ok(None);
            };
            if entries.is_empty() {
                return Ok(Some(Ok(())));
            }
            for entry in &entries {
                if let Err(problem) = guarded(self.check_entry(&mut game, entry)).await {
                    return finding(entry.version, problem);
                }
                yielder.yield_if_due().await;
            }
        }
    }

    async fn check_entry(&self, game: &mut Game<W>, entry: &StoredEntry) -> Result<(), Problem> {
        self.step(game, entry).await.map(drop)
    }
}

/// Runs the work, and converts a panic of the rules to an error.
async fn guarded<T>(work: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.unwrap_or_else(|_| Err(Problem::Fault(String::from("the rules panic"))))
}

/// Converts a problem to a finding about the game, unless the store failed.
fn finding(version: Version, problem: Problem) -> Result<Option<Verdict>, StoreError> {
    let what = if let Problem::Store(StoreError::Damaged(what)) | Problem::Fault(what) = problem {
        what
    } else if let Problem::Store(error) = problem {
        return Err(error);
    } else if let Problem::Damaged(what) = problem {
        let place = format!("version {version}: ");
        what.strip_prefix(&place).unwrap_or(&what).to_owned()
    } else {
        problem.to_string()
    };
    Ok(Some(Err(Finding { version, what })))
}
