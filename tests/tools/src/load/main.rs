//! A **load test**: plays many games at once on a server, and reports rates and latencies.
//!
//! Every game has one call in flight. Actions are chosen before the first call, so that this process uses little
//! processor time and lists legal actions only if that is measured.

mod messages;
mod pace;
mod player;
mod process;
mod report;
mod script;
mod tally;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use gamekeeper::{Connection, Failure, Globals, Output, Session, program, resolve};
use gamekeeper_proto::gamekeeper::v1::Show;
use tokio::task::JoinSet;
use tonic::Status;

use self::messages::Caller;
use self::player::{Field, Mix, Player};
use self::process::{Process, Usage};
use self::report::{Report, Usages};
use self::script::{Plan, Script};
use self::tally::Tally;

/// Measure a server: play many games at once and report rates and latencies.
#[derive(Debug, Parser)]
#[command(name = "gamekeeper-load", version, max_term_width = 100)]
struct Args {
    #[command(flatten)]
    globals: Globals,
    /// The ruleset to play
    #[arg(value_name = "RULESET", required_unless_present = "script")]
    ruleset: Option<String>,
    /// Play the games of this file instead, one JSON object a line
    #[arg(long, value_name = "FILE", conflicts_with = "ruleset")]
    script: Option<PathBuf>,
    /// Number of concurrent games
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Players of each game [default: 4, or as many as the ruleset seats]
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// Restart each game after this many actions
    #[arg(long, value_name = "N", default_value_t = 2_000)]
    max_moves: usize,
    /// Games that are created before the measurement and left idle
    #[arg(long, value_name = "N", default_value_t = 0)]
    idle: usize,
    /// Connections to the server
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    channels: u64,
    /// Duration of the measurement
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = humantime::parse_duration)]
    time: Duration,
    /// Time to play before the measurement
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = humantime::parse_duration)]
    warm_up: Duration,
    /// Relative frequency of the calls apply, get and legal
    #[arg(long, value_name = "MIX", default_value = "apply=1")]
    mix: Mix,
    /// View in responses to actions
    #[arg(long, value_name = "VIEW", default_value = "seat")]
    view: ViewArg,
    /// Watches per game
    #[arg(long, value_name = "N", default_value_t = 0)]
    watchers: usize,
    /// Maximum number of calls a second, all games together; each game has its own turn [default: unlimited]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    rate: Option<u32>,
    /// Process whose cost is reported: a name and its id, such as server=4711; can be repeated
    #[arg(long = "process", value_name = "NAME=PID")]
    processes: Vec<Process>,
}

/// The view in a response to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ViewArg {
    /// The table as the seat sees it
    Seat,
    /// No table
    None,
}

fn main() -> ExitCode {
    let args = Args::parse();
    program(&args.globals, async |output| run(output, &args).await)
}

