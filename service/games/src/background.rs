//! The **background worker**, which acts in games of all tenants when their timers expire. Every process polls the
//! timer index, and none owns a timer. When two processes act at the same time, the store accepts the entry of only
//! one.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_store::{ListFilter, ListedGame};
use tokio::task::JoinSet;
use tokio::time::{interval, sleep};
use uuid::Uuid;

use crate::aggregate::due::{
    ALL_DUE_LIST, BotTask, DueGame, due_bucket, has_bucket_up_to, minute_of,
};
use crate::authz::{Account, Caller};
use crate::context::app_context::AppContext;
use crate::context::unattended::{UnattendedWork, owner_of};
use crate::errors::ServiceError;
use crate::handlers::system_commands::DueWork;
use crate::handlers::table_commands::TableRequest;
use crate::registry::{DynGameService, Registry};
use crate::scheduling::schedule;
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

    /// Reads which accounts are blocked, and returns whether a block has ended since the last call: what became due
    /// meanwhile is not in the lists of the last minutes any more.
    async fn block_ended(&self, work: &mut BackgroundTasks) -> Result<bool, ServiceError> {
        let shared = self.shared();
        shared.refresh_blocks().await?;
        let active = shared.shared_blocks.active(shared.clock.now_ms());
        let blocked: Vec<Account> = active.into_iter().map(|(account, _)| account).collect();
        let before = std::mem::replace(&mut work.blocked, blocked);
        Ok(before.iter().any(|account| !work.blocked.contains(account)))
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
                if self.block_ended(&mut tasks).await? {
                    lists.push(ALL_DUE_LIST.to_owned());
                }
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

    /// Starts a task for a game, unless one is running, the owner is blocked, or it has its share of busy games. The
    /// task takes turns with calls, and the owner pays for it.
    fn start_game_work(self: &Arc<Self>, game: DueGame, work: &mut BackgroundTasks) {
        let (context, id) = (self.shared(), game.id);
        let owner = owner_of(game.tenant);
        if context.ensure_not_blocked(&owner, id).is_err() {
            return;
        }
        if let Some(guard) = context.busy_games.try_begin(id, owner.account.root()) {
            let (registry, task) = (Arc::clone(self), context.unattended_task(&owner));
            let acting = async move {
                registry.work_until_idle(&game.ruleset, id, &owner).await;
                drop(guard);
            };
            work.tasks.spawn(schedule(task, Box::pin(acting)));
        }
    }

    /// Acts in a game until nothing is due.
    async fn work_until_idle(&self, ruleset: &str, id: Uuid, owner: &Caller) {
        // The game is of a ruleset of another build, whose processes act in it.
        let Some(games) = self.services().get(ruleset) else {
            return;
        };
        let mut conflicts = 0;
        loop {
            match do_next_due_work(self.shared(), &**games, owner, id).await {
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
                    | ServiceError::NoSuchGame { .. }
                    | ServiceError::Blocked { .. },
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
    context: &AppContext,
    service: &dyn DynGameService,
    owner: &Caller,
    id: Uuid,
) -> Result<bool, ServiceError> {
    let permit = context
        .begin_unattended(owner, id, UnattendedWork::Clock)
        .await?;
    let work = service.due_work(owner, id).await?;
    // The game has been read, so its family is known.
    context.ensure_not_blocked(owner, id)?;
    match work {
        DueWork::Nothing => return Ok(false),
        DueWork::CreditOutage => service.credit_outages(owner, id).await?,
        DueWork::TimeOut => service.time_out_overdue(owner, id).await?,
        DueWork::BotTask(BotTask::AnswerProposal(seat, number)) => {
            drop(permit);
            let _permit = context
                .begin_unattended(owner, id, UnattendedWork::BotAnswer)
                .await?;
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

/// The tasks that are running, and what they were begun for.
#[derive(Default)]
struct BackgroundTasks {
    tasks: JoinSet<()>,
    /// The accounts that were blocked in all processes at the last poll.
    blocked: Vec<Account>,
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::{
        ClockOptions, GameInfo, Player, TableOptions, TimeoutClaim,
    };
    use gamekeeper_proto::raw::CreateGameRequest;
    use gamekeeper_rules::caylus::Caylus;

    use super::*;
    use crate::test_server::{START_MS, TestServer, store};

    /// A minute for each decision, whose end the service notices by itself.
    fn automatic() -> TableOptions {
        TableOptions {
            clock: Some(ClockOptions {
                decision_seconds: 60,
                claim: TimeoutClaim::Automatic.into(),
                ..ClockOptions::default()
            }),
            ..TableOptions::default()
        }
    }

    fn registry_of(process: &TestServer<Caylus>) -> Arc<Registry> {
        let shared = Arc::clone(&process.games.context);
        Arc::new(Registry::empty(shared).with_ruleset::<Caylus>())
    }

    fn due_ms(game: &GameInfo) -> u64 {
        let due = game.pending[0].due.unwrap();
        u64::try_from(due.seconds * 1_000 + i64::from(due.nanos) / 1_000_000).unwrap()
    }

    /// Begins what the list of all timed games has, does it, and returns the number of games.
    async fn act(registry: &Arc<Registry>, work: &mut BackgroundTasks) -> usize {
        let minute = minute_of(registry.shared().clock.now_ms());
        let lists = vec![ALL_DUE_LIST.to_owned()];
        registry.enqueue_due(lists, minute, work).await.unwrap();
        let count = work.tasks.len();
        while work.tasks.join_next().await.is_some() {}
        count
    }

    /// The players of a blocked tenant cannot act, so their time is credited unless the operator says otherwise.
    #[tokio::test]
    async fn the_games_of_a_blocked_tenant_rest_and_their_owner_pays() {
        for (clocks_run, credited_ms) in [(false, 600_000), (true, 0)] {
            let process = TestServer::<Caylus>::new(&store());
            let (registry, mut work) = (registry_of(&process), BackgroundTasks::default());
            let owner = owner_of(String::from("red"));
            let player = |name: &str| Player {
                name: name.to_owned(),
                ..Player::default()
            };
            let call = CreateGameRequest {
                players: vec![player("Ada"), player("Bob")],
                table: Some(automatic()),
                ..CreateGameRequest::default()
            };
            let created = process.games.create_game(&owner, call).await.unwrap();
            let before = created.table.unwrap().game.unwrap();
            let id = Uuid::try_parse(&before.game_id).unwrap();
            let shared = registry.shared();
            let meter = shared.rate_limiter.usage().meter(owner.account);
            let stored = meter.consumption().stored;
            let ten_minutes = Duration::from_mins(10);
            shared
                .share_block(owner.account.root(), ten_minutes, clocks_run)
                .await
                .unwrap();
            process.set_clock(300_000);
            assert!(!registry.block_ended(&mut work).await.unwrap());
            assert_eq!(act(&registry, &mut work).await, 0);
            process.set_clock(600_000);
            assert!(registry.block_ended(&mut work).await.unwrap());
            assert!(!registry.block_ended(&mut work).await.unwrap(), "once");
            assert_eq!(act(&registry, &mut work).await, 1);
            let after = process.games.info(&owner, id).await.unwrap();
            assert_eq!(after.version, 2);
            let is_credited = credited_ms > 0;
            if is_credited {
                assert_eq!(after.pending[0].seat, before.pending[0].seat);
                assert_eq!(due_ms(&after), due_ms(&before) + credited_ms);
            } else {
                assert!(due_ms(&after) >= START_MS + 660_000, "the next decision");
            }
            assert!(meter.consumption().stored > stored);
        }
    }

    /// A poll reads the lists of a few minutes, not of all games.
    #[tokio::test]
    async fn only_what_the_lists_have_and_what_is_due_is_begun() {
        let process = TestServer::<Caylus>::new(&store());
        process.create(2, automatic()).await;
        let registry = registry_of(&process);
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
