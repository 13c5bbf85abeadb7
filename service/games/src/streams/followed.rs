//! A game that is followed as one of many.

use std::pin::Pin;

use bytes::Bytes;
use futures_util::Stream;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::{GameId, Version};
use prost_types::Timestamp;

use crate::heart::problem::Problem;

/// A game to be followed.
#[derive(Clone, Debug)]
pub struct FollowedGame {
    /// The game.
    pub id: GameId,
    /// The last version that the caller has; 0: begin with the newest.
    pub after_version: Version,
    /// The time of that version, as it was reported.
    pub after_time: Option<Timestamp>,
    /// Who looks.
    pub look: Look,
    /// What each change carries.
    pub show: Option<pb::Show>,
    /// The user whose games the stream follows, if any.
    pub user: Option<String>,
}

/// Who looks at a followed game.
#[derive(Clone, Debug)]
pub enum Look {
    /// The viewer that the request names.
    As(Option<pb::Viewer>),
    /// The first seat of a user.
    OfUser(String),
}

/// A game at a version.
#[derive(Clone, Debug)]
pub struct Change {
    /// The version.
    pub version: Version,
    /// Its time.
    pub time: Timestamp,
    /// Does the user whose games are followed have a seat there? True if the stream follows no user.
    pub is_of_user: bool,
    /// The response that shows it, encoded.
    pub message: Bytes,
}

/// The changes of one game, until it is over or can no longer be followed.
pub type Changes = Pin<Box<dyn Stream<Item = Result<Change, Problem>> + Send>>;
