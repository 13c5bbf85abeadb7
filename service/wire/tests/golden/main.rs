//! **Golden tests** of compatibility: messages, stored bytes and refusals of recorded games must not change.
//!
//! `tests/data/golden/<ruleset>/` holds
//!
//! * `games.txt`: games, given by messages alone (options, actions), and for each step a hash of each part that the
//!   wire and the store would see;
//! * `tries.txt`: actions tried at steps of these games, with code, rule id and sentence;
//! * `wishes.txt`: options tried, with code, rule id and sentence;
//! * `samples.txt`: the first message of each kind in full.
//!
//! The games are replayed from their messages. With `GAMEKEEPER_UPDATE=1` the answers are rewritten, and games are
//! played for rulesets without a record. With `GAMEKEEPER_SHOW="<ruleset> <game> <step>"` the test stops at a step and
//! shows its parts in full: run it before and after a change to find the difference.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "a test stops at what it cannot read"
)]

mod hex;
mod parts;
mod play;
mod replay;
mod rules;
mod samples;
mod script;

use std::path::PathBuf;

use gamekeeper_wire::Wire;

use crate::parts::PARTS;
use crate::replay::{GAMES, Record, SAMPLES, TRIES, WISHES, replay};
use crate::script::Script;

/// The maximum number of differences of a file that are named.
const MAX_NAMED: usize = 12;

macro_rules! tests {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(#[test]
        fn $module() {
            use gamekeeper_rules::$module::$Ruleset;
            check::<$Ruleset>(play::script::<$Ruleset>);
        })*
    };
}
gamekeeper_wire::for_each_ruleset!(tests);

fn folder<W: Wire>() -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join("tests/data/golden").join(W::INFO.id)
}

fn check<W: Wire>(new: fn() -> Script) {
    let folder = folder::<W>();
    let expected = [GAMES, TRIES, WISHES, SAMPLES]
        .map(|name| std::fs::read_to_string(folder.join(name)).unwrap_or_default());
    let [games, tries, wishes, _] = &expected;
    let update = std::env::var_os("GAMEKEEPER_UPDATE").is_some();
    let script = if games.is_empty() && update {
        new()
    } else {
        Script::read(games, tries, wishes)
    };
    assert!(
        !script.games.is_empty(),
        "run this test with GAMEKEEPER_UPDATE=1"
    );
    let actual = replay::<W>(&script);
    if update {
        write(&folder, &actual);
        return;
    }
    let differences: Vec<String> = actual
        .iter()
        .zip(&expected)
        .flat_map(|((name, actual), expected)| differences(name, expected, actual))
        .collect();
    let id = W::INFO.id;
    assert!(
        differences.is_empty(),
        "{id} is no longer what it was:\n{}",
        differences.join("\n")
    );
}

fn write(folder: &PathBuf, record: &Record) {
    std::fs::create_dir_all(folder).unwrap();
    for (name, text) in record {
        std::fs::write(folder.join(name), text).unwrap();
    }
}

/// Describes the differences of two files; for games, the first differing step of each.
fn differences(name: &str, expected: &str, actual: &str) -> Vec<String> {
    let (mut named, mut game, mut is_told) = (Vec::new(), 0_usize, false);
    let count = |text: &str| text.lines().count();
    if count(expected) != count(actual) {
        named.push(format!(
            "{name}: {} lines, not {}",
            count(actual),
            count(expected)
        ));
    }
    for (expected, actual) in expected.lines().zip(actual.lines()) {
        if name == GAMES && expected.starts_with("game ") {
            (game, is_told) = (game + 1, false);
        }
        if expected == actual || is_told {
            continue;
        }
        if name == GAMES {
            is_told = game > 0;
            named.push(step_difference(game, expected, actual));
        } else {
            named.push(format!("{name}: was {expected}\n{name}: now {actual}"));
        }
    }
    let more = named.len().saturating_sub(MAX_NAMED);
    named.truncate(MAX_NAMED);
    if more > 0 {
        named.push(format!("{name}: and {more} more"));
    }
    named
}

/// Describes the parts of a step that differ.
fn step_difference(game: usize, expected: &str, actual: &str) -> String {
    let words: Vec<(&str, &str)> = expected.split(' ').zip(actual.split(' ')).collect();
    if words.len() != PARTS.len() + 3 || actual.split(' ').count() != words.len() {
        return format!("{GAMES}: was {expected}\n{GAMES}: now {actual}");
    }
    let parts = PARTS.iter().zip(&words[3..]);
    let parts: Vec<&str> = parts
        .filter(|(_, (expected, actual))| expected != actual)
        .map(|(part, _)| *part)
        .collect();
    let step = words[0].0;
    format!("game {} from step {step}: {}", game - 1, parts.join(", "))
}
