//! The **scheduler** of one thread: grants turns in the order of the fair queue.

use std::cell::Cell;
use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Context;
use std::time::Duration;

use futures_util::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::cost;
use super::cost_accounting::Measured;
use crate::authz::Account;
use crate::scheduling::fair_queue::FairQueue;

thread_local! {
    /// The scheduler of this thread.
    static RUN_QUEUE: Arc<RunQueue> = Arc::default();
    /// Whether a turn is running on this thread.
    static IN_SLICE: Cell<bool> = const { Cell::new(false) };
}

/// The scheduler of one thread.
#[derive(Default)]
pub(super) struct RunQueue(Mutex<RunQueueState>);

#[derive(Default)]
struct RunQueueState {
    queue: FairQueue<Arc<Waiter>>,
    /// The turns that were granted and have not started, in their order. As many are granted as are expected to fit into
    /// a quantum, so that what small calls write leaves together.
    granted: VecDeque<Grant>,
    /// The average time of the last turns.
    average: Duration,
    /// Whether the task that grants turns is running.
    dispatcher_running: bool,
    /// The time that turns have run since every ready task had a chance to enter the queue.
    slice_time: Duration,
    /// The time at which the last turn ended.
    last_slice_ended: Option<Instant>,
    /// The tenant or network of the last turn.
    last_root: Option<Account>,
    /// The time until which the thread counts as shared between tenants.
    shared_until: Option<Instant>,
}

/// The amount of work after which every ready task gets a chance to enter the queue before more work starts.
const DISPATCH_QUANTUM: Duration = Duration::from_micros(250);

/// The quantum while several tenants have turns: a call may wait for the end of a quantum before each of its turns.
const SHARED_QUANTUM: Duration = Duration::from_micros(60);

/// The time for which a thread counts as shared after turns of two tenants.
const SHARED_FOR: Duration = Duration::from_millis(100);

/// The least time that a turn is expected to take.
const MIN_EXPECTED: Duration = Duration::from_micros(8);

/// The number of turns over which the expected time of a turn is averaged.
const AVERAGED_TURNS: u32 = 16;

/// The time that a granted turn is reserved. A task blocked by a client that does not read its response must not stall
/// the queue.
const GRANT_TIMEOUT: Duration = Duration::from_millis(2);

/// A turn that was granted and has not started.
struct Grant {
    since: Instant,
    waiter: Arc<Waiter>,
    /// The time that the account was charged for the turn in advance.
    charged: Duration,
    /// Whether the waiter has come for its turn when the quantum was spent.
    is_deferred: bool,
}

/// An entry in the queue.
struct Waiter {
    account: Account,
    is_granted: AtomicBool,
    is_abandoned: AtomicBool,
    waker: AtomicWaker,
}

impl Grant {
    fn is_of(&self, waiter: &Arc<Waiter>) -> bool {
        Arc::ptr_eq(&self.waiter, waiter)
    }
}

impl RunQueueState {
    /// Returns the quantum: a shorter one while the thread is shared.
    fn quantum(&self) -> Duration {
        let is_shared = self.shared_until > self.last_slice_ended;
        if is_shared {
            SHARED_QUANTUM
        } else {
            DISPATCH_QUANTUM
        }
    }

    /// Notes that a turn of this account ended.
    fn record_end(&mut self, account: Account, ended: Instant) {
        let root = account.root();
        let last = self.last_root.replace(root);
        if last.is_some_and(|last| last != root) {
            self.shared_until = Some(ended + SHARED_FOR);
        }
        self.last_slice_ended = Some(ended);
    }

    /// Grants turns and wakes their waiters, as long as the turns are expected to fit into the quantum. Each is charged
    /// at once for what it is expected to take, so that the order stays fair.
    fn grant_next(&mut self, now: Instant) {
        let charged = self.average.max(MIN_EXPECTED);
        let mut expected: Duration = self.granted.iter().map(|grant| grant.charged).sum();
        while self.slice_time.saturating_add(expected) < self.quantum()
            && let Some(waiter) = self.queue.pop()
        {
            if waiter.is_abandoned.load(Ordering::Relaxed) {
                continue;
            }
            self.queue.charge(waiter.account, cost::nanos(charged));
            waiter.is_granted.store(true, Ordering::Release);
            waiter.waker.wake();
            expected += charged;
            self.granted.push_back(Grant {
                since: now,
                waiter,
                charged,
                is_deferred: false,
            });
        }
    }

