//! The recorded sessions of `tests/conformance/` are current, reach every refusal, and our own server
//! answers them. They are written anew with `GAMEKEEPER_UPDATE=1`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Refusal;
use gamekeeper_tests::cli::Cli;
use gamekeeper_tests::recording::{Recording, WrongOptions, record};
use gamekeeper_tests::server::Gamekeeperd;

/// More players than any table has.
const NAMES: [&str; 6] = ["Ada", "Bob", "Cyd", "Dan", "Eve", "Fay"];

/// What holds for the recording of one ruleset.
struct Script {
    /// Options that the rules refuse.
    wrong: &'static [WrongOptions],
    /// Codes that do not occur, each with the reason.
    uncovered: &'static [(&'static str, &'static str)],
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("conformance")
}

fn check(id: &str, recording: &Recording, codes: &[&str], script: &Script) {
    let listed: BTreeSet<&str> = script.uncovered.iter().map(|(code, _)| *code).collect();
    let missing: Vec<&&str> = codes
        .iter()
        .filter(|code| !recording.covered.contains(**code) && !listed.contains(**code))
        .collect();
    let file = folder().join(format!("{id}.jsonl"));
    if std::env::var_os("GAMEKEEPER_UPDATE").is_some() {
        std::fs::create_dir_all(folder()).unwrap();
        std::fs::write(&file, &recording.text).unwrap();
    }
    assert!(
        missing.is_empty(),
        "{id}: neither recorded nor listed: {missing:?}"
    );
    let needless: Vec<&&str> = listed
        .iter()
        .filter(|code| recording.covered.contains(**code))
        .collect();
    assert!(
        needless.is_empty(),
        "{id}: listed, but recorded: {needless:?}"
    );
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(
        kept == recording.text,
        "{id}: run this test with GAMEKEEPER_UPDATE=1 and review the difference"
    );
}

macro_rules! recordings {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(#[test]
        fn $module() {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            let script = script(stringify!($module));
            let given_up: Vec<&str> = script.uncovered.iter().map(|(code, _)| *code).collect();
            let recording = record::<Rules>(script.wrong, &given_up);
            let codes = <<Rules as Ruleset>::Refusal as Refusal>::codes();
            check(stringify!($module), &recording, &codes, &script);
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(recordings);

fn script(id: &str) -> Script {
    match id {
        "caylus" => CAYLUS,
        "dominion" => DOMINION,
        "kingsburg" => KINGSBURG,
        "mythotopia" => MYTHOTOPIA,
        "terra_mystica" => TERRA_MYSTICA,
        other => panic!("{other} has no script"),
    }
}

/// Why a code does not occur: the tests of the rules build the table that it needs.
const RARE: &str = "the games of the recorder do not get there, or its actions do not ask for it";

const CAYLUS: Script = Script {
    wrong: &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Bob"], r#"{"turnOrder": [1, 1]}"#),
        (
            &["Ada", "Bob"],
            r#"{"neutralOrder": ["TILE_NEUTRAL_FARM"]}"#,
        ),
    ],
    uncovered: &[
        ("NO_WORKERS", RARE),
        ("SPACE_NOT_WORKABLE", RARE),
        ("NO_FREE_SPACE", RARE),
        ("NO_RESIDENCE", RARE),
        ("NOT_YOUR_RESIDENCE", RARE),
        ("TARGET_ALREADY_PENDING", RARE),
        ("CASTLE_FULL", RARE),
        ("FAVOR_LINE_USED", RARE),
    ],
};

const DOMINION: Script = Script {
    wrong: &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (
            &["Ada", "Bob"],
            r#"{"cards": {"cards": ["CARD_CELLAR", "CARD_CELLAR"]}}"#,
        ),
        (&["Ada", "Bob"], r#"{"cards": {"cards": ["CARD_GOLD"]}}"#),
        (&["Ada", "Bob"], r#"{"firstPlayer": 3}"#),
    ],
    uncovered: &[],
};

const KINGSBURG: Script = Script {
    wrong: &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Ada"], "{}"),
        (&["Ada", "Bob"], r#"{"colors": ["COLOR_RED", "COLOR_RED"]}"#),
        (
            &["Ada", "Bob"],
            r#"{"colors": ["COLOR_RED", "COLOR_BLUE", "COLOR_GREEN"]}"#,
        ),
    ],
    uncovered: &[],
};

const MYTHOTOPIA: Script = Script {
    wrong: &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Bob"], r#"{"castleTokenValue": 9}"#),
        (&["Ada", "Bob"], r#"{"vpFloor": 101}"#),
    ],
    uncovered: &[
        ("NO_SEA_ROUTE", RARE),
        ("NO_PORT", RARE),
        ("NO_TOWN_THERE", RARE),
        ("CITADEL_PRESENT", RARE),
        ("CASTLE_PRESENT", RARE),
        ("ROAD_PRESENT", RARE),
        ("SUPPLY_EMPTY", RARE),
    ],
};

const TERRA_MYSTICA: Script = Script {
    wrong: &[
        (&["Ada"], "{}"),
        (&NAMES, "{}"),
        (&["Ada", "Bob"], r#"{"startPlayer": 3}"#),
        (
            &["Ada", "Bob"],
            r#"{"setupMode": "SETUP_MODE_CUSTOM", "factions": {"factions": ["FACTION_WITCHES"]}}"#,
        ),
    ],
    uncovered: &[("NO_EFFECT", RARE), ("KEY_CHOICE_REQUIRED", RARE)],
};

#[test]
fn our_own_server_answers_as_recorded() {
    let server = Gamekeeperd::start(&["--store=memory"]);
    let cli = Cli::at(server.address());
    let ended = cli.run(&format!("conformance {} -o json", folder().display()));
    assert_eq!(ended.code, 0, "{}{}", ended.out, ended.err);
    assert_eq!(ended.out.lines().count(), 5, "one line for each ruleset");
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
        ("INVALID_KINGDOM", "INVALID_OPTIONS"),
        ("\"version\":\"2\"", "\"version\":\"3\""),
        ("buy_phase", "sell_phase"),
    ] {
        assert!(good.contains(from), "{from}");
        let file = cli.file("wrong.jsonl");
        std::fs::write(&file, good.replacen(from, to, 1)).unwrap();
        let ended = cli.run(&format!("conformance {file}"));
        assert_eq!(ended.code, 1, "{from}: {}{}", ended.out, ended.err);
    }
    let file = cli.file("good.jsonl");
    std::fs::write(&file, good).unwrap();
    assert_eq!(cli.run(&format!("conformance {file}")).code, 0);
}
