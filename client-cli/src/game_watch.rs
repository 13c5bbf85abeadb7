//! Follows a game with a watch that is reopened after a disconnect.

use gamekeeper_proto::gamekeeper::v1::Show;
use gamekeeper_proto::raw::WatchGameResponse;
use prost_reflect::prost_types::Timestamp;

use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::reconnecting_stream::ReconnectingStream;
use crate::token_selection::ViewerChoice;

/// Reads the new versions of a game, each once and in order.
pub(crate) struct GameWatch {
    game: GameClient,
    viewer: ViewerChoice,
    show: Show,
    /// The last version received, with its time, if known.
    position: (u64, Option<Timestamp>),
    stream: ReconnectingStream<WatchGameResponse>,
}

impl GameWatch {
    /// Follows the versions after this one. With version 0, it begins with the current table.
    pub(crate) fn new(
        game: GameClient,
        viewer: ViewerChoice,
        show: Show,
        after_version: u64,
    ) -> Self {
        Self {
            stream: ReconnectingStream::new(game.connection().clone()),
            game,
            viewer,
            show,
            position: (after_version, None),
        }
    }

    /// Returns the next message. Resumes after a disconnect, from the last version received.
    pub(crate) async fn next(&mut self) -> Result<WatchGameResponse, Failure> {
        let open = async || {
            self.game
                .watch(self.viewer, self.show.clone(), self.position)
                .await
        };
        let message = self.stream.next_or_reconnect(open).await?;
        let (version, time) = &mut self.position;
        *version = message.version.max(*version);
        let table = message.table.as_ref();
        if let Some(info) = table.and_then(|table| table.game.as_ref()) {
            *version = info.version.max(*version);
            *time = info.update_time;
        }
        Ok(message)
    }
}

/// Reports that a game has a new version, without its contents.
pub(crate) struct VersionWatch {
    follower: GameWatch,
}

impl VersionWatch {
    /// Listens for versions after this one, as this viewer.
    pub(crate) fn of(game: GameClient, viewer: ViewerChoice, after_version: u64) -> Self {
        Self {
            follower: GameWatch::new(game, viewer, Show::default(), after_version),
        }
    }

    /// Waits until the game has a version after this one. Cancel safe: a dropped call can be repeated.
    pub(crate) async fn wait_for_newer(&mut self, version: u64) -> Result<(), Failure> {
        while self.follower.position.0 <= version {
            self.follower.next().await?;
        }
        Ok(())
    }
}
