//! How long those who follow may take at the end: as long as their backlog needs, but they must get on.

use std::time::Duration;

use tokio::time::Instant;

/// Whoever gets no further for this long is stuck.
const STUCK: Duration = Duration::from_secs(30);

/// The most messages of a stream that reads a backlog.
pub(super) const LONG: usize = 10_000;

pub(super) struct Patience {
    reached: u64,
    since: Instant,
}

impl Patience {
    pub(super) fn new() -> Self {
        Self {
            reached: 0,
            since: Instant::now(),
        }
    }

    /// Has it gone no further than this for too long?
    pub(super) fn is_over(&mut self, reached: u64) -> bool {
        if reached > self.reached {
            *self = Self {
                reached,
                since: Instant::now(),
            };
        }
        self.since.elapsed() > STUCK
    }
}
