//! `gamekeeper events`

use gamekeeper_proto::raw::LogEntry;
use gamekeeper_rules::table::text::{DIM, styled, wrap};

use crate::args::{GameArg, ViewerArg};
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;
use crate::token_selection::ViewerChoice;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    viewer: ViewerArg,
    /// Only what happened after this version
    #[arg(long, value_name = "VERSION")]
    after: Option<u64>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let game = session.game(&args.game)?;
    let looker = ViewerChoice::from(args.viewer);
    let mut token = String::new();
    loop {
        let page = game
            .events_page(looker, args.after.unwrap_or_default(), token)
            .await?;
        for entry in &page.entries {
            if output.is_json() {
                output.json(&to_dynamic("LogEntry", entry)?)?;
            } else {
                print_events(output, entry)?;
            }
        }
        token = page.next_page_token;
        if token.is_empty() {
            return Ok(());
        }
    }
}

/// Prints the events of one version.
pub(super) fn print_events(output: Output, entry: &LogEntry) -> Result<(), Failure> {
    let lines = event_lines(entry, output.width());
    lines.into_iter().try_for_each(|line| output.line(line))
}

/// Formats the events of one version as sentences; the number of the version precedes the first one.
pub(super) fn event_lines(entry: &LogEntry, width: usize) -> Vec<String> {
    let mut event_lines = Vec::new();
    let mut margin = entry.version.to_string();
    for text in sentences(Some(entry)) {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let first = format!("{} ", styled(DIM, format_args!("{margin:>5}")));
        event_lines.push(wrap(&words, " ", &first, "        ", width));
        margin.clear();
    }
    event_lines
}

/// Returns the sentences for the events of a version.
pub(super) fn sentences(entry: Option<&LogEntry>) -> impl Iterator<Item = &str> {
    let events = entry.into_iter().flat_map(|entry| &entry.events);
    let texts = events.map(|event| event.text.as_str());
    texts.filter(|text| !text.is_empty())
}
