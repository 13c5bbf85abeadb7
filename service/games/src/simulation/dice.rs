//! All chance of a trial, in the order in which it is asked for.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// The chance of a trial.
#[derive(Clone)]
pub(super) struct Dice(Arc<Mutex<SmallRng>>);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(SmallRng::seed_from_u64(seed))))
    }

    fn with<A>(&self, draw: impl FnOnce(&mut SmallRng) -> A) -> A {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A number below this one.
    pub(super) fn below(&self, end: usize) -> usize {
        self.with(|random| random.random_range(0..end))
    }

    /// Does something happen that happens this often in a thousand times?
    pub(super) fn happens(&self, per_mille: u32) -> bool {
        self.with(|random| random.random_range(0..1_000) < per_mille)
    }

    /// A time up to this many milliseconds.
    pub(super) fn up_to(&self, millis: u64) -> Duration {
        Duration::from_millis(self.with(|random| random.random_range(0..=millis)))
    }

    /// 32 bytes, for the luck of a game.
    pub(super) fn seed(&self) -> Vec<u8> {
        self.with(|random| (0..32).map(|_| random.random()).collect())
    }
}
