//! The command line for teams that train bots: many games, records, named connections.

use std::fs;

use gamekeeper_tests::cli::{Cli, json, server};
use serde_json::Value;

/// Returns the counts of a self-play, without its duration.
fn tally(cli: &Cli, arguments: &str) -> Value {
    let mut tally = json(&cli.out(&format!("selfplay {arguments} -o json")));
    assert!(tally["seconds"].take().is_number());
    tally
}

#[test]
fn games_are_the_same_by_the_rules_by_the_stream_and_by_calls() {
    let (_server, cli) = server();
    for (ruleset, policy) in [
        ("dominion", "random"),
        ("dominion", "greedy,kinds"),
        ("dominion", "bm-smithy1,bm-militia1"),
        ("kingsburg", "search,greedy --playouts 3"),
        ("caylus", "random"),
        ("kingsburg", "greedy"),
        ("terra_mystica", "random"),
    ] {
        let game = format!("{ruleset} --policy {policy} --games 2");
        let rules = tally(&cli, &game);
        assert_eq!(
            (&rules["games"], &rules["unfinished"]),
            (&2.into(), &0.into()),
            "{rules}"
        );
        assert_eq!(tally(&cli, &format!("{game} --jobs 1")), rules, "{game}");
        assert_eq!(
            tally(&cli, &format!("{game} --through stream --batch 2")),
            rules,
            "{game}"
        );
        assert_eq!(
            tally(&cli, &format!("{game} --through calls")),
            rules,
            "{game}"
        );
        assert_ne!(
            tally(&cli, &format!("{game} --seed 2")),
            rules,
            "another seed, other games"
        );
    }
}

#[test]
fn games_begin_rich_and_late_by_the_rules_and_by_the_stream() {
    let (_server, cli) = server();
    for ruleset in ["dominion", "terra_mystica", "mythotopia"] {
        for start in ["rich", "late"] {
            let game = format!("{ruleset} --games 3 --until-version 40 --start {start}");
            let rules = tally(&cli, &game);
            let stream = tally(&cli, &format!("{game} --through stream --batch 2"));
            assert_eq!(stream, rules, "{game}");
        }
    }
    let ended = cli.run("selfplay dominion --start rich --through calls");
    assert_eq!(ended.code, 2, "{}", ended.err);
}

/// Two tables in files, as `gamekeeper position` prints them: game number n begins on the first or on the second.
#[test]
fn games_begin_on_described_tables_by_the_rules_by_the_stream_and_by_calls() {
    let (_server, cli) = server();
    for ruleset in ["dominion", "kingsburg"] {
        let mut from = String::new();
        for version in [6, 9] {
            let _id = cli.out(&format!("create {ruleset} Ada Bob --seed {version}"));
            let bots = "bot last --seat 1,2 --policy random --until-version";
            let _moves = cli.out(&format!("{bots} {version}"));
            let file = cli.file(&format!("{ruleset}-{version}.json"));
            fs::write(&file, cli.out("position last")).unwrap();
            from = format!("{from} --from {file}");
        }
        let game = format!("{ruleset} --policy greedy,random --games 3");
        let rules = tally(&cli, &format!("{game}{from}"));
        for through in ["stream --batch 2", "calls"] {
            let other = tally(&cli, &format!("{game}{from} --through {through}"));
            assert_eq!(other, rules, "{ruleset} {through}");
        }
        assert_ne!(tally(&cli, &game), rules, "other tables, other games");
        let duel = "--seats greedy,random --games 2 -o json";
        let result = json(&cli.out(&format!("tournament {ruleset} {duel}{from}")));
        assert_eq!(result["games"], 2, "{result}");
        let both = cli.run(&format!("selfplay {ruleset} --start late{from}"));
        assert_eq!(both.code, 2, "{}", both.err);
    }
    let foreign = cli.file("dominion-6.json");
    let foreign = cli.run(&format!("selfplay kingsburg --from {foreign}"));
    assert_eq!(foreign.code, 2, "{}", foreign.err);
    assert!(
        foreign
            .err
            .contains("a table of dominion, not of kingsburg")
    );
}

#[test]
fn worlds_of_a_seat_are_shown_whole() {
    let (_server, cli) = server();
    let _id = cli.out("create dominion Ada Bob --seed 3");
    let sample = "sample last --seat 1 --worlds 20 --seed 5";
    let worlds = cli.out(sample);
    let worlds: Vec<Value> = worlds.lines().map(json).collect();
    assert_eq!(worlds.len(), 20);
    let players = |world: &Value| world["players"].clone();
    for world in &worlds {
        let hand = &players(world)[1]["hand"];
        assert!(hand.is_array() || hand.is_object(), "{world}");
        assert_eq!(players(world)[0]["hand"], players(&worlds[0])[0]["hand"]);
    }
    assert!(
        worlds
            .iter()
            .any(|world| players(world) != players(&worlds[0]))
    );
    let again: Vec<Value> = cli.out(sample).lines().map(json).collect();
    assert_eq!(again, worlds, "the same seed, the same worlds");
    let shown = cli.out("sample last --seat 2 --worlds 2 -o table");
    for text in ["World 1 of 2", "World 2 of 2", "Ada", "Bob"] {
        assert!(shown.contains(text), "{shown}");
    }
}

