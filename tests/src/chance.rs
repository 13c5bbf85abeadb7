//! The chance of random tests. `GAMEKEEPER_SEED` sets its seed, and a test that fails names it: the same seed draws the
//! same numbers in the same order for the same test, whatever else runs. Threads and processes still take turns as they
//! like.

use std::cell::Cell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Write, stderr};
use std::panic;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

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

thread_local! {
    /// How many generators the test of this thread has made.
    static MADE: Cell<u64> = const { Cell::new(0) };
}

/// How many generators the threads of runtimes have made, in all tests together: they all have the same name.
static MADE_BY_WORKERS: AtomicU64 = AtomicU64::new(0);

/// What the names of threads begin with that tokio starts.
const WORKER: &str = "tokio";

/// The seed of this process.
///
/// # Panics
/// If the environment has one that is no number.
#[must_use]
pub fn seed() -> u64 {
    *SEED
}

/// Another generator for the test of this thread, which is named after it: each draws other numbers. Threads of a
/// runtime have one sequence of generators, and get them in the order in which they ask.
///
/// # Panics
/// If the environment has a seed that is no number.
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
    // An odd factor: no two generators of a test get the same seed.
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

    /// They play together: what one draws as an id, no other may draw.
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
