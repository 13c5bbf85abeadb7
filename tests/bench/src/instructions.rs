//! The processor instructions for a fixed game of each ruleset, and for its lists of legal actions, counted by
//! callgrind. The counts are the same on every machine of one kind, however busy it is.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;

use clap::ValueEnum;
use gamekeeper_rules::ruleset::{Ruleset, apply, create, visit_legal};
use gamekeeper_rules::table::Detail;

use crate::clock::float;
use crate::play::Recording;
use crate::report::{row, table};

/// The work on the fixed game that is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Work {
    /// Play its actions, each on a copy of the table
    Play,
    /// List the legal actions of the seat before playing each action
    List,
}

/// The file with the counts of the last update: instructions per action and per list.
const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.json");

/// Maximum ratio of a count to its reference.
const TOO_MUCH: f64 = 1.05;

/// Maximum number of actions of the fixed game.
const MOVES: usize = 300;

/// The options of the count.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Plan {
    /// Write the counts down as the new reference
    #[arg(long)]
    update: bool,
}

/// Counts instructions and compares them with the reference. Returns `true` if no count exceeds the maximum ratio.
///
/// # Panics
/// If there is no valgrind.
#[must_use]
pub fn run(plan: Plan) -> bool {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    gamekeeper_rules::of_each_ruleset!(R => {
        let id = R::INFO.id;
        let [action, list] = per_move::<R>(id);
        counts.insert(id.to_owned(), action);
        counts.insert(format!("{id} list"), list);
    });
    let reference: BTreeMap<String, f64> = std::fs::read_to_string(REFERENCE)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let mut rows = vec![row(["ruleset", "instructions", "reference", "ratio"])];
    let mut good = true;
    for (id, count) in &counts {
        let before = reference.get(id).copied().unwrap_or(*count);
        let ratio = count / before;
        good &= ratio <= TOO_MUCH;
        rows.push(row([
            id,
            &format!("{count:.0}"),
            &format!("{before:.0}"),
            &format!("{ratio:.3}"),
        ]));
    }
    table(&rows);
    if plan.update {
        let text = serde_json::to_string_pretty(&counts).expect("counts");
        std::fs::write(REFERENCE, text + "\n").expect("the reference");
    }
    good || plan.update
}

/// Works on the fixed game of a ruleset this number of times, for callgrind.
pub fn play(ruleset: &str, work: Work, times: usize) {
    gamekeeper_rules::with_ruleset!(ruleset, R => repeat::<R>(work, times), _ => eprintln!("there is no ruleset {ruleset:?}"));
}

fn fixed_game<R: Ruleset>() -> Recording<R> {
    Recording::new(7, MOVES)
}

fn repeat<R: Ruleset>(work: Work, times: usize) {
    let game = fixed_game::<R>();
    for _ in 0..times {
        match work {
            Work::Play => game.on_copies(),
            Work::List => with_lists(&game),
        }
    }
}

/// Plays like [`Recording::on_copies`], and lists the legal actions before each action.
fn with_lists<R: Ruleset>(recording: &Recording<R>) {
    let mut game = create::<R>(&recording.options, recording.luck());
    for (seat, action) in &recording.moves {
        let _all = visit_legal::<R>(&game.state, *seat, Detail::Moves, &mut |action| {
            black_box(action);
            ControlFlow::Continue(())
        });
        if let Ok(next) = apply::<R>(&game.state, &game.chance, *seat, action) {
            game = next;
        }
    }
    black_box(game);
}

/// Counts the instructions of an action, and of a list.
fn per_move<R: Ruleset>(ruleset: &str) -> [f64; 2] {
    let moves = fixed_game::<R>().moves.len();
    let [action, both] =
        [Work::Play, Work::List].map(|work| per_time(ruleset, work) / float(moves));
    [action, both - action]
}

/// Returns the difference between two runs, which is the cost of the work without the start of the program.
fn per_time(ruleset: &str, work: Work) -> f64 {
    const TIMES: usize = 5;
    (count(ruleset, work, TIMES + 1) - count(ruleset, work, 1)) / float(TIMES)
}

fn count(ruleset: &str, work: Work, times: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("callgrind.out");
    let work = work.to_possible_value().expect("a value of the command");
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe().expect("this program"))
        .args(["work", work.get_name(), ruleset, &times.to_string()])
        .output()
        .expect("valgrind is installed");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    total(&out).expect("the total of callgrind")
}

fn total(file: &Path) -> Option<f64> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("totals: "))?;
    line.split_whitespace().next()?.parse().ok()
}
