//! `gamekeeper play` in a terminal.

use std::io::Write;

use gamekeeper_tests::cli::{Cli, server};
use gamekeeper_tests::terminal::Terminal;
use gamekeeper_tests::tokens::{KeyFiles, RED};
use serde_json::Value;

fn info(cli: &Cli) -> Value {
    serde_json::from_str(&cli.out("info last")).unwrap()
}

const PAGER: &str = "Enter: next page   l: your 10 actions   q: quit";

#[test]
fn a_number_between_pages_plays_nothing() {
    let (_server, cli) = server();
    let _created = cli.out("create dominion Ada Bob --seed 10");
    let mut terminal = Terminal::start(&cli, "play last --seat 1", (80, 24));
    terminal.until(PAGER);
    for line in ["1", "buy a Copper", "1 2", "?"] {
        terminal.type_line(line);
        terminal.until("Nothing is played between pages.");
    }
    assert_eq!(info(&cli)["version"], "1");
    terminal.type_line("");
    let list = terminal.until("what do you buy?");
    assert!(list.contains(" 1 play all Treasures"), "{list}");
    assert!(list.contains("Buy a card\n"), "{list}");
    // The line is edited: a wrong digit is erased.
    terminal.type_line("9\u{7f}1");
    let changed = terminal.until("what do you buy?");
    assert!(changed.contains("Ada plays 4 Coppers"), "{changed}");
    assert!(changed.contains("in play   Copper x4"), "{changed}");
    assert!(
        !changed.contains("Supply"),
        "only what has changed: {changed}"
    );
    terminal.type_line("t");
    assert!(terminal.until("Trash").contains("Supply"));
    terminal.until("q: quit");
    terminal.type_line("q");
    terminal.until("The game is kept. Come back with:\ngamekeeper play ");
    assert_eq!(terminal.end().1, Some(0));
    assert_eq!(info(&cli)["version"], "2");
}

#[test]
fn who_waits_hears_for_whom_and_can_ask_for_help() {
    let (_server, cli) = server();
    let _created = cli.out("create dominion Ada Bob --seed 10");
    let mut terminal = Terminal::start(&cli, "play last --seat 2", (80, 40));
    let waiting = "Waiting for Ada (seat 1). q leaves; the game is kept.";
    terminal.until(waiting);
    terminal.type_line("?");
    terminal.until("undo: take back what you did last");
    terminal.until(waiting);
    terminal.type_line("text Moat");
    terminal.until("name Moat");
    terminal.type_line("1");
    terminal.until("It is not your turn: nothing is played.");
    let _played = cli.out("apply last --seat 1 {\"endTurn\":{}}");
    // The line that is being typed is drawn again below each text, so `> ` may precede the question.
    let screen = terminal.until("Bob: Which Treasures");
    assert!(screen.contains("Ada cleans up"), "{screen}");
    assert!(screen.contains("end the turn"), "{screen}");
    terminal.type_line("q");
    terminal.until("The game is kept.");
    assert_eq!(terminal.end().1, Some(0));
}

#[test]
fn what_was_done_last_is_taken_back() {
    let (_server, cli) = server();
    let mut terminal = Terminal::start(&cli, "play caylus Ada Bob --open --seed 10", (100, 200));
    terminal.until("\nAda: ");
    terminal.type_line("1");
    terminal.until("\nBob: ");
    assert_eq!(info(&cli)["version"], "2");
    terminal.type_line("u");
    terminal.until("\nAda: ");
    let table = info(&cli);
    assert_eq!(table["version"], "3");
    assert!(table["freeTakeBacks"].is_null(), "{table}");
    // There is nothing left to take back.
    terminal.type_line("undo");
    terminal.until("Nothing is taken back: ");
}

#[test]
fn the_terminal_is_left_as_it_was_when_the_game_ends_while_somebody_waits() {
    let (_server, cli) = server();
    let _created = cli.out("create dominion Ada Bob");
    let mut terminal = Terminal::start(&cli, "play last --seat 1,2 --open", (80, 60));
    // The question comes last: a decision is pending.
    terminal.until(": Which Treasures");
    let _ended = cli.out("end last");
    terminal.until("Enter: leave");
    terminal.type_line("");
    assert_eq!(terminal.end().1, Some(0));
}

