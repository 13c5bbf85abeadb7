//! Finds what is due in the games of all tenants and does it. Every process looks; none owns a timer. What two of them
//! do at once happens once, since the store takes one entry.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use gamekeeper_store::{ListFilter, ListedGame};
use tokio::time::sleep;

use crate::heart::access::{Caller, Role};
use crate::heart::due::{DUE, due_in, is_due, minute_of};
use crate::heart::jitter::jittered;
use crate::heart::problem::Problem;
use crate::registry::Registry;

/// How often a process looks for what is due.
const EVERY: Duration = Duration::from_secs(1);

/// How often it also looks at all games for which something will be due, in minutes. At its start it does so too: what
/// was due while no process ran is then done.
const SWEEP: u64 = 10;

/// How many minutes back it looks each time: clocks of processes differ.
const OVERLAP: u64 = 2;

/// For how many games it does something at the same time.
const AT_ONCE: usize = 8;

/// The games of a page of a list.
const PAGE: usize = 256;

impl Registry {
    /// Does what is due, as long as the process runs.
    pub async fn keep_doing(self: Arc<Self>) {
        let closing = self.shared().closing.clone();
        let work = self.keep_looking();
        let _stopped = closing.run_until_cancelled(work).await;
    }

    async fn keep_looking(&self) {
        let mut swept = None;
        let mut last = minute_of(self.shared().clock.now_ms());
        loop {
            let now = self.shared().clock.now_ms();
            let minute = minute_of(now);
            let from = last.min(minute).saturating_sub(OVERLAP);
            let mut lists: Vec<String> = (from..=minute).map(due_in).collect();
            let is_sweep = swept.is_none_or(|swept: u64| swept.saturating_add(SWEEP) <= minute);
            if is_sweep {
                lists.push(DUE.to_owned());
            }
            match self.do_all(lists, minute).await {
                Ok(()) => {
                    last = minute;
                    swept = if is_sweep { Some(minute) } else { swept };
                }
                Err(problem) => tracing::warn!(%problem, "cannot find out what is due"),
            }
            sleep(jittered(EVERY)).await;
        }
    }

    /// Does what is due in the games of these lists.
    async fn do_all(&self, lists: Vec<String>, minute: u64) -> Result<(), Problem> {
        for list in lists {
            let filter = ListFilter {
                lists: vec![list],
                ..ListFilter::default()
            };
            let mut after = None;
            loop {
                let page = self.shared().store.page(&filter, after, PAGE).await?;
                let games = page.games.into_iter();
                let games = games.filter(|game| is_due(game.row.list_names(), minute));
                let games = stream::iter(games);
                games
                    .for_each_concurrent(AT_ONCE, |game| self.do_one(game))
                    .await;
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    async fn do_one(&self, game: ListedGame) {
        let ListedGame { id, row } = game;
        // Another build has the ruleset.
        let Some(games) = self.by_ruleset().get(&row.ruleset) else {
            return;
        };
        match games.do_due(&Caller::new(Role::Operator), id).await {
            Ok(()) | Err(Problem::NoSuchGame { .. }) => {}
            Err(problem) => tracing::warn!(%id, %problem, "cannot do what is due"),
        }
    }
}
