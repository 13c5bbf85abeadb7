//! Following a game: a watch that is opened again when it breaks.

use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::ViewMode;
use prost_reflect::DynamicMessage;
use tonic::{Status, Streaming};

use crate::connection::Retry;
use crate::contract::chosen;
use crate::failure::Failure;
use crate::fields::Fields;
use crate::game_client::GameClient;
use crate::keys::Looker;

/// The server speaks at least every 15 seconds; a stream that is silent for longer than this is
/// dead, even if nobody said so.
const LONGEST_SILENCE: Duration = Duration::from_secs(45);

/// Reads the versions of a game as they are played, each once and in order.
pub(crate) struct Follower {
    game: GameClient,
    looker: Looker,
    view_mode: ViewMode,
    version: u64,
    /// When that version was played, once it was told.
    time: Option<DynamicMessage>,
    retry: Retry,
    stream: Option<Streaming<DynamicMessage>>,
}

impl Follower {
    /// Follows from after this version on; 0: begins with the table as it is.
    pub(crate) fn new(
        game: GameClient,
        looker: Looker,
        after_version: u64,
        view_mode: ViewMode,
    ) -> Self {
        let retry = Retry::new(game.retries());
        Self {
            game,
            looker,
            view_mode,
            version: after_version,
            time: None,
            retry,
            stream: None,
        }
    }

    /// The next message. Resumes after a cut, with the version after the last one seen.
    pub(crate) async fn next(&mut self) -> Result<DynamicMessage, Failure> {
        loop {
            match self.step().await {
                Ok(message) => {
                    self.retry.reset();
                    self.version = self.version.max(version_of(&message));
                    if let Some(time) = time_of(&message) {
                        self.time = Some(time);
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

    async fn step(&mut self) -> Result<DynamicMessage, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let stream = self
                    .game
                    .watch(
                        self.looker,
                        (self.version, self.time.clone()),
                        self.view_mode,
                    )
                    .await?;
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

/// The version that a message of a watch stands for.
pub(crate) fn version_of(message: &DynamicMessage) -> u64 {
    match chosen(message) {
        Some((name, bookmark)) if name == "bookmark" => bookmark.number("version"),
        Some((_, update)) => update
            .child("game")
            .map_or(0, |game| game.number("version")),
        None => 0,
    }
}

/// When the version was played that a message of a watch brings.
fn time_of(message: &DynamicMessage) -> Option<DynamicMessage> {
    let (_, update) = chosen(message)?;
    update.child("game")?.child("update_time")
}

/// Says when a game has moved on, without its contents.
pub(crate) struct News {
    messages: tokio::sync::mpsc::UnboundedReceiver<Result<u64, Failure>>,
    newest: u64,
}

impl News {
    /// Listens from after this version on, as this viewer.
    pub(crate) fn of(game: GameClient, looker: Looker, after_version: u64) -> Self {
        let (sender, messages) = tokio::sync::mpsc::unbounded_channel();
        let mut follower = Follower::new(game, looker, after_version, ViewMode::None);
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