#[test]
fn greed_beats_chance() {
    let (_server, cli) = server();
    let tally = tally(&cli, "dominion --policy greedy,random --games 20");
    assert_eq!(tally["unfinished"], 0);
    assert!(
        tally["seats"][0]["share"].as_f64().unwrap() > 0.8,
        "{tally}"
    );
}

#[test]
fn tournaments_count_by_policy_whatever_the_seat() {
    let (_server, cli) = server();
    let run = |arguments: &str| {
        let mut tally = json(&cli.out(&format!("tournament kingsburg {arguments} -o json")));
        assert!(tally["seconds"].take().is_number());
        tally
    };
    let tally = run("--seats greedy,random --games 30");
    assert_eq!(
        (&tally["games"], &tally["unfinished"]),
        (&30.into(), &0.into())
    );
    let share = |of: &Value| of["share"].as_f64().unwrap();
    let (greedy, random) = (&tally["seats"][0], &tally["seats"][1]);
    assert!(share(greedy) > 0.8, "{tally}");
    assert!((share(greedy) + share(random) - 1.0).abs() < 1e-9);
    assert!(greedy["low"].as_f64() < greedy["share"].as_f64());
    // In reverse order the same policy wins: seats change from game to game.
    let turned = run("--seats random,greedy --games 30");
    assert!(share(&turned["seats"][1]) > 0.8, "{turned}");
    assert_eq!(run("--seats greedy,random --games 30 --jobs 1"), tally);
    let shown =
        cli.out("tournament kingsburg --seats search,random --games 2 --think 1ms -o table");
    assert!(
        shown.contains("PLAYER") && shown.contains("95 %"),
        "{shown}"
    );
}

#[test]
fn a_ladder_rates_every_policy_of_a_ruleset() {
    let (_server, cli) = server();
    let run = |arguments: &str| {
        let mut ladder = json(&cli.out(&format!("ladder {arguments} -o json")));
        assert!(ladder["seconds"].take().is_number());
        ladder
    };
    let few = "kingsburg --policies random,kinds,greedy,search --rounds 2 --games 4 --playouts 4";
    let ladder = run(few);
    assert_eq!(ladder["games"], 6 * 2 * 4);
    let rated = ladder["policies"].as_array().unwrap();
    let mut names: Vec<_> = rated.iter().map(|one| one["policy"].as_str()).collect();
    let best = [names[0].unwrap(), names[1].unwrap()];
    assert!(
        best.contains(&"search") && best.contains(&"greedy"),
        "{ladder}"
    );
    names.sort_unstable();
    assert_eq!(
        names,
        ["greedy", "kinds", "random", "search"].map(Some),
        "{ladder}"
    );
    assert_eq!(run(&format!("{few} --jobs 1")), ladder);
    assert_ne!(run(&format!("{few} --seed 2")), ladder);
    // Unless some are named, the ladder has all policies of the ruleset.
    let ladder = run("goofspiel --rounds 1 --games 2");
    let rated = ladder["policies"].as_array().unwrap();
    assert_eq!(rated.len(), 7, "{ladder}");
    let shown = cli.out("ladder kingsburg --policies greedy,random --rounds 1 -o table");
    assert!(
        shown.contains("RATING") && shown.contains("greedy"),
        "{shown}"
    );
}

