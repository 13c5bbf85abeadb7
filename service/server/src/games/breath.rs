//! Long work gives way: a call holds its thread for moments only, whatever was asked of it. A call whose
//! deadline has passed, or whose client is gone, ends where it takes breath.

use std::time::{Duration, Instant};

/// How long the work goes on before other calls have their turn.
const BREATH: Duration = Duration::from_micros(500);

/// This many steps of a list take less than a breath.
pub(super) const STEPS: u32 = 128;

/// Work that takes breath.
pub(super) struct Breath {
    begun: Instant,
}

impl Breath {
    /// The work begins.
    pub(super) fn new() -> Self {
        let begun = Instant::now();
        Self { begun }
    }

    /// Lets other calls have their turn, if the work has gone on for this long.
    pub(super) async fn take(&mut self) {
        if self.begun.elapsed() > BREATH {
            tokio::task::yield_now().await;
            self.begun = Instant::now();
        }
    }
}
