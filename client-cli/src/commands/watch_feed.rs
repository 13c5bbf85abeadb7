//! `gamekeeper watch --all`, `--label`, `--ruleset`: the feed of a tenant, which can be resumed by a **cursor**.

use std::time::SystemTime;

use gamekeeper_proto::gamekeeper::v1::{GameFilter, Show, WatchGamesRequest};
use gamekeeper_proto::raw::WatchGamesResponse;
use gamekeeper_proto::raw::watch_games_response::Update;

use super::watch_many::line;
use crate::args::label;
use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::reconnecting_stream::ReconnectingStream;
use crate::session::Session;

#[derive(Debug, clap::Args)]
#[group(id = "feed", multiple = true)]
pub(crate) struct Args {
    /// Follow everything that happens in all games of the tenant, new and finished ones too
    #[arg(long)]
    all: bool,
    /// Follow all games of this ruleset; can be combined with --label
    #[arg(long, value_name = "RULESET")]
    ruleset: Option<String>,
    /// Follow all games with this label; may be repeated, for games that have all of them
    #[arg(long = "label", value_name = "KEY=VALUE", value_parser = label)]
    labels: Vec<(String, String)>,
    /// Continue after the message with this cursor, which JSON output shows
    #[arg(long, value_name = "CURSOR", conflicts_with = "since")]
    cursor: Option<String>,
    /// Begin with what happened at this time or later, such as 2026-01-31T12:00:00Z
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_rfc3339_weak)]
    since: Option<SystemTime>,
}

impl Args {
    /// Returns whether the options ask for a feed.
    pub(super) fn is_wanted(&self) -> bool {
        self.all
            || self.ruleset.is_some()
            || !self.labels.is_empty()
            || self.cursor.is_some()
            || self.since.is_some()
    }
}

/// Follows a feed until it fails.
pub(super) async fn run(
    session: &Session,
    output: Output,
    (user, args): (&str, &Args),
    views: bool,
) -> Result<(), Failure> {
    let mut request = WatchGamesRequest {
        filter: Some(GameFilter {
            ruleset: args.ruleset.clone().unwrap_or_default(),
            user: user.to_owned(),
            labels: args.labels.iter().cloned().collect(),
            ..GameFilter::default()
        }),
        cursor: args.cursor.clone().unwrap_or_default(),
        from_time: args.since.map(Into::into),
        show: Some(Show {
            view: views,
            ..Show::default()
        }),
        ..WatchGamesRequest::default()
    };
    let mut stream = ReconnectingStream::<WatchGamesResponse>::new(session.connection.clone());
    loop {
        let open = async || {
            let Session { connection, .. } = session;
            connection.stream(request.clone(), session.token()).await
        };
        let message = stream.next_or_reconnect(open).await?;
        request.cursor.clone_from(&message.cursor);
        request.from_time = None;
        tell(output, &message)?;
    }
}

fn tell(output: Output, message: &WatchGamesResponse) -> Result<(), Failure> {
    if output.is_json() {
        // Messages without a change are printed too, because their cursor advances: a client that stores it resumes
        // from there.
        return output.json(&to_dynamic("WatchGamesResponse", message)?);
    }
    match &message.update {
        Some(Update::Change(change)) => {
            let info = change.table.as_ref().and_then(|table| table.game.as_ref());
            output.line(line(&info.cloned().unwrap_or_default()))
        }
        Some(Update::Left(left)) => {
            let why = left.problem.as_ref();
            let why = why.map_or("users or labels have changed", |problem| &problem.message);
            notice(format_args!("Game {} is left: {why}.", left.game_id));
            Ok(())
        }
        None => Ok(()),
    }
}
