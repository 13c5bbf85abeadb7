//! Plays many random games of one ruleset with every check of the conformance suite: after each
//! action invariants, codec and legal lists, at the end of each game a replay of its log; the costly
//! checks (a universe of actions, secrecy) every few actions. A ruleset's own random policy
//! chooses the actions.
//!
//! Ends with 1 if a promise did not hold; each fault names the seed that repeats it.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command that reports"
)]
#![expect(
    clippy::disallowed_types,
    reason = "not the rules: a command that measures its rate"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use gamekeeper_rules::caylus::RichCaylus;
use gamekeeper_rules::conformance::{Audit, Plan, Tally, play_game};
use gamekeeper_rules::ruleset::RulesetInfo;

/// Plays random games of one ruleset and checks every promise of the rules.
#[derive(Parser)]
struct Args {
    /// The ruleset, such as `terra_mystica`
    ruleset: String,
    /// Number of games for each number of seats
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Number of seats [default: every number]
    #[arg(long)]
    seats: Option<u8>,
    /// The seed of the first game; each further game has the next
    #[arg(long, default_value_t = 1)]
    first_seed: u64,
    /// Maximum number of actions of a game; it is then left unfinished
    #[arg(long, default_value_t = 20_000)]
    max_actions: u64,
    /// Interval of the costly checks, in actions
    #[arg(long, default_value_t = 97, value_parser = clap::value_parser!(u64).range(1..))]
    closely_every: u64,
}

/// A ruleset, or a variant of one, that can be played.
struct Entry {
    name: &'static str,
    sheet: RulesetInfo,
    play: fn(usize, &Plan, &mut Tally) -> Result<(), String>,
}

macro_rules! entries {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        &[
            // Its players can afford actions that random players seldom can.
            entry::<RichCaylus<12>>("caylus_rich"),
            $(entry::<gamekeeper_rules::$module::$Ruleset>(stringify!($module)),)*
        ]
    };
}

const ENTRIES: &[Entry] = gamekeeper_rules::for_each_ruleset!(entries);

const fn entry<R: Audit>(name: &'static str) -> Entry {
    Entry {
        name,
        sheet: R::INFO,
        play: play_one::<R>,
    }
}

/// Plays the first game of the plan. A panic of the rules counts as a fault.
fn play_one<R: Audit>(seats: usize, plan: &Plan, tally: &mut Tally) -> Result<(), String> {
    let seed = plan.first_seed;
    let play = || play_game::<R>(&R::table(seats, seed), seed, plan, tally);
    match catch_unwind(AssertUnwindSafe(play)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(failure)) => Err(failure.to_string()),
        Err(_) => Err(format!("seed {seed}: the rules panicked, see above")),
    }
}

/// Plays all games of this many seats and prints their line. Returns the number of faults.
fn soak(entry: &Entry, seats: u8, args: &Args) -> u64 {
    let (mut tally, mut faults) = (Tally::default(), 0_u64);
    let begun = Instant::now();
    let mut last_report = begun;
    for seed in (args.first_seed..).take(usize::try_from(args.games).unwrap_or(usize::MAX)) {
        let plan = Plan {
            games: 1,
            first_seed: seed,
            max_actions: args.max_actions,
            closely_every: args.closely_every,
        };
        if let Err(fault) = (entry.play)(usize::from(seats), &plan, &mut tally) {
            faults += 1;
            println!("FAULT: {} with {seats} seats, {fault}", entry.name);
        }
        if last_report.elapsed() > Duration::from_secs(60) {
            last_report = Instant::now();
            eprintln!("{seats} seats: {} of {} games", tally.games, args.games);
        }
    }
    println!("{}", line(seats, &tally, faults, begun.elapsed()));
    faults
}

fn line(seats: u8, tally: &Tally, faults: u64, took: Duration) -> String {
    let a_second = |count: u64| count.saturating_mul(1000) / milliseconds(took).max(1);
    format!(
        "{seats:>5} {:>7} {:>8} {:>10} {:>7} {:>6} {:>6} {:>9} {:>7} {:>9} {faults:>6}",
        tally.games,
        tally.finished,
        tally.actions,
        tally.longest_game,
        tally.longest_list,
        tally.largest_state,
        tally.closely,
        a_second(tally.games),
        a_second(tally.actions),
    )
}

fn milliseconds(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Some(entry) = ENTRIES.iter().find(|entry| entry.name == args.ruleset) else {
        let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
        eprintln!("{}: unknown; one of {}", args.ruleset, names.join(", "));
        return ExitCode::from(2);
    };
    let sheet = entry.sheet;
    let counts = sheet.min_seats..=sheet.max_seats;
    if let Some(seats) = args.seats.filter(|seats| !counts.contains(seats)) {
        eprintln!("{} is not for {seats}", sheet.title);
        return ExitCode::from(2);
    }
    println!(
        "{} (revision {}), seeds from {}, looked at closely every {} actions",
        sheet.title, sheet.revision, args.first_seed, args.closely_every
    );
    println!(
        "SEATS   GAMES FINISHED    ACTIONS MAX_LEN   LIST  STATE   CLOSELY GAMES/S ACTIONS/S FAULTS"
    );
    let faults: u64 = counts
        .filter(|seats| args.seats.is_none_or(|only| only == *seats))
        .map(|seats| soak(entry, seats, &args))
        .sum();
    println!("{faults} faults");
    ExitCode::from(u8::from(faults > 0))
}
