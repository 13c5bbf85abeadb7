//! Items of a stream that follows several games.

use bytes::Bytes;
use gamekeeper_store::GameId;

use crate::errors::ServiceError;

/// An item of a stream that follows several games.
#[derive(Debug)]
pub enum GamesUpdate {
    /// A game that the stream starts to follow, or one of its versions: the encoded response.
    Change(Bytes),
    /// A game that the stream no longer follows, with the error. The error is `None` if the user no longer has a seat
    /// there, or the filter no longer selects the game.
    Removed(GameId, Option<ServiceError>),
    /// A heartbeat, with the number of games that the stream follows.
    Bookmark(usize),
    /// An item of a feed, with the cursor from which a client can resume after it.
    WithCursor(Box<GamesUpdate>, String),
}
