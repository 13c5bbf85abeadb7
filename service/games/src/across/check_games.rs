//! A **replay of all stored games**, which finds the games that this build would judge differently from the build that
//! played them.

use std::collections::BTreeMap;

use futures_util::stream::{self, StreamExt};
use gamekeeper_store::{ListFilter, ListedGame, StoreError};

use crate::registry::Registry;
use crate::verbs::check::{Finding, Verdict};

/// The numbers of replayed games of one ruleset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of all replayed games.
    pub games: u64,
    /// The number of games with a finding.
    pub found: u64,
}

/// The number of games in one read of the list.
const PAGE: usize = 64;

/// The maximum number of games that are replayed at the same time, so that the latency of the store is hidden.
const AT_ONCE: usize = 8;

impl Registry {
    /// Replays all games of all tenants from their first entries, the newest games first. Changes nothing. Calls
    /// `replayed` with each game, its finding, and the numbers of all rulesets so far, this game included.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn check_games(
        &self,
        mut replayed: impl FnMut(&ListedGame, Option<&Finding>, &BTreeMap<String, Tally>) + Send,
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
                replayed(&game, finding.as_ref(), &tallies);
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
