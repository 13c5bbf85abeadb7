//! What a stream of many games sends.

use bytes::Bytes;
use gamekeeper_store::GameId;

use crate::heart::problem::Problem;

/// An item of a stream of many games.
#[derive(Debug)]
pub enum GamesUpdate {
    /// A game that is followed from now on, or one of its versions: the encoded response.
    Change(Bytes),
    /// A game that is no longer followed, and why. `None`: the user no longer has a seat there, or the filter does not
    /// select it anymore.
    Left(GameId, Option<Problem>),
    /// The stream is alive, and follows this many games.
    Bookmark(usize),
    /// An item of a feed, which continues after it from this cursor.
    OfFeed(Box<GamesUpdate>, String),
}
