//! `gamekeeper watch`

use gamekeeper_proto::gamekeeper::v1::{GameStatus, ViewMode};
use prost_reflect::DynamicMessage;

use super::events;
use crate::args::{GameArg, ViewerArg};
use crate::contract::chosen;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::follow::Follower;
use crate::game_client::{GameClient, info_of};
use crate::output::Output;
use crate::render::{Table, standings};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArg,
    #[command(flatten)]
    viewer: ViewerArg,
    /// Begin after this version [default: with the table as it is]
    #[arg(
        long,
        value_name = "VERSION",
        default_value_t = 0,
        hide_default_value = true
    )]
    after: u64,
    /// Show the whole table after every version
    #[arg(long)]
    views: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let (game, info) = session.open(&args.game).await?;
    if args.after > 0 && info.status() == GameStatus::Finished && info.version <= args.after {
        return Ok(());
    }
    let catalogue = if output.is_json() {
        None
    } else {
        Some(game.catalogue().await?)
    };
    follow(game, output, args, catalogue.as_ref()).await
}

async fn follow(
    game: GameClient,
    output: Output,
    args: &Args,
    catalogue: Option<&DynamicMessage>,
) -> Result<(), Failure> {
    let view_mode = if args.views {
        ViewMode::Seat
    } else {
        ViewMode::Unspecified
    };
    let mut follower = Follower::new(game, args.viewer.into(), args.after, view_mode);
    loop {
        let message = follower.next().await?;
        let Some((kind, update)) = chosen(&message) else {
            continue;
        };
        if kind == "bookmark" {
            continue;
        }
        let info = info_of(&update)?;
        if output.is_json() {
            output.json(&message)?;
        } else {
            if let Some(logged) = update.child("logged") {
                events::tell(output, &logged, &info)?;
            }
            let view = update.child("view");
            if let Some(view) = &view {
                let table = Table {
                    info: &info,
                    view: Some(view),
                    catalogue,
                };
                output.line(table.render(output.width())?)?;
            } else if info.status() == GameStatus::Finished {
                output.line(standings(&info, output.width()))?;
            }
        }
        if info.status() == GameStatus::Finished {
            return Ok(());
        }
    }
}
