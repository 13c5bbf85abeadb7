//! Metrics of decisions of bots that this process leaves to others.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundCounter, Counter};

/// The reason why a process leaves a decision of a bot to others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftBot {
    /// The build does not know the policy.
    Unknown,
    /// The folder of policies has no such file, or one that cannot be played.
    Missing,
    /// The file is another one than at the time when the bot took its seat.
    Changed,
    /// The network of the policy failed.
    Failed,
}

impl LeftBot {
    const ALL: [Self; 4] = [Self::Unknown, Self::Missing, Self::Changed, Self::Failed];

    /// Returns the name of the reason.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Missing => "missing",
            Self::Changed => "changed",
            Self::Failed => "failed",
        }
    }
}

/// The counters of decisions that are left to others, of one ruleset, by reason.
pub(super) struct LeftBotCounters([BoundCounter<u64>; 4]);

impl LeftBotCounters {
    pub(super) fn of(counter: &Counter<u64>, ruleset: &KeyValue) -> Self {
        Self(LeftBot::ALL.map(|reason| {
            let counter = counter.bind(&[ruleset.clone(), KeyValue::new("reason", reason.name())]);
            // Exported from the start, so that the first one shows as an increase.
            counter.add(0);
            counter
        }))
    }

    pub(super) fn left(&self, reason: LeftBot) {
        self.0[reason as usize].add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (at, reason) in LeftBot::ALL.into_iter().enumerate() {
            assert_eq!(reason as usize, at);
        }
    }
}
