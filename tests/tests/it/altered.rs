//! `verify` detects every alteration of a record, or names the fact as unproved.

use std::collections::BTreeMap;

use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_tests::chance::rng;
use gamekeeper_tests::cli::{Cli, json, server};
use gamekeeper_tests::room::seated;
use gamekeeper_tests::server::Gamekeeperd;
use rand::Rng;
use rand::RngExt;
use rand::seq::IndexedRandom;
use serde_json::Value;

/// The number of alterations of each ruleset's own facts, in addition to one for every kind of fact.
const OF_RULESET: usize = 12;

/// A step from a value to one within it.
#[derive(Clone, Debug)]
enum Step {
    Field(String),
    Index(usize),
}

type Path = Vec<Step>;

/// Returns the players of the smallest table of a ruleset, and their seats, as commands take them: `Ada Bob`, `1,2`.
fn players(ruleset: &str) -> (String, String) {
    let seats = gamekeeper_rules::with_ruleset!(
        ruleset, R => R::INFO.min_seats, _ => panic!("there is no ruleset {ruleset}")
    );
    let names = seated(seats.into()).into_iter().map(|player| player.name);
    let numbers = (1..=seats).map(|seat| seat.to_string());
    let names: Vec<String> = names.collect();
    let numbers: Vec<String> = numbers.collect();
    (names.join(" "), numbers.join(","))
}

/// Returns the lines of a finished game with clocks, renamed players, users, a label and take-backs, which its
/// players agreed to end.
fn record(cli: &Cli, ruleset: &str) -> Vec<Value> {
    let (names, seats) = players(ruleset);
    let create = format!("create {ruleset} {names} --quiet --user 1=ada --bank 1h --increment 1s");
    let policy = "--take-back unseen-or-agreed --pause-by-agreement --end-by-agreement";
    let _done = cli.out(&format!("{create} {policy} --label league=gold --seed 7"));
    let bots = format!("bot last --seat {seats} --choices 1 --policy kinds");
    let _done = cli.out(&format!("{bots} --until-version 12"));
    let newest = json(&cli.out("info last"))["version"].clone();
    let back = newest.as_str().unwrap().parse::<u64>().unwrap() - 3;
    let _done = cli.out(&format!("take-back last --seat 1 --to {back}"));
    for seat in seats.split(',').skip(1) {
        let _done = cli.run(&format!("answer last --seat {seat}"));
    }
    let _done = cli.out("add-time last 5m --seat 1");
    let _done = cli.out("pause last");
    let _done = cli.out("resume last");
    let _done = cli.out("label last --name 2=Eve");
    let _done = cli.out(&format!("{bots} --until-version 18"));
    let _done = cli.out("end last --seat 2 --scored");
    for seat in seats.split(',').filter(|seat| *seat != "2") {
        let _done = cli.out(&format!("answer last --seat {seat}"));
    }
    let lines = cli.out("export last --with-states");
    lines.lines().map(json).collect()
}

/// Returns the kind of a fact: its path without the indexes of list items.
fn kind(path: &[Step]) -> String {
    let names = path.iter().map(|step| match step {
        Step::Field(name) => name.as_str(),
        Step::Index(_) => "*",
    });
    names.collect::<Vec<_>>().join(".")
}

/// Collects all values within a value, by kind, without the value itself.
fn facts(value: &Value, path: &mut Path, paths_by_kind: &mut BTreeMap<String, Vec<Path>>) {
    let mut below = |step: Step, value: &Value| {
        path.push(step);
        paths_by_kind
            .entry(kind(path))
            .or_default()
            .push(path.clone());
        facts(value, path, paths_by_kind);
        path.pop();
    };
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                below(Step::Field(name.clone()), value);
            }
        }
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                below(Step::Index(index), value);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn at<'a>(value: &'a mut Value, path: &[Step]) -> &'a mut Value {
    path.iter().fold(value, |value, step| match step {
        Step::Field(name) => &mut value[name],
        Step::Index(index) => &mut value[*index],
    })
}

