//! Replays stored games, to see whether this build would judge them as they were played.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use futures_util::stream::{self, StreamExt};
use gamekeeper_store::{GameId, ListFilter, ListedGame, StoreError, StoredEntry, Version};
use gamekeeper_wire::Wire;

use super::game::Game;
use super::load::LOG_PAGE;
use super::yielding::Yielder;
use super::{Games, Registry};
use crate::problem::Problem;

/// A version of a game that this build does not play as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The first such version.
    pub version: Version,
    /// What is wrong, in plain English.
    pub what: String,
}

/// How many games of a ruleset were replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub games: u64,
    /// Those with a finding.
    pub found: u64,
}

/// Hears of a check while it runs.
pub trait Listener {
    /// A game was replayed. `tallies` are those of all rulesets so far, this game included.
    fn replayed(
        &mut self,
        game: &ListedGame,
        finding: Option<&Finding>,
        tallies: &BTreeMap<String, Tally>,
    );
}

/// The number of games on a page.
const PAGE: usize = 64;

/// The number of games that are read at the same time, since a store may be far away.
const AT_ONCE: usize = 8;

impl Registry {
    /// Replays all games of all tenants from their first entries, the newest games first. Changes nothing.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn check_games(
        &self,
        listener: &mut (impl Listener + Send),
    ) -> Result<BTreeMap<String, Tally>, StoreError> {
        let (filter, mut after, mut tallies) = (ListFilter::default(), None, BTreeMap::new());
        loop {
            let page = self.shared().store.page(&filter, after, PAGE).await?;
            let mut checks = stream::iter(page.games)
                .map(|game| async {
                    let found = self.check_game(&game).await;
                    (game, found)
                })
                .buffer_unordered(AT_ONCE);
            while let Some((game, found)) = checks.next().await {
                let Some(finding) = found? else {
                    continue;
                };
                let finding = finding.err();
                let tally: &mut Tally = tallies.entry(game.row.ruleset.clone()).or_default();
                tally.games += 1;
                tally.found += u64::from(finding.is_some());
                listener.replayed(&game, finding.as_ref(), &tallies);
            }
            after = page.next;
            if after.is_none() {
                return Ok(tallies);
            }
        }
    }

    async fn check_game(&self, game: &ListedGame) -> Result<Option<Verdict>, StoreError> {
        match self.by_ruleset().get(&game.row.ruleset) {
            Some(games) => games.check(game.id).await,
            None => Ok(Some(Err(Finding {
                version: 1,
                what: String::from("this build has no such ruleset"),
            }))),
        }
    }
}

/// What came of the replay of a game.
pub type Verdict = Result<(), Finding>;

impl<W: Wire> Games<W> {
    /// Replays a game from its first entry. `None`: there is no such game.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn check(&self, id: GameId) -> Result<Option<Verdict>, StoreError> {
        let first = match self.first_entry(id).await {
            Ok(first) => first,
            // It was deleted meanwhile, and perhaps its id used again.
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

/// What the work returns; a fault if the rules panic.
async fn guarded<T>(work: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.unwrap_or_else(|_| Err(Problem::Fault(String::from("the rules panic"))))
}

/// What a problem says of a game; an error if it is one of the store.
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
