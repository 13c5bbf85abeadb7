//! Fair turns: calls and streams of one worker take turns, and pay for what they use.
//!
//! Work runs until it waits for something or has run for a while ([`Yielder`](crate::heart::yielding::Yielder)), and
//! that is one turn. As long as turns are short, each runs at once. When a thread has been busy for a while, whatever
//! is ready takes a place in the queue, what has arrived meanwhile too, and the queue says who is next. A tenant that has
//! used the least, and for whom nothing waits yet, begins at once. A caller that asks seldom therefore waits for a turn or
//! two of others, however many calls they have begun.
//!
//! Connections take turns too, since what arrives on them is work before it belongs to any call: frames are read, tokens
//! hashed, calls refused.

mod budget;
mod cost;
mod queue;
mod usage;

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

pub use budget::{Budgets, Rate};
use cost::Cost;
use futures_util::task::AtomicWaker;
use queue::Queue;
use tokio::time::Instant;
pub use usage::{Meter, Pace, Usage, Used, Who};

use crate::heart::access::Account;

thread_local! {
    /// The turns of this thread.
    static WORKER: Arc<Worker> = Arc::default();
    /// What the running turn has written and stored so far, and the time of turns within it.
    static SPENT: Cell<Cost> = const { Cell::new(Cost::NOTHING) };
    /// Does a turn run?
    static RUNS: Cell<bool> = const { Cell::new(false) };
}

/// The running turn has written an answer of this many bytes.
pub fn written(bytes: usize) {
    let spent = SPENT.get();
    let written = spent.written.saturating_add(cost::count(bytes));
    SPENT.set(Cost { written, ..spent });
}

/// The running turn has stored this many bytes.
pub(crate) fn stored(bytes: usize) {
    let spent = SPENT.get();
    let stored = spent.stored.saturating_add(cost::count(bytes));
    SPENT.set(Cost { stored, ..spent });
}

/// The turns of one thread.
#[derive(Default)]
struct Worker(Mutex<Turns>);

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

/// What this uses without the turns within it, and how long it takes with them.
fn measured<A>(work: impl FnOnce() -> A) -> (A, Cost, Duration) {
    let around = SPENT.replace(Cost::NOTHING);
    let begun = Instant::now();
    let done = work();
    let took = begun.elapsed();
    let spent = SPENT.replace(around);
    let time = took.saturating_sub(spent.time);
    (done, Cost { time, ..spent }, took)
}

/// Gives the next turn when this one ends, even if its work panics.
struct HandingOn<'a>(&'a Worker);

impl<'a> HandingOn<'a> {
    fn of(worker: &'a Worker) -> Self {
        RUNS.set(true);
        Self(worker)
    }
}

impl Drop for HandingOn<'_> {
    fn drop(&mut self) {
        RUNS.set(false);
        self.0.turns().give();
    }
}

/// Somebody who waits for a turn.
struct Waiting {
    worker: Arc<Worker>,
    place: Arc<Place>,
}

impl Waiting {
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

/// The turns of one call or stream.
pub struct Turn {
    account: Account,
    /// `None`: nobody counts what is used.
    meter: Option<Arc<Meter>>,
    /// `None`: nobody pays.
    budgets: Option<Arc<Budgets>>,
    /// What is paid already, in thousandths.
    paid: u64,
    waiting: Option<Waiting>,
}

impl Turn {
    /// Those of a call, whose admission has paid for a small one.
    #[must_use]
    pub fn of_call(meter: Arc<Meter>, budgets: Arc<Budgets>) -> Self {
        Self {
            budgets: Some(budgets),
            paid: cost::CALL,
            ..Self::unpaid(meter)
        }
    }

    /// Those of a connection that nobody has used yet, and of its tokens that are verified, for which nobody pays.
    #[must_use]
    pub fn unpaid(meter: Arc<Meter>) -> Self {
        let account = meter.account();
        Self {
            meter: Some(meter),
            ..Self::of_line(account)
        }
    }

    /// Those of a connection that only this account and its parts use.
    #[must_use]
    pub fn of_line(account: Account) -> Self {
        Self {
            account,
            meter: None,
            budgets: None,
            paid: 0,
            waiting: None,
        }
    }

    /// Those of a stream, after the call that began it.
    #[must_use]
    pub fn of_stream(account: Account, budgets: Arc<Budgets>) -> Self {
        Self {
            paid: 0,
            ..Self::of_call(budgets.usage().meter(account), budgets)
        }
    }

