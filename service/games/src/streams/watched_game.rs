//! Games that are followed as parts of one stream.

use std::pin::Pin;

use bytes::Bytes;
use futures_util::Stream;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::{GameId, Version};
use prost_types::Timestamp;

use crate::errors::ServiceError;

/// A request to follow a game.
#[derive(Clone, Debug)]
pub struct WatchedGame {
    /// The id of the game.
    pub id: GameId,
    /// The last version that the caller has. 0 starts with the newest version.
    pub after_version: Version,
    /// The time of that version, as it was reported. It detects that the version was replaced after a failover.
    pub after_time: Option<Timestamp>,
    /// The viewer.
    pub viewer: ViewerSelector,
    /// The parts of the game that each change shows.
    pub show: Option<pb::Show>,
    /// The user whose games the stream follows. Is `None` if it follows no user.
    pub user: Option<String>,
    /// The path of the game in the request. Empty if the request does not name it.
    pub place: String,
}

/// The viewer of a followed game.
#[derive(Clone, Debug)]
pub enum ViewerSelector {
    /// The viewer that the request names, or the default one.
    Requested(Option<pb::Viewer>),
    /// The first seat of a user.
    SeatOfUser(String),
}

/// A new version of a followed game, or changed names, users and labels.
#[derive(Clone, Debug)]
pub struct VersionChange {
    /// The version.
    pub version: Version,
    /// The time of the version.
    pub time: Timestamp,
    /// Whether the user whose games are followed has a seat there. Is true if the stream follows no user.
    pub user_has_seat: bool,
    /// The encoded response that shows the change.
    pub message: Bytes,
}

/// The changes of one game, until it is over or can no longer be followed.
pub type VersionChanges = Pin<Box<dyn Stream<Item = Result<VersionChange, ServiceError>> + Send>>;
