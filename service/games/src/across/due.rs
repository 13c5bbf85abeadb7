//! The **background worker**, which acts in games of all tenants when their timers expire. Every process polls the
//! timer index, and none owns a timer. When two processes act at the same time, the store accepts the entry of only
//! one.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_store::{ListFilter, ListedGame};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{interval, sleep};
use uuid::Uuid;

use crate::heart::access::{Caller, Role};
use crate::heart::due::{BotTurn, DUE, DueGame, due_in, is_due, minute_of};
use crate::heart::jitter::jittered;
use crate::heart::problem::Problem;
use crate::registry::{ErasedGames, Registry};
use crate::verbs::due::Due;
use crate::verbs::table_life::TableRequest;

/// The interval at which a process polls the timer index, before jitter.
const EVERY: Duration = Duration::from_secs(1);

/// The interval at which a process also scans the list of all games with timers, in minutes. It does so at its start
/// too, which finds what became due while no process was running.
const SWEEP: u64 = 10;

/// The number of past minutes that each poll covers again, since the clocks of processes differ.
const OVERLAP: u64 = 2;

/// The maximum number of conflicts in a row before a game is left to the other processes.
const MAX_LATE: usize = 16;

/// The maximum number of games in which this process acts at the same time, not counting bots that think.
const AT_ONCE: usize = 8;

/// The number of games in one read of a list.
const PAGE: usize = 256;

impl Registry {
    /// Acts in games when their timers expire, until the server shuts down.
    pub async fn keep_doing(self: Arc<Self>) {
        let closing = self.shared().closing.clone();
        let work = futures_util::future::join(self.keep_looking(), self.keep_serving());
        let _stopped = closing.run_until_cancelled(work).await;
    }

    /// Writes heartbeats, so that a time in which no process serves is detected as an outage.
    async fn keep_serving(&self) {
        let shared = self.shared();
        let Some(every) = shared.outages.every() else {
            return;
        };
        let mut beats = interval(every);
        loop {
            beats.tick().await;
            if let Err(problem) = shared.outages.beat(shared.clock.now_ms()).await {
                tracing::warn!(%problem, "cannot write that this process serves");
            }
        }
    }

    /// Returns whether an outage has ended since the last call. An outage that ended longer ago than one scan interval
    /// is ignored.
    async fn is_back(&self, seen: &mut u64) -> Result<bool, Problem> {
        let shared = self.shared();
        let now_ms = shared.clock.now_ms();
        if !shared.outages.are_known(now_ms) {
            shared.outages.beat(now_ms).await?;
        }
        let end = shared.outages.last_end_ms();
        let is_new = std::mem::replace(seen, end) < end;
        Ok(is_new && minute_of(end).saturating_add(SWEEP) >= minute_of(now_ms))
    }

