//! Cooperative yielding: no call blocks its thread for long, however much work it causes. A call whose deadline
//! has passed, or whose client is gone, is dropped where it yields.

use std::time::{Duration, Instant};

/// How long work may run before it yields to other calls.
const BREATH: Duration = Duration::from_micros(500);

/// This many steps of a list take less time than `BREATH`.
pub(super) const STEPS: u32 = 128;

/// Measures how long work has run since it last yielded.
pub(super) struct Breath {
    begun: Instant,
}

impl Breath {
    /// Starts measuring.
    pub(super) fn new() -> Self {
        let begun = Instant::now();
        Self { begun }
    }

    /// Yields to other calls if the work has run for longer than `BREATH`.
    pub(super) async fn take(&mut self) {
        if self.begun.elapsed() > BREATH {
            tokio::task::yield_now().await;
            self.begun = Instant::now();
        }
    }
}
