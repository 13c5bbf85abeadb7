//! Measurements: `cargo run --release -p gamekeeper-bench -- engine`, and so on.

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use gamekeeper_bench::{
    compare, disk, drawings, echo, engine, fairness, growth, instructions, lists, peers, scale,
    service, storage, watchers, worlds,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Measures Gamekeeper. Figures go to the terminal and to target/bench/.
#[derive(Debug, Parser)]
struct Cli {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The engines alone, on one core
    Engine(engine::Plan),
    /// Sampled worlds, on one core
    Worlds(worlds::Plan),
    /// How long drawings take, and how large they are, on one core
    Drawings(worlds::Plan),
    /// The service, with the null game and the bare floor beside it
    Service(service::Plan),
    /// How calls a second grow with threads, servers and shards
    Scale(scale::Plan),
    /// Cost of many stored games, and of long ones
    Growth(growth::Plan),
    /// How long lists of one tenant's many games take
    Lists(lists::Plan),
    /// One game with 1 to 1,000 watchers: what each message costs
    Watchers(watchers::Plan),
    /// A quiet tenant alone, and beside those who take what they can
    Fairness(fairness::Plan),
    /// All that attackers do, against servers that run already, until this program is ended
    Attack(fairness::AttackPlan),
    /// Bytes that games take in each store
    Storage(storage::Plan),
    /// Durable actions a second of the embedded store alone
    Disk(disk::Plan),
    /// Instructions per action and per list of a fixed game, compared with the reference
    Instructions(instructions::Plan),
    /// The service of several commits in turns, each built in a folder that is kept
    Compare(compare::Plan),
    /// The service in turns with boardgame.io and Colyseus; needs node and npm
    Peers(peers::Plan),
    /// Works on the fixed game of a ruleset this many times, for profilers
    Work {
        work: instructions::Work,
        ruleset: String,
        times: usize,
    },
    /// Serves answers of this many bytes, on a free port
    Echo { bytes: usize },
}

fn main() -> ExitCode {
    match Cli::parse().what {
        What::Engine(plan) => engine::run(plan),
        What::Worlds(plan) => worlds::run(plan),
        What::Drawings(plan) => drawings::run(plan),
        What::Service(plan) => service::run(&plan),
        What::Scale(plan) => scale::run(&plan),
        What::Growth(plan) => growth::run(&plan),
        What::Lists(plan) => lists::run(&plan),
        What::Watchers(plan) => watchers::run(&plan),
        What::Fairness(plan) => fairness::run(&plan),
        What::Attack(plan) => fairness::attack(&plan),
        What::Storage(plan) => storage::run(plan),
        What::Disk(plan) => disk::run(&plan),
        What::Peers(plan) => peers::run(&plan),
        What::Instructions(plan) => {
            if !instructions::run(plan) {
                return ExitCode::FAILURE;
            }
        }
        What::Compare(plan) => {
            if !compare::run(&plan) {
                return ExitCode::FAILURE;
            }
        }
        What::Work {
            work,
            ruleset,
            times,
        } => instructions::play(&ruleset, work, times),
        What::Echo { bytes } => echo::serve(bytes),
    }
    ExitCode::SUCCESS
}
