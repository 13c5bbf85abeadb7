//! The turns of one thread: who waits, and who is next.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Context;
use std::time::Duration;

use futures_util::task::AtomicWaker;
use tokio::time::Instant;

use super::cost;
use super::queue::Queue;
use crate::heart::access::Account;

thread_local! {
    /// The turns of this thread.
    static WORKER: Arc<Worker> = Arc::default();
    /// Does a turn run?
    static RUNS: Cell<bool> = const { Cell::new(false) };
}

/// The turns of one thread.
#[derive(Default)]
pub(super) struct Worker(Mutex<Turns>);

#[derive(Default)]
struct Turns {
    queue: Queue<Arc<Place>>,
    /// Who was woken because it is their turn, and when.
    given: Option<(Instant, Arc<Place>)>,
    /// Does a task hand out turns?
    is_led: bool,
    /// For how long turns have run since everybody could take a place.
    busy: Duration,
    /// When the last turn ended.
    ended: Option<Instant>,
}

/// After this much work, whatever is ready takes a place before more work begins.
const BUSY: Duration = Duration::from_micros(250);

/// A turn that is not taken for this long is lost: whoever has it may be kept from it by a client that takes no answer.
const LEASE: Duration = Duration::from_millis(2);

/// A place in the queue.
struct Place {
    account: Account,
    is_next: AtomicBool,
    is_gone: AtomicBool,
    waker: AtomicWaker,
}

impl Worker {
    fn turns(&self) -> MutexGuard<'_, Turns> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turns {
    /// Wakes whoever is next, unless somebody was woken already.
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

    /// The turn of this place has begun, or is not wanted anymore.
    fn taken(&mut self, place: &Arc<Place>) {
        let is_given = |(_, given): &mut (Instant, Arc<Place>)| Arc::ptr_eq(given, place);
        self.given.take_if(is_given);
    }

    /// Everybody who is ready has a place now: gives the next turn, also if the last one was not taken in time.
    fn lead(&mut self) {
        if let Some((_, lost)) = self.given.take_if(|(since, _)| since.elapsed() >= LEASE) {
            self.queue.charge(lost.account, cost::nanos(LEASE));
        }
        self.busy = Duration::ZERO;
        self.give();
    }

    /// May a turn begin at once?
    fn is_free(&mut self) -> bool {
        // The thread had time for everybody.
        if self.ended.is_none_or(|ended| ended.elapsed() >= BUSY) {
            self.busy = Duration::ZERO;
        }
        self.given.is_none() && self.queue.is_empty() && self.busy < BUSY
    }
}

/// Hands out turns until nobody waits. Whenever it comes around, the thread has looked for what has arrived, and
/// whatever was ready has run or taken a place.
async fn lead(worker: Arc<Worker>) {
    loop {
        tokio::task::yield_now().await;
        let mut turns = worker.turns();
        turns.lead();
        if turns.given.is_none() {
            turns.is_led = false;
            return;
        }
    }
}

/// A turn that runs. When it ends, the next one is given, even if its work panics.
pub(super) struct Running<'a>(&'a Worker);

impl<'a> Running<'a> {
    /// Does one run on this thread?
    pub(super) fn is_one() -> bool {
        RUNS.get()
    }

    pub(super) fn on(worker: &'a Worker) -> Self {
        RUNS.set(true);
        Self(worker)
    }

    /// It has taken this long, and belongs to this account.
    pub(super) fn took(&self, account: Account, time: Duration) {
        let mut turns = self.0.turns();
        turns.queue.charge(account, cost::nanos(time));
        turns.busy += time;
        turns.ended = Some(Instant::now());
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        RUNS.set(false);
        self.0.turns().give();
    }
}

/// Somebody who waits for a turn.
pub(super) struct Waiting {
    worker: Arc<Worker>,
    place: Arc<Place>,
}

impl Waiting {
    /// Takes a place in the queue of this thread, unless a turn of this account may begin there at once.
    pub(super) fn unless_free(
        account: Account,
        context: &Context<'_>,
    ) -> Result<Self, Arc<Worker>> {
        let worker = WORKER.with(Arc::clone);
        let mut turns = worker.turns();
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

    /// Wakes this task from now on.
    pub(super) fn woken_by(self, context: &Context<'_>) -> Self {
        self.place.waker.register(context.waker());
        self
    }

    /// Takes the turn, if it is this one's.
    pub(super) fn begun(self) -> Result<Arc<Worker>, Self> {
        if !self.is_next() {
            return Err(self);
        }
        // The turn is used: nothing is left to hand on when the place goes.
        self.place.is_next.store(false, Ordering::Relaxed);
        self.worker.turns().taken(&self.place);
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
            let mut turns = self.worker.turns();
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

    /// The time stands still.
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