async fn run(output: Output, args: &Args) -> Result<(), Failure> {
    let globals = resolve(&args.globals)?;
    let session = Session::new(&globals)?;
    let scripts = scripts(args)?;
    let played = scripts.first();
    let service = played.map_or_else(String::new, |script| script.service.clone());
    let ruleset = played.map_or_else(String::new, |script| script.ruleset.clone());
    let callers = (0..args.channels)
        .map(|_| {
            let channel = Connection::new(&globals)?.channel();
            Caller::new(channel, &service, session.token())
        })
        .collect::<Result<Vec<_>, _>>()?;
    let field = Arc::new(field(args)?);
    let mut processes = args.processes.clone();
    processes.push(Process::this());
    let at_start = usages(&processes)?;
    fill(&callers, &scripts, args).await?;

    let mut players = JoinSet::new();
    for (number, caller) in (0..args.games).zip(callers.iter().cycle()) {
        let index = usize::try_from(number).unwrap_or(usize::MAX) % scripts.len();
        let script = Arc::clone(&scripts[index]);
        let player = Player::new(Arc::clone(&field), caller.clone(), script, number);
        players.spawn(player.run());
    }
    wait(args.warm_up, &mut players).await?;
    field.measuring.store(true, Ordering::Relaxed);
    let (begun, before) = (Instant::now(), usages(&processes)?);
    wait(args.time, &mut players).await?;
    field.measuring.store(false, Ordering::Relaxed);
    let (time, after) = (begun.elapsed(), usages(&processes)?);
    field.over.store(true, Ordering::Relaxed);
    while let Some(ended) = players.join_next().await {
        ended_well(ended)?;
    }
    let methods = report::methods(&field.tally, time);
    let usages = processes
        .into_iter()
        .zip(at_start)
        .zip(before.into_iter().zip(after));
    let usages = usages.map(|((process, at_start), (before, after))| Usages {
        name: process.name,
        at_start,
        before,
        after,
    });
    Report {
        ruleset,
        games: args.games,
        idle: args.idle,
        channels: callers.len(),
        seconds: time.as_secs_f64(),
        processes: report::processes(usages.collect(), &methods, time),
        methods,
    }
    .print(output)
}

/// Returns the games to play, each with its own seed.
fn scripts(args: &Args) -> Result<Vec<Arc<Script>>, Failure> {
    let scripts = match (&args.script, &args.ruleset) {
        (Some(file), _) => {
            let failed = |error: std::io::Error| Failure::io(file.display(), &error);
            script::read(&std::fs::read_to_string(file).map_err(failed)?)?
        }
        (None, ruleset) => {
            let ruleset = ruleset.as_deref().unwrap_or_default();
            let plan = Plan {
                games: args.games.min(64).into(),
                seats: args.seats,
                max_moves: args.max_moves.max(1),
            };
            script::record(ruleset, plan)?
        }
    };
    Ok(scripts.into_iter().map(Arc::new).collect())
}

fn field(args: &Args) -> Result<Field, Failure> {
    let no_room = || Failure::Invalid(String::from("there is no memory for the measurements"));
    Ok(Field {
        tally: Tally::new().ok_or_else(no_room)?,
        measuring: AtomicBool::new(false),
        over: AtomicBool::new(false),
        mix: args.mix,
        show: Show {
            view: args.view == ViewArg::Seat,
            events: true,
            ..Show::default()
        },
        watchers: args.watchers,
        games: args.games,
        rate: args.rate,
    })
}

/// Creates the idle games.
async fn fill(callers: &[Caller], scripts: &[Arc<Script>], args: &Args) -> Result<(), Failure> {
    let mut filling = JoinSet::new();
    let games = usize::try_from(args.games).unwrap_or(usize::MAX);
    for (number, caller) in (0..games).zip(callers.iter().cycle()) {
        let mut caller = caller.clone();
        let mine = (number..args.idle).step_by(games);
        let script = Arc::clone(&scripts[number % scripts.len()]);
        filling.spawn(async move {
            let create = script.create();
            for _ in mine {
                caller.create(&create).await?;
            }
            Ok::<(), Status>(())
        });
    }
    while let Some(ended) = filling.join_next().await {
        ended_well(ended)?;
    }
    Ok(())
}

/// Waits for this time, or until a player fails.
async fn wait(time: Duration, players: &mut JoinSet<Result<(), Status>>) -> Result<(), Failure> {
    tokio::select! {
        () = tokio::time::sleep(time) => Ok(()),
        Some(ended) = players.join_next() => ended_well(ended),
    }
}

fn ended_well(ended: Result<Result<(), Status>, tokio::task::JoinError>) -> Result<(), Failure> {
    let lost = |error: tokio::task::JoinError| Failure::Invalid(format!("a player: {error}"));
    ended.map_err(lost)?.map_err(Failure::from)
}

fn usages(processes: &[Process]) -> Result<Vec<Usage>, Failure> {
    processes.iter().map(Process::usage).collect()
}
