//! **Deterministic simulation** of faults: several processes over one store, in simulated time, on one thread.
//!
//! Processes are killed, their clocks jump, calls of the store are slow, calls or responses are lost, and wake-ups are
//! lost. Clients play, retry requests without a response, and watch. The responses they got are then compared with the
//! log. Everything is determined by one seed, which a failure names: `GAMEKEEPER_SEED` and `GAMEKEEPER_STEPS` repeat
//! and prolong the trials. A step is one call of the store.

mod check;
mod client;
mod dice;
mod history;
mod lost;
mod store;
mod trial;
mod user_tokens;
mod weather;
mod world;

use dice::Dice;
use store::Lie;
use tokio::runtime::Builder;
use world::World;

/// The number of steps of an ordinary run.
const STEPS: u64 = 20_000;

/// The outcome of a trial.
#[derive(Debug, PartialEq, Eq)]
struct Outcome {
    steps: u64,
    /// A hash of all that happened, in order.
    trace: u64,
    flaws: Vec<String>,
}

/// Plays a few games to their end, in simulated time.
fn tried(seed: u64, lie: Option<Lie>) -> Outcome {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let world = World::new(Dice::new(seed), lie);
        let flaws = trial::play(&world).await;
        let (steps, trace) = (world.steps(), world.trace());
        Outcome {
            steps,
            trace,
            flaws,
        }
    })
}

fn number(variable: &str) -> Option<u64> {
    let given = std::env::var(variable).ok()?;
    Some(given.parse().expect("a number"))
}

#[test]
fn nothing_is_lost_doubled_or_seen_out_of_order() {
    let enough = number("GAMEKEEPER_STEPS").unwrap_or(STEPS);
    let mut seed = number("GAMEKEEPER_SEED").unwrap_or_else(rand::random);
    let (mut steps, mut trials) = (0, 0);
    while steps < enough {
        let outcome = tried(seed, None);
        assert!(
            outcome.flaws.is_empty(),
            "GAMEKEEPER_SEED={seed}: {:#?}",
            outcome.flaws
        );
        assert!(outcome.steps > 0);
        steps += outcome.steps;
        trials += 1;
        seed = seed.wrapping_add(1);
    }
    println!("{steps} steps in {trials} trials");
}

#[test]
fn the_same_seed_repeats_everything() {
    let seed = number("GAMEKEEPER_SEED").unwrap_or_else(rand::random);
    let first = tried(seed, None);
    assert_eq!(first, tried(seed, None), "GAMEKEEPER_SEED={seed}");
    assert_ne!(first.trace, tried(seed.wrapping_add(1), None).trace);
}

/// A check that the trials can fail: each lie of a store is detected sooner or later.
#[test]
fn a_store_that_lies_is_found_out() {
    for lie in [Lie::Forgets, Lie::Doubles, Lie::SkipsNews] {
        let seed: u64 = rand::random();
        let mut seeds = (0..20).map(|more| seed.wrapping_add(more));
        let found = seeds.any(|seed| !tried(seed, Some(lie)).flaws.is_empty());
        assert!(found, "{lie:?}, GAMEKEEPER_SEED={seed}");
    }
}
