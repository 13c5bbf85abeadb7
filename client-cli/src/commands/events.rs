//! `gamekeeper events`

use gamekeeper_rules::table::text::{DIM, styled, wrap};

use crate::args::{GameArg, ViewerArg};
use crate::contract::messages;
use crate::event_text::EventText;
use crate::failure::Failure;
use crate::game_client::LoggedVersion;
use crate::keys::Looker;
use crate::output::Output;
use crate::phrase::table_entry;
use crate::session::Session;

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
    let (game, _) = session.open(&args.game).await?;
    let looker = Looker::from(args.viewer);
    let mut token = String::new();
    loop {
        let page = game
            .events_page(looker, args.after.unwrap_or_default(), token)
            .await?;
        if output.is_json() {
            let page = game.described("ListEvents", &page)?;
            for version in messages(&page, "versions") {
                output.json(&version)?;
            }
        } else {
            let mut versions = page.versions.iter();
            versions.try_for_each(|version| tell(output, version))?;
        }
        token = page.next_page_token;
        if token.is_empty() {
            return Ok(());
        }
    }
}

/// Prints the events of one version.
pub(super) fn tell(output: Output, version: &LoggedVersion) -> Result<(), Failure> {
    let lines = told(version, output.width())?;
    lines.into_iter().try_for_each(|line| output.line(line))
}

/// The events of one version as sentences, the version before the first.
pub(super) fn told(version: &LoggedVersion, width: usize) -> Result<Vec<String>, Failure> {
    let mut told = Vec::new();
    let mut margin = version.version.to_string();
    let mut texts: Vec<String> = version.table.iter().map(table_entry).collect();
    for event in &version.events {
        let EventText { text } = event.typed()?;
        // An event without a sentence is covered by that of the next event.
        if !text.is_empty() {
            texts.push(text);
        }
    }
    for text in texts {
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let first = format!("{} ", styled(DIM, format_args!("{margin:>5}")));
        told.push(wrap(&words, " ", &first, "        ", width));
        margin.clear();
    }
    Ok(told)
}
