//! `gamekeeper watch`

use gamekeeper_proto::gamekeeper::v1::{GameStatus, Show};
use gamekeeper_proto::raw::{LogEntry, Table};

use super::{events, watch_feed, watch_many};
use crate::args::{GameArg, ViewerArg};
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::game_client::SHOW_EVENT_TEXTS;
use crate::game_watch::GameWatch;
use crate::output::Output;
use crate::render::{standings, table};
use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the game, or `last` for the last one you created on this machine; several games, or a
    /// user's, show one line per version
    #[arg(
        value_name = "GAME",
        required_unless_present_any = ["user", "feed"],
        conflicts_with_all = ["user", "feed"]
    )]
    games: Vec<String>,
    /// Follow all active games of this user, new ones as they appear
    #[arg(long, value_name = "USER")]
    user: Option<String>,
    #[command(flatten)]
    feed: watch_feed::Args,
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
    if args.feed.is_wanted() {
        let user = args.user.as_deref().unwrap_or_default();
        return watch_feed::run(session, output, (user, &args.feed), args.views).await;
    }
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
    let show = Show {
        view: args.views && output.is_json(),
        board: output.board(),
        ..SHOW_EVENT_TEXTS
    };
    let mut follower = GameWatch::new(game, args.viewer.into(), show, after);
    loop {
        let message = follower.next().await?;
        // Messages without a table have nothing to print.
        let Some(table) = &message.table else {
            continue;
        };
        if output.is_json() {
            output.json(&to_dynamic("WatchGameResponse", &message)?)?;
        } else {
            tell(output, table, message.entry.as_ref(), args.views)?;
        }
        let game = table.game.as_ref();
        if game.is_some_and(|game| game.status() == GameStatus::Finished) {
            return Ok(());
        }
    }
}

/// Prints the events, then the table or the result. A watch begins with the table.
fn tell(
    output: Output,
    seen: &Table,
    entry: Option<&LogEntry>,
    views: bool,
) -> Result<(), Failure> {
    if let Some(entry) = entry {
        events::print_events(output, entry)?;
    }
    let info = seen.game.clone().unwrap_or_default();
    if views || entry.is_none() {
        return output.line(table(&info, &seen.board, output.width()));
    }
    match info.status() {
        GameStatus::Finished => output.line(standings(&info, output.width())),
        GameStatus::Active | GameStatus::Unspecified => Ok(()),
    }
}
