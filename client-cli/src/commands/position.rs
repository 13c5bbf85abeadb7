//! `gamekeeper position`, and the files that it writes: tables on which games can begin.

use gamekeeper_proto::gamekeeper::v1::Show;
use gamekeeper_proto::raw;
use prost_reflect::prost::Message;
use prost_reflect::{DynamicMessage, Value};

use super::read_text;
use crate::args::GameArg;
use crate::contract::{message, read_wrapped, to_dynamic};
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;
use crate::token_selection::ViewerChoice;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    /// Version of the table [default: the newest]
    #[arg(long, value_name = "VERSION")]
    at: Option<u64>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let game = session.game(&args.game)?;
    let show = Show {
        view: true,
        ..Show::default()
    };
    let at = args.at.unwrap_or_default();
    let response = game.get(ViewerChoice::Operator, at, show).await?;
    let view = response.table.unwrap_or_default().view.unwrap_or_default();
    // Printed as JSON in every output format: other commands read it.
    output.json(&to_dynamic("View", &view)?)
}

/// A table that a file describes.
pub(super) struct Described {
    /// The id of the ruleset.
    pub(super) ruleset: String,
    /// The table.
    pub(super) view: raw::View,
    /// The number of players at it.
    pub(super) players: usize,
    /// The options that the table repeats. `None` if it has none, or other words for them.
    pub(super) options: Option<raw::Options>,
}

impl Described {
    /// Reads a file. A table without the name of its ruleset is one of the ruleset given here.
    pub(super) fn read(file: &str, ruleset: Option<&str>) -> Result<Self, Failure> {
        let text = read_text(file)?;
        let ruleset = match ruleset {
            Some(ruleset) => ruleset.to_owned(),
            None => named_ruleset(&text)?,
        };
        let view: raw::View = read_wrapped(&ruleset, "View", &text)?;
        let joined = to_dynamic("View", &view)?;
        let found = joined.fields().next();
        let Some((found, table)) = found.and_then(|(field, table)| {
            let table = table.as_message()?.clone();
            Some((field.name().to_owned(), table))
        }) else {
            return Err(Failure::Invalid(format!("{file} describes no table")));
        };
        if found != ruleset {
            let text = format!("{file} describes a table of {found}, not of {ruleset}");
            return Err(Failure::Usage(text));
        }
        let players = table.get_field_by_name("players");
        let players = players.as_deref().and_then(Value::as_list);
        Ok(Self {
            players: players.map_or(0, <[Value]>::len),
            options: options(&ruleset, &table)?,
            ruleset,
            view,
        })
    }
}

/// Returns the ruleset of a described table: the name of its only field.
fn named_ruleset(text: &str) -> Result<String, Failure> {
    let table: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text)
        .map_err(|error| Failure::Invalid(format!("this is no described table: {error}")))?;
    let name = table.into_iter().next().map(|(name, _)| name);
    name.ok_or_else(|| Failure::Invalid(String::from("the described table names no ruleset")))
}

/// Returns the options that a table repeats.
fn options(ruleset: &str, table: &DynamicMessage) -> Result<Option<raw::Options>, Failure> {
    if !table.has_field_by_name("options") {
        return Ok(None);
    }
    let mut joined = DynamicMessage::new(message("Options")?);
    if let Some(options) = table.get_field_by_name("options") {
        joined.set_field_by_name(ruleset, options.into_owned());
    }
    Ok(Some(raw::Options::decode(&*joined.encode_to_vec())?))
}
