//! What the running turn has used so far.

use std::cell::Cell;
use std::time::Duration;

use tokio::time::Instant;

use super::cost::{self, Cost};

thread_local! {
    /// What the running turn has written and stored so far, and the time of turns within it.
    static SPENT: Cell<Cost> = const { Cell::new(Cost::NOTHING) };
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

/// What this uses without the turns within it, and how long it takes with them.
pub(super) fn measured<A>(work: impl FnOnce() -> A) -> (A, Cost, Duration) {
    let around = SPENT.replace(Cost::NOTHING);
    let begun = Instant::now();
    let done = work();
    let took = begun.elapsed();
    let spent = SPENT.replace(around);
    let time = took.saturating_sub(spent.time);
    (done, Cost { time, ..spent }, took)
}

/// A turn within the running one took this long: it pays for itself.
pub(super) fn within(took: Duration) {
    let around = SPENT.get();
    let time = around.time.saturating_add(took);
    SPENT.set(Cost { time, ..around });
}
