//! The options of a game.

use gamekeeper_rules::goofspiel::{Draft, Options};

use super::pb;
use crate::Malformed;
use crate::rows::{FromPb, message};

impl FromPb<pb::Options> for Draft {
    fn from_pb(sent: pb::Options) -> Result<Self, Malformed> {
        Ok(Self {
            cards: sent.cards,
            ties: FromPb::from_pb(sent.ties)?,
        })
    }
}

message! {
    Options => pb::Options,
    |options| { cards: Some(options.cards), ties: options.ties }
}
