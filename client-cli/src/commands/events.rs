//! `gamekeeper events`

use prost_reflect::DynamicMessage;

use crate::args::{GameArg, ViewerArg};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::output::{DIM, Output, styled};
use crate::phrase;
use crate::session::{Looker, Session};

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
    let (game, _) = session.open(&args.game).await?;
    let looker = Looker::from(args.viewer);
    let mut token = String::new();
    loop {
        let (versions, next) = game.events_page(looker, args.after, token).await?;
        for version in &versions {
            print(output, version)?;
        }
        if next.is_empty() {
            return Ok(());
        }
        token = next;
    }
}

/// Prints one version: a line of JSON, or a sentence for each event.
pub(super) fn print(output: Output, version: &DynamicMessage) -> Result<(), Failure> {
    if output.is_json() {
        return output.json(version);
    }
    for line in lines(version) {
        output.line(line)?;
    }
    Ok(())
}

/// The events of one version as sentences, the version before the first.
pub(super) fn lines(version: &DynamicMessage) -> Vec<String> {
    let number = version.number("version").to_string();
    let sentence = |(index, event): (usize, &DynamicMessage)| {
        let margin = if index == 0 { number.as_str() } else { "" };
        format!(
            "{} {}",
            styled(DIM, format_args!("{margin:>5}")),
            phrase::event(event)
        )
    };
    version
        .children("events")
        .iter()
        .enumerate()
        .map(sentence)
        .collect()
}