#[test]
fn one_command_plays_a_whole_game_against_a_bot() {
    let (_server, cli) = server();
    // The first action of each list: all Treasures, and then a Copper.
    let typed = "1\n".repeat(2_000);
    let played = cli.run_with(
        "play dominion Ada --against search --seed 10 -o table",
        &typed,
    );
    assert_eq!(played.code, 0, "{}", played.err);
    assert!(played.out.contains("RANK  PLAYER"), "{}", played.out);
    assert!(played.out.contains("Bot buys "), "{}", played.out);
    let info = info(&cli);
    assert_eq!(info["status"], "GAME_STATUS_FINISHED");
    assert_eq!(info["endReason"], "END_REASON_RULES");
    assert_eq!(info["players"][1]["name"], "Bot");
}

#[test]
fn bots_leave_with_the_person_and_come_back() {
    let keys = KeyFiles::new();
    let server = keys.server(&["--store=memory"]);
    let cli = Cli::at(server.address()).bearing(RED);
    let line = "play kingsburg Ada --against greedy,random --seat 2 -o table";
    let left = cli.run_with(line, "q\n");
    assert_eq!(left.code, 0, "{}", left.err);
    let again = left.out.lines().last().unwrap();
    let (_, again) = again.split_once("gamekeeper ").unwrap();
    assert!(
        again.ends_with(" --seat 2 --against greedy,random"),
        "{again}"
    );
    let version = |cli: &Cli| -> u64 { info(cli)["version"].as_str().unwrap().parse().unwrap() };
    let before = version(&cli);
    let game = info(&cli);
    let pending = game["pending"].as_array().unwrap().iter();
    assert!(
        pending.clone().any(|decision| decision["seat"] == 2),
        "the bots have played up to our turn"
    );
    let cli = cli.without_token();
    let back = cli.run_with(&format!("{again} -o table"), &"1\n".repeat(4));
    assert_eq!(back.code, 0, "{}", back.err);
    assert!(version(&cli) >= before + 4, "{}", back.out);
}

#[test]
fn a_game_needs_a_server_and_somebody_who_plays() {
    let (_server, cli) = server();
    for (line, code, message) in [
        (
            "play domnion --against search",
            2,
            "No ruleset \"domnion\". Did you mean dominion?",
        ),
        (
            "play dominion",
            2,
            "who plays? Name the players, such as Ada Bob, or play --against medium",
        ),
        (
            "play dominion Ada --against search --seats 9",
            3,
            "INVALID_PLAYER_COUNT",
        ),
        ("play dominion Ada --against chess", 2, "chess"),
        (
            "play dominion Ada Bob --option first_player=7",
            3,
            "first_player",
        ),
        (
            "play dominion Ada Bob --option begins=2",
            2,
            "no option \"begins\"",
        ),
        (
            "play last --seats 3",
            2,
            "are for a new game: give a ruleset instead of a game",
        ),
    ] {
        let ended = cli.run(&format!("{line} -o table"));
        assert_eq!(ended.code, code, "{line}: {}", ended.err);
        assert!(ended.err.contains(message), "{line}: {}", ended.err);
    }
    let nobody = cli.run("play dominion --against search --server http://127.0.0.1:1");
    assert_eq!(nobody.code, 5);
    assert_eq!(
        nobody.err,
        "error: no server answers at http://127.0.0.1:1\n"
    );
}

#[test]
fn a_script_of_lines_ends_where_its_input_ends() {
    let (_server, cli) = server();
    let mut child = cli.spawn("play dominion Ada --against random -o table");
    child.stdin.take().unwrap().write_all(b"1\n").unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    let out = String::from_utf8(ended.stdout).unwrap();
    assert!(out.contains("The game is kept."), "{out}");
}
