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

use crate::aggregate::due::{
    ALL_DUE_LIST, BotTask, DueGame, due_bucket, has_bucket_up_to, minute_of,
};
use crate::authz::{Caller, Role};
use crate::errors::ServiceError;
use crate::handlers::system_commands::DueWork;
use crate::handlers::table_commands::TableRequest;
use crate::registry::{DynGameService, Registry};
use crate::timing::jitter::jittered;

/// The interval at which a process polls the timer index, before jitter.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The interval at which a process also scans the list of all games with timers, in minutes. It does so at its start
/// too, which finds what became due while no process was running.
const SWEEP_MINUTES: u64 = 10;

/// The number of past minutes that each poll covers again, since the clocks of processes differ.
const OVERLAP_MINUTES: u64 = 2;

/// The maximum number of conflicts in a row before a game is left to the other processes.
const MAX_CONFLICTS: usize = 16;

/// The maximum number of games in which this process acts at the same time, not counting bots that think.
const MAX_CONCURRENT_GAMES: usize = 8;

/// The number of games in one read of a list.
const PAGE_SIZE: usize = 256;

impl Registry {
    /// Acts in games when their timers expire, until the server shuts down.
    pub async fn run_background_tasks(self: Arc<Self>) {
        let shutdown = self.shared().shutdown.clone();
        let work = futures_util::future::join(self.poll_due_games(), self.heartbeat_loop());
        let _stopped = shutdown.run_until_cancelled(work).await;
    }

    /// Writes heartbeats, so that a time in which no process serves is detected as an outage.
    async fn heartbeat_loop(&self) {
        let shared = self.shared();
        let Some(heartbeat_interval) = shared.outages.heartbeat_interval() else {
            return;
        };
        let mut ticks = interval(heartbeat_interval);
        loop {
            ticks.tick().await;
            if let Err(problem) = shared.outages.heartbeat(shared.clock.now_ms()).await {
                tracing::warn!(%problem, "cannot write that this process serves");
            }
        }
    }

    /// Returns whether an outage has ended since the last call. An outage that ended longer ago than one scan interval
    /// is ignored.
    async fn outage_ended(&self, last_seen_end_ms: &mut u64) -> Result<bool, ServiceError> {
        let shared = self.shared();
        let now_ms = shared.clock.now_ms();
        if !shared.outages.is_fresh(now_ms) {
            shared.outages.heartbeat(now_ms).await?;
        }
        let outage_end_ms = shared.outages.last_outage_end_ms();
        let is_new = std::mem::replace(last_seen_end_ms, outage_end_ms) < outage_end_ms;
        Ok(is_new && minute_of(outage_end_ms).saturating_add(SWEEP_MINUTES) >= minute_of(now_ms))
    }

    async fn poll_due_games(self: &Arc<Self>) {
        let (mut tasks, mut last_sweep, mut last_outage_end) =
            (BackgroundTasks::default(), None, 0);
        let mut last_minute = minute_of(self.shared().clock.now_ms());
        loop {
            let now = self.shared().clock.now_ms();
            let minute = minute_of(now);
            let from = last_minute.min(minute).saturating_sub(OVERLAP_MINUTES);
            let mut lists: Vec<String> = (from..=minute).map(due_bucket).collect();
            let is_sweep = last_sweep
                .is_none_or(|swept_at: u64| swept_at.saturating_add(SWEEP_MINUTES) <= minute);
            if is_sweep {
                lists.push(ALL_DUE_LIST.to_owned());
            }
            let poll = async {
                // Credit the outage before any decision is judged to be late.
                if self.outage_ended(&mut last_outage_end).await? {
                    self.enqueue_due(vec![ALL_DUE_LIST.to_owned()], u64::MAX, &mut tasks)
                        .await?;
                }
                self.enqueue_due(lists, minute, &mut tasks).await
            };
            match poll.await {
                Ok(()) => {
                    last_minute = minute;
                    last_sweep = if is_sweep { Some(minute) } else { last_sweep };
                }
                Err(problem) => tracing::warn!(%problem, "cannot find out what is due"),
            }
            while tasks.tasks.try_join_next().is_some() {}
            self.drain_due_queue(&mut tasks).await;
        }
    }

    /// Starts tasks for games that this process has queued, until it is time for the next poll.
    async fn drain_due_queue(self: &Arc<Self>, work: &mut BackgroundTasks) {
        let next_poll = sleep(jittered(POLL_INTERVAL));
        tokio::pin!(next_poll);
        loop {
            tokio::select! {
                () = &mut next_poll => return,
                Some(game) = self.shared().due_queue.next() => self.start_game_work(game, work),
            }
        }
    }

