//! `gamekeeper show`

use gamekeeper_proto::gamekeeper::v1::Show;

use crate::args::{GameArg, ViewerArg};
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::output::Output;
use crate::render::table;
use crate::session::Session;
use crate::token_selection::ViewerChoice;

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
    let game = session.game(&args.game)?;
    shown(output, &game, args.viewer.into(), args.at).await
}

/// Prints the table at a version, or the newest one if no version is given.
pub(super) async fn shown(
    output: Output,
    game: &GameClient,
    viewer: ViewerChoice,
    at: Option<u64>,
) -> Result<(), Failure> {
    let show = Show {
        view: output.is_json(),
        board: output.board(),
        ..Show::default()
    };
    let response = game.get(viewer, at.unwrap_or_default(), show).await?;
    if output.is_json() {
        return output.json(&to_dynamic("GetGameResponse", &response)?);
    }
    let shown_table = response.table.unwrap_or_default();
    let info = shown_table.game.unwrap_or_default();
    output.line(table(&info, &shown_table.board, output.width()))
}
