//! The chance of random tests. `GAMEKEEPER_SEED` sets its seed, and a test that fails names it: the same seed draws the
//! same numbers in the same order. Threads and processes still take turns as they like.

use std::io::{Write, stderr};
use std::panic;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use rand::rngs::SmallRng;

/// The variable of the environment with the seed.
const VARIABLE: &str = "GAMEKEEPER_SEED";

/// The seed of this process.
static SEED: LazyLock<u64> = LazyLock::new(|| {
    let given = std::env::var(VARIABLE).ok();
    let seed = given.map_or_else(rand::random, |given| {
        given.parse().expect("GAMEKEEPER_SEED is a number")
    });
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        before(panic);
        // Whoever closed the output does not want to know.
        let _unread = writeln!(stderr(), "the chance of this run: {VARIABLE}={seed}");
    }));
    seed
});

/// How many generators were made.
static MADE: AtomicU64 = AtomicU64::new(0);

/// The seed of this process.
///
/// # Panics
/// If the environment has one that is no number.
#[must_use]
pub fn seed() -> u64 {
    *SEED
}

/// Another generator of this process: each draws other numbers.
///
/// # Panics
/// If the environment has a seed that is no number.
#[must_use]
pub fn rng() -> SmallRng {
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    // An odd factor: no two generators get the same seed.
    SmallRng::seed_from_u64(seed() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;

    #[test]
    fn generators_of_one_seed_differ() {
        let [one, other]: [u64; 2] = [rng().random(), rng().random()];
        assert_ne!(one, other);
    }
}
