//! The page of each ruleset matches contract, code and rule document. `GAMEKEEPER_UPDATE=1`
//! regenerates it.

mod paragraphs;
mod refusals;

use std::collections::BTreeMap;
use std::fmt::Write;

use gamekeeper_tests::recording::{answers, decision_values};
use gamekeeper_wire::contract::{comment, pool};
use gamekeeper_wire::{Wire, option_infos, option_text, value_text};
use prost_reflect::{Kind, MessageDescriptor};

use super::readme::check_file;

/// Returns the package of a ruleset's messages.
fn package<W: Wire>() -> String {
    format!("gamekeeper.{}.v1", W::INFO.id)
}

fn options<W: Wire>() -> String {
    let mut table =
        String::from("| field | type | takes | default | meaning |\n|---|---|---|---|---|\n");
    for option in option_infos::<W>() {
        let default = option.default_value.as_ref().map(value_text);
        let default = default.map_or(String::new(), |value| format!("`{value}`"));
        let (field, takes) = (&option.field, option_text(&option));
        let (kind, description) = (&option.r#type, in_a_cell(&option.description));
        let kind = kind.rsplit('.').next().unwrap();
        writeln!(
            table,
            "| `{field}` | {kind} | {takes} | {default} | {description} |"
        )
        .unwrap();
    }
    table
}

/// Formats the decisions, with the comments of the contract and the fallback for a player who has left.
fn decision_table<W: Wire>() -> String {
    let package = package::<W>();
    let answered = answering(&package);
    let mut table =
        String::from("| decision | meaning | answered by | fallback |\n|---|---|---|---|\n");
    for (name, value) in decision_values(&package) {
        let description = comment(&value.parent_enum().parent_file(), value.path());
        assert!(!description.is_empty(), "{name} has no comment");
        let fallback = W::FALLBACKS.iter().find(|row| row.decision == name);
        let fallback = fallback.map_or("takes the first legal action", |row| row.words);
        let answers = answered.iter().filter(|(_, action)| action.answers(&name));
        let answers: Vec<_> = answers.map(|(kind, _)| format!("`{kind}`")).collect();
        assert!(!answers.is_empty(), "no action answers {name}");
        let (description, answers) = (in_a_cell(&description), answers.join(" "));
        writeln!(
            table,
            "| `{name}` | {description} | {answers} | {fallback} |"
        )
        .unwrap();
    }
    table
}

/// An action, with the contract's comment, which names the decisions that it answers.
struct Answering {
    /// The comment, with each decision in backticks.
    comment: String,
}

impl Answering {
    fn answers(&self, decision: &str) -> bool {
        self.comment.contains(&format!("`{decision}`"))
    }
}

/// Returns the actions of a ruleset by the names of their kinds.
fn answering(package: &str) -> BTreeMap<String, Answering> {
    let message = pool().get_message_by_name(&format!("{package}.Action"));
    let message = message.unwrap();
    let fields = message.fields();
    fields
        .filter(|field| field.containing_oneof().is_some())
        .map(|field| {
            let action = Answering {
                comment: comment(&field.parent_message().parent_file(), field.path()),
            };
            (field.name().to_owned(), action)
        })
        .collect()
}

/// Formats the kinds of a message with the comments of the contract.
fn kinds(package: &str, message: &str, kind: &str) -> String {
    let message = pool().get_message_by_name(&format!("{package}.{message}"));
    let mut table = format!("| {kind} | fields | meaning |\n|---|---|---|\n");
    for field in message.unwrap().fields() {
        let Kind::Message(body) = field.kind() else {
            continue;
        };
        let fields: Vec<String> = body
            .fields()
            .map(|field| format!("`{}`", field.name()))
            .collect();
        let description = meaning(&body);
        let (name, fields) = (field.name(), fields.join(" "));
        writeln!(table, "| `{name}` | {fields} | {description} |").unwrap();
    }
    table
}

fn meaning(message: &MessageDescriptor) -> String {
    let description = comment(&message.parent_file(), message.path());
    assert!(
        !description.is_empty(),
        "{} has no comment",
        message.full_name()
    );
    in_a_cell(&description)
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
                let package = &package::<Rules>();
                check_file(&page, "options", &options::<Rules>());
                check_file(&page, "decisions", &decision_table::<Rules>());
                check_file(&page, "actions", &kinds(package, "Action", "action"));
                check_file(&page, "events", &kinds(package, "Event", "event"));
                check_file(&page, "refusals", &refusals::table::<Rules>(FOLDER));
            }

            /// The page contains every refusal that occurs in games other than those it was made from.
            #[test]
            fn its_refusals_are_whole() {
                let page = format!("{}/../{FOLDER}/README.md", env!("CARGO_MANIFEST_DIR"));
                refusals::is_whole::<Rules>(&std::fs::read_to_string(page).unwrap());
            }

            /// The contract names every decision that occurs in games, and its actions.
            #[test]
            fn its_decisions_are_whole() {
                let package = package::<Rules>();
                let documented = decision_values(&package);
                for row in Rules::FALLBACKS {
                    assert!(documented.iter().any(|(name, _)| *name == row.decision), "{row:?}");
                }
                let answering = answering(&package);
                for (decision, kind) in answers::<Rules>() {
                    let met = decision.to_lowercase();
                    assert!(documented.iter().any(|(name, _)| *name == met), "{met}");
                    assert!(answering[kind].answers(&met), "{kind} answers {met}");
                }
            }
        })*
    };
}

gamekeeper_wire::for_each_ruleset!(pages);
