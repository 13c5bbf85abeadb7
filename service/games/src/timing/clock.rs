//! The **wall clock**, which tests can set.

#[cfg(test)]
use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};

use gamekeeper_store::clock::now_ms;

/// The source of the times of entries.
#[derive(Clone, Debug, Default)]
pub(crate) enum Clock {
    /// The clock of the machine.
    #[default]
    System,
    /// The time that a test has set, in milliseconds since the Unix epoch.
    #[cfg(test)]
    Manual(Arc<AtomicU64>),
}

impl Clock {
    /// Returns the current time, in milliseconds since the Unix epoch.
    pub(crate) fn now_ms(&self) -> u64 {
        match self {
            Self::System => now_ms(),
            #[cfg(test)]
            Self::Manual(ms) => ms.load(Ordering::Relaxed),
        }
    }
}
