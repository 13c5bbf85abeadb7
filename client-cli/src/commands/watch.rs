//! `gamekeeper watch`

use gamekeeper_proto::envelope::watch_game_response::Update;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, GameStatus, ViewMode};

use super::{events, watch_many};
use crate::args::{GameArg, ViewerArg};
use crate::failure::Failure;
use crate::follow::Follower;
use crate::game_client::{LoggedVersion, Watching};
use crate::output::Output;
use crate::render::{standings, table};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, or `last` for the last one you created on this machine; several games, or a
    /// user's, show one line per version
    #[arg(
        value_name = "GAME",
        required_unless_present = "user",
        conflicts_with = "user"
    )]
    games: Vec<String>,
    /// Follow all active games of this user, new ones as they appear
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    #[command(flatten)]
    viewer: ViewerArg,
    /// Last known version; the watch begins after it [default: begin with the current table]
    #[arg(long, value_name = "VERSION")]
    after: Option<u64>,
    /// Show the table after every version
    #[arg(long)]
    views: bool,
}

pub(crate) async fn run(session: &Session, output: Output, args: &Args) -> Result<(), Failure> {
    let id = match args.games.as_slice() {
        [id] => id.clone(),
        ids => {
            let user = args.user.as_deref();
            return watch_many::run(session, output, user, ids, args.views).await;
        }
    };
    let (game, info) = session.open(&GameArg { id }).await?;
    let after = args.after.unwrap_or_default();
    if after > 0 && info.status() == GameStatus::Finished && info.version <= after {
        return Ok(());
    }
    let (view_mode, with_board) = match (args.views, output.board()) {
        (true, None) => (ViewMode::Seat, None),
        (_, board) => (ViewMode::Unspecified, board),
    };
    let watching = Watching {
        looker: args.viewer.into(),
        view_mode,
        with_board,
    };
    let mut follower = Follower::new(game.clone(), watching, after);
    loop {
        let message = follower.next().await?;
        let described = game.described("WatchGame", &message)?;
        let (info, logged, board) = match message.update {
            Some(Update::Start(start)) => (start.game, None, Some(start.board)),
            Some(Update::Version(version)) => {
                let board = args.views.then_some(version.board);
                (version.game, version.logged, board)
            }
            Some(Update::Bookmark(_)) | None => continue,
        };
        let info = info.unwrap_or_default();
        if output.is_json() {
            output.json(&described)?;
        } else {
            tell(output, &info, logged, board)?;
        }
        if info.status() == GameStatus::Finished {
            return Ok(());
        }
    }
}

/// What happened, then the table, or the result.
fn tell(
    output: Output,
    info: &GameInfo,
    logged: Option<LoggedVersion>,
    board: Option<String>,
) -> Result<(), Failure> {
    if let Some(logged) = logged {
        events::tell(output, &logged)?;
    }
    match board {
        Some(board) => output.line(table(info, &board, output.width())),
        None if info.status() == GameStatus::Finished => {
            output.line(standings(info, output.width()))
        }
        None => Ok(()),
    }
}
