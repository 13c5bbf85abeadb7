//! Commits of this repository, measured in turns: each with its own server, null game and load client, all beside one
//! echo.

mod build;
mod commit;
mod error;
mod figures;
mod report;

use std::process::Stdio;

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use tempfile::TempDir;

use self::build::Build;
use self::commit::Commit;
use self::error::CompareError;
use self::figures::{Compared, Turn, compared, rows};
use self::report::{Call, Pair, Report};
use crate::report::{table, write};
use crate::service::processes::{Process, build, load};
use crate::service::scripts::{echo_script, sizes};
use crate::service::{Store, offered};

/// The commits, and how much is measured.
#[derive(Clone, Debug, clap::Args)]
pub struct Plan {
    /// Commits; the ratios are to the first. HEAD is the second if only one is given
    #[arg(required = true, value_name = "COMMIT")]
    commits: Vec<String>,
    /// Stores
    #[arg(long, value_delimiter = ',', default_values = ["memory", "embedded", "redis"])]
    store: Vec<Store>,
    /// Ruleset
    #[arg(long, default_value = "kingsburg", value_parser = PossibleValuesParser::new(offered()))]
    ruleset: String,
    /// How often the commits are measured in turns
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// How long each time, in seconds
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Games at once
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Threads of the servers; 0: as many as there are cores
    #[arg(long, default_value_t = 1)]
    workers: usize,
}

/// Compares commits. Returns `false` if that fails, after the reason was printed.
///
/// # Panics
/// If the echo does not build, start or answer.
#[must_use]
pub fn run(plan: &Plan) -> bool {
    let measured = compare(plan);
    if let Err(error) = &measured {
        eprintln!("error: {error}");
    }
    measured.is_ok()
}

fn compare(plan: &Plan) -> Result<(), CompareError> {
    let commits = found(plan)?;
    build();
    let builds: Vec<Build> = commits.iter().map(Build::of).collect::<Result<_, _>>()?;
    let mut answer_bytes = None;
    for build in &builds {
        let bytes = trial(plan, build)?;
        answer_bytes.get_or_insert(bytes);
    }
    let echo = Echo::start(plan, answer_bytes.unwrap_or_default());
    let mut measured = Vec::new();
    for store in &plan.store {
        let figures = in_turns(plan, *store, &builds, &echo)?;
        // At once, so that these figures remain if a later store fails.
        table(&rows(&figures));
        measured.push(figures);
    }
    write("compare", &measured);
    Ok(())
}

/// Finds all commits before the first is built, which takes minutes.
fn found(plan: &Plan) -> Result<Vec<Commit>, CompareError> {
    let mut names: Vec<&str> = plan.commits.iter().map(String::as_str).collect();
    if names.len() == 1 {
        names.push("HEAD");
    }
    let root = commit::root()?;
    if commit::is_changed(&root)? {
        println!("note: only commits are measured; changes that are not committed are not");
    }
    names.iter().map(|name| Commit::find(&root, name)).collect()
}

/// Runs the measurement of a commit once for a second, which builds what it measures. Returns the bytes of an answer of
/// its null game.
fn trial(plan: &Plan, build: &Build) -> Result<f64, CompareError> {
    let first = plan.store.iter().find(|store| build.has(&name(**store)));
    let store = first.copied().ok_or_else(|| build.has_no_store())?;
    let pair = measure(plan, build, store, 1, Stdio::inherit())?;
    Ok(pair.null.answer_bytes)
}

/// Measures one round of a commit, with messages of its program to `stderr`.
fn measure(
    plan: &Plan,
    build: &Build,
    store: Store,
    seconds: u64,
    stderr: Stdio,
) -> Result<Pair, CompareError> {
    let flags = [
        ("--stores", name(store)),
        ("--rulesets", plan.ruleset.clone()),
        ("--rounds", String::from("1")),
        ("--seconds", seconds.to_string()),
        ("--games", plan.games.to_string()),
        ("--view", String::from("seat")),
        ("--mix", format!("{}=1", report::METHOD)),
        ("--workers", plan.workers.to_string()),
    ];
    let text = build.service(&flags, stderr)?;
    let report = Report::read(&text).and_then(Report::only);
    report.map_err(|error| build.unread(error))
}

/// Returns the name of a store as flags have it.
fn name(store: Store) -> String {
    let value = store.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

fn in_turns(
    plan: &Plan,
    store: Store,
    builds: &[Build],
    echo: &Echo,
) -> Result<Compared, CompareError> {
    for build in builds.iter().filter(|build| !build.has(&name(store))) {
        println!("{} has no store {}", build.label(), name(store));
    }
    let mut turns = Vec::new();
    for round in 1..=plan.rounds {
        println!("{}, round {round} of {}", name(store), plan.rounds);
        let echo = echo.measure();
        let mut commits = Vec::new();
        for build in builds {
            let has_it = build.has(&name(store));
            let pair = has_it.then(|| measure(plan, build, store, plan.seconds, Stdio::piped()));
            commits.push(pair.transpose()?);
        }
        turns.push(Turn { echo, commits });
    }
    let labels: Vec<String> = builds.iter().map(Build::label).collect();
    Ok(compared(&name(store), &labels, turns))
}

/// The echo of this program, which all commits are measured beside.
struct Echo {
    server: Process,
    flags: Vec<String>,
    /// Holds the script.
    _folder: TempDir,
}

impl Echo {
    /// Starts an echo with answers of this size.
    fn start(plan: &Plan, answer_bytes: f64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("echo.jsonl");
        std::fs::write(&script, echo_script(&sizes(&plan.ruleset))).expect("a script");
        let flags = [
            ("--games", plan.games.to_string()),
            ("--time", format!("{}s", plan.seconds)),
            ("--warm-up", String::from("1s")),
            ("--mix", format!("{}=1", report::METHOD)),
            ("--script", script.to_string_lossy().into_owned()),
        ];
        let bytes = answer_bytes.round().to_string();
        Self {
            server: Process::server("gamekeeper-bench", &["echo", &bytes]),
            flags: flags
                .into_iter()
                .flat_map(|(flag, value)| [flag.to_owned(), value])
                .collect(),
            _folder: folder,
        }
    }

    fn measure(&self) -> Call {
        let flags: Vec<&str> = self.flags.iter().map(String::as_str).collect();
        Call::of(&load(&self.server, &[], &flags)).expect("the echo was called")
    }
}