    /// Polls when it is this one's turn. Within another turn it is: that one has waited.
    pub fn poll<A>(
        &mut self,
        context: &mut Context<'_>,
        work: impl FnOnce(&mut Context<'_>) -> Poll<A>,
    ) -> Poll<A> {
        if RUNS.get() {
            self.waiting = None;
            let (polled, cost, took) = measured(|| work(context));
            let around = SPENT.get();
            let time = around.time.saturating_add(took);
            SPENT.set(Cost { time, ..around });
            self.pay(cost);
            return polled;
        }
        let Some(worker) = self.begun(context) else {
            return Poll::Pending;
        };
        let handing_on = HandingOn::of(&worker);
        let (polled, cost, took) = measured(|| work(context));
        let mut turns = worker.turns();
        turns.queue.charge(self.account, cost::nanos(took));
        turns.busy += took;
        turns.ended = Some(Instant::now());
        drop(turns);
        drop(handing_on);
        self.pay(cost);
        polled
    }

    /// The worker on which the turn begins now. `None`: others are next.
    fn begun(&mut self, context: &Context<'_>) -> Option<Arc<Worker>> {
        let waiting = match self.waiting.take() {
            Some(waiting) => {
                waiting.place.waker.register(context.waker());
                waiting
            }
            None => {
                let worker = WORKER.with(Arc::clone);
                let mut turns = worker.turns();
                if turns.is_free() || turns.queue.is_ahead(self.account) {
                    drop(turns);
                    return Some(worker);
                }
                let place = Arc::new(Place {
                    account: self.account,
                    is_next: AtomicBool::new(false),
                    is_gone: AtomicBool::new(false),
                    waker: AtomicWaker::new(),
                });
                place.waker.register(context.waker());
                turns.queue.push(self.account, Arc::clone(&place));
                if !std::mem::replace(&mut turns.is_led, true) {
                    tokio::spawn(lead(Arc::clone(&worker)));
                }
                drop(turns);
                Waiting { worker, place }
            }
        };
        if !waiting.is_next() {
            self.waiting = Some(waiting);
            return None;
        }
        // The turn is used: nothing is left to hand on when the place goes.
        waiting.place.is_next.store(false, Ordering::Relaxed);
        waiting.worker.turns().taken(&waiting.place);
        Some(Arc::clone(&waiting.worker))
    }

    fn pay(&mut self, cost: Cost) {
        if let Some(meter) = &self.meter {
            meter.turned(cost);
        }
        let owed = cost.thousandths();
        let due = owed.saturating_sub(self.paid);
        self.paid = self.paid.saturating_sub(owed);
        if let Some(budgets) = self.budgets.as_ref().filter(|_| due > 0) {
            budgets.pay(self.account, due);
        }
    }
}

/// Runs this in fair turns. The work can be moved: if it was pinned here, this future would contain it twice.
pub fn fairly<F: Future + Unpin>(mut turn: Turn, mut work: F) -> impl Future<Output = F::Output> {
    poll_fn(move |context| turn.poll(context, |context| Pin::new(&mut work).poll(context)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use futures_util::FutureExt;

    use super::*;
    use crate::heart::yielding::Yielder;

    fn turn(tenant: &str) -> Turn {
        let budgets = Arc::new(Budgets::new(None));
        let meter = budgets.usage().meter(Account::of_tenant(tenant));
        Turn::of_call(meter, budgets)
    }

    /// Keeps the thread busy for this many turns, and counts them.
    async fn busy(turns: u32, count: Arc<AtomicU32>) {
        let mut yielder = Yielder::new();
        for _ in 0..turns {
            count.fetch_add(1, Ordering::Relaxed);
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(1) {
                std::hint::spin_loop();
            }
            yielder.yield_if_due().await;
        }
    }

    #[tokio::test]
    async fn a_caller_that_asks_seldom_waits_for_few_turns_of_others() {
        let (of_red, of_blue): (Arc<AtomicU32>, Arc<AtomicU32>) = Default::default();
        let flood: Vec<_> = (0..200)
            .map(|_| {
                tokio::spawn(fairly(
                    turn("red"),
                    Box::pin(busy(1_000, Arc::clone(&of_red))),
                ))
            })
            .collect();
        // Some have run, and all others wait.
        while of_red.load(Ordering::Relaxed) < 20 {
            tokio::task::yield_now().await;
        }
        for _ in 0..5 {
            let before = of_red.load(Ordering::Relaxed);
            let call = fairly(turn("blue"), Box::pin(busy(3, Arc::clone(&of_blue))));
            tokio::spawn(call).await.unwrap();
            let meanwhile = of_red.load(Ordering::Relaxed) - before;
            // In a line behind all others, each turn would wait for 200 of theirs.
            assert!(meanwhile < 20, "{meanwhile}");
        }
        flood.iter().for_each(tokio::task::JoinHandle::abort);
    }

    /// It waits for nobody else who is ready: each of them would have to take a place first.
    #[tokio::test]
    async fn a_caller_that_asks_seldom_begins_when_it_comes() {
        let count = Arc::<AtomicU32>::default();
        let flood = || {
            tokio::spawn(fairly(
                turn("red"),
                Box::pin(busy(1_000, Arc::clone(&count))),
            ))
        };
        let flood: Vec<_> = (0..50).map(|_| flood()).collect();
        for come in 1..5 {
            while count.load(Ordering::Relaxed) < 20 * come {
                tokio::task::yield_now().await;
            }
            let begins = |tenant| {
                let call = fairly(turn(tenant), std::future::ready(()));
                call.now_or_never().is_some()
            };
            assert_eq!([begins("blue"), begins("red")], [true, false]);
        }
        flood.iter().for_each(tokio::task::JoinHandle::abort);
    }

    #[tokio::test]
    async fn whoever_goes_while_waiting_stops_nobody() {
        let count = Arc::<AtomicU32>::default();
        let slow = tokio::spawn(fairly(turn("red"), Box::pin(busy(50, Arc::clone(&count)))));
        let others: Vec<_> = (0..50)
            .map(|_| tokio::spawn(fairly(turn("red"), Box::pin(busy(50, Arc::clone(&count))))))
            .collect();
        while count.load(Ordering::Relaxed) < 10 {
            tokio::task::yield_now().await;
        }
        for other in &others {
            other.abort();
        }
        slow.await.unwrap();
        let after = tokio::spawn(fairly(turn("blue"), Box::pin(busy(2, count))));
        after.await.unwrap();
    }

    /// The body of a response is not asked for more while its client has no room for it.
    #[tokio::test]
    async fn a_turn_that_is_not_taken_stops_nobody() {
        let count = Arc::<AtomicU32>::default();
        let slow = [(); 2]
            .map(|()| tokio::spawn(fairly(turn("red"), Box::pin(busy(50, Arc::clone(&count))))));
        while count.load(Ordering::Relaxed) < 4 {
            tokio::task::yield_now().await;
        }
        let mut never = Box::pin(fairly(turn("blue"), Box::pin(busy(1, Arc::clone(&count)))));
        let mut context = Context::from_waker(std::task::Waker::noop());
        assert!(never.as_mut().poll(&mut context).is_pending());
        assert!(count.load(Ordering::Relaxed) < 100, "others still run");
        for slow in slow {
            let ended = tokio::time::timeout(Duration::from_secs(20), slow).await;
            ended.expect("in time").unwrap();
        }
        drop(never);
    }

    /// HTTP/1 carries a call within the future of its connection.
    #[tokio::test]
    async fn a_turn_within_another_waits_for_nothing_and_each_counts_its_own_time() {
        let count = Arc::<AtomicU32>::default();
        let others: Vec<_> = (0..20)
            .map(|_| tokio::spawn(fairly(turn("red"), Box::pin(busy(5, Arc::clone(&count))))))
            .collect();
        let usage = Usage::default();
        let [outer, inner] = ["outer", "inner"].map(|name| usage.meter(Account::of_tenant(name)));
        let call = fairly(
            Turn::unpaid(Arc::clone(&inner)),
            Box::pin(busy(4, Arc::clone(&count))),
        );
        let line = async move {
            written(7);
            call.await;
        };
        tokio::spawn(fairly(Turn::unpaid(Arc::clone(&outer)), Box::pin(line)))
            .await
            .unwrap();
        let time = |meter: &Meter| meter.used().time;
        assert!(time(&inner) >= Duration::from_millis(4));
        assert!(time(&outer) < time(&inner), "its own time alone");
        assert_eq!((outer.used().written, inner.used().written), (7, 0));
        for other in others {
            other.await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_turn_pays_for_what_it_used_beyond_a_small_call() {
        let rate = Rate {
            per_second: 1.try_into().unwrap(),
            burst: 10.try_into().unwrap(),
        };
        let budgets = Arc::new(Budgets::new(Some(rate)));
        let account = Account::of_tenant("red");
        let call = async |bytes| {
            let meter = budgets.usage().meter(account);
            let turn = Turn::of_call(meter, Arc::clone(&budgets));
            fairly(turn, Box::pin(async { written(bytes) })).await;
        };
        budgets.admit(account).unwrap();
        call(10).await;
        assert!(budgets.admit(account).is_ok(), "it was small");
        call(1 << 20).await;
        assert!(budgets.admit(account).is_err(), "a megabyte is not");
        let other = Account::of_tenant("blue");
        assert!(budgets.admit(other).is_ok());
    }
}