    async fn keep_looking(self: &Arc<Self>) {
        let (mut work, mut swept, mut seen) = (Work::default(), None, 0);
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
            let looked = async {
                // Credit the outage before any decision is judged to be late.
                if self.is_back(&mut seen).await? {
                    self.begin_all(vec![DUE.to_owned()], u64::MAX, &mut work)
                        .await?;
                }
                self.begin_all(lists, minute, &mut work).await
            };
            match looked.await {
                Ok(()) => {
                    last = minute;
                    swept = if is_sweep { Some(minute) } else { swept };
                }
                Err(problem) => tracing::warn!(%problem, "cannot find out what is due"),
            }
            while work.tasks.try_join_next().is_some() {}
            self.begin_new(&mut work).await;
        }
    }

    /// Starts tasks for games that this process has queued, until it is time for the next poll.
    async fn begin_new(self: &Arc<Self>, work: &mut Work) {
        let pause = sleep(jittered(EVERY));
        tokio::pin!(pause);
        loop {
            tokio::select! {
                () = &mut pause => return,
                Some(game) = self.shared().due_now.next() => self.begin(game, work),
            }
        }
    }

    /// Starts tasks for the games in these lists whose timers have expired. Each game has a task of its own, so that
    /// none waits for the bots of another one.
    async fn begin_all(
        self: &Arc<Self>,
        lists: Vec<String>,
        minute: u64,
        work: &mut Work,
    ) -> Result<(), Problem> {
        for list in lists {
            let filter = ListFilter {
                lists: vec![list],
                ..ListFilter::default()
            };
            let mut after = None;
            loop {
                let page = self.shared().store.page(&filter, after, PAGE).await?;
                let games = page.games.into_iter();
                for game in games.filter(|game| is_due(game.row.list_names(), minute)) {
                    let ListedGame { id, row } = game;
                    let (ruleset, tenant) = (row.ruleset, row.tenant);
                    self.begin(
                        DueGame {
                            id,
                            ruleset,
                            tenant,
                        },
                        work,
                    );
                }
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Starts a task for a game, unless one is running.
    fn begin(self: &Arc<Self>, game: DueGame, work: &mut Work) {
        if let Some(busy) = self.shared().turns.begin(game.id) {
            let (registry, places) = (Arc::clone(self), Arc::clone(&work.places));
            work.tasks.spawn(async move {
                registry.do_all(game, &places).await;
                drop(busy);
            });
        }
    }

    /// Acts in a game until nothing is due.
    async fn do_all(&self, game: DueGame, places: &Semaphore) {
        let DueGame {
            id,
            ruleset,
            tenant,
        } = game;
        // The game is of a ruleset of another build, whose processes act in it.
        let Some(games) = self.by_ruleset().get(ruleset.as_str()) else {
            return;
        };
        // Act with the permissions of the owner of the game.
        let owner = Caller::new(Role::Tenant(tenant));
        let mut late = 0;
        loop {
            match do_next(&**games, &owner, id, places).await {
                Ok(true) => late = 0,
                // The game has moved on: another process may have acted.
                Err(Problem::Table(_) | Problem::StaleVersion { .. }) if late < MAX_LATE => {
                    late += 1;
                }
                Ok(false)
                | Err(
                    Problem::Table(_) | Problem::StaleVersion { .. } | Problem::NoSuchGame { .. },
                ) => return,
                Err(problem) => {
                    tracing::warn!(%id, %problem, "cannot do what is due");
                    return;
                }
            }
        }
    }
}

/// Does the next thing that is due in a game. Returns false if nothing is.
async fn do_next(
    games: &dyn ErasedGames,
    owner: &Caller,
    id: Uuid,
    places: &Semaphore,
) -> Result<bool, Problem> {
    let place = places.acquire().await;
    match games.due(owner, id).await? {
        Due::Nothing => return Ok(false),
        Due::Outage => games.give_back_all(owner, id).await?,
        Due::Late => games.end_late(owner, id).await?,
        Due::Bot(BotTurn::Answer(seat, number)) => {
            let answer = TableRequest::AnswerProposal {
                seat: seat.number().into(),
                number,
                agrees: true,
            };
            games.change_table(owner, id, answer, "").await.map(drop)?;
        }
        Due::Bot(BotTurn::Decide(seat, bot)) => {
            // Other games need not wait while the bot thinks.
            drop(place);
            games.decide(owner, id, (seat, bot)).await?;
        }
    }
    Ok(true)
}

/// The tasks that are running.
struct Work {
    tasks: JoinSet<()>,
    /// The permits for work other than the thinking of bots.
    places: Arc<Semaphore>,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            tasks: JoinSet::new(),
            places: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::{ClockOptions, TableOptions, TimeoutClaim};
    use gamekeeper_rules::caylus::Caylus;

    use super::*;
    use crate::process::{BEGUN, Process, store};

    /// A poll reads the lists of a few minutes, not of all games.
    #[tokio::test]
    async fn only_what_the_lists_have_and_what_is_due_is_begun() {
        let process = Process::<Caylus>::over(&store());
        let table = TableOptions {
            clock: Some(ClockOptions {
                decision_seconds: 60,
                claim: TimeoutClaim::Automatic.into(),
                ..ClockOptions::default()
            }),
            ..TableOptions::default()
        };
        process.create(2, table).await;
        let shared = Arc::clone(&process.games.shared);
        let registry = Arc::new(Registry::none(shared).with::<Caylus>());
        let begun = async |list: String, minute| {
            let mut work = Work::default();
            let begun = registry.begin_all(vec![list], minute, &mut work).await;
            begun.unwrap();
            let count = work.tasks.len();
            work.tasks.join_all().await;
            count
        };
        let due = minute_of(BEGUN + 60_000);
        assert_eq!(begun(due_in(due - 1), due).await, 0, "in another list");
        assert_eq!(begun(due_in(due), due - 1).await, 0, "not yet");
        assert_eq!(begun(DUE.to_owned(), due - 1).await, 0, "not yet");
        assert_eq!(begun(due_in(due), due).await, 1);
        assert_eq!(begun(DUE.to_owned(), due).await, 1);
    }
}
