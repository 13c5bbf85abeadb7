//! Other beginnings, and records that become games again.

use std::fs;
use std::path::Path;

use gamekeeper_tests::cli::{Cli, json};
use gamekeeper_tests::http::send;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED};
use gamekeeper_tools::recorded::convert;
use serde_json::Value;

/// The red team's finished game, which began late, as a file.
fn finished(server: &Gamekeeperd) -> (Cli, String) {
    let red = Cli::at(server.address()).bearing(RED);
    let created = red.out("create dominion Ada Bob --start late -o json");
    let game = &json(&created)["table"]["game"];
    assert_eq!(game["start"], "GAME_START_LATE");
    let _played = red.out("bot last --seat 1,2 --choices 1 --until-version 9");
    let _ended = red.out("end last");
    let file = red.file("game.jsonl");
    let _exported = red.out(&format!("export last --to {file}"));
    (red, file)
}

fn report(cli: &Cli, record: &str) -> Value {
    let verified = cli.run_with("verify - -o json", record);
    assert_eq!(verified.code, 0, "{}", verified.err);
    json(&verified.out)
}

#[test]
fn a_game_that_began_late_is_told_verified_and_imported() {
    let keys = KeyFiles::new();
    let server = keys.server_for_teams(&["--store=memory"]);
    let (red, file) = finished(&server);
    let told = red.out("info last -o table");
    assert!(
        told.contains("late, on the table of a game played at random"),
        "{told}"
    );
    let events = red.out("events last -o table");
    assert!(events.contains("The game begins late"), "{events}");
    let verified = red.out(&format!("verify {file} -o table"));
    assert!(verified.contains("made again from its seed"), "{verified}");

    // Another team goes on with the record, and its own record is proved.
    let blue = Cli::at(server.address()).bearing(BLUE);
    let imported = json(&blue.out(&format!(
        "import {file} Cyd Dan --at 4 --user 1=c-1 -o json"
    )));
    let game = &imported["game"];
    assert_eq!(
        (&game["version"], &game["importedVersions"]),
        (&"4".into(), &"4".into())
    );
    assert_eq!(
        (&game["players"][0]["user"], &game["start"]),
        (&"c-1".into(), &"GAME_START_LATE".into())
    );
    let _played = blue.out("bot last --seat 1,2 --choices 1 --until-version 8");
    let _ended = blue.out("end last");
    let report = report(&blue, &blue.out("export last"));
    assert_eq!(report["seedRevealed"], true, "also the seed of the origin");

    let whole = blue.out(&format!("import {file} -o table"));
    let newest = json(&red.out("info last -o json"))["version"].clone();
    let expected = format!("versions 1 to {}, from a record", newest.as_str().unwrap());
    assert!(whole.contains(&expected), "{whole}");
    let damaged = fs::read_to_string(&file)
        .unwrap()
        .replacen("\"seat\":2", "\"seat\":1", 40);
    let refused = blue.run_with("import -", &damaged);
    assert!(refused.err.contains("RECORD_REFUSED"), "{}", refused.err);
}

/// Only operators have the record of a game that is being played.
#[test]
fn operators_move_a_game_that_is_being_played() {
    let keys = KeyFiles::new();
    let (from, to) = (
        keys.server_for_teams(&["--store=memory"]),
        keys.server_for_teams(&["--store=memory"]),
    );
    let red = Cli::at(from.address()).bearing(RED);
    let id = red.out("create caylus Ada Bob --quiet");
    let operator = Cli::at(from.address()).bearing(OPERATOR);
    let file = operator.file("game.jsonl");
    let _exported = operator.out(&format!("export {} --to {file}", id.trim()));
    let there = Cli::at(to.address()).bearing(OPERATOR);
    let unnamed = there.run(&format!("import {file}"));
    assert!(unnamed.err.contains("plan.tenant"), "{}", unnamed.err);
    let moved = there.out(&format!("import {file} --tenant red --quiet"));
    let red = Cli::at(to.address()).bearing(RED);
    let info = json(&red.out(&format!("info {} -o json", moved.trim())));
    assert_eq!(info["forkedFrom"]["gameId"], id.trim());
    let refused = red.run(&format!("import {file}"));
    assert!(refused.err.contains("NOT_ALLOWED"), "{}", refused.err);
}

