//! How much goes wrong at the moment.

use std::sync::{Arc, Mutex, PoisonError};

/// Chances in a thousand, and times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weather {
    /// The longest way to the store and back, in milliseconds.
    pub(super) slow: u64,
    /// A call is lost on its way.
    pub(super) lost_there: u32,
    /// An answer is lost on its way.
    pub(super) lost_back: u32,
    /// A wake-up is lost.
    pub(super) unheard: u32,
}

impl Weather {
    /// Nothing goes wrong.
    pub(super) const CALM: Self = Self {
        slow: 2,
        lost_there: 0,
        lost_back: 0,
        unheard: 0,
    };

    /// What a trial changes between.
    pub(super) const ALL: [Self; 5] = [
        Self::CALM,
        // A slow disk: some calls take longer than their time-out.
        Self {
            slow: 3_000,
            ..Self::CALM
        },
        // A bad line.
        Self {
            slow: 40,
            lost_there: 60,
            lost_back: 60,
            unheard: 300,
        },
        // Answers are lost above all: what was done is not known.
        Self {
            slow: 10,
            lost_there: 0,
            lost_back: 400,
            unheard: 100,
        },
        // The store is away.
        Self {
            slow: 200,
            lost_there: 900,
            lost_back: 50,
            unheard: 900,
        },
    ];
}

/// The weather of a trial.
#[derive(Clone)]
pub(super) struct Sky(Arc<Mutex<Weather>>);

impl Sky {
    pub(super) fn calm() -> Self {
        Self(Arc::new(Mutex::new(Weather::CALM)))
    }

    pub(super) fn now(&self) -> Weather {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn becomes(&self, weather: Weather) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = weather;
    }
}