/// Returns another value of the same kind of fact if the record has one, otherwise the value changed by one step.
fn other(value: &Value, candidates: &[Value], chance: &mut impl Rng) -> Value {
    let others: Vec<&Value> = candidates
        .iter()
        .filter(|candidate| *candidate != value)
        .collect();
    if let Some(other) = others.choose(chance) {
        return (*other).clone();
    }
    match value {
        Value::Bool(truth) => (!truth).into(),
        Value::Number(number) => (number.as_i64().unwrap() + 1).into(),
        Value::String(text) => match text.parse::<u64>() {
            Ok(number) => (number + 1).to_string().into(),
            Err(_) => {
                let last = if text.starts_with('A') { "B" } else { "A" };
                format!("{last}{}", text.get(1..).unwrap_or_default()).into()
            }
        },
        Value::Null | Value::Array(_) | Value::Object(_) => Value::Null,
    }
}

/// Alters one fact: replaces it by another value or removes it.
fn altered(
    lines: &[Value],
    path: &[Step],
    candidates: &[Value],
    chance: &mut impl Rng,
) -> Vec<Value> {
    let mut record = Value::Array(lines.to_vec());
    let (last, above) = path.split_last().unwrap();
    let fact = at(&mut record, path);
    let is_whole = fact.is_object() || fact.is_array();
    if is_whole || chance.random() {
        match (at(&mut record, above), last) {
            (Value::Object(fields), Step::Field(name)) => drop(fields.remove(name)),
            (Value::Array(values), Step::Index(index)) => drop(values.remove(*index)),
            (value, step) => panic!("no {step:?} in {value}"),
        }
    } else {
        *fact = other(fact, candidates, chance);
    }
    match record {
        Value::Array(lines) => lines,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
            panic!("lines")
        }
    }
}

fn verify(cli: &Cli, lines: &[Value]) -> (i32, Value, String) {
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    let ended = cli.run_with("verify - -o json", &text.join("\n"));
    let report = serde_json::from_str(&ended.out).unwrap_or_default();
    (ended.code, report, ended.err)
}

/// Returns the name under which `verify` lists a fact that it cannot prove. Times: the moment of a move is not proved
/// between those of its neighbors if the clocks do not show it. Users, bots and labels belong to the front end, and a
/// player's record has none. Current names may differ from those that are bound, which is then reported.
fn unproved(kind: &str) -> Option<&'static str> {
    let facts = [
        ("*.version.entry.playTime", "times"),
        ("*.header.game.players.*.name", "names"),
        ("*.header.game.players.*.user", "users"),
        ("*.header.game.labels", "labels"),
    ];
    let named = facts.iter().find(|(fact, _)| kind.starts_with(fact));
    named.map(|(_, name)| *name)
}

/// Facts that may be missing because the rules imply them. DOM-6.16: the card on top.
const IMPLIED: [&str; 1] = ["*.version.action.dominion.endTurn.discardTop"];

fn names(report: &Value, name: &str) -> bool {
    let unproved = report["unproved"].as_array();
    unproved.is_some_and(|unproved| unproved.iter().any(|one| one == name))
}

/// Alters every kind of fact of a record, for one ruleset.
fn every_alteration_is_told(ruleset: &str) {
    let server = Gamekeeperd::start(&["--store=memory", "--serve-examples"]);
    let cli = Cli::at(server.address());
    let lines = record(&cli, ruleset);
    let (code, honest, error) = verify(&cli, &lines);
    assert_eq!(code, 0, "{error}");
    assert_eq!(
        (&honest["verified"], &honest["over"]),
        (&true.into(), &true.into())
    );
    assert!(names(&honest, "names"), "Eve was Bob: {honest}");
    let mut paths_by_kind = BTreeMap::new();
    facts(
        &Value::Array(lines.clone()),
        &mut Vec::new(),
        &mut paths_by_kind,
    );
    let mut chance = rng();
    let is_own = |kind: &&String| kind.contains(&format!(".{ruleset}"));
    let (ruleset_kinds, shared): (Vec<&String>, Vec<&String>) =
        paths_by_kind.keys().partition(is_own);
    let ruleset_kinds = ruleset_kinds.sample(&mut chance, OF_RULESET);
    let mut tried = 0;
    for kind in ruleset_kinds
        .chain(shared.iter())
        .filter(|kind| **kind != "*")
    {
        let paths = &paths_by_kind[*kind];
        let path = paths.choose(&mut chance).unwrap();
        let mut whole = Value::Array(lines.clone());
        let candidates: Vec<Value> = paths
            .iter()
            .map(|path| at(&mut whole, path).clone())
            .collect();
        let altered = altered(&lines, path, &candidates, &mut chance);
        let (code, report, error) = verify(&cli, &altered);
        tried += 1;
        if code != 0 {
            continue;
        }
        if IMPLIED.contains(&kind.as_str()) {
            continue;
        }
        let name = unproved(kind);
        let is_named = name.is_some_and(|name| names(&report, name) || names(&honest, name));
        assert!(
            is_named,
            "{kind} at {path:?} of {ruleset}: {report} {error}"
        );
    }
    assert!(tried > 60, "{tried}");
}

