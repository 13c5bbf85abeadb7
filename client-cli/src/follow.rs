//! Following a game: a watch that is reopened when it breaks.

use gamekeeper_proto::gamekeeper::v1::Show;
use gamekeeper_proto::raw::WatchGameResponse;
use prost_reflect::prost_types::Timestamp;

use crate::failure::Failure;
use crate::game_client::GameClient;
use crate::keys::Looker;
use crate::reopened::Reopened;

/// Reads the versions of a game as they are played, each once and in order.
pub(crate) struct Follower {
    game: GameClient,
    looker: Looker,
    show: Show,
    /// The last version, with its time, if known.
    after: (u64, Option<Timestamp>),
    stream: Reopened<WatchGameResponse>,
}

impl Follower {
    /// Follows the versions after this one; 0: begins with the current table.
    pub(crate) fn new(game: GameClient, looker: Looker, show: Show, after_version: u64) -> Self {
        Self {
            stream: Reopened::new(game.connection().clone()),
            game,
            looker,
            show,
            after: (after_version, None),
        }
    }

    /// The next message. Resumes after a disconnect, with the version after the last one seen.
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

/// Says when a game has moved on, without its contents.
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

    /// Waits until there is a version after this one. May be given up at any time, and asked again.
    pub(crate) async fn after(&mut self, version: u64) -> Result<(), Failure> {
        while self.follower.after.0 <= version {
            self.follower.next().await?;
        }
        Ok(())
    }
}
