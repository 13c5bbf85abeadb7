//! `gamekeeper rulesets`

use gamekeeper_proto::gamekeeper::v1::{ListRulesetsRequest, ListRulesetsResponse, Ruleset};
use gamekeeper_rules::table::text::{BOLD, Columns, styled, wrap};
use gamekeeper_wire::contract::comment;
use gamekeeper_wire::{option_in_words, value_in_words};
use prost_reflect::{FieldDescriptor, Kind, ServiceDescriptor};

use crate::contract::{field_message, method};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

/// A terminal of this width has room for everything.
const WIDE: usize = 100;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show the options and actions of this ruleset
    #[arg(value_name = "RULESET")]
    id: Option<String>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let request = ListRulesetsRequest::default();
    let answer: ListRulesetsResponse = session.games("ListRulesets", &request).await?;
    let mut rulesets = answer.rulesets;
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
            .try_for_each(|ruleset| output.json(&session.contract.shared("Ruleset", ruleset)?));
    }
    match (&args.id, rulesets.first()) {
        (Some(id), Some(ruleset)) => {
            output.line(options(ruleset, output.width()))?;
            // The server may keep rulesets that this program has never heard of.
            match session.contract.ruleset(id) {
                Ok(service) => output.line(actions(&service, output.width())?),
                Err(_) => Ok(()),
            }
        }
        _ => output.line(table(&rulesets, output.width())),
    }
}

/// Names of services are shown where there is room for them.
fn table(rulesets: &[Ruleset], width: usize) -> Columns {
    let shown = if width < WIDE { 4 } else { 5 };
    let mut columns = Columns::new(&["RULESET", "TITLE", "SEATS", "RULES", "SERVICE"][..shown]);
    for ruleset in rulesets {
        let cells = [
            ruleset.id.clone(),
            ruleset.title.clone(),
            format!("{}-{}", ruleset.min_seats, ruleset.max_seats),
            format!("rev. {}", ruleset.rules_revision),
            ruleset.service.clone(),
        ];
        columns.row(cells.into_iter().take(shown));
    }
    columns
}

fn options(ruleset: &Ruleset, width: usize) -> String {
    let Ruleset {
        title,
        min_seats,
        max_seats,
        options,
        ..
    } = ruleset;
    let mut text = format!("{}, {min_seats} to {max_seats} seats", styled(BOLD, title));
    for option in options {
        let default = option.default_value.as_ref().map(value_in_words);
        let lines = [option.description.clone(), option_in_words(option)]
            .into_iter()
            .chain(default.map(|default| format!("Default: {default}")));
        text += &format!("\n\n{}", styled(BOLD, &option.field));
        for line in lines {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            text += &format!("\n{}", wrap(&words, " ", "  ", "    ", width));
        }
    }
    text
}

/// What a player can send, from the comments of the contract.
fn actions(service: &ServiceDescriptor, width: usize) -> Result<String, Failure> {
    let action = field_message(&method(service, "ApplyAction")?.input(), "action")?;
    let mut text = format!("\n{}", styled(BOLD, "Actions, as protobuf JSON"));
    for field in action.fields() {
        let Kind::Message(body) = field.kind() else {
            continue;
        };
        let fields: Vec<_> = body.fields().map(|field| signature(&field)).collect();
        let json = format!("{{\"{}\": {{{}}}}}", field.json_name(), fields.join(", "));
        let told = comment(&body.parent_file(), body.path());
        let words: Vec<String> = told.split(' ').map(str::to_owned).collect();
        text += &format!(
            "\n  {json}\n{}",
            wrap(&words, " ", "      ", "      ", width)
        );
    }
    Ok(text)
}

/// `"cards": [Card]`
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
