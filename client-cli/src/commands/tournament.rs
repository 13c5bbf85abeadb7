//! `gamekeeper tournament`

use std::time::{Duration, Instant};

use super::selfplay::{Plan, PlanArgs, described, jobs, play};
use crate::args::Start;
use crate::failure::Failure;
use crate::output::Output;
use crate::policy::{Budget, Policy};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The ruleset, such as `dominion`
    #[arg(value_name = "RULESET")]
    ruleset: String,
    /// Policies at the table; they change seats from game to game. `policy:FILE` is a learned one
    #[arg(
        long,
        value_name = "POLICY",
        default_value = "search,greedy",
        value_delimiter = ','
    )]
    seats: Vec<Policy>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Playouts of `search` for each decision [default: 64; Dominion: 4096]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    playouts: Option<u32>,
    /// Most time of a bot for each decision: choices then depend on the speed of the machine [default: no bound]
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    think: Option<Duration>,
    /// Options of each game, as protobuf JSON; see `gamekeeper rulesets RULESET`
    #[arg(long, value_name = "JSON")]
    options: Option<String>,
    /// File with a described table, as `gamekeeper position` prints it, on which games begin; may be repeated: game number n
    /// begins on table (n - 1) mod their number
    #[arg(long, value_name = "FILE")]
    from: Vec<String>,
    /// Seed of luck and choices: the same number gives the same games
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Processors used [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Maximum version of a game; it is then left unfinished
    #[arg(long, value_name = "VERSION", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(2..))]
    until_version: u64,
}

pub(crate) fn run(output: Output, args: &Args) -> Result<(), Failure> {
    let plan = PlanArgs {
        start: Start::SetUp,
        ruleset: args.ruleset.clone(),
        games: args.games,
        seats: u32::try_from(args.seats.len()).unwrap_or(u32::MAX),
        seed: args.seed,
        batch: 1,
        budget: Budget {
            playouts: args.playouts,
            think: args.think,
        },
        rotates: true,
        jobs: jobs(args.jobs),
        until_version: args.until_version,
    };
    let plan = Plan::of(args.seats.clone(), args.options.as_deref(), plan)?;
    let plan = plan.beginning_on(described(&args.from, &args.ruleset)?);
    let begun = Instant::now();
    let tally = play(&plan)?;
    let took = begun.elapsed();
    if output.is_json() {
        return output.line(tally.json(took));
    }
    output.line(tally.report("PLAYER", &args.seats, took))
}
