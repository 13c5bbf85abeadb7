//! Branches (**forks**): a game that begins as a copy of another one at one of its versions, and continues with its
//! own luck.

use serde::{Deserialize, Serialize};

use super::{Clock, Life};
use crate::ruleset::Ruleset;
use crate::table::PendingList;

/// The point at which a game left its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branching {
    /// The last version that the branch shares with its origin.
    pub version: u64,
    /// The time of the branching, in milliseconds since the first game of the line was created.
    pub at_ms: u64,
}

/// Returns the game whose luck made a version of a branch: the index of an ancestor, 0 for the oldest, or `None` for
/// the branch itself. `line` lists the points at which each ancestor's branch left it, the oldest first.
#[must_use]
pub fn made_by(line: &[Branching], version: u64) -> Option<usize> {
    // An ancestor did not make versions that later branches left out.
    (0..line.len()).find(|&at| line[at..].iter().all(|left| version <= left.version))
}

/// Yields the times at which branches began after this version, if they are part of the past: a later branch from an
/// earlier version discards the branches after it.
pub fn began_with(line: &[Branching], version: u64) -> impl Iterator<Item = u64> {
    line.iter().enumerate().filter_map(move |(at, branching)| {
        let is_past = line[at..].iter().all(|later| version <= later.version);
        (branching.version == version && is_past).then_some(branching.at_ms)
    })
}

impl Life {
    /// Begins a branch: players who have left do not come back, time banks keep their values, and the clocks of open
    /// decisions start anew. Earlier actions can no longer be taken back without asking.
    pub fn branch<R: Ruleset>(&mut self, state: &R::State, at_ms: u64) {
        self.line.clear();
        self.asked = None;
        let pending = super::leaving::owed::<R>(state, self.end);
        if let Some(clock) = &mut self.clock {
            clock.branch(&pending, at_ms);
        }
    }
}

impl Clock {
    /// Starts the clocks, paused or not, with all open decisions asked at this moment.
    fn branch(&mut self, pending: &PendingList, at_ms: u64) {
        if let Some(since) = self.paused_at.take() {
            self.paused_ms += at_ms.saturating_sub(since);
        }
        let now = self.time(at_ms);
        for seat in self.seats.seats() {
            let owes = pending.iter().any(|owed| owed.seat == seat);
            self.seats[seat].since = owes.then_some(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(versions: &[u64]) -> Vec<Branching> {
        let branching = |(&version, at_ms)| Branching { version, at_ms };
        versions.iter().zip(100..).map(branching).collect()
    }

    #[test]
    fn each_version_has_one_maker() {
        let makers = |versions: &[u64]| -> Vec<Option<usize>> {
            (1..=6)
                .map(|version| made_by(&line(versions), version))
                .collect()
        };
        assert_eq!(makers(&[]), [None; 6]);
        let (root, child) = (Some(0), Some(1));
        assert_eq!(makers(&[4]), [root, root, root, root, None, None]);
        assert_eq!(makers(&[2, 4]), [root, root, child, child, None, None]);
        // The child's own versions are left out by its branch.
        assert_eq!(makers(&[4, 2]), [root, root, None, None, None, None]);
        assert_eq!(
            makers(&[5, 2, 4]),
            [root, root, Some(2), Some(2), None, None]
        );
    }

    #[test]
    fn branches_begin_where_they_are_part_of_the_past() {
        let began = |versions: &[u64], version| -> Vec<u64> {
            began_with(&line(versions), version).collect()
        };
        assert_eq!(began(&[2, 4], 2), [100]);
        assert_eq!(began(&[2, 4], 4), [101]);
        assert_eq!(began(&[2, 4], 3), [] as [u64; 0]);
        assert_eq!(began(&[4, 2], 4), [] as [u64; 0]);
        assert_eq!(began(&[3, 3], 3), [100, 101]);
    }
}