    /// Starts tasks for the games in these lists whose timers have expired. Each game has a task of its own, so that
    /// none waits for the bots of another one.
    async fn enqueue_due(
        self: &Arc<Self>,
        lists: Vec<String>,
        minute: u64,
        work: &mut BackgroundTasks,
    ) -> Result<(), ServiceError> {
        for list in lists {
            let filter = ListFilter {
                lists: vec![list],
                ..ListFilter::default()
            };
            let mut after = None;
            loop {
                let page = self.shared().store.page(&filter, after, PAGE_SIZE).await?;
                let games = page.games.into_iter();
                for game in games.filter(|game| has_bucket_up_to(game.row.list_names(), minute)) {
                    let ListedGame { id, row } = game;
                    let (ruleset, tenant) = (row.ruleset, row.tenant);
                    self.start_game_work(
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
    fn start_game_work(self: &Arc<Self>, game: DueGame, work: &mut BackgroundTasks) {
        if let Some(guard) = self.shared().bot_scheduler.try_begin(game.id) {
            let (registry, permits) = (Arc::clone(self), Arc::clone(&work.permits));
            work.tasks.spawn(async move {
                registry.work_until_idle(game, &permits).await;
                drop(guard);
            });
        }
    }

    /// Acts in a game until nothing is due.
    async fn work_until_idle(&self, game: DueGame, permits: &Semaphore) {
        let DueGame {
            id,
            ruleset,
            tenant,
        } = game;
        // The game is of a ruleset of another build, whose processes act in it.
        let Some(games) = self.services().get(ruleset.as_str()) else {
            return;
        };
        // Act with the permissions of the owner of the game.
        let owner = Caller::new(Role::Tenant(tenant));
        let mut conflicts = 0;
        loop {
            match do_next_due_work(&**games, &owner, id, permits).await {
                Ok(true) => conflicts = 0,
                // The game has moved on: another process may have acted.
                Err(ServiceError::RefusedByTable(_) | ServiceError::StaleVersion { .. })
                    if conflicts < MAX_CONFLICTS =>
                {
                    conflicts += 1;
                }
                Ok(false)
                | Err(
                    ServiceError::RefusedByTable(_)
                    | ServiceError::StaleVersion { .. }
                    | ServiceError::NoSuchGame { .. },
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
async fn do_next_due_work(
    service: &dyn DynGameService,
    owner: &Caller,
    id: Uuid,
    permits: &Semaphore,
) -> Result<bool, ServiceError> {
    let permit = permits.acquire().await;
    match service.due_work(owner, id).await? {
        DueWork::Nothing => return Ok(false),
        DueWork::CreditOutage => service.credit_outages(owner, id).await?,
        DueWork::TimeOut => service.time_out_overdue(owner, id).await?,
        DueWork::BotTask(BotTask::AnswerProposal(seat, number)) => {
            let request = TableRequest::AnswerProposal {
                seat: seat.number().into(),
                number,
                agrees: true,
            };
            service
                .apply_table_command(owner, id, request, "")
                .await
                .map(drop)?;
        }
        DueWork::BotTask(BotTask::Decide(seat, bot)) => {
            // Other games need not wait while the bot thinks.
            drop(permit);
            service.play_bot_turn(owner, id, (seat, bot)).await?;
        }
    }
    Ok(true)
}

/// The tasks that are running.
struct BackgroundTasks {
    tasks: JoinSet<()>,
    /// The permits for work other than the thinking of bots.
    permits: Arc<Semaphore>,
}

impl Default for BackgroundTasks {
    fn default() -> Self {
        Self {
            tasks: JoinSet::new(),
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT_GAMES)),
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::{ClockOptions, TableOptions, TimeoutClaim};
    use gamekeeper_rules::caylus::Caylus;

    use super::*;
    use crate::test_server::{START_MS, TestServer, store};

    /// A poll reads the lists of a few minutes, not of all games.
    #[tokio::test]
    async fn only_what_the_lists_have_and_what_is_due_is_begun() {
        let process = TestServer::<Caylus>::new(&store());
        let table = TableOptions {
            clock: Some(ClockOptions {
                decision_seconds: 60,
                claim: TimeoutClaim::Automatic.into(),
                ..ClockOptions::default()
            }),
            ..TableOptions::default()
        };
        process.create(2, table).await;
        let shared = Arc::clone(&process.games.context);
        let registry = Arc::new(Registry::empty(shared).with_ruleset::<Caylus>());
        let begun = async |list: String, minute| {
            let mut work = BackgroundTasks::default();
            let begun = registry.enqueue_due(vec![list], minute, &mut work).await;
            begun.unwrap();
            let count = work.tasks.len();
            work.tasks.join_all().await;
            count
        };
        let due = minute_of(START_MS + 60_000);
        assert_eq!(begun(due_bucket(due - 1), due).await, 0, "in another list");
        assert_eq!(begun(due_bucket(due), due - 1).await, 0, "not yet");
        assert_eq!(begun(ALL_DUE_LIST.to_owned(), due - 1).await, 0, "not yet");
        assert_eq!(begun(due_bucket(due), due).await, 1);
        assert_eq!(begun(ALL_DUE_LIST.to_owned(), due).await, 1);
    }
}
