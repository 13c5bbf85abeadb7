//! The command line against a real server.

use std::io::{BufRead, BufReader, Write};
use std::time::Duration;

use gamekeeper_tests::cli::{Cli, Ended, json, server};
use gamekeeper_tests::server::Gamekeeperd;
use gamekeeper_tests::tokens::{BLUE, KeyFiles, OPERATOR, RED};
use serde_json::Value;

fn server_with_tokens() -> (Gamekeeperd, KeyFiles) {
    let keys = KeyFiles::new();
    (keys.server(&["--store=memory"]), keys)
}

/// The seat that has to decide.
fn to_act(cli: &Cli) -> u64 {
    json(&cli.out("info last"))["pending"][0]["seat"]
        .as_u64()
        .unwrap()
}

#[test]
fn a_legal_action_goes_through_a_pipe() {
    let (_server, cli) = server();
    let game = cli.out("create dominion Ada Bob --quiet");
    let seat = to_act(&cli);
    let legal = cli.out(&format!("legal {} --seat {seat}", game.trim()));
    let first = legal.lines().next().unwrap();
    let applied = cli.run_with(&format!("apply last --seat {seat} -f -"), first);
    assert_eq!(applied.code, 0, "{}", applied.err);
    assert_eq!(json(&applied.out)["table"]["game"]["version"], "2");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let (_server, cli) = server();
    let _created = cli.out("create dominion Ada Bob");
    let mut watch = cli.spawn("events last");
    drop(watch.stdout.take());
    let ended = Ended::from(watch.wait_with_output().unwrap());
    assert_eq!(ended.err, "");
}

