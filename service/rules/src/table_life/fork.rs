//! **Forks**: a game that begins as a copy of another one at one of its versions, and continues with its
//! own luck.

use serde::{Deserialize, Serialize};

use super::{Clock, TableLife};
use crate::ruleset::Ruleset;
use crate::table::PendingList;

/// The point at which a game left its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkPoint {
    /// The last version that the fork shares with its origin.
    pub version: u64,
    /// The time of the fork, in milliseconds since the first of these games was created.
    pub at_ms: u64,
}

/// Returns the game whose luck made a version of a fork: the index of an ancestor, 0 for the oldest, or `None` for
/// the fork itself. `forks` lists the points at which each ancestor was left, the oldest first.
#[must_use]
pub fn rng_owner(forks: &[ForkPoint], version: u64) -> Option<usize> {
    // An ancestor did not make versions that later forks left out.
    (0..forks.len()).find(|&index| forks[index..].iter().all(|later| version <= later.version))
}

/// Yields the times at which forks began after this version, if they are part of the past: a later fork from an
/// earlier version discards the forks after it.
pub fn fork_times_at(forks: &[ForkPoint], version: u64) -> impl Iterator<Item = u64> {
    forks.iter().enumerate().filter_map(move |(index, fork)| {
        let is_past = forks[index..].iter().all(|later| version <= later.version);
        (fork.version == version && is_past).then_some(fork.at_ms)
    })
}

impl TableLife {
    /// Begins a fork: players who have left do not come back, time banks keep their values, and the clocks of open
    /// decisions start anew. Earlier actions can no longer be taken back without asking.
    pub fn fork<R: Ruleset>(&mut self, state: &R::State, at_ms: u64) {
        self.undo_history.clear();
        self.open_proposal = None;
        let pending = super::leaving::pending_unless_ended::<R>(state, self.end);
        if let Some(clock) = &mut self.clock {
            clock.fork(&pending, at_ms);
        }
    }
}

impl Clock {
    /// Starts the clocks, paused or not, with all open decisions asked at this moment.
    fn fork(&mut self, pending: &PendingList, at_ms: u64) {
        if let Some(since) = self.paused_at.take() {
            self.paused_ms += at_ms.saturating_sub(since);
        }
        let now = self.time(at_ms);
        for seat in self.seats.seats() {
            let owes = pending.iter().any(|pending| pending.seat == seat);
            self.seats[seat].since = owes.then_some(now);
        }
    }
}
