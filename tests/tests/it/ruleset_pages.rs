//! The page of each ruleset says what contract, code and rule document say. Written anew with
//! `GAMEKEEPER_UPDATE=1`.

mod paragraphs;
mod refusals;

use std::fmt::Write;

use gamekeeper_tests::recording::{decision_values, decisions};
use gamekeeper_wire::contract::{comment, pool};
use gamekeeper_wire::{Wire, option_in_words, option_infos, value_in_words};
use prost_reflect::{Kind, MessageDescriptor};

use super::readme::check_file;

fn options<W: Wire>() -> String {
    let mut table =
        String::from("| field | type | takes | default | meaning |\n|---|---|---|---|---|\n");
    for option in option_infos::<W>() {
        let default = option.default_value.as_ref().map(value_in_words);
        let default = default.map_or(String::new(), |value| format!("`{value}`"));
        let (field, takes) = (&option.field, option_in_words(&option));
        let (kind, told) = (&option.r#type, in_a_cell(&option.description));
        let kind = kind.rsplit('.').next().unwrap();
        writeln!(
            table,
            "| `{field}` | {kind} | {takes} | {default} | {told} |"
        )
        .unwrap();
    }
    table
}

/// What a seat can owe, with the comments of the contract, and what answers when its player has left.
fn decision_table<W: Wire>() -> String {
    let mut table = String::from("| decision | meaning | fallback |\n|---|---|---|\n");
    for (name, value) in decision_values(W::PACKAGE) {
        let told = comment(&value.parent_enum().parent_file(), value.path());
        assert!(!told.is_empty(), "{name} has no comment");
        let fallback = W::FALLBACKS.iter().find(|row| row.decision == name);
        let fallback = fallback.map_or("", |row| match row.words {
            "" => "takes the first legal action",
            words => words,
        });
        writeln!(table, "| `{name}` | {} | {fallback} |", in_a_cell(&told)).unwrap();
    }
    table
}

/// The kinds of a message with the comments of the contract.
fn kinds(package: &str, message: &str, kind: &str) -> String {
    let message = pool().get_message_by_name(&format!("{package}.{message}"));
    let mut table = format!("| {kind} | fields | meaning |\n|---|---|---|\n");
    for field in message.unwrap().fields() {
        let Kind::Message(body) = field.kind() else {
            continue;
        };
        let fields: Vec<String> = body
            .fields()
            .map(|field| format!("`{}`", field.json_name()))
            .collect();
        let told = meaning(&body);
        let (name, fields) = (field.json_name(), fields.join(" "));
        writeln!(table, "| `{name}` | {fields} | {told} |").unwrap();
    }
    table
}

fn meaning(message: &MessageDescriptor) -> String {
    let told = comment(&message.parent_file(), message.path());
    assert!(!told.is_empty(), "{} has no comment", message.full_name());
    in_a_cell(&told)
}

fn in_a_cell(text: &str) -> String {
    text.replace('|', "or")
}

macro_rules! pages {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(mod $module {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            use gamekeeper_rules::ruleset::Ruleset;

            use super::*;

            const FOLDER: &str = concat!("service/rules/src/", stringify!($module));

            #[test]
            fn its_page_is_current() {
                let page = format!("{FOLDER}/README.md");
                let package = Rules::PACKAGE;
                check_file(&page, "options", &options::<Rules>());
                check_file(&page, "decisions", &decision_table::<Rules>());
                check_file(&page, "actions", &kinds(package, "Action", "action"));
                check_file(&page, "events", &kinds(package, "Event", "event"));
                check_file(&page, "refusals", &refusals::table::<Rules>(FOLDER));
            }

            /// The enum of the contract names whatever games ask for.
            #[test]
            fn its_decisions_are_whole() {
                let told = decision_values(Rules::PACKAGE);
                for row in Rules::FALLBACKS {
                    assert!(told.iter().any(|(name, _)| *name == row.decision), "{row:?}");
                }
                for met in decisions::<Rules>() {
                    let met = met.to_lowercase();
                    assert!(told.iter().any(|(name, _)| *name == met), "{met}");
                }
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(pages);
