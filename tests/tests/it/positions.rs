//! Games that begin on a table that somebody describes, through the command line and the doors of a server.

use std::fs;

use gamekeeper_tests::cli::{Cli, json};
use gamekeeper_tests::http::send;
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED};
use serde_json::{Value, json as object};

/// The second of five turns, without the order of the prizes to come.
fn second_turn() -> Value {
    let cards = |names: &[&str]| -> Vec<String> {
        names.iter().map(|name| format!("CARD_{name}")).collect()
    };
    object!({"goofspiel": {
        "options": {"cards": 5},
        "offered": cards(&["TWO"]),
        "players": [
            {"seat": 1, "hand": cards(&["ACE", "TWO", "THREE", "FOUR"]), "won": cards(&["FIVE"])},
            {"seat": 2, "hand": cards(&["TWO", "THREE", "FOUR", "FIVE"])},
        ],
    }})
}

fn file_of(cli: &Cli, name: &str, table: &Value) -> String {
    let file = cli.file(name);
    fs::write(&file, table.to_string()).unwrap();
    file
}

fn server_for_teams(keys: &KeyFiles) -> Gamekeeperd {
    keys.server_for_teams(&["--store=memory", "--serve-examples"])
}

/// A tenant describes a table by hand; seats and spectators see what they see of any, and the record proves the rest.
#[test]
fn a_described_table_becomes_a_game_that_verifies() {
    let keys = KeyFiles::new();
    let server = server_for_teams(&keys);
    let red = Cli::at(server.address()).bearing(RED);
    let file = file_of(&red, "table.json", &second_turn());
    let begin = format!("create goofspiel Ada Bob --from {file} --request-id once -o json");
    let created = json(&red.out(&begin));
    let game = &created["table"]["game"];
    assert_eq!(game["start"], "GAME_START_POSITION");
    assert_eq!(game["startDealt"], true);
    assert_eq!(json(&red.out(&begin))["table"]["game"], *game, "a retry");
    let told = red.out("events last -o table");
    assert!(told.contains("luck has dealt"), "{told}");
    let info = red.out("info last -o table");
    assert!(
        info.contains("on a table that its creator has described"),
        "{info}"
    );
    for viewer in ["--seat 1", "--spectator"] {
        let shown = json(&red.out(&format!("show last {viewer} -o json")));
        let view = &shown["table"]["view"]["goofspiel"];
        assert_eq!(view["turn"], 2, "{shown}");
        for secret in ["order", "turnedUp"] {
            assert!(
                view.get(secret).is_none_or(|list| *list == object!([])),
                "{shown}"
            );
        }
    }
    let secret = red.run("position last");
    assert!(secret.err.contains("NOT_ALLOWED"), "{}", secret.err);

    let _played = red.out("bot last --seat 1,2");
    let record = red.file("game.jsonl");
    let _exported = red.out(&format!("export last --to {record}"));
    let verified = json(&red.out(&format!("verify {record} -o json")));
    assert_eq!(verified["seedRevealed"], true);
    let told = red.out(&format!("verify {record} -o table"));
    assert!(told.contains("made again from its description"), "{told}");
    let exported = fs::read_to_string(&record).unwrap();
    let header = json(exported.lines().next().unwrap());
    let position = &header["header"]["startPosition"]["goofspiel"];
    assert_eq!(position["offered"], object!(["CARD_TWO"]));
    let other = exported.replacen("\"CARD_FIVE\"", "\"CARD_ACE\"", 1);
    let refused = red.run_with("verify -", &other);
    assert_ne!(refused.code, 0, "{}", refused.out);

    let blue = Cli::at(server.address()).bearing(BLUE);
    let imported = json(&blue.out(&format!("import {record} --at 2 -o json")));
    assert_eq!(imported["game"]["start"], "GAME_START_POSITION");
    let fork = json(&red.out("fork last --at 1 -o json"));
    assert_eq!(fork["game"]["startDealt"], true);
}

/// A table that operators print begins another game on the same table, in which luck dealt nothing.
#[test]
fn operators_begin_a_game_on_the_table_of_another() {
    let keys = KeyFiles::new();
    let server = server_for_teams(&keys);
    let red = Cli::at(server.address()).bearing(RED);
    let id = red.out("create goofspiel Ada Bob Cyd --quiet");
    let _played = red.out("bot last --seat 1,2,3 --choices 1 --until-version 8");
    let operator = Cli::at(server.address()).bearing(OPERATOR);
    let table = operator.out(&format!("position {}", id.trim()));
    let file = red.file("table.json");
    fs::write(&file, &table).unwrap();
    let drawn = red.out(&format!("draw --from {file}"));
    assert!(
        drawn.contains("<svg") && drawn.contains("Seat 3"),
        "{drawn}"
    );
    let begun = red.out(&format!(
        "create goofspiel Ada Bob Cyd --from {file} --quiet"
    ));
    let again = operator.out(&format!("position {}", begun.trim()));
    assert_eq!(json(&again), json(&table));
    let info = json(&red.out("info last -o json"));
    assert!(info["startDealt"] != true, "{info}");
}

/// Refusals name field, value, what is allowed, and the rule, at every door.
#[tokio::test(flavor = "multi_thread")]
async fn broken_tables_are_refused_with_a_reason() {
    let server = Gamekeeperd::start(&["--store=memory", "--serve-examples"]);
    let cli = Cli::at(server.address());
    let refused = |table: &Value, ruleset: &str| {
        let file = file_of(&cli, "broken.json", table);
        cli.run(&format!("create {ruleset} Ada Bob --from {file}"))
            .err
    };
    let mut broken = second_turn();
    broken["goofspiel"]["players"][1]["bid"] = "CARD_ACE".into();
    let message = refused(&broken, "goofspiel");
    assert!(message.contains("INVALID_POSITION (GOO-15.3)"), "{message}");
    let body = object!({
        "ruleset": "goofspiel", "players": [{"name": "Ada"}, {"name": "Bob"}],
        "options": {"goofspiel": {"cards": 5}}, "position": broken,
    });
    let headers = [("content-type", "application/json")];
    let path = "/gamekeeper.v1.GameService/CreateGame";
    let answer = send(server.address(), "POST", path, &headers, &body.to_string()).await;
    assert_eq!(answer.status, 400, "{}", answer.body);
    let metadata = json(&answer.body)["details"][0]["debug"]["metadata"].clone();
    let expected = object!({
        "rule": "GOO-15.3", "field": "position.goofspiel.players[1].bid",
        "found": "Ace", "allowed": "2, 3, 4 and 5",
    });
    assert_eq!(metadata, expected, "{}", answer.body);

    let mut wrong = second_turn();
    wrong["goofspiel"]["turn"] = 4.into();
    let message = refused(&wrong, "goofspiel");
    assert!(message.contains("INVALID_POSITION"), "{message}");
    assert!(message.contains("allowed: 2"), "{message}");
    let message = refused(&second_turn(), "dominion");
    assert!(
        message.contains("a table of goofspiel, not of dominion"),
        "{message}"
    );
    let starts = json(&cli.out("rulesets goofspiel -o json"));
    assert!(
        starts.to_string().contains("GAME_START_POSITION"),
        "{starts}"
    );
}
