//! `gamekeeper show`

use crate::args::{GameArg, ViewerArg};
use crate::failure::Failure;
use crate::output::Output;
use crate::render::table;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    viewer: ViewerArg,
    /// Version of the table [default: the newest]
    #[arg(long, value_name = "VERSION")]
    at: Option<u64>,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, _) = session.open(&args.game).await?;
    let answer = game
        .get(
            args.viewer.into(),
            args.at.unwrap_or_default(),
            output.board(),
        )
        .await?;
    if output.is_json() {
        return output.json(&game.described("GetGame", &answer)?);
    }
    let info = answer.game.unwrap_or_default();
    output.line(table(&info, &answer.board, output.width()))
}
