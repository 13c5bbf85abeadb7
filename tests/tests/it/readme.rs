//! Tables of the pages match the code. `GAMEKEEPER_UPDATE=1` regenerates them.

use std::fmt::Write;
use std::path::Path;

use clap::CommandFactory;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::Refusal;
use gamekeeperd::config::Config;
use gamekeeperd::grpc::REASONS;
use parking_lot::Mutex;

/// Compares the text between two marks in a file with the expected text.
pub(crate) fn check_file(file: &str, name: &str, expected: &str) {
    // Serialized: while the tables are regenerated, tests would overwrite each other's changes of the same file.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock();
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let text = std::fs::read_to_string(&file).unwrap();
    let (begin, end) = (
        format!("<!-- {name} -->\n"),
        format!("<!-- end of {name} -->"),
    );
    let (head, rest) = text.split_once(&begin).expect("the mark before the table");
    let (table, tail) = rest.split_once(&end).expect("the mark after the table");
    if std::env::var_os("GAMEKEEPER_UPDATE").is_some() {
        std::fs::write(&file, format!("{head}{begin}{expected}{end}{tail}")).unwrap();
    } else {
        assert_eq!(table, expected, "run this test with GAMEKEEPER_UPDATE=1");
    }
}

#[test]
fn the_settings_are_current() {
    let mut table = String::from("| flag | environment | default | meaning |\n|---|---|---|---|\n");
    for argument in Config::command().get_arguments() {
        let Some(flag) = argument.get_long() else {
            continue;
        };
        let environment = argument.get_env().map_or(String::new(), |name| {
            format!("`{}`", name.to_string_lossy())
        });
        let defaults = argument.get_default_values().iter();
        let default: Vec<_> = defaults
            .map(|value| format!("`{}`", value.to_string_lossy()))
            .collect();
        let help = argument
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        writeln!(
            table,
            "| `--{flag}` | {environment} | {} | {help} |",
            default.join(" ")
        )
        .unwrap();
    }
    check_file("deploy/SETTINGS.md", "settings", &table);
}

#[test]
fn the_reasons_of_the_service_are_current() {
    let mut table = String::from("| reason | status | when |\n|---|---|---|\n");
    for reason in REASONS {
        writeln!(
            table,
            "| `{}` | {:?} | {} |",
            reason.name, reason.code, reason.when
        )
        .unwrap();
    }
    check_file("proto/docs/reasons.md", "reasons", &table);
}

#[test]
fn the_reasons_of_the_rules_are_current() {
    let mut table = String::from("| ruleset | reasons |\n|---|---|\n");
    for (title, codes) in gamekeeper_rules::of_each_ruleset!(R => (
        R::INFO.title,
        <<R as Ruleset>::Refusal as Refusal>::CODES,
    )) {
        let codes: Vec<String> = codes.iter().map(|code| format!("`{code}`")).collect();
        writeln!(table, "| {title} | {} |", codes.join(" ")).unwrap();
    }
    check_file("proto/docs/reasons.md", "refusals", &table);
}
