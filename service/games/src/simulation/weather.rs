//! The current **fault rates** of the store.

use std::sync::Arc;

use parking_lot::Mutex;

/// Fault rates, per thousand, and delays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weather {
    /// The maximum delay of a call and of its response each, in milliseconds.
    pub(super) slow: u64,
    /// The rate at which calls are lost on their way to the store.
    pub(super) lost_there: u32,
    /// The rate at which responses are lost.
    pub(super) lost_back: u32,
    /// The rate at which wake-ups are lost.
    pub(super) unheard: u32,
}

impl Weather {
    /// The fault rates of a healthy store.
    pub(super) const CALM: Self = Self {
        slow: 2,
        lost_there: 0,
        lost_back: 0,
        unheard: 0,
    };

    /// The fault rates that a trial switches between.
    pub(super) const ALL: [Self; 5] = [
        Self::CALM,
        // A slow disk: some calls exceed their timeout.
        Self {
            slow: 3_000,
            ..Self::CALM
        },
        // A bad connection.
        Self {
            slow: 40,
            lost_there: 60,
            lost_back: 60,
            unheard: 300,
        },
        // Mostly lost responses: the outcome of commits is unknown.
        Self {
            slow: 10,
            lost_there: 0,
            lost_back: 400,
            unheard: 100,
        },
        // A store that is almost unreachable.
        Self {
            slow: 200,
            lost_there: 900,
            lost_back: 50,
            unheard: 900,
        },
    ];
}

/// The current fault rates, shared by all connections of a trial.
#[derive(Clone)]
pub(super) struct Sky(Arc<Mutex<Weather>>);

impl Sky {
    pub(super) fn calm() -> Self {
        Self(Arc::new(Mutex::new(Weather::CALM)))
    }

    pub(super) fn now(&self) -> Weather {
        *self.0.lock()
    }

    pub(super) fn becomes(&self, weather: Weather) {
        *self.0.lock() = weather;
    }
}
