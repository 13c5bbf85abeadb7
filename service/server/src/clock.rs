//! The time of day.

use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(test)]
use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Milliseconds since the Unix epoch.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
