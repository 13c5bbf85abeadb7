//! Random numbers for tests. The seed is set by `GAMEKEEPER_SEED`, and a failed test prints it: the same seed gives the
//! same test the same numbers in the same order, whatever else runs. The scheduling of threads and processes still
//! varies.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Write, stderr};
use std::panic;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use rand::SeedableRng;
use rand::rngs::SmallRng;

/// The environment variable with the seed.
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
        // If the error stream is closed, nobody reads the seed.
        let _unread = writeln!(stderr(), "the chance of this run: {VARIABLE}={seed}");
    }));
    seed
});

thread_local! {
    /// The number of generators that the test of this thread has created.
    static MADE: Cell<u64> = const { Cell::new(0) };
}

/// The number of generators that the threads of async runtimes have created, in all tests together, because all these
/// threads have the same name.
static MADE_BY_WORKERS: AtomicU64 = AtomicU64::new(0);

/// The prefix of the names of tokio's threads.
const WORKER: &str = "tokio";

/// Returns the seed of this process.
///
/// # Panics
/// If the environment variable is set to something that is not a number.
#[must_use]
pub fn seed() -> u64 {
    *SEED
}

/// Creates another generator for the test of this thread. Its seed depends on the name of the test, so each test draws
/// different numbers. All threads of async runtimes share one sequence of generators, in the order of their calls.
///
/// # Panics
/// If the environment variable is set to something that is not a number.
#[must_use]
pub fn rng() -> SmallRng {
    let thread = thread::current();
    let is_worker = thread.name().is_none_or(|name| name.starts_with(WORKER));
    let number = if is_worker {
        MADE_BY_WORKERS.fetch_add(1, Ordering::Relaxed)
    } else {
        MADE.replace(MADE.get() + 1)
    };
    let mut test = DefaultHasher::new();
    thread.name().filter(|_| !is_worker).hash(&mut test);
    // The factor is odd, so no two generators of a test get the same seed.
    SmallRng::seed_from_u64(seed() ^ test.finish() ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::RngExt;

    use super::*;

    #[test]
    fn generators_of_one_seed_differ() {
        let [one, other]: [u64; 2] = [rng().random(), rng().random()];
        assert_ne!(one, other);
    }

    /// The threads of a runtime play in the same test: an id that one of them draws must not be drawn by another.
    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn threads_of_a_runtime_draw_different_numbers() {
        let draw = || tokio::spawn(async { rng().random::<u64>() });
        let all: Vec<_> = (0..400).map(|_| draw()).collect();
        let mut numbers = HashSet::new();
        for drawn in all {
            let number = drawn.await.unwrap();
            assert!(numbers.insert(number), "{number} was drawn twice");
        }
        let unnamed = thread::spawn(|| rng().random::<u64>()).join().unwrap();
        assert!(numbers.insert(unnamed), "{unnamed} was drawn twice");
    }

    #[test]
    fn each_test_draws_its_own_numbers_again() {
        let drawn = |name: &str| {
            let test = thread::Builder::new().name(name.to_owned());
            let draw = || [rng().random(), rng().random()];
            test.spawn(draw).unwrap().join().unwrap()
        };
        let [one, again, other]: [[u64; 2]; 3] = [drawn("one"), drawn("one"), drawn("other")];
        assert_eq!(one, again);
        assert_ne!(one, other);
    }
}
