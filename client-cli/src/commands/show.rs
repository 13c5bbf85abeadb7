//! `gamekeeper show`

use crate::args::{GameArg, ViewerArg};
use crate::failure::Failure;
use crate::fields::Fields;
use crate::game_client::info_of;
use crate::output::Output;
use crate::render::Table;
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    viewer: ViewerArg,
    /// The table as it was at this version [default: the newest]
    #[arg(
        long,
        value_name = "VERSION",
        default_value_t = 0,
        hide_default_value = true
    )]
    at: u64,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, _) = session.open(&args.game).await?;
    let answer = game.get(args.viewer.into(), args.at).await?;
    if output.is_json() {
        return output.json(&answer);
    }
    let catalogue = game.catalogue().await?;
    let view = answer.child("view");
    let table = Table {
        info: &info_of(&answer)?,
        view: view.as_ref(),
        catalogue: Some(&catalogue),
    };
    output.line(table.render(output.width())?)
}
