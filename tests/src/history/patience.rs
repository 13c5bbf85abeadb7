//! The time that followers may take at the end of a load: as long as they make progress with their backlog.

use std::time::Duration;

use tokio::time::Instant;

/// The time without progress after which a follower counts as stuck.
const STUCK: Duration = Duration::from_secs(30);

/// Maximum number of messages of a stream that reads a backlog.
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

    /// Returns whether there has been no progress beyond this point for too long.
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
