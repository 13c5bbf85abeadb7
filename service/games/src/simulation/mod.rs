//! **Deterministic simulation** of faults: several processes over one store, in simulated time, on one thread.
//!
//! Processes are killed, their clocks jump, calls of the store are slow, calls or responses are lost, and wake-ups are
//! lost. Clients play, retry requests without a response, and watch. The responses they got are then compared with the
//! log. Everything is determined by one seed, which a failure names: `GAMEKEEPER_SEED` and `GAMEKEEPER_STEPS` repeat
//! and prolong the runs. A step is one call of the store.

mod check;
mod client;
mod faults;
mod faulty_store;
mod history;
mod lost_entry;
mod rng;
mod run;
mod simulated_cluster;
mod user_tokens;

use faulty_store::InjectedBug;
use rng::SimRng;
use simulated_cluster::Simulation;
use tokio::runtime::Builder;

/// The number of steps of an ordinary run.
const DEFAULT_STEPS: u64 = 20_000;

/// The outcome of a run.
#[derive(Debug, PartialEq, Eq)]
struct RunOutcome {
    steps: u64,
    /// A hash of all that happened, in order.
    trace: u64,
    violations: Vec<String>,
}

/// Plays a few games to their end, in simulated time.
fn run_once(seed: u64, bug: Option<InjectedBug>) -> RunOutcome {
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async {
        let world = Simulation::new(SimRng::new(seed), bug);
        let flaws = run::run(&world).await;
        let (steps, trace) = (world.steps(), world.trace());
        RunOutcome {
            steps,
            trace,
            violations: flaws,
        }
    })
}

fn env_number(variable: &str) -> Option<u64> {
    let given = std::env::var(variable).ok()?;
    Some(given.parse().expect("a number"))
}

#[test]
fn nothing_is_lost_doubled_or_seen_out_of_order() {
    let min_steps = env_number("GAMEKEEPER_STEPS").unwrap_or(DEFAULT_STEPS);
    let mut seed = env_number("GAMEKEEPER_SEED").unwrap_or_else(rand::random);
    let (mut steps, mut runs) = (0, 0);
    while steps < min_steps {
        let outcome = run_once(seed, None);
        assert!(
            outcome.violations.is_empty(),
            "GAMEKEEPER_SEED={seed}: {:#?}",
            outcome.violations
        );
        assert!(outcome.steps > 0);
        steps += outcome.steps;
        runs += 1;
        seed = seed.wrapping_add(1);
    }
    println!("{steps} steps in {runs} trials");
}

#[test]
fn the_same_seed_repeats_everything() {
    let seed = env_number("GAMEKEEPER_SEED").unwrap_or_else(rand::random);
    let first = run_once(seed, None);
    assert_eq!(first, run_once(seed, None), "GAMEKEEPER_SEED={seed}");
    assert_ne!(first.trace, run_once(seed.wrapping_add(1), None).trace);
}

/// A check that the runs can fail: each injected bug of a store is detected sooner or later.
#[test]
fn a_store_that_lies_is_found_out() {
    for bug in [
        InjectedBug::Forgets,
        InjectedBug::Doubles,
        InjectedBug::SkipsNews,
    ] {
        let seed: u64 = rand::random();
        let mut seeds = (0..20).map(|more| seed.wrapping_add(more));
        let is_detected = seeds.any(|seed| !run_once(seed, Some(bug)).violations.is_empty());
        assert!(is_detected, "{bug:?}, GAMEKEEPER_SEED={seed}");
    }
}