/// The lines that an export prints, behind a plan.
#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_imported_as_lines_of_json() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let cli = Cli::at(server.address());
    let _created = cli.out("create dominion Ada Bob --quiet");
    let _played = cli.out("bot last --seat 1,2 --choices 1 --until-version 6");
    let _ended = cli.out("end last");
    let record = cli.out("export last");
    let import = async |lines: &str| {
        let headers = [("content-type", "application/json")];
        let path = "/gamekeeper.v1.GameService/ImportGame";
        let answer = send(server.address(), "POST", path, &headers, lines).await;
        (answer.status, json(&answer.body))
    };
    let plan = "{\"plan\":{\"atVersion\":3}}\n\n";
    let (status, imported) = import(&format!("{plan}{record}")).await;
    assert_eq!(
        (status, &imported["game"]["version"]),
        (200, &"3".into()),
        "{imported}"
    );
    let (status, imported) = import(&format!("{plan}{}", record.trim_end())).await;
    assert_eq!(
        (status, &imported["game"]["version"]),
        (200, &"3".into()),
        "{imported}"
    );
    for (lines, field) in [
        (record.clone(), "part"),
        (plan.to_owned(), "header"),
        (format!("{plan}{plan}{record}"), "plan"),
        (String::new(), "part"),
    ] {
        let (status, refused) = import(&lines).await;
        assert_eq!(status, 400, "{refused}");
        let message = refused["message"].as_str().unwrap();
        assert!(message.starts_with(field), "{message}");
    }
    let half: String = record
        .lines()
        .take(4)
        .map(|line| format!("{line}\n"))
        .collect();
    let (status, refused) = import(&format!("{plan}{half}")).await;
    assert_eq!(status, 400, "{refused}");
    assert!(refused.to_string().contains("RECORD_REFUSED"), "{refused}");
    let (status, refused) = import(&format!("{plan}nonsense\n{record}")).await;
    assert_eq!(status, 400, "{refused}");
    assert!(
        refused.to_string().contains("MALFORMED_MESSAGE"),
        "{refused}"
    );
}

/// The games by which the rules are tested become games of a server, and end with the points of the recording.
#[test]
fn recorded_games_of_terra_mystica_are_imported() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let cli = Cli::at(server.address());
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/rules/tests/terra_mystica_games");
    let mut finished = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let converted = convert(&text, 1_700_000_000_000).unwrap();
        let imported = cli.run_with("import - -o json", &converted.lines);
        assert_eq!(imported.code, 0, "{}", imported.err);
        let game = &json(&imported.out)["game"];
        assert_eq!(game["importedVersions"], converted.versions.to_string());
        let recorded = json(&text);
        let factions = recorded["setup"]["seat_order"].as_array().unwrap().iter();
        let totals = factions
            .filter_map(|faction| recorded["final"][faction.as_str().unwrap()]["total"].as_i64());
        let totals: Vec<i64> = totals.collect();
        let standings = game["standings"].as_array();
        let mut scores: Vec<(i64, i64)> = standings
            .into_iter()
            .flatten()
            .map(|one| {
                (
                    one["seat"].as_i64().unwrap(),
                    one["score"].as_i64().unwrap(),
                )
            })
            .collect();
        scores.sort_unstable();
        let scores: Vec<i64> = scores.into_iter().map(|(_, score)| score).collect();
        assert_eq!(scores, totals, "{game}");
        finished += usize::from(!totals.is_empty());
    }
    assert_eq!(finished, 16, "one recording breaks off");
}
