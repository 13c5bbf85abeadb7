//! `gamekeeper events`

use gamekeeper_proto::gamekeeper::v1::GameInfo;
use prost_reflect::DynamicMessage;

use crate::args::{GameArg, ViewerArg};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::keys::Looker;
use crate::output::{DIM, Output, styled, wrap};
use crate::phrase;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    viewer: ViewerArg,
    /// Only what happened after this version
    #[arg(
        long,
        value_name = "VERSION",
        default_value_t = 0,
        hide_default_value = true
    )]
    after: u64,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, info) = session.open(&args.game).await?;
    let looker = Looker::from(args.viewer);
    let mut token = String::new();
    loop {
        let (versions, next) = game.events_page(looker, args.after, token).await?;
        for version in &versions {
            print(output, version, &info)?;
        }
        if next.is_empty() {
            return Ok(());
        }
        token = next;
    }
}

/// Prints one version: a line of JSON, or a sentence for each event.
pub(super) fn print(
    output: Output,
    version: &DynamicMessage,
    info: &GameInfo,
) -> Result<(), Failure> {
    if output.is_json() {
        return output.json(version);
    }
    tell(output, version, info)
}

/// Tells the events of one version as sentences, the version before the first.
pub(super) fn tell(
    output: Output,
    version: &DynamicMessage,
    info: &GameInfo,
) -> Result<(), Failure> {
    let mut margin = version.number("version").to_string();
    for event in version.children("events") {
        let sentence = phrase::event(&event, info);
        let words: Vec<String> = sentence.split_whitespace().map(str::to_owned).collect();
        let first = format!("{} ", styled(DIM, format_args!("{margin:>5}")));
        output.line(wrap(&words, " ", &first, "        ", output.width()))?;
        margin.clear();
    }
    Ok(())
}
