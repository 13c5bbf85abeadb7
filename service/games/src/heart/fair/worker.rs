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
use super::queue::Queue;
use crate::heart::access::Account;

thread_local! {
    /// The scheduler of this thread.
    static WORKER: Arc<Worker> = Arc::default();
    /// Whether a turn is running on this thread.
    static RUNS: Cell<bool> = const { Cell::new(false) };
}

/// The scheduler of one thread.
#[derive(Default)]
pub(super) struct Worker(Mutex<Turns>);

#[derive(Default)]
struct Turns {
    queue: Queue<Arc<Place>>,
    /// The waiter that was granted the next turn and woken, and the time of the grant.
    given: Option<(Instant, Arc<Place>)>,
    /// Whether the task that grants turns is running.
    is_led: bool,
    /// The time that turns have run since every ready task had a chance to enter the queue.
    busy: Duration,
    /// The time at which the last turn ended.
    ended: Option<Instant>,
}

/// The amount of work after which every ready task gets a chance to enter the queue before more work starts.
const BUSY: Duration = Duration::from_micros(250);

/// The time that a granted turn is reserved. A task blocked by a client that does not read its response must not stall
/// the queue.
const LEASE: Duration = Duration::from_millis(2);

/// An entry in the queue.
struct Place {
    account: Account,
    is_next: AtomicBool,
    is_gone: AtomicBool,
    waker: AtomicWaker,
}

impl Turns {
    /// Grants the next turn and wakes its waiter, unless a turn is already granted.
    fn give(&mut self) {
        while self.given.is_none()
            && self.busy < BUSY
            && let Some(place) = self.queue.pop()
        {
            if place.is_gone.load(Ordering::Relaxed) {
                continue;
            }
            place.is_next.store(true, Ordering::Release);
            place.waker.wake();
            self.given = Some((Instant::now(), place));
        }
    }

    /// Withdraws the grant of this entry, because its turn has started or is no longer wanted.
    fn taken(&mut self, place: &Arc<Place>) {
        let is_given = |(_, given): &mut (Instant, Arc<Place>)| Arc::ptr_eq(given, place);
        self.given.take_if(is_given);
    }

    /// Grants the next turn after every ready task had a chance to enter the queue. A grant that was not used within
    /// its lease is withdrawn, and its account charged for the lease.
    fn lead(&mut self) {
        if let Some((_, lost)) = self.given.take_if(|(since, _)| since.elapsed() >= LEASE) {
            self.queue.charge(lost.account, cost::nanos(LEASE));
        }
        self.busy = Duration::ZERO;
        self.give();
    }

    /// Returns whether a turn may start without queuing.
    fn is_free(&mut self) -> bool {
        // The thread was idle, so every ready task had a chance to run.
        if self.ended.is_none_or(|ended| ended.elapsed() >= BUSY) {
            self.busy = Duration::ZERO;
        }
        self.given.is_none() && self.queue.is_empty() && self.busy < BUSY
    }
}

/// Grants turns until the queue is empty. Each time this task is polled again, the runtime has polled for new events,
/// and every ready task has run or entered the queue.
async fn lead(worker: Arc<Worker>) {
    loop {
        tokio::task::yield_now().await;
        let mut turns = worker.0.lock();
        turns.lead();
        if turns.given.is_none() {
            turns.is_led = false;
            return;
        }
    }
}

/// The guard of the running turn. Dropping it grants the next turn, even if the work panics.
pub(super) struct Running<'a>(&'a Worker);

impl<'a> Running<'a> {
    /// Returns whether a turn is running on this thread.
    pub(super) fn is_one() -> bool {
        RUNS.get()
    }

    pub(super) fn on(worker: &'a Worker) -> Self {
        RUNS.set(true);
        Self(worker)
    }

    /// Charges the account for the duration of the turn.
    pub(super) fn took(&self, account: Account, time: Duration) {
        let mut turns = self.0.0.lock();
        turns.queue.charge(account, cost::nanos(time));
        turns.busy += time;
        turns.ended = Some(Instant::now());
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        RUNS.set(false);
        self.0.0.lock().give();
    }
}

/// A task that waits in the queue. Dropping it leaves the queue and passes an unused grant on.
pub(super) struct Waiting {
    worker: Arc<Worker>,
    place: Arc<Place>,
}

impl Waiting {
    /// Enters the queue of this thread. Returns the worker as an error if a turn of this account may start there at
    /// once.
    pub(super) fn unless_free(
        account: Account,
        context: &Context<'_>,
    ) -> Result<Self, Arc<Worker>> {
        let worker = WORKER.with(Arc::clone);
        let mut turns = worker.0.lock();
        if turns.is_free() || turns.queue.is_ahead(account) {
            drop(turns);
            return Err(worker);
        }
        let place = Arc::new(Place {
            account,
            is_next: AtomicBool::new(false),
            is_gone: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        });
        place.waker.register(context.waker());
        turns.queue.push(account, Arc::clone(&place));
        if !std::mem::replace(&mut turns.is_led, true) {
            tokio::spawn(lead(Arc::clone(&worker)));
        }
        drop(turns);
        Ok(Self { worker, place })
    }

    /// Replaces the waker, since the task may have moved.
    pub(super) fn woken_by(self, context: &Context<'_>) -> Self {
        self.place.waker.register(context.waker());
        self
    }

    /// Starts the turn if it was granted; otherwise returns the waiter unchanged.
    pub(super) fn begun(self) -> Result<Arc<Worker>, Self> {
        if !self.is_next() {
            return Err(self);
        }
        // The grant is used up, so dropping the waiter must not pass it on.
        self.place.is_next.store(false, Ordering::Relaxed);
        self.worker.0.lock().taken(&self.place);
        Ok(Arc::clone(&self.worker))
    }

    fn is_next(&self) -> bool {
        self.place.is_next.load(Ordering::Acquire)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.place.is_gone.store(true, Ordering::Relaxed);
        if self.is_next() {
            let mut turns = self.worker.0.lock();
            turns.taken(&self.place);
            turns.give();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> Arc<Place> {
        Arc::new(Place {
            account: Account::EVERYBODY,
            is_next: AtomicBool::new(false),
            is_gone: AtomicBool::new(false),
            waker: AtomicWaker::new(),
        })
    }

    /// The clock of the test is paused.
    #[tokio::test(start_paused = true)]
    async fn a_turn_begins_at_once_if_nobody_waits_and_the_thread_had_time_for_all() {
        let just_ended = || Turns {
            ended: Some(Instant::now()),
            ..Turns::default()
        };
        assert!(Turns::default().is_free() && just_ended().is_free());
        let mut busy = just_ended();
        busy.busy = BUSY;
        assert!(!busy.is_free(), "others who are ready take places first");
        let mut waited_for = just_ended();
        waited_for.queue.push(Account::EVERYBODY, place());
        assert!(!waited_for.is_free());
        let mut given = just_ended();
        given.given = Some((Instant::now(), place()));
        assert!(!given.is_free());
        tokio::time::advance(BUSY).await;
        assert!(busy.is_free(), "it has had time for them");
    }
}