macro_rules! altered_records {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(#[test]
        fn $module() {
            every_alteration_is_told(stringify!($module));
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(altered_records);

/// The most obvious forgeries, each with the error that `verify` reports.
#[test]
fn forgeries_are_told() {
    let (_server, cli) = server();
    let lines = record(&cli, "dominion");
    let forge = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut forged = lines.clone();
        change(&mut forged);
        let (code, report, error) = verify(&cli, &forged);
        assert_ne!(code, 0, "{report}");
        error
    };
    let game = |lines: &mut Vec<Value>| lines[0]["header"]["game"].take();
    let within = |change: &dyn Fn(&mut Value)| {
        forge(&|lines| {
            let mut facts = game(lines);
            change(&mut facts);
            lines[0]["header"]["game"] = facts;
        })
    };
    let error = within(&|game| game["gameId"] = "0199aaaa-0000-7000-8000-000000000001".into());
    assert!(error.contains("do not fit the commitment"), "{error}");
    let error = within(&|game| game["players"].as_array_mut().unwrap().swap(0, 1));
    assert!(error.contains("the seat of player 1"), "{error}");
    let error = within(&|game| game["players"][1]["seat"] = 77.into());
    assert!(error.contains("the seat of player 2"), "{error}");
    let error = within(&|game| drop(game["players"].as_array_mut().unwrap().pop()));
    assert!(error.contains("2 to 4 players"), "{error}");
    let error = within(&|game| game["rulesRevision"] = 2.into());
    assert!(error.contains("the revision of the rules"), "{error}");
    let error = forge(&|lines| lines[0]["header"]["firstNames"][0]["name"] = "Eve".into());
    assert!(error.contains("the first name of seat 1"), "{error}");
    let error = forge(&|lines| {
        let names = lines[0]["header"]["firstNames"].as_array_mut().unwrap();
        names.swap(0, 1);
    });
    assert!(error.contains("the seat of first name 1"), "{error}");
    let error = forge(&|lines| drop(lines[5]["version"].as_object_mut().unwrap().remove("state")));
    assert!(error.contains("the number of tables"), "{error}");

    // The commitment that was published.
    let published = lines[0]["header"]["game"]["recordCommitment"].clone();
    assert!(!published.is_null());
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    let text = text.join("\n");
    let (_, report, _) = verify(&cli, &lines);
    let commitment = report["recordCommitment"].as_str().unwrap();
    let ended = cli.run_with(&format!("verify - --commitment {commitment}"), &text);
    assert_eq!(ended.code, 0, "{}", ended.err);
    assert!(
        ended.out.contains("true") || ended.out.contains(commitment),
        "{}",
        ended.out
    );
    let ended = cli.run_with(&format!("verify - --commitment {}", "0".repeat(64)), &text);
    assert_ne!(ended.code, 0, "{}", ended.out);
}

/// A record of an unfinished game is reported as such.
#[test]
fn a_record_of_an_open_game_says_so() {
    let (_server, cli) = server();
    let _done = cli.out("create dominion Ada Bob --quiet");
    let record = cli.out("export last");
    let report = json(&cli.run_with("verify - -o json", &record).out);
    assert_eq!(report["over"], false);
    let table = cli.run_with("verify - -o table", &record).out;
    assert!(table.contains("the game is not over"), "{table}");
}
