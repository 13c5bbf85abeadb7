//! A **replay of all stored games**, which finds the games that this build would judge differently from the build that
//! played them.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt};
use gamekeeper_store::{ListFilter, ListedGame, StoreError};

use crate::handlers::check_game::{ReplayMismatch, ReplayReport};
use crate::registry::Registry;

/// The numbers of replayed games of one ruleset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayTally {
    /// The number of all replayed games.
    pub games: u64,
    /// The number of games with a finding.
    pub mismatches: u64,
}

/// The number of games in one read of the list.
const PAGE_SIZE: usize = 64;

/// The maximum number of games that are replayed at the same time, so that the latency of the store is hidden.
const MAX_CONCURRENT_REPLAYS: usize = 8;

impl Registry {
    /// Replays all games of all tenants from their first entries, the newest games first. Changes nothing. Calls
    /// `replayed` with each game, its finding, and the numbers of all rulesets so far, this game included.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn check_games(
        &self,
        mut replayed: impl FnMut(&ListedGame, Option<&ReplayMismatch>, &BTreeMap<String, ReplayTally>)
        + Send,
    ) -> Result<BTreeMap<String, ReplayTally>, StoreError> {
        let (filter, mut after, mut tallies) = (ListFilter::default(), None, BTreeMap::new());
        loop {
            let page = self.shared().store.page(&filter, after, PAGE_SIZE).await?;
            let mut checks = stream::iter(page.games)
                .map(|game| async {
                    let report = self.check_game(&game).await;
                    (game, report)
                })
                .buffer_unordered(MAX_CONCURRENT_REPLAYS);
            while let Some((game, report)) = checks.next().await {
                let Some(report) = report? else {
                    continue;
                };
                let mismatch = report.err();
                let tally: &mut ReplayTally = tallies.entry(game.row.ruleset.clone()).or_default();
                tally.games += 1;
                tally.mismatches += u64::from(mismatch.is_some());
                replayed(&game, mismatch.as_ref(), &tallies);
            }
            after = page.next;
            if after.is_none() {
                return Ok(tallies);
            }
        }
    }

    async fn check_game(&self, game: &ListedGame) -> Result<Option<ReplayReport>, StoreError> {
        match self.games_served(&game.row.ruleset) {
            Ok(service) => service.check_game(game.id).await,
            Err(problem) => Ok(Some(Err(ReplayMismatch {
                version: 1,
                what: problem.to_string(),
            }))),
        }
    }
}
