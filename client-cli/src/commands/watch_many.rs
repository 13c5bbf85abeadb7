//! `gamekeeper watch --user`, and for several games: one stream that is reopened after a disconnect.

use gamekeeper_proto::gamekeeper::v1::{
    GameInfo, GameStatus, Show, WatchGamesRequest, WatchedGame,
};
use gamekeeper_proto::raw::WatchGamesResponse;
use gamekeeper_proto::raw::watch_games_response::Update;
use gamekeeper_rules::table::text::{BOLD, styled};
use std::collections::BTreeMap;

use crate::contract::to_dynamic;
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::phrase;
use crate::reconnecting_stream::ReconnectingStream;
use crate::session::Session;

/// Follows the active games of a user without end, or the given games until all of them are over.
pub(super) async fn run(
    session: &Session,
    output: Output,
    user: Option<&str>,
    ids: &[String],
    views: bool,
) -> Result<(), Failure> {
    let mut watch = GamesWatch {
        session,
        user: user.unwrap_or_default().to_owned(),
        views,
        watched: ids.iter().map(|id| (id.clone(), begun(id))).collect(),
        stream: ReconnectingStream::new(session.connection.clone()),
    };
    while user.is_some() || !watch.watched.is_empty() {
        let message = watch.next().await?;
        if output.is_json() && message.update.is_some() {
            output.json(&to_dynamic("WatchGamesResponse", &message)?)?;
        }
        match message.update {
            Some(Update::Change(change)) => {
                let info = change.table.unwrap_or_default().game.unwrap_or_default();
                if !output.is_json() {
                    output.line(line(&info))?;
                }
                watch.record_change(&info);
            }
            Some(Update::Left(left)) => {
                if !output.is_json() {
                    let why = left.problem.map(|problem| problem.message);
                    let why = why.unwrap_or_else(|| "the user has no seat there".to_owned());
                    notice(format_args!("Game {} is left: {why}.", left.game_id));
                }
                watch.watched.remove(&left.game_id);
            }
            // The message reports nothing new.
            None => {}
        }
    }
    Ok(())
}

/// Creates the entry of a game about which nothing has been reported yet.
fn begun(id: &str) -> WatchedGame {
    WatchedGame {
        game_id: id.to_owned(),
        ..WatchedGame::default()
    }
}

/// Formats a game as one line.
pub(super) fn line(info: &GameInfo) -> String {
    let id = styled(BOLD, &info.game_id);
    let state = match info.status() {
        GameStatus::Finished => "finished".to_owned(),
        GameStatus::Active | GameStatus::Unspecified => {
            format!("waits for {}", phrase::pending(info))
        }
    };
    format!("{id}  {}  version {}  {state}", info.ruleset, info.version)
}

struct GamesWatch<'a> {
    session: &'a Session,
    user: String,
    views: bool,
    /// The games that are not over, with the last reported version of each.
    watched: BTreeMap<String, WatchedGame>,
    stream: ReconnectingStream<WatchGamesResponse>,
}

impl GamesWatch<'_> {
    /// Returns the next message. Resumes after a disconnect from the last reported version of each game.
    async fn next(&mut self) -> Result<WatchGamesResponse, Failure> {
        let open = async || {
            let request = WatchGamesRequest {
                games: self.watched.values().cloned().collect(),
                user: self.user.clone(),
                show: Some(Show {
                    view: self.views,
                    ..Show::default()
                }),
                ..WatchGamesRequest::default()
            };
            let Session { connection, .. } = self.session;
            connection.stream(request, self.session.token()).await
        };
        self.stream.next_or_reconnect(open).await
    }

    fn record_change(&mut self, info: &GameInfo) {
        if info.status() == GameStatus::Finished {
            self.watched.remove(&info.game_id);
            return;
        }
        let watched = WatchedGame {
            after_version: info.version,
            after_time: info.update_time,
            ..begun(&info.game_id)
        };
        self.watched.insert(info.game_id.clone(), watched);
    }
}
