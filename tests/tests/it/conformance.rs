//! The recorded sessions of `tests/conformance/` are current, cover every refusal, decision, action
//! and event, and our own server answers them. `GAMEKEEPER_UPDATE=1` regenerates them.

mod caylus;
mod dominion;
mod kingsburg;
mod mythotopia;
mod service;
mod terra_mystica;

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::path::PathBuf;

use gamekeeper_rules::bots::Heuristics;
use gamekeeper_rules::conformance::Audit;
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::recording::{Quest, WrongOptions, everything, record};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_wire::{Wire, option_infos};

/// The program that checks a server against recorded sessions.
const PROGRAM: &str = "gamekeeper-conformance";

/// The names of players, more than any table has seats.
const NAMES: [&str; 6] = ["Ada", "Bob", "Cyd", "Dan", "Eve", "Fay"];

/// The additions to the recording of a ruleset, for items that random players and options with one fault do not reach.
trait Script: Wire + Audit + Heuristics {
    /// Options that the rules refuse.
    const WRONG: &'static [WrongOptions];

    /// Returns players who seek items that random players do not reach.
    fn quests() -> Vec<Quest<Self>> {
        Vec::new()
    }

    /// Returns players whose games are recorded to their end.
    fn games() -> Vec<Quest<Self>> {
        Vec::new()
    }
}

/// The plan of a recording.
struct Plan<W: Wire> {
    wrong: Vec<WrongOptions>,
    quests: Vec<Quest<W>>,
    games: Vec<Quest<W>>,
}

/// Finds the plan of a ruleset. `(&Of::<W>(PhantomData)).plan()` returns the plan of its [`Script`], or the plain plan
/// if it has none, because method resolution prefers a method of the type itself to one of a reference to it.
struct Of<W>(PhantomData<W>);

trait ByScript<W: Wire> {
    fn plan(&self) -> Plan<W>;
}

impl<W: Script> ByScript<W> for Of<W> {
    fn plan(&self) -> Plan<W> {
        Plan {
            wrong: W::WRONG.to_vec(),
            quests: W::quests(),
            games: W::games(),
        }
    }
}

trait Plain<W: Wire> {
    fn plan(&self) -> Plan<W>;
}

impl<W: Wire> Plain<W> for &Of<W> {
    fn plan(&self) -> Plan<W> {
        const ALL: &[&str] = &NAMES;
        let players = &ALL[..W::INFO.min_seats.into()];
        let beyond = option_infos::<W>().into_iter().filter_map(|option| {
            let most = option.values.iter().filter_map(|values| values.max_value);
            let (field, wrong) = (option.field, most.max()? + 1);
            let options: &str = format!("{{\"{field}\": {wrong}}}").leak();
            Some((players, options))
        });
        let crowds = [(&ALL[..1], "{}"), (ALL, "{}")];
        Plan {
            wrong: crowds.into_iter().chain(beyond).collect(),
            quests: Vec::new(),
            games: Vec::new(),
        }
    }
}

/// Returns the items that no session can reach, each with the reason.
fn unreached<W: Audit>() -> Vec<(&'static str, &'static str)> {
    let only_one = ("refusal WRONG_DECISION", "there is only one decision");
    let by_decisions = (W::DECISIONS.len() == 1).then_some(only_one);
    W::UNREACHED.iter().copied().chain(by_decisions).collect()
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

/// Checks that every item is either recorded or listed as unreached, and that the file is current.
fn check<'a>(
    id: &str,
    text: &str,
    all: impl IntoIterator<Item = &'a str>,
    covered: &BTreeSet<&str>,
    listed: &[(&str, &str)],
) {
    let listed: BTreeSet<&str> = listed.iter().map(|(one, _)| *one).collect();
    let file = folder().join(format!("{id}.jsonl"));
    if std::env::var_os("GAMEKEEPER_UPDATE").is_some() {
        std::fs::create_dir_all(folder()).unwrap();
        std::fs::write(&file, text).unwrap();
    }
    let unknown = |one: &&str| !covered.contains(one) && !listed.contains(one);
    let missing: Vec<&str> = all.into_iter().filter(unknown).collect();
    assert!(
        missing.is_empty(),
        "{id}: not recorded, nor listed in `UNREACHED` with a reason: {missing:?}"
    );
    let needless: Vec<&&str> = listed.intersection(covered).collect();
    assert!(
        needless.is_empty(),
        "{id}: listed, but recorded: {needless:?}"
    );
    let stored = std::fs::read_to_string(&file).unwrap();
    assert!(
        stored == text,
        "{id}: run this test with GAMEKEEPER_UPDATE=1 and review the difference"
    );
}

macro_rules! recordings {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(#[test]
        fn $module() {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            let Plan { wrong, quests, games } = (&Of::<Rules>(PhantomData)).plan();
            let listed = unreached::<Rules>();
            let given_up: Vec<&str> = listed.iter().map(|(one, _)| *one).collect();
            let recording = record::<Rules>(&wrong, &quests, &games, &given_up);
            let all = everything::<Rules>();
            let covered = recording.covered.iter().map(String::as_str).collect();
            let all = all.iter().map(String::as_str);
            check(stringify!($module), &recording.text, all, &covered, &listed);
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(recordings);

#[test]
fn our_own_server_answers_as_recorded() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let cli = Cli::at(server.address());
    let arguments = format!("--with default_limits,feeds -o json {}", folder().display());
    let ended = cli.tool(PROGRAM, &arguments);
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    let files = std::fs::read_dir(folder()).unwrap().filter(|file| {
        let path = file.as_ref().unwrap().path();
        path.extension().is_some_and(|ending| ending == "jsonl")
    });
    assert_eq!(ended.out.lines().count(), files.count());
}

#[test]
fn a_wrong_answer_is_found() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let cli = Cli::at(server.address());
    let text = std::fs::read_to_string(folder().join("dominion.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().take(60).collect();
    let good = lines.join("\n");
    for (from, to) in [
        ("\"CANNOT_AFFORD\"", "\"NO_BUYS_LEFT\""),
        ("INVALID_OPTION", "INVALID_OPTIONS"),
        ("\"version\":\"2\"", "\"version\":\"3\""),
        ("buy_phase", "sell_phase"),
    ] {
        assert!(good.contains(from), "{from}");
        let file = cli.file("wrong.jsonl");
        std::fs::write(&file, good.replacen(from, to, 1)).unwrap();
        let ended = cli.tool(PROGRAM, &file);
        assert_eq!(ended.code, 1, "{from}: {}{}", ended.out, ended.err);
    }
    let file = cli.file("good.jsonl");
    std::fs::write(&file, good).unwrap();
    assert_eq!(cli.tool(PROGRAM, &file).code, 0);
}