#[test]
fn bots_that_think_play_stored_games_to_their_end() {
    let (_server, cli) = server();
    for (ruleset, policy) in [
        ("kingsburg", "search --playouts 2"),
        ("dominion", "greedy"),
        ("dominion", "bm-smithy2"),
        ("caylus", "greedy"),
        ("terra_mystica", "greedy"),
        ("mythotopia", "greedy"),
    ] {
        let play = || {
            let id = cli.out(&format!("create {ruleset} Ada Bob --seed 5 --quiet"));
            let _played = cli.out(&format!(
                "bot {} --seat 1,2 --choices 1 --policy {policy}",
                id.trim()
            ));
            json(&cli.out(&format!("info {}", id.trim())))
        };
        let (one, again) = (play(), play());
        assert_eq!(one["status"], "GAME_STATUS_FINISHED", "{one}");
        // The same seeds give the same game.
        assert_eq!(one["version"], again["version"], "{ruleset}");
        assert_eq!(one["standings"], again["standings"], "{ruleset}");
    }
    let _id = cli.out("create dominion Ada Bob --seed 5");
    let moves = cli
        .out("bot last --seat 1,2 --policy search --playouts 1 --moves --until-version 4 -o table");
    assert!(moves.contains(" seat "), "{moves}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let (_server, cli) = server();
    for (arguments, code) in [
        ("selfplay chess", 2),
        ("selfplay dominion --games 0", 2),
        ("selfplay dominion --seats 5", 3),
        ("tournament chess", 2),
        ("tournament kingsburg --seats bm0,random", 2),
        ("selfplay kingsburg --policy bm0", 2),
        ("selfplay dominion --policy bm99", 2),
        ("play kingsburg --against bm0", 2),
        ("tournament dominion --seats greedy", 3),
        ("ladder chess", 2),
        ("ladder kingsburg --policies greedy", 2),
        ("ladder kingsburg --policies greedy,greedy", 2),
        ("ladder kingsburg --policies greedy,bm0", 2),
        ("ladder kingsburg --games 0", 2),
        ("selfplay dominion --seats 5 --through stream", 3),
        ("selfplay dominion --options {\"kingdom\":1}", 8),
        (
            "selfplay dominion --through stream --batch 100000 --games 100000",
            8,
        ),
        (
            "selfplay dominion --through stream --server http://127.0.0.1:1 --retries 0",
            5,
        ),
    ] {
        let ended = cli.run(arguments);
        assert_eq!(ended.code, code, "{arguments}: {}", ended.err);
        assert!(ended.err.starts_with("error: "), "{}", ended.err);
    }
}

#[test]
fn a_record_is_replayed_to_any_version_as_the_server_showed_it() {
    let (_server, cli) = server();
    let _id = cli.out("create dominion Ada Bob --seed 3");
    let _played = cli.out("bot last --seat 1,2 --choices 1 --policy greedy");
    let file = cli.file("game.jsonl");
    let _exported = cli.out(&format!("export last --to {file}"));
    for version in [1, 2, 33] {
        for viewer in ["--spectator", "--seat 1", "--seat 2"] {
            let shown = json(&cli.out(&format!("show last --at {version} {viewer}")));
            let online = json(&cli.out(&format!("replay last --to {version} {viewer}")));
            assert_eq!(online, shown);
            let offline = json(&cli.out(&format!("replay {file} --to {version} {viewer}")));
            let shown_view = &shown["table"]["view"]["dominion"];
            assert_eq!(offline, *shown_view, "version {version} {viewer}");
            // The server draws the same board as the rules in the program.
            let shown = cli.out(&format!("show last --at {version} {viewer} -o table"));
            let offline = cli.out(&format!("replay {file} --to {version} {viewer} -o table"));
            assert!(offline.ends_with(&shown), "{offline}\n{shown}");
        }
    }
    let newest = cli.out(&format!("replay {file} -o table"));
    assert!(
        newest.contains("RANK") && newest.contains("Ada"),
        "{newest}"
    );
    let played = cli.out(&format!("replay {file} --to 2 -o table"));
    assert!(
        played.starts_with("Ada: ") || played.starts_with("Bob: "),
        "{played}"
    );
    assert_eq!(cli.run(&format!("replay {file} --to 100000")).code, 2);
    assert_eq!(cli.run(&format!("replay {file} --to 0")).code, 2);
}

#[test]
fn connections_have_names() {
    let (server, cli) = server();
    let address = format!("http://{}", server.address());
    // The server is taken from the context alone.
    let alone = |arguments: &str| {
        let mut command = cli.command(arguments);
        let output = command.env_remove("GAMEKEEPER_SERVER").output().unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    assert_eq!(alone(&format!("context add here --server {address}")).0, 0);
    assert_eq!(
        alone("context add nowhere --server http://127.0.0.1:1").0,
        0
    );
    assert_eq!(
        alone("list --retries 0").0,
        5,
        "the one that was added last is in use"
    );
    assert_eq!(alone("list --context here").0, 0);
    assert_eq!(alone("context use here").0, 0);
    assert_eq!(alone("list").0, 0);
    let listed: Vec<Value> = alone("context list").1.lines().map(json).collect();
    let names: Vec<_> = listed
        .iter()
        .map(|line| (line["name"].clone(), line["current"].clone()))
        .collect();
    assert_eq!(
        names,
        [
            ("here".into(), true.into()),
            ("nowhere".into(), false.into())
        ]
    );
    assert_eq!(alone("context remove nowhere").0, 0);
    assert_eq!(alone("context use nowhere").0, 2);
    assert_eq!(alone("list --context nowhere").0, 2);
    let doctor = alone("doctor").1;
    let version = doctor
        .lines()
        .map(json)
        .find(|line| line["check"] == "version")
        .unwrap();
    assert_eq!(
        version["text"],
        concat!("gamekeeperd ", env!("CARGO_PKG_VERSION"))
    );
}
