//! Following a game: a watch that is reopened when it breaks.

use std::time::Duration;

use gamekeeper_proto::envelope::watch_game_response::Update;
use gamekeeper_proto::gamekeeper::v1::{GameInfo, ViewMode};
use prost_reflect::prost_types::Timestamp;
use tonic::{Status, Streaming};

use crate::connection::Retry;
use crate::failure::Failure;
use crate::game_client::{GameClient, WatchGameResponse, Watching};
use crate::keys::Looker;

/// The server sends something at least every 15 seconds; a stream that is silent for longer than
/// this is dead, even if no error was reported.
const LONGEST_SILENCE: Duration = Duration::from_secs(45);

/// Reads the versions of a game as they are played, each once and in order.
pub(crate) struct Follower {
    game: GameClient,
    watching: Watching,
    version: u64,
    /// The time of that version, if known.
    time: Option<Timestamp>,
    retry: Retry,
    stream: Option<Streaming<WatchGameResponse>>,
}

impl Follower {
    /// Follows the versions after this one; 0: begins with the current table.
    pub(crate) fn new(game: GameClient, watching: Watching, after_version: u64) -> Self {
        let retry = Retry::new(game.retries());
        Self {
            game,
            watching,
            version: after_version,
            time: None,
            retry,
            stream: None,
        }
    }

    /// The next message. Resumes after a disconnect, with the version after the last one seen.
    pub(crate) async fn next(&mut self) -> Result<WatchGameResponse, Failure> {
        loop {
            match self.step().await {
                Ok(message) => {
                    self.retry.reset();
                    self.version = self.version.max(version_of(&message));
                    if let Some(info) = info_of(&message) {
                        self.time = info.update_time;
                    }
                    return Ok(message);
                }
                Err(status) => {
                    self.stream = None;
                    self.retry
                        .wait_or_give_up(self.game.explain(status))
                        .await?;
                }
            }
        }
    }

    async fn step(&mut self) -> Result<WatchGameResponse, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let after = (self.version, self.time);
                let stream = self.game.watch(self.watching, after).await?;
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
}

/// The public facts in a message of a watch.
fn info_of(message: &WatchGameResponse) -> Option<&GameInfo> {
    match message.update.as_ref()? {
        Update::Start(start) => start.game.as_ref(),
        Update::Version(version) => version.game.as_ref(),
        Update::Bookmark(_) => None,
    }
}

/// The version that a message of a watch brings us to.
fn version_of(message: &WatchGameResponse) -> u64 {
    match &message.update {
        Some(Update::Bookmark(bookmark)) => bookmark.version,
        Some(Update::Start(_) | Update::Version(_)) | None => {
            info_of(message).map_or(0, |info| info.version)
        }
    }
}

/// Says when a game has moved on, without its contents.
pub(crate) struct News {
    messages: tokio::sync::mpsc::UnboundedReceiver<Result<u64, Failure>>,
    newest: u64,
}

impl News {
    /// Listens for versions after this one, as this viewer.
    pub(crate) fn of(game: GameClient, looker: Looker, after_version: u64) -> Self {
        let (sender, messages) = tokio::sync::mpsc::unbounded_channel();
        let watching = Watching {
            looker,
            view_mode: ViewMode::None,
            with_board: None,
        };
        let mut follower = Follower::new(game, watching, after_version);
        tokio::spawn(async move {
            loop {
                let news = follower.next().await.map(|message| version_of(&message));
                let failed = news.is_err();
                if sender.send(news).is_err() || failed {
                    return;
                }
            }
        });
        Self {
            messages,
            newest: after_version,
        }
    }

    /// Waits until there is a version after this one.
    pub(crate) async fn after(&mut self, version: u64) -> Result<(), Failure> {
        while self.newest <= version {
            match self.messages.recv().await {
                Some(Ok(newest)) => self.newest = self.newest.max(newest),
                Some(Err(failure)) => return Err(failure),
                None => {
                    return Err(Failure::Contract(
                        "nobody follows the game any more".to_owned(),
                    ));
                }
            }
        }
        Ok(())
    }
}