    /// Uses up the grant of this waiter, and returns what was charged for it. Returns `None` if the turn may not start
    /// now, since those before it took longer than expected. A grant that was withdrawn may be used at any time.
    fn use_grant(&mut self, waiter: &Arc<Waiter>) -> Option<Duration> {
        let is_spent = self.slice_time >= self.quantum();
        let mut granted = self.granted.iter();
        // Mostly the first one.
        let Some(place) = granted.position(|grant| grant.is_of(waiter)) else {
            return Some(Duration::ZERO);
        };
        if is_spent {
            self.granted[place].is_deferred = true;
            return None;
        }
        self.granted.remove(place).map(|grant| grant.charged)
    }

    /// Withdraws the grant of this waiter, because its turn starts or is no longer wanted.
    fn clear_grant(&mut self, waiter: &Arc<Waiter>) {
        self.granted.retain(|grant| !grant.is_of(waiter));
    }

    /// Grants turns after every ready task had a chance to enter the queue. Those that were deferred take their places in
    /// the queue again. A grant that was not used within its lease is withdrawn, and its account charged for the lease.
    fn start_round(&mut self) {
        let now = Instant::now();
        for grant in mem::take(&mut self.granted).into_iter().rev() {
            let Grant {
                since,
                waiter,
                charged,
                is_deferred,
            } = &grant;
            if *is_deferred {
                waiter.is_granted.store(false, Ordering::Relaxed);
                let waiter = Arc::clone(waiter);
                self.queue
                    .put_back(waiter.account, waiter, cost::nanos(*charged));
            } else if now.saturating_duration_since(*since) < GRANT_TIMEOUT {
                self.granted.push_front(grant);
            } else {
                self.queue
                    .charge(waiter.account, cost::nanos(GRANT_TIMEOUT));
            }
        }
        self.slice_time = Duration::ZERO;
        self.grant_next(now);
    }

    /// Returns whether a turn may start without queuing.
    fn can_start_now(&mut self) -> bool {
        // The thread was idle, so every ready task had a chance to run.
        if self
            .last_slice_ended
            .is_none_or(|ended| ended.elapsed() >= self.quantum())
        {
            self.slice_time = Duration::ZERO;
        }
        self.granted.is_empty() && self.queue.is_empty() && self.slice_time < self.quantum()
    }

    /// Returns whether a turn of this account may start before all that wait.
    fn may_bypass(&mut self, account: Account) -> bool {
        let granted = self.granted.iter().map(|grant| grant.waiter.account);
        self.queue.may_bypass(account, granted)
    }
}

/// Grants turns until the queue is empty. Each time this task is polled again, the runtime has polled for new events,
/// and every ready task has run or entered the queue.
async fn dispatch(run_queue: Arc<RunQueue>) {
    loop {
        tokio::task::yield_now().await;
        let mut state = run_queue.0.lock();
        state.start_round();
        if state.granted.is_empty() {
            state.dispatcher_running = false;
            return;
        }
    }
}

/// Charges an account for work on this thread outside of turns.
pub(super) fn charge(account: Account, time: Duration) {
    let charge = |run_queue: &Arc<RunQueue>| {
        let mut state = run_queue.0.lock();
        state.queue.charge(account, cost::nanos(time));
    };
    // Tasks that end with their thread have nobody to share it with.
    let _ended = RUN_QUEUE.try_with(charge);
}

/// A turn that may start on this thread.
pub(super) struct Slot {
    run_queue: Arc<RunQueue>,
    /// The time that the account was charged for the turn when it was granted.
    charged: Duration,
}

/// The guard of the running turn. Dropping it grants the next turns, even if the work panics.
pub(super) struct SliceGuard(Slot);

impl SliceGuard {
    /// Returns whether a turn is running on this thread.
    pub(super) fn is_running() -> bool {
        IN_SLICE.get()
    }

    pub(super) fn start(slot: Slot) -> Self {
        IN_SLICE.set(true);
        Self(slot)
    }

