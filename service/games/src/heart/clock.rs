//! The time of day, which a test can set.

#[cfg(test)]
use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};

use gamekeeper_store::clock::now_ms;

/// The source of the times of entries.
#[derive(Clone, Debug, Default)]
pub(crate) enum Clock {
    /// From the machine.
    #[default]
    Machine,
    /// From a test, in milliseconds since the Unix epoch.
    #[cfg(test)]
    Set(Arc<AtomicU64>),
}

impl Clock {
    /// Milliseconds since the Unix epoch.
    pub(crate) fn now_ms(&self) -> u64 {
        match self {
            Self::Machine => now_ms(),
            #[cfg(test)]
            Self::Set(ms) => ms.load(Ordering::Relaxed),
        }
    }
}
