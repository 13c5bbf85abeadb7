//! **Cooperative yielding**: no call blocks its thread for long, however much work it causes. A call whose deadline has
//! passed, or whose client is gone, is dropped where it yields.

use std::time::Duration;

use tokio::time::Instant;

/// The time that work may run before it yields to other calls.
const TIME_SLICE: Duration = Duration::from_micros(500);

/// The number of steps through a list that take less time than `TIME_SLICE`.
pub(crate) const STEPS_PER_SLICE: u32 = 128;

/// A stopwatch for the time since the work last yielded.
pub struct Yielder {
    started: Instant,
}

impl Yielder {
    /// Starts the stopwatch.
    #[must_use]
    pub fn new() -> Self {
        let started = Instant::now();
        Self { started }
    }

    /// Yields to other calls if the work has run for longer than `TIME_SLICE`.
    pub async fn yield_if_due(&mut self) {
        if self.started.elapsed() > TIME_SLICE {
            tokio::task::yield_now().await;
            self.started = Instant::now();
        }
    }
}

impl Default for Yielder {
    fn default() -> Self {
        Self::new()
    }
}
