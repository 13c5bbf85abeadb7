//! The **random source** of a run, shared by everything in it and consumed in a fixed order.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

/// The random source of a run.
#[derive(Clone)]
pub(super) struct SimRng(Arc<Mutex<SmallRng>>);

impl SimRng {
    pub(super) fn new(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(SmallRng::seed_from_u64(seed))))
    }

    fn with<A>(&self, draw: impl FnOnce(&mut SmallRng) -> A) -> A {
        draw(&mut self.0.lock())
    }

    /// Draws a number below `end`.
    pub(super) fn below(&self, end: usize) -> usize {
        self.with(|random| random.random_range(0..end))
    }

    /// Draws whether an event happens, with this probability per thousand.
    pub(super) fn happens(&self, per_mille: u32) -> bool {
        self.with(|random| random.random_range(0..1_000) < per_mille)
    }

    /// Draws a duration of up to this many milliseconds.
    pub(super) fn up_to(&self, millis: u64) -> Duration {
        Duration::from_millis(self.with(|random| random.random_range(0..=millis)))
    }

    /// Draws 32 bytes, for the seed of a game.
    pub(super) fn seed(&self) -> Vec<u8> {
        self.with(|random| (0..32).map(|_| random.random()).collect())
    }
}
