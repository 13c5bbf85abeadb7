//! **Metering** of the running turn: counters of the resources that it has used so far.

use std::cell::Cell;
use std::time::Duration;

use tokio::time::Instant;

use super::cost::{self, Cost};

thread_local! {
    /// The bytes that the running turn has written and stored so far, and the time of turns nested in it.
    static ACCUMULATED_COST: Cell<Cost> = const { Cell::new(Cost::ZERO) };
}

/// Counts a response of this many bytes for the running turn.
pub fn record_written(bytes: usize) {
    let accumulated = ACCUMULATED_COST.get();
    let written = accumulated
        .written
        .saturating_add(cost::bytes_as_u64(bytes));
    ACCUMULATED_COST.set(Cost {
        written,
        ..accumulated
    });
}

/// Counts bytes that the running turn has written to the store.
pub(crate) fn record_stored(bytes: usize) {
    let accumulated = ACCUMULATED_COST.get();
    let stored = accumulated.stored.saturating_add(cost::bytes_as_u64(bytes));
    ACCUMULATED_COST.set(Cost {
        stored,
        ..accumulated
    });
}

/// Runs the work and returns its result, the resources that it used without those of nested turns, and its duration
/// including nested turns.
pub(super) fn measure<A>(work: impl FnOnce() -> A) -> (A, Cost, Duration) {
    let outer_cost = ACCUMULATED_COST.replace(Cost::ZERO);
    let started = Instant::now();
    let output = work();
    let elapsed = started.elapsed();
    let inner_cost = ACCUMULATED_COST.replace(outer_cost);
    let time = elapsed.saturating_sub(inner_cost.time);
    (output, Cost { time, ..inner_cost }, elapsed)
}

/// Excludes the time of a nested turn from the outer turn, since the nested turn is charged itself.
pub(super) fn record_nested(elapsed: Duration) {
    let outer_cost = ACCUMULATED_COST.get();
    let time = outer_cost.time.saturating_add(elapsed);
    ACCUMULATED_COST.set(Cost { time, ..outer_cost });
}
