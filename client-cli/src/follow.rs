//! Follows a game with a watch that is reopened after a disconnect.

use gamekeeper_proto::gamekeeper::v1::Show;
use gamekeeper_proto::raw::WatchGameResponse;
use prost_reflect::prost_types::Timestamp;

use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::keys::Looker;
use crate::reopened::Reopened;

/// Reads the new versions of a game, each once and in order.
pub(crate) struct Follower {
    game: GameClient,
    looker: Looker,
    show: Show,
    /// The last version received, with its time, if known.
    after: (u64, Option<Timestamp>),
    stream: Reopened<WatchGameResponse>,
}

impl Follower {
    /// Follows the versions after this one. With version 0, it begins with the current table.
    pub(crate) fn new(game: GameClient, looker: Looker, show: Show, after_version: u64) -> Self {
        Self {
            stream: Reopened::new(game.connection().clone()),
            game,
            looker,
            show,
            after: (after_version, None),
        }
    }

    /// Returns the next message. Resumes after a disconnect, from the last version received.
    pub(crate) async fn next(&mut self) -> Result<WatchGameResponse, Failure> {
        let open = async || self.game.watch(self.looker, self.show, self.after).await;
        let message = self.stream.endless(open).await?;
        let (version, time) = &mut self.after;
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
pub(crate) struct News {
    follower: Follower,
}

impl News {
    /// Listens for versions after this one, as this viewer.
    pub(crate) fn of(game: GameClient, looker: Looker, after_version: u64) -> Self {
        Self {
            follower: Follower::new(game, looker, Show::default(), after_version),
        }
    }

    /// Waits until the game has a version after this one. Cancel safe: a dropped call can be repeated.
    pub(crate) async fn after(&mut self, version: u64) -> Result<(), Failure> {
        while self.follower.after.0 <= version {
            self.follower.next().await?;
        }
        Ok(())
    }
}
