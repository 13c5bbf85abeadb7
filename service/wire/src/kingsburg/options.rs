//! The options of a game.

use gamekeeper_rules::kingsburg::{Draft, Options};

use super::pb;
use crate::Malformed;
use crate::rows::{FromPb, message};

impl FromPb<pb::Options> for Draft {
    fn from_pb(sent: pb::Options) -> Result<Self, Malformed> {
        Ok(Self {
            colors: FromPb::from_pb(sent.colors)?,
            initial_order: FromPb::from_pb(sent.initial_order)?,
            two_player_set_aside: sent.two_player_set_aside,
        })
    }
}

message! {
    Options => pb::Options,
    |options| {
        colors: options.colors, initial_order: options.initial_order,
        two_player_set_aside: Some(options.two_player_set_aside),
    }
}
