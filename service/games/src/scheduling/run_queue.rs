//! The **scheduler** of one thread: grants turns in the order of the fair queue.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Context;
use std::time::Duration;

use futures_util::task::AtomicWaker;
use parking_lot::Mutex;
use tokio::time::Instant;

use super::cost;
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
    /// The waiter that was granted the next turn and woken, and the time of the grant.
    granted: Option<(Instant, Arc<Waiter>)>,
    /// Whether the task that grants turns is running.
    dispatcher_running: bool,
    /// The time that turns have run since every ready task had a chance to enter the queue.
    slice_time: Duration,
    /// The time at which the last turn ended.
    last_slice_ended: Option<Instant>,
}

/// The amount of work after which every ready task gets a chance to enter the queue before more work starts.
const DISPATCH_QUANTUM: Duration = Duration::from_micros(250);

/// The time that a granted turn is reserved. A task blocked by a client that does not read its response must not stall
/// the queue.
const GRANT_TIMEOUT: Duration = Duration::from_millis(2);

/// An entry in the queue.
struct Waiter {
    account: Account,
    is_granted: AtomicBool,
    is_abandoned: AtomicBool,
    waker: AtomicWaker,
}

impl RunQueueState {
    /// Grants the next turn and wakes its waiter, unless a turn is already granted.
    fn grant_next(&mut self) {
        while self.granted.is_none()
            && self.slice_time < DISPATCH_QUANTUM
            && let Some(waiter) = self.queue.pop()
        {
            if waiter.is_abandoned.load(Ordering::Relaxed) {
                continue;
            }
            waiter.is_granted.store(true, Ordering::Release);
            waiter.waker.wake();
            self.granted = Some((Instant::now(), waiter));
        }
    }

    /// Withdraws the grant of this entry, because its turn has started or is no longer wanted.
    fn clear_grant(&mut self, waiter: &Arc<Waiter>) {
        let is_this_waiter =
            |(_, granted): &mut (Instant, Arc<Waiter>)| Arc::ptr_eq(granted, waiter);
        self.granted.take_if(is_this_waiter);
    }

    /// Grants the next turn after every ready task had a chance to enter the queue. A grant that was not used within
    /// its lease is withdrawn, and its account charged for the lease.
    fn start_round(&mut self) {
        if let Some((_, expired)) = self
            .granted
            .take_if(|(since, _)| since.elapsed() >= GRANT_TIMEOUT)
        {
            self.queue
                .charge(expired.account, cost::nanos(GRANT_TIMEOUT));
        }
        self.slice_time = Duration::ZERO;
        self.grant_next();
    }

    /// Returns whether a turn may start without queuing.
    fn can_start_now(&mut self) -> bool {
        // The thread was idle, so every ready task had a chance to run.
        if self
            .last_slice_ended
            .is_none_or(|ended| ended.elapsed() >= DISPATCH_QUANTUM)
        {
            self.slice_time = Duration::ZERO;
        }
        self.granted.is_none() && self.queue.is_empty() && self.slice_time < DISPATCH_QUANTUM
    }
}

/// Grants turns until the queue is empty. Each time this task is polled again, the runtime has polled for new events,
/// and every ready task has run or entered the queue.
async fn dispatch(run_queue: Arc<RunQueue>) {
    loop {
        tokio::task::yield_now().await;
        let mut state = run_queue.0.lock();
        state.start_round();
        if state.granted.is_none() {
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

/// The guard of the running turn. Dropping it grants the next turn, even if the work panics.
pub(super) struct SliceGuard<'a>(&'a RunQueue);

impl<'a> SliceGuard<'a> {
    /// Returns whether a turn is running on this thread.
    pub(super) fn is_running() -> bool {
        IN_SLICE.get()
    }

    pub(super) fn start(run_queue: &'a RunQueue) -> Self {
        IN_SLICE.set(true);
        Self(run_queue)
    }

    /// Charges the account for the duration of the turn, without the part in which the thread did not run.
    pub(super) fn record_elapsed(
        &self,
        account: Account,
        elapsed: Duration,
        interrupted: Duration,
    ) {
        let mut state = self.0.0.lock();
        let ran = elapsed.saturating_sub(interrupted);
        state.queue.charge(account, cost::nanos(ran));
        state.slice_time += elapsed;
        state.last_slice_ended = Some(Instant::now());
    }
}

impl Drop for SliceGuard<'_> {
    fn drop(&mut self) {
        IN_SLICE.set(false);
        self.0.0.lock().grant_next();
    }
}

/// A task that waits in the queue. Dropping it leaves the queue and passes an unused grant on.
pub(super) struct WaiterHandle {
    run_queue: Arc<RunQueue>,
    waiter: Arc<Waiter>,
}

impl WaiterHandle {
    /// Enters the queue of this thread. Returns the worker as an error if a turn of this account may start there at
    /// once.
    pub(super) fn enqueue_unless_free(
        account: Account,
        context: &Context<'_>,
    ) -> Result<Self, Arc<RunQueue>> {
        let run_queue = RUN_QUEUE.with(Arc::clone);
        let mut state = run_queue.0.lock();
        if state.can_start_now() || state.queue.may_bypass(account) {
            drop(state);
            return Err(run_queue);
        }
        let waiter = Arc::new(Waiter {
            account,
            is_granted: AtomicBool::new(false),
            is_abandoned: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        });
        waiter.waker.register(context.waker());
        state.queue.push(account, Arc::clone(&waiter));
        if !std::mem::replace(&mut state.dispatcher_running, true) {
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

    /// Starts the turn if it was granted; otherwise returns the waiter unchanged.
    pub(super) fn try_start(self) -> Result<Arc<RunQueue>, Self> {
        if !self.is_granted() {
            return Err(self);
        }
        // The grant is used up, so dropping the waiter must not pass it on.
        self.waiter.is_granted.store(false, Ordering::Relaxed);
        self.run_queue.0.lock().clear_grant(&self.waiter);
        Ok(Arc::clone(&self.run_queue))
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
            state.grant_next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiter() -> Arc<Waiter> {
        Arc::new(Waiter {
            account: Account::EVERYBODY,
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
        waited_for.queue.push(Account::EVERYBODY, waiter());
        assert!(!waited_for.can_start_now());
        let mut given = just_ended();
        given.granted = Some((Instant::now(), waiter()));
        assert!(!given.can_start_now());
        tokio::time::advance(DISPATCH_QUANTUM).await;
        assert!(busy.can_start_now(), "it has had time for them");
    }
}
