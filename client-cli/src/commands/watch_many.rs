//! `gamekeeper watch --user`, and of several games: one stream that is reopened when it breaks.

use std::collections::BTreeMap;
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::watch_games_response::Update;
use gamekeeper_proto::gamekeeper::v1::{
    GameInfo, GameStatus, ViewMode, WatchGamesRequest, WatchGamesResponse, WatchedGame,
};
use gamekeeper_rules::table::text::{BOLD, styled};
use prost_reflect::MethodDescriptor;
use tonic::{Status, Streaming};

use crate::connection::Retry;
use crate::contract::method;
use crate::failure::Failure;
use crate::output::{Output, notice};
use crate::phrase;
use crate::session::Session;

/// The server sends something at least every 15 seconds; a stream that is silent for longer than
/// this is dead, even if no error was reported.
const LONGEST_SILENCE: Duration = Duration::from_secs(45);

/// Follows the active games of a user, or these games, until all of these are over.
pub(super) async fn run(
    session: &Session,
    output: Output,
    user: Option<&str>,
    ids: &[String],
    views: bool,
) -> Result<(), Failure> {
    let mut many = Many {
        session,
        method: method(&session.contract.games()?, "WatchGames")?,
        user: user.unwrap_or_default().to_owned(),
        views,
        known: ids.iter().map(|id| (id.clone(), begun(id))).collect(),
        retry: Retry::new(session.connection.retries()),
        stream: None,
    };
    while user.is_some() || !many.known.is_empty() {
        let message = many.next().await?;
        if output.is_json() && !matches!(message.update, Some(Update::Bookmark(_))) {
            output.json(&session.contract.shared("WatchGamesResponse", &message)?)?;
        }
        match message.update {
            Some(Update::Change(found)) => {
                let info = found.game.unwrap_or_default();
                if !output.is_json() {
                    output.line(line(&info))?;
                }
                many.note(&info);
            }
            Some(Update::Left(left)) => {
                if !output.is_json() {
                    let why = left.error.map(|error| error.message);
                    let why = why.unwrap_or_else(|| "the user has no seat there".to_owned());
                    notice(format_args!("Game {} is left: {why}.", left.game_id));
                }
                many.known.remove(&left.game_id);
            }
            Some(Update::Bookmark(_)) | None => {}
        }
    }
    Ok(())
}

/// A game about which nothing has been reported yet.
fn begun(id: &str) -> WatchedGame {
    WatchedGame {
        game_id: id.to_owned(),
        ..WatchedGame::default()
    }
}

fn line(info: &GameInfo) -> String {
    let id = styled(BOLD, &info.game_id);
    let state = match info.status() {
        GameStatus::Finished => "finished".to_owned(),
        GameStatus::Active | GameStatus::Unspecified => {
            format!("waits for {}", phrase::pending(info))
        }
    };
    format!("{id}  {}  version {}  {state}", info.ruleset, info.version)
}

struct Many<'a> {
    session: &'a Session,
    method: MethodDescriptor,
    user: String,
    views: bool,
    /// The games that are not over, and the last version reported of each.
    known: BTreeMap<String, WatchedGame>,
    retry: Retry,
    stream: Option<Streaming<WatchGamesResponse>>,
}

impl Many<'_> {
    /// The next message. Resumes after a disconnect, each game with the version after the last one seen.
    async fn next(&mut self) -> Result<WatchGamesResponse, Failure> {
        loop {
            match self.step().await {
                Ok(message) => {
                    self.retry.reset();
                    return Ok(message);
                }
                Err(status) => {
                    self.stream = None;
                    self.retry.wait_or_give_up(status).await?;
                }
            }
        }
    }

    async fn step(&mut self) -> Result<WatchGamesResponse, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let view_mode = if self.views {
                    ViewMode::Seat
                } else {
                    ViewMode::None
                };
                let request = WatchGamesRequest {
                    games: self.known.values().cloned().collect(),
                    user: self.user.clone(),
                    view_mode: view_mode.into(),
                };
                let connection = &self.session.connection;
                let token = self.session.token();
                let stream = connection.stream(&self.method, request, token).await?;
                self.stream.insert(stream)
            }
        };
        match tokio::time::timeout(LONGEST_SILENCE, stream.message()).await {
            Ok(Ok(Some(message))) => Ok(message),
            Ok(Ok(None)) => Err(Status::unavailable("the server ended the stream")),
            Ok(Err(status)) => Err(status),
            Err(_) => Err(Status::unavailable("the stream has fallen silent")),
        }
    }

    fn note(&mut self, info: &GameInfo) {
        if info.status() == GameStatus::Finished {
            self.known.remove(&info.game_id);
            return;
        }
        let known = WatchedGame {
            after_version: info.version,
            after_time: info.update_time,
            ..begun(&info.game_id)
        };
        self.known.insert(info.game_id.clone(), known);
    }
}
