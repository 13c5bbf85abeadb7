//! The page of each ruleset says what the code says. Written anew with `GAMEKEEPER_UPDATE=1`.

use std::fmt::Write;

use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_tests::recording::decisions;
use gamekeeper_wire::{OptionText, Wire};
use prost_reflect::{DescriptorPool, Kind, MessageDescriptor};

use super::readme::check_file;

fn options(texts: &[OptionText]) -> String {
    let mut table = String::from("| field | meaning | values | default |\n|---|---|---|---|\n");
    for option in texts {
        let OptionText {
            name,
            description,
            values,
            default_value,
        } = option;
        writeln!(
            table,
            "| `{name}` | {description} | {values} | {default_value} |"
        )
        .unwrap();
    }
    table
}

/// The kinds of actions with the comments of the contract.
fn actions(package: &str) -> String {
    let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    let action = pool
        .get_message_by_name(&format!("{package}.Action"))
        .unwrap();
    let mut table = String::from("| action | fields | meaning |\n|---|---|---|\n");
    for field in action.fields() {
        let Kind::Message(body) = field.kind() else {
            continue;
        };
        let fields: Vec<String> = body
            .fields()
            .map(|field| format!("`{}`", field.json_name()))
            .collect();
        let told = comment(&body);
        assert!(!told.is_empty(), "{} has no comment", body.full_name());
        writeln!(
            table,
            "| `{}` | {} | {told} |",
            field.json_name(),
            fields.join(" ")
        )
        .unwrap();
    }
    table
}

/// The comment of a message, as one line.
fn comment(message: &MessageDescriptor) -> String {
    let file = message.parent_file();
    let info = file
        .file_descriptor_proto()
        .source_code_info
        .as_ref()
        .unwrap();
    let location = info.location.iter().find(|at| at.path == message.path());
    let text = location.map_or("", |at| at.leading_comments());
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "or")
}

macro_rules! pages {
    ($($module:ident: $Ruleset:ident),* $(,)?) => {
        $(#[test]
        fn $module() {
            use gamekeeper_rules::$module::$Ruleset as Rules;
            let page = format!("service/rules/src/{}/README.md", stringify!($module));
            check_file(&page, "options", &options(Rules::OPTIONS));
            let owed: Vec<String> = decisions::<Rules>().iter().map(|name| format!("`{name}`")).collect();
            check_file(&page, "decisions", &format!("{}\n", owed.join(" ")));
            check_file(&page, "actions", &actions(Rules::PACKAGE));
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(pages);