    /// Charges the account for the duration of the turn, without the part in which the thread did not run.
    pub(super) fn record<A>(&self, account: Account, turn: &Measured<A>) {
        let Slot { run_queue, charged } = &self.0;
        let mut state = run_queue.0.lock();
        let elapsed = turn.elapsed;
        let ran = elapsed.saturating_sub(turn.interrupted);
        let owed = ran.saturating_sub(*charged);
        state.queue.charge(account, cost::nanos(owed));
        state.average += elapsed / AVERAGED_TURNS;
        state.average = state.average.saturating_sub(state.average / AVERAGED_TURNS);
        state.slice_time += elapsed;
        state.record_end(account, turn.ended);
    }
}

impl Drop for SliceGuard {
    fn drop(&mut self) {
        IN_SLICE.set(false);
        let mut state = self.0.run_queue.0.lock();
        let now = state.last_slice_ended.unwrap_or_else(Instant::now);
        state.grant_next(now);
    }
}

/// A task that waits in the queue. Dropping it leaves the queue and passes an unused grant on.
pub(super) struct WaiterHandle {
    run_queue: Arc<RunQueue>,
    waiter: Arc<Waiter>,
}

impl WaiterHandle {
    /// Enters the queue of this thread. Returns a slot as an error if a turn of this account may start there at once.
    pub(super) fn enqueue_unless_free(
        account: Account,
        context: &Context<'_>,
    ) -> Result<Self, Slot> {
        let run_queue = RUN_QUEUE.with(Arc::clone);
        let mut state = run_queue.0.lock();
        if state.can_start_now() || state.may_bypass(account) {
            drop(state);
            let charged = Duration::ZERO;
            return Err(Slot { run_queue, charged });
        }
        let waiter = Arc::new(Waiter {
            account,
            is_granted: AtomicBool::new(false),
            is_abandoned: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        });
        waiter.waker.register(context.waker());
        state.queue.push(account, Arc::clone(&waiter));
        if !mem::replace(&mut state.dispatcher_running, true) {
            tokio::spawn(dispatch(Arc::clone(&run_queue)));
        }
        drop(state);
        Ok(Self { run_queue, waiter })
    }

    /// Replaces the waker, since the task may have moved.
    pub(super) fn with_waker(self, context: &Context<'_>) -> Self {
        self.waiter.waker.register(context.waker());
        self
    }

    /// Returns the slot of the turn if it was granted and may start; otherwise returns the waiter unchanged.
    pub(super) fn try_start(self) -> Result<Slot, Self> {
        if !self.is_granted() {
            return Err(self);
        }
        let used = self.run_queue.0.lock().use_grant(&self.waiter);
        let Some(charged) = used else {
            return Err(self);
        };
        // The grant is used up, so dropping the waiter must not pass it on.
        self.waiter.is_granted.store(false, Ordering::Relaxed);
        Ok(Slot {
            run_queue: Arc::clone(&self.run_queue),
            charged,
        })
    }

    fn is_granted(&self) -> bool {
        self.waiter.is_granted.load(Ordering::Acquire)
    }
}