#[test]
fn every_kind_of_failure_has_its_exit_code_and_one_line() {
    let (_server, cli) = server();
    let _created = cli.out("create dominion Ada Bob");
    let seat = to_act(&cli);
    let action = |rest: &str| format!("apply last --seat {seat} {rest}");
    let gold = r#"{"buyCard":{"card":"CARD_GOLD"}}"#;
    assert_eq!(cli.run(&action(r#"{"endTurn":{}} --expect 1"#)).code, 0);
    let seat = to_act(&cli);
    let action = |rest: &str| format!("apply last --seat {seat} {rest}");
    let failures = [
        (
            action(gold),
            3,
            "FAILED_PRECONDITION CANNOT_AFFORD (DOM-6.10): ",
        ),
        (
            "create dominion Ada".to_owned(),
            3,
            "INVALID_ARGUMENT INVALID_PLAYER_COUNT (DOM-5.1): ",
        ),
        (
            action(r#"{"endTurn":{}} --expect 1"#),
            4,
            "ABORTED STALE_VERSION: ",
        ),
        (
            "info 00000000-0000-8000-8000-000000000000".to_owned(),
            7,
            "NOT_FOUND NO_SUCH_GAME: ",
        ),
        (action("{}"), 8, "INVALID_ARGUMENT MALFORMED: "),
        (action(r#"{"buyCart":{}}"#), 8, "not a valid Action: "),
        (
            "create chess Ada Bob".to_owned(),
            2,
            "No ruleset \"chess\". There are caylus, ",
        ),
        ("verify /nowhere".to_owned(), 1, "/nowhere: "),
        (
            "list --server http://127.0.0.1:1 --retries 0".to_owned(),
            5,
            "UNAVAILABLE: cannot connect to ",
        ),
    ];
    for (arguments, code, line) in failures {
        let ended = cli.run(&arguments);
        assert_eq!(ended.code, code, "{arguments}: {}", ended.err);
        assert!(
            ended.err.starts_with(&format!("error: {line}")),
            "{arguments}: {}",
            ended.err
        );
        assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
        assert_eq!(ended.out, "", "{arguments}");
    }
}

#[test]
fn tokens_are_kept_in_a_file_and_used_by_seat() {
    let (server, _keys) = server_with_tokens();
    let cli = Cli::at(server.address());
    assert_eq!(cli.run("create dominion Ada Bob").code, 6);
    let cli = cli.bearing(RED);
    let created = cli.out("create dominion Ada Bob");
    assert!(!created.contains("oken"), "{created}");
    let cli = cli.without_token();
    let seat = to_act(&cli);
    assert!(!cli.out(&format!("legal last --seat {seat}")).is_empty());
    let shown = json(&cli.out(&format!("show last --seat {seat}")));
    let view = &shown["table"]["view"]["dominion"];
    let player = &view["players"][usize::try_from(seat).unwrap() - 1];
    assert!(player["hand"].is_object(), "{player}");
    assert_eq!(cli.run("show last --operator").code, 6);
    assert_eq!(
        cli.run("export last").code,
        1,
        "secret until the game is over"
    );

    let cli = cli.bearing(BLUE);
    assert_eq!(
        cli.run("info last").code,
        7,
        "a foreign game looks like a missing one"
    );
    let cli = cli.bearing(OPERATOR);
    assert!(cli.out("export last").lines().count() >= 2);
}

#[test]
fn a_new_token_replaces_the_old_one() {
    let (server, _keys) = server_with_tokens();
    let mut cli = Cli::at(server.address()).bearing(RED);
    let _created = cli.out("create dominion Ada Bob");
    for (whose, path) in [("--seat 1", "/seats/1"), ("--spectator", "/spectator")] {
        let stored = |cli: &Cli| {
            let tokens = json(&std::fs::read_to_string(cli.tokens()).unwrap());
            let game = &tokens["games"][tokens["last"].as_str().unwrap()];
            game.pointer(path).unwrap().as_str().unwrap().to_owned()
        };
        let old = stored(&cli);
        cli = cli.bearing(RED);
        let shown = cli.out(&format!("rotate-token last {whose} --show-tokens"));
        assert_eq!(shown.trim(), stored(&cli));
        assert_ne!(old, stored(&cli));
        let look = format!("show last {whose}");
        cli = cli.bearing(&old);
        assert_eq!(cli.run(&look).code, 6);
        cli = cli.without_token();
        assert_eq!(cli.run(&look).code, 0);
    }
    assert_eq!(cli.run("rotate-token last").code, 2);
    assert_eq!(cli.run("rotate-token last --seat 1 --spectator").code, 2);
}

#[test]
fn tokens_are_issued_beside_others_and_revoked_together() {
    let (server, _keys) = server_with_tokens();
    let cli = Cli::at(server.address()).bearing(RED);
    let _created = cli.out("create dominion Ada Bob");
    let issue = |whose: &str| {
        let issued = json(&cli.out(&format!("token issue last {whose}")));
        issued["token"].as_str().unwrap().to_owned()
    };
    for (whose, look) in [
        ("--seat 1", "show last --seat 1"),
        ("--spectator", "show last --spectator"),
    ] {
        let tokens = [issue(whose), issue(&format!("{whose} --expires-in 1h"))];
        assert_ne!(tokens[0], tokens[1]);
        let codes = || {
            tokens.each_ref().map(|token| {
                let holder = Cli::at(server.address()).bearing(token);
                holder.run(&look.replace("last", &game(&cli))).code
            })
        };
        assert_eq!(codes(), [0, 0], "{whose}");
        let _revoked = cli.out(&format!("token revoke last {whose}"));
        assert_eq!(codes(), [6, 6], "{whose}");
    }
    assert_eq!(cli.run("token issue last").code, 2);
}

#[test]
fn a_user_gets_a_token_for_all_games() {
    let (server, _keys) = server_with_tokens();
    let cli = Cli::at(server.address()).bearing(RED);
    let _created = cli.out("create dominion Ada Bob --user 1=ada");
    let issued = json(&cli.out("token issue --user ada --expires-in 1h"));
    let token = issued["token"].as_str().unwrap();
    let ada = Cli::at(server.address()).bearing(token);
    let info = format!("info {}", game(&cli));
    let codes = || [ada.run("list").code, ada.run(&info).code];
    assert_eq!(codes(), [0, 0]);
    let _revoked = cli.out("token revoke --user ada");
    assert_eq!(codes(), [6, 6]);
    for wrong in ["--user ada --seat 1", "last --user ada", ""] {
        assert_eq!(cli.run(&format!("token issue {wrong}")).code, 2, "{wrong}");
    }
}

/// The id of the last game.
fn game(cli: &Cli) -> String {
    let info = json(&cli.out("info last"));
    info["gameId"].as_str().unwrap().to_owned()
}

#[test]
fn bots_play_to_the_end_and_the_record_verifies() {
    let (_server, cli) = server();
    let _created = cli.out("create dominion Ada Bob");
    let mut watch = cli.spawn("watch last --spectator");
    let one = cli.spawn("bot last --seat 1 --choices 1");
    let result = json(&cli.out("bot last --seat 2 --choices 2"));
    assert_eq!(Ended::from(one.wait_with_output().unwrap()).code, 0);
    assert_eq!(result["status"], "GAME_STATUS_FINISHED");
    let version: u64 = result["version"].as_str().unwrap().parse().unwrap();

    let lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let messages: Vec<Value> = lines.map(|line| json(&line.unwrap())).collect();
    assert_eq!(watch.wait().unwrap().code(), Some(0));
    let version_of = |line: &Value| -> u64 {
        let of_game = line["table"]["game"]["version"].as_str();
        of_game.unwrap().parse().unwrap()
    };
    assert!(
        messages[0]["entry"].is_null(),
        "the watch begins with the table"
    );
    let from = version_of(&messages[0]);
    let versions: Vec<u64> = messages[1..].iter().map(version_of).collect();
    assert_eq!(versions, (from + 1..=version).collect::<Vec<_>>());

    let record = cli.file("game.jsonl");
    assert_eq!(
        cli.run(&format!("export last --with-states --to {record}"))
            .code,
        0
    );
    let verified = json(&cli.out(&format!("verify {record}")));
    assert_eq!(verified["versions"], version);
    assert_eq!(verified["states"], version);
    assert_eq!(verified["seedRevealed"], true);
}

/// More streams end by their age than the client has retries, and nothing happens meanwhile.
#[test]
fn an_idle_watch_outlives_the_maximum_age_of_its_streams() {
    let server = Gamekeeperd::start(&["--store=memory", "--max-connection-age=500ms"]);
    let cli = Cli::at(server.address());
    let _created = cli.out("create dominion Ada Bob");
    let mut watch = cli.spawn("watch last --spectator");
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    let table = json(&lines.next().unwrap().unwrap());
    assert!(table["entry"].is_null(), "the watch begins with the table");
    std::thread::sleep(Duration::from_secs(5));
    let _over = cli.out("resign last --seat 2");
    assert_eq!(lines.count(), 1);
    assert_eq!(watch.wait().unwrap().code(), Some(0));
}

#[test]
fn a_person_plays_by_numbers_and_names() {
    let (_server, cli) = server();
    let _created = cli.out("create dominion Ada Bob");
    let played = cli.run_with(
        "play last --open -o table",
        "end the turn\n\n?\nnonsense\n1\nq\n",
    );
    assert_eq!(played.code, 0, "{}", played.err);
    assert_eq!(json(&cli.out("info last"))["version"], "3");
    for text in [
        "Supply",
        "Enter plays it.",
        "No legal action is called \"nonsense\"",
        "Come back with",
    ] {
        assert!(played.out.contains(text), "{text}: {}", played.out);
    }
    assert!(
        !played.out.contains('\u{1b}'),
        "no colors where nobody looks"
    );
}

#[test]
fn a_player_hears_of_the_others() {
    let (_server, cli) = server();
    let _created = cli.out("create dominion Ada Bob");
    let seat = to_act(&cli);
    let other = 3 - seat;
    let mut waiting = cli.spawn(&format!("play last --seat {other} -o table"));
    let mut lines = BufReader::new(waiting.stdout.take().unwrap()).lines();
    let mut hear = |text: &str| lines.by_ref().any(|line| line.unwrap().contains(text));
    assert!(hear("To decide: "));
    let end = format!(r#"apply last --seat {seat} {{"endTurn":{{}}}}"#);
    let _applied = cli.out(&end);
    assert!(hear("cleans up"));
    assert!(hear("end the turn"));
    waiting.stdin.take().unwrap().write_all(b"q\n").unwrap();
    assert!(hear("Come back with"));
    assert_eq!(waiting.wait().unwrap().code(), Some(0));
}

#[test]
fn a_request_is_sent_again_until_the_server_is_there() {
    let (mut server, cli) = server();
    let _created = cli.out("create dominion Ada Bob");
    server.kill();
    let ended = cli.run("list --retries 2");
    assert_eq!(ended.code, 5);
    assert_eq!(
        ended.err.matches("trying again in").count(),
        2,
        "{}",
        ended.err
    );
}

#[test]
fn the_doctor_looks_at_everything() {
    let (_server, cli) = server();
    let checks: Vec<Value> = cli.out("doctor").lines().map(json).collect();
    let names: Vec<&str> = checks
        .iter()
        .map(|check| check["check"].as_str().unwrap())
        .collect();
    assert_eq!(
        names[..7],
        [
            "program",
            "server",
            "version",
            "encryption",
            "health",
            "access",
            "tokens"
        ]
    );
    assert!(names[7..].contains(&"rules"), "{names:?}");
    assert!(checks.iter().all(|check| check["ok"] == true), "{checks:?}");
    let ended = cli.run("doctor --server http://127.0.0.1:1 --retries 0");
    assert_eq!(ended.code, 5);
    assert!(ended.out.contains("\"ok\":false"), "{}", ended.out);
}

#[test]
fn completions_are_printed_for_every_shell() {
    let (_server, cli) = server();
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            cli.out(&format!("completions {shell}"))
                .contains("rotate-token"),
            "{shell}"
        );
    }
}

#[test]
fn rules_are_read_by_their_ids() {
    let (server, _keys) = server_with_tokens();
    let cli = Cli::at(server.address()).without_token();
    let rule = json(&cli.out("rule dom-6.10"));
    assert_eq!(
        (&rule["ruleset"], &rule["chapter"]),
        (&"dominion".into(), &"6".into())
    );
    let both = cli.out("rule DOM-6.10 TM-J24 -o table");
    assert!(
        both.starts_with("DOM-6.10  Dominion, chapter 6: Flow\n- DOM-6.10 You can buy a card"),
        "{both}"
    );
    assert!(
        both.contains("\n\nTM-J24  Terra Mystica, chapter 1"),
        "{both}"
    );
    let row = cli.out("rule TM-J24 -o table");
    assert!(row.contains("ruling") && !row.contains('|'), "{row}");
    let missing = cli.run("rule CHESS-99");
    assert_eq!(missing.code, 7);
    assert_eq!(
        missing.err,
        "error: NOT_FOUND NO_SUCH_RULE: there is no rule CHESS-99\n"
    );
    let missing = cli.run(concat!("rule MYT", "-A99"));
    assert!(
        missing.err.contains("; the nearest are MYT-"),
        "{}",
        missing.err
    );
}

#[test]
fn rules_are_found_by_short_ids_names_and_words() {
    let (_server, cli) = server();
    let ids = |command: &str| -> Vec<String> {
        let id = |line: &str| json(line)["id"].as_str().unwrap_or_default().to_owned();
        cli.out(command).lines().map(id).collect()
    };
    // Everywhere, until there is a game.
    assert_eq!(ids("rule ADJ-17"), ["CAY-ADJ-17", "KIN-ADJ-17"]);
    assert_eq!(ids("rule throne room")[0], "DOM-7.21");
    assert_eq!(ids("rule market --ruleset kingsburg")[0], "KIN-7.6");
    let _created = cli.out("create kingsburg Ada Bob");
    assert_eq!(ids("rule ADJ-17"), ["KIN-ADJ-17"]);
    assert_eq!(ids("rule Market")[0], "KIN-7.6");
    assert_eq!(
        ids("rule ADJ-17 --everywhere"),
        ["CAY-ADJ-17", "KIN-ADJ-17"]
    );
    // What is not in the rules of the game may be in others.
    assert_eq!(ids("rule J20 dom-6.10"), ["TM-J20", "DOM-6.10"]);
    assert_eq!(cli.run("rule J20 --ruleset kingsburg").code, 7);
    // Some in full, the others in a line each.
    let table = cli.out("rules dominion --search trash -o table");
    assert!(
        table.contains("\n\nThese fit as well:\nDominion: "),
        "{table}"
    );
    assert!(table.lines().count() < 120, "{table}");
}

#[test]
fn players_read_the_rules_without_marks() {
    let (_server, cli) = server();
    let chapter = cli.out("rules mythotopia --chapter 6 -o table");
    assert!(chapter.starts_with("6. Flow\n"), "{chapter}");
    assert!(chapter.contains("\nMYT-6.2.2 A card"), "{chapter}");
    assert!(!chapter.contains("7. Cards"));
    for ruleset in [
        "caylus",
        "dominion",
        "kingsburg",
        "mythotopia",
        "terra_mystica",
    ] {
        for line in cli.out(&format!("rules {ruleset} -o table")).lines() {
            assert!(line.chars().count() <= 80, "{line}");
            let marked = ["**", "`", "|-"].iter().any(|markup| line.contains(markup));
            assert!(
                !marked && !line.starts_with(['|', '#']) && !line.ends_with('|'),
                "{line}"
            );
        }
    }
    let (edition, all) = (
        cli.out("rules mythotopia"),
        cli.out("rules mythotopia --all"),
    );
    assert!(edition.lines().count() > 150);
    assert!(all.lines().count() > edition.lines().count() + 100);
    assert_eq!(cli.run("rules mythotopia --chapter 12").code, 8);
    assert!(
        cli.out("rules mythotopia --chapter 12 --all")
            .contains("MYT-T4")
    );
}

#[test]
fn a_player_reads_rules_and_cards_and_combines_actions() {
    let (_server, cli) = server();
    let _created = cli.out("create mythotopia Ada Bob Cyd --seed 10 --option more_choice=true");
    // Two of nine provinces to give away: entry 1 is the first and the second, entry 2 the first and the third.
    let typed = "rule\n{\"endTurn\":{}}\nrule\nrule tm-P.44\nrule chess\ntext Cavalry\ntext chess\n1 99\n1 2\nq\n";
    let played = cli.run_with("play last --seat 1 -o table", typed);
    assert_eq!(played.code, 0, "{}", played.err);
    let assert_printed = |text: &str| assert!(played.out.contains(text), "{text}\n{}", played.out);
    assert_printed("Nothing was refused yet.");
    assert_printed(" (MYT-");
    assert_printed("To read that rule: rule");
    assert_printed("  Mythotopia, chapter ");
    assert_printed("TM-P.44  Terra Mystica, chapter P: ");
    assert_printed("NOT_FOUND NO_SUCH_RULE: there is no rule chess");
    assert_printed("name Cavalry");
    assert_printed("No component is called \"chess\".");
    assert_printed("There is no 99; the last is 36.");
    // Three provinces are one too many: the rules refuse the combined action.
    assert_printed(
        "give away Coryphee and Darb (costs 2 cards of your own, 2 towns and 6 VP) + give",
    );
}
