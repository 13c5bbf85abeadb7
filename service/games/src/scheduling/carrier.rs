//! The **carrier** of a call: the task in which a call runs, such as the one that HTTP/2 has for each call. It begins
//! before the caller is known, and ends after the response was made.
//!
//! A carrier takes no turns: calls that clients have abandoned must not wait for a turn only to end. The caller pays for
//! it all the same, apart from the turns of the call, which pay for themselves.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::mem;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::cost::Cost;
use super::cost_accounting;
use super::run_queue;
use super::usage::Meter;

/// The use from which on it is counted before the carrier ends.
const COUNT_AT: Duration = Duration::from_micros(100);

thread_local! {
    /// The meter of the caller that has just become known on this thread.
    static CALLER: Cell<Option<Arc<Meter>>> = const { Cell::new(None) };
}

/// Records that the call that runs on this thread, or is about to, has this caller.
pub fn record_caller(caller: &Arc<Meter>) {
    CALLER.set(Some(Arc::clone(caller)));
}

/// Takes what [`record_caller`] has recorded on this thread.
#[must_use]
pub fn take_caller() -> Option<Arc<Meter>> {
    CALLER.take()
}

/// Runs a future without turns, and counts what it uses for this meter. Once the caller is known
/// ([`record_caller`]), that one pays.
pub async fn carry<F: Future>(meter: Arc<Meter>, future: F) -> F::Output {
    let mut carrier = Carrier {
        meter,
        uncounted: Cost::ZERO,
        measured: Instant::now(),
    };
    let mut future = pin!(future);
    poll_fn(|context| carrier.measure(|| future.as_mut().poll(context))).await
}

/// The payer of a carrier.
struct Carrier {
    meter: Arc<Meter>,
    /// The use that the meter does not have yet. It is counted together, since that takes locks.
    uncounted: Cost,
    /// The time of the last measurement.
    measured: Instant,
}

impl Carrier {
    fn measure<A>(&mut self, work: impl FnOnce() -> A) -> A {
        drop(take_caller());
        let measured = cost_accounting::measure(work);
        if let Some(caller) = take_caller() {
            self.meter = caller;
        }
        self.meter.record_held(measured.held);
        self.uncounted = self.uncounted.saturating_add(measured.cost);
        self.measured = measured.ended;
        if self.uncounted.time >= COUNT_AT {
            self.count();
        }
        measured.output
    }

    fn count(&mut self) {
        let used = mem::replace(&mut self.uncounted, Cost::ZERO);
        run_queue::charge(self.meter.account(), used.time);
        self.meter.count_slice(used, self.measured.into_std());
    }
}

impl Drop for Carrier {
    fn drop(&mut self) {
        self.count();
    }
}