impl Drop for WaiterHandle {
    fn drop(&mut self) {
        self.waiter.is_abandoned.store(true, Ordering::Relaxed);
        if self.is_granted() {
            let mut state = self.run_queue.0.lock();
            state.clear_grant(&self.waiter);
            state.grant_next(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::table::Seat;
    use gamekeeper_store::GameId;

    use super::*;

    fn waiter(account: Account) -> Arc<Waiter> {
        Arc::new(Waiter {
            account,
            is_granted: AtomicBool::new(false),
            is_abandoned: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        })
    }

    /// The clock of the test is paused.
    #[tokio::test(start_paused = true)]
    async fn a_turn_begins_at_once_if_nobody_waits_and_the_thread_had_time_for_all() {
        let just_ended = || RunQueueState {
            last_slice_ended: Some(Instant::now()),
            ..RunQueueState::default()
        };
        assert!(RunQueueState::default().can_start_now() && just_ended().can_start_now());
        let mut busy = just_ended();
        busy.slice_time = DISPATCH_QUANTUM;
        assert!(
            !busy.can_start_now(),
            "others who are ready take places first"
        );
        let mut waited_for = just_ended();
        waited_for
            .queue
            .push(Account::EVERYBODY, waiter(Account::EVERYBODY));
        assert!(!waited_for.can_start_now());
        let mut given = just_ended();
        given.granted.push_back(Grant {
            since: Instant::now(),
            waiter: waiter(Account::EVERYBODY),
            charged: Duration::ZERO,
            is_deferred: false,
        });
        assert!(!given.can_start_now());
        tokio::time::advance(DISPATCH_QUANTUM).await;
        assert!(busy.can_start_now(), "it has had time for them");
    }

    /// The clock of the test is paused.
    #[tokio::test(start_paused = true)]
    async fn quanta_are_short_while_several_tenants_have_turns() {
        let [red, blue] = ["red", "blue"].map(Account::of_tenant);
        let mut state = RunQueueState::default();
        let mut quantum_after = |account: Account| {
            state.record_end(account, Instant::now());
            state.quantum()
        };
        let game = GameId::from_bytes([7; 16]);
        let holders = [1, 2].map(|seat| Account::of_token_holder(red, game, Seat::new(seat)));
        for account in [red, holders[0], holders[1], red] {
            assert_eq!(quantum_after(account), DISPATCH_QUANTUM, "of one tenant");
        }
        assert_eq!(quantum_after(blue), SHARED_QUANTUM);
        assert_eq!(quantum_after(blue), SHARED_QUANTUM);
        tokio::time::advance(SHARED_FOR).await;
        assert_eq!(quantum_after(blue), DISPATCH_QUANTUM);
    }

    /// Returns a queue in which one tenant waits more often than another, and their waiters.
    fn waited_for() -> (RunQueueState, Vec<Arc<Waiter>>) {
        let mut state = RunQueueState::default();
        let tenants = [("red", 40), ("blue", 10)].map(|(tenant, count)| {
            let account = Account::of_tenant(tenant);
            let waiters = std::iter::repeat_with(move || waiter(account)).take(count);
            waiters.collect::<Vec<_>>()
        });
        let waiters = tenants.concat();
        for waiter in &waiters {
            state.queue.push(waiter.account, Arc::clone(waiter));
        }
        (state, waiters)
    }

    fn granted(state: &RunQueueState, tenant: &str) -> u32 {
        let account = Account::of_tenant(tenant);
        let granted = state.granted.iter();
        let count = granted.filter(|grant| grant.waiter.account == account);
        u32::try_from(count.count()).unwrap()
    }

    #[test]
    fn as_many_turns_are_granted_as_fit_and_each_tenant_has_its_share() {
        for average in [1, 10, 20, 100, 300].map(Duration::from_micros) {
            let (mut state, _) = waited_for();
            state.average = average;
            state.grant_next(Instant::now());
            let [red, blue] = ["red", "blue"].map(|tenant| granted(&state, tenant));
            assert!(red.abs_diff(blue) <= 1 || blue == 10, "{red} {blue}");
            let expected = average.max(MIN_EXPECTED) * (red + blue);
            let fits = DISPATCH_QUANTUM..DISPATCH_QUANTUM + average.max(MIN_EXPECTED);
            assert!(fits.contains(&expected), "{average:?}");
        }
    }

    #[test]
    fn a_turn_that_no_longer_fits_keeps_its_place_for_the_next_quantum() {
        let (mut state, waiters) = waited_for();
        state.grant_next(Instant::now());
        let [first, second, ..] = &waiters[..] else {
            panic!("many wait")
        };
        assert_eq!(state.use_grant(first), Some(MIN_EXPECTED));
        state.slice_time = DISPATCH_QUANTUM;
        assert_eq!(state.use_grant(second), None);
        // One that has used less goes first. The thread was idle meanwhile.
        let quiet = waiter(Account::of_tenant("quiet"));
        state.queue.push(quiet.account, Arc::clone(&quiet));
        let spent = cost::nanos(DISPATCH_QUANTUM);
        for tenant in ["red", "blue"] {
            state.queue.charge(Account::of_tenant(tenant), spent);
        }
        state.slice_time = Duration::ZERO;
        state.granted.retain(|grant| grant.is_deferred);
        state.average = DISPATCH_QUANTUM / 2;
        state.start_round();
        let [one, other] = [0, 1].map(|place| &state.granted[place].waiter);
        assert!(Arc::ptr_eq(one, &quiet) && other.account != quiet.account);
        assert!(state.use_grant(&quiet).is_some());
    }
}
