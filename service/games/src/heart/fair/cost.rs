//! The **cost model**: the resources that a turn uses, converted to one number.

use std::time::Duration;

/// The cost of a small call, in thousandths.
pub(super) const CALL: u64 = 1_000;

/// The amount of each resource that costs 1: time on the thread, bytes of responses, bytes in the store.
const TIME: Duration = Duration::from_micros(250);
const WRITTEN: u64 = 16 << 10;
const STORED: u64 = 1 << 10;

/// The resources that a turn used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// The time on the thread.
    pub(super) time: Duration,
    /// The bytes of responses.
    pub(super) written: u64,
    /// The bytes written to the store.
    pub(super) stored: u64,
}

impl Cost {
    pub(super) const NOTHING: Self = Self {
        time: Duration::ZERO,
        written: 0,
        stored: 0,
    };

    /// Converts the resources to a cost, in thousandths.
    pub(super) fn thousandths(self) -> u64 {
        let of = |used: u64, unit: u64| used.saturating_mul(CALL) / unit;
        let time = of(nanos(self.time), nanos(TIME));
        let written = of(self.written, WRITTEN);
        let stored = of(self.stored, STORED);
        time.saturating_add(written).saturating_add(stored)
    }
}

pub(super) fn count(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

pub(super) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
