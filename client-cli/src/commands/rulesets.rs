//! `gamekeeper rulesets`

use gamekeeper_proto::gamekeeper::v1::{ListRulesetsRequest, Ruleset};
use gamekeeper_rules::table::text::{BOLD, Columns, styled, wrap};
use gamekeeper_wire::contract::comment;
use gamekeeper_wire::{option_text, value_text};
use prost_reflect::{FieldDescriptor, Kind, MessageDescriptor};

use crate::contract::{ruleset_message, to_dynamic};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show the options and actions of this ruleset
    #[arg(value_name = "RULESET")]
    id: Option<String>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let request = ListRulesetsRequest::default();
    let mut rulesets = session.call(&request).await?.rulesets;
    if let Some(id) = &args.id {
        rulesets.retain(|ruleset| ruleset.id == *id);
        if rulesets.is_empty() {
            return Err(Failure::Usage(format!(
                "the server keeps no ruleset {id:?}"
            )));
        }
    }
    if output.is_json() {
        return rulesets
            .iter()
            .try_for_each(|ruleset| output.json(&to_dynamic("Ruleset", ruleset)?));
    }
    match (&args.id, rulesets.first()) {
        (Some(id), Some(ruleset)) => {
            output.line(options(ruleset, output.width()))?;
            output.line(format_args!("\n{}", bots(ruleset, output.width())))?;
            // The server may have rulesets that this program does not know; their actions cannot be listed.
            match ruleset_message(id, "Action") {
                Ok(action) => output.line(actions(&action, output.width())),
                Err(_) => Ok(()),
            }
        }
        _ => output.line(table(&rulesets)),
    }
}

fn table(rulesets: &[Ruleset]) -> Columns {
    let mut columns = Columns::new(&["RULESET", "TITLE", "SEATS", "RULES"]);
    for ruleset in rulesets {
        columns.row([
            ruleset.id.clone(),
            ruleset.title.clone(),
            format!("{}-{}", ruleset.min_seats, ruleset.max_seats),
            format!("rev. {}", ruleset.rules_revision),
        ]);
    }
    columns
}

/// Describes the options of a new game.
pub(super) fn options(ruleset: &Ruleset, width: usize) -> String {
    let Ruleset {
        title,
        min_seats,
        max_seats,
        options,
        fewest_win,
        ..
    } = ruleset;
    let mut text = format!("{}, {min_seats} to {max_seats} seats", styled(BOLD, title));
    if *fewest_win {
        text += "; the fewest points win";
    }
    for option in options {
        let default = option.default_value.as_ref().map(value_text);
        let lines = [option.description.clone(), option_text(option)]
            .into_iter()
            .chain(default.map(|default| format!("Default: {default}")));
        text += &format!("\n\n{}: {}", styled(BOLD, &option.field), option.title);
        for line in lines {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            text += &format!("\n{}", wrap(&words, " ", "  ", "    ", width));
        }
    }
    text
}

/// Lists the bots that can be chosen by their names, the levels first.
fn bots(ruleset: &Ruleset, width: usize) -> String {
    let named = |is_level: bool| {
        let policies = ruleset.policies.iter();
        let policies = policies.filter(move |policy| policy.level == is_level);
        policies.map(|policy| policy.id.clone())
    };
    let words: Vec<String> = named(true).chain(named(false)).collect();
    format!(
        "{}\n{}",
        styled(BOLD, "Bots"),
        wrap(&words, ", ", "  ", "  ", width)
    )
}

/// Lists the actions that a player can send, described by the comments of the contract.
pub(super) fn actions(action: &MessageDescriptor, width: usize) -> String {
    let mut text = format!("\n{}", styled(BOLD, "Actions, as protobuf JSON"));
    for field in action.fields() {
        let Kind::Message(body) = field.kind() else {
            continue;
        };
        let fields: Vec<_> = body.fields().map(|field| signature(&field)).collect();
        let json = format!("{{\"{}\": {{{}}}}}", field.json_name(), fields.join(", "));
        let description = comment(&body.parent_file(), body.path());
        let words: Vec<String> = description.split(' ').map(str::to_owned).collect();
        text += &format!(
            "\n  {json}\n{}",
            wrap(&words, " ", "      ", "      ", width)
        );
    }
    text
}

/// Formats a field with its type: `"cards": [Card]`.
fn signature(field: &FieldDescriptor) -> String {
    let kind = match field.kind() {
        Kind::Message(message) => message.name().to_owned(),
        Kind::Enum(kind) => kind.name().to_owned(),
        Kind::Bool => "true or false".to_owned(),
        Kind::String | Kind::Bytes => "text".to_owned(),
        Kind::Double
        | Kind::Float
        | Kind::Int32
        | Kind::Int64
        | Kind::Uint32
        | Kind::Uint64
        | Kind::Sint32
        | Kind::Sint64
        | Kind::Fixed32
        | Kind::Fixed64
        | Kind::Sfixed32
        | Kind::Sfixed64 => "number".to_owned(),
    };
    let optional = if field.supports_presence() && field.containing_oneof().is_some() {
        "?"
    } else {
        ""
    };
    let kind = if field.is_list() {
        format!("[{kind}]")
    } else {
        kind
    };
    format!("\"{}\"{optional}: {kind}", field.json_name())
}
