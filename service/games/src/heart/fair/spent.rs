//! **Metering** of the running turn: counters of the resources that it has used so far.

use std::cell::Cell;
use std::time::Duration;

use tokio::time::Instant;

use super::cost::{self, Cost};

thread_local! {
    /// The bytes that the running turn has written and stored so far, and the time of turns nested in it.
    static SPENT: Cell<Cost> = const { Cell::new(Cost::NOTHING) };
}

/// Counts a response of this many bytes for the running turn.
pub fn written(bytes: usize) {
    let spent = SPENT.get();
    let written = spent.written.saturating_add(cost::count(bytes));
    SPENT.set(Cost { written, ..spent });
}

/// Counts bytes that the running turn has written to the store.
pub(crate) fn stored(bytes: usize) {
    let spent = SPENT.get();
    let stored = spent.stored.saturating_add(cost::count(bytes));
    SPENT.set(Cost { stored, ..spent });
}

/// Runs the work and returns its result, the resources that it used without those of nested turns, and its duration
/// including nested turns.
pub(super) fn measured<A>(work: impl FnOnce() -> A) -> (A, Cost, Duration) {
    let around = SPENT.replace(Cost::NOTHING);
    let begun = Instant::now();
    let done = work();
    let took = begun.elapsed();
    let spent = SPENT.replace(around);
    let time = took.saturating_sub(spent.time);
    (done, Cost { time, ..spent }, took)
}

/// Excludes the time of a nested turn from the outer turn, since the nested turn is charged itself.
pub(super) fn within(took: Duration) {
    let around = SPENT.get();
    let time = around.time.saturating_add(took);
    SPENT.set(Cost { time, ..around });
}
