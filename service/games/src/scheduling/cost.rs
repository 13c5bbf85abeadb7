//! The **cost model**: the resources that a turn uses, converted to one number.

use std::time::Duration;

/// The cost of a small call, in thousandths.
pub(super) const CALL_MILLICOST: u64 = 1_000;

/// The amount of each resource that costs 1: time on the thread, bytes of responses, bytes in the store.
const TIME_PER_UNIT: Duration = Duration::from_micros(250);
const WRITTEN_PER_UNIT: u64 = 16 << 10;
const STORED_PER_UNIT: u64 = 1 << 10;

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
    pub(super) const ZERO: Self = Self {
        time: Duration::ZERO,
        written: 0,
        stored: 0,
    };

    /// Adds each resource, and stops at the maximum.
    pub(super) fn saturating_add(self, other: Self) -> Self {
        Self {
            time: self.time.saturating_add(other.time),
            written: self.written.saturating_add(other.written),
            stored: self.stored.saturating_add(other.stored),
        }
    }

    /// Converts the resources to a cost, in thousandths.
    pub(super) fn millicost(self) -> u64 {
        let milli_units = |used: u64, unit: u64| used.saturating_mul(CALL_MILLICOST) / unit;
        let time = milli_units(nanos(self.time), nanos(TIME_PER_UNIT));
        let written = milli_units(self.written, WRITTEN_PER_UNIT);
        let stored = milli_units(self.stored, STORED_PER_UNIT);
        time.saturating_add(written).saturating_add(stored)
    }
}

pub(super) fn bytes_as_u64(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

pub(super) fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
