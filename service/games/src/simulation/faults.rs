//! The current **fault rates** of the store.

use std::sync::Arc;

use parking_lot::Mutex;

/// Fault rates, per thousand, and delays.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaultProfile {
    /// The maximum delay of a call and of its response each, in milliseconds.
    pub(super) max_delay_ms: u64,
    /// The rate at which calls are lost on their way to the store.
    pub(super) lost_requests: u32,
    /// The rate at which responses are lost.
    pub(super) lost_responses: u32,
    /// The rate at which wake-ups are lost.
    pub(super) lost_wake_ups: u32,
}

impl FaultProfile {
    /// The fault rates of a healthy store.
    pub(super) const NONE: Self = Self {
        max_delay_ms: 2,
        lost_requests: 0,
        lost_responses: 0,
        lost_wake_ups: 0,
    };

    /// The fault rates that a run switches between.
    pub(super) const ALL: [Self; 5] = [
        Self::NONE,
        // A slow disk: some calls exceed their timeout.
        Self {
            max_delay_ms: 3_000,
            ..Self::NONE
        },
        // A bad connection.
        Self {
            max_delay_ms: 40,
            lost_requests: 60,
            lost_responses: 60,
            lost_wake_ups: 300,
        },
        // Mostly lost responses: the outcome of commits is unknown.
        Self {
            max_delay_ms: 10,
            lost_requests: 0,
            lost_responses: 400,
            lost_wake_ups: 100,
        },
        // A store that is almost unreachable.
        Self {
            max_delay_ms: 200,
            lost_requests: 900,
            lost_responses: 50,
            lost_wake_ups: 900,
        },
    ];
}

/// The current fault rates, shared by all connections of a run.
#[derive(Clone)]
pub(super) struct FaultInjector(Arc<Mutex<FaultProfile>>);

impl FaultInjector {
    pub(super) fn without_faults() -> Self {
        Self(Arc::new(Mutex::new(FaultProfile::NONE)))
    }

    pub(super) fn current(&self) -> FaultProfile {
        *self.0.lock()
    }

    pub(super) fn set(&self, weather: FaultProfile) {
        *self.0.lock() = weather;
    }
}
