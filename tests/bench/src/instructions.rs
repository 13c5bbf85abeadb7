//! Instructions of a fixed game of each ruleset, counted by callgrind: alike on every machine of one
//! kind, however busy it is.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use gamekeeper_rules::ruleset::Ruleset;

use crate::clock::float;
use crate::play::Recording;
use crate::report::{row, table};

/// What was counted when somebody last looked: instructions per action.
const REFERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.json");

/// This much more than the reference is too much.
const TOO_MUCH: f64 = 1.05;

/// Actions of the fixed game at most.
const MOVES: usize = 300;

/// What to do about the reference.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Plan {
    /// Write the counts down as the new reference
    #[arg(long)]
    update: bool,
}

/// Counts, and compares with the reference; true if nothing got much slower.
///
/// # Panics
/// When there is no valgrind.
#[must_use]
pub fn run(plan: Plan) -> bool {
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    macro_rules! count {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            $(counts.insert(
                stringify!($module).to_owned(),
                per_action::<gamekeeper_rules::$module::$Ruleset>(stringify!($module)),
            );)*
        };
    }
    gamekeeper_wire::for_each_ruleset!(count);
    let reference: BTreeMap<String, f64> = std::fs::read_to_string(REFERENCE)
        .ok()
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    let mut rows = vec![row([
        "ruleset",
        "instructions/action",
        "reference",
        "ratio",
    ])];
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

/// Plays the fixed game of a ruleset this many times: what callgrind looks at.
pub fn play(ruleset: &str, times: usize) {
    macro_rules! play {
        ($($module:ident: $Ruleset:ident),* $(,)?) => {
            match ruleset {
                $(id if id == stringify!($module) => {
                    repeat::<gamekeeper_rules::$module::$Ruleset>(times);
                })*
                _ => eprintln!("there is no ruleset {ruleset:?}"),
            }
        };
    }
    gamekeeper_wire::for_each_ruleset!(play);
}

fn fixed_game<R: Ruleset>() -> Recording<R> {
    Recording::new(7, MOVES)
}

fn repeat<R: Ruleset>(times: usize) {
    let game = fixed_game::<R>();
    for _ in 0..times {
        game.on_copies();
    }
}

/// The difference between two runs is what the game costs, without the start of the program.
fn per_action<R: Ruleset>(ruleset: &str) -> f64 {
    const TIMES: usize = 5;
    let moves = fixed_game::<R>().moves.len();
    (count(ruleset, TIMES + 1) - count(ruleset, 1)) / float(TIMES * moves)
}

fn count(ruleset: &str, times: usize) -> f64 {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("callgrind.out");
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(std::env::current_exe().expect("this program"))
        .args(["play", ruleset, &times.to_string()])
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
