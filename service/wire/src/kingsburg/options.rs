//! What a creator asks for.

use gamekeeper_rules::kingsburg::{Draft, Options, Wish};
use gamekeeper_rules::table::Id;

use super::pb;
use crate::rows::{FromPb, message, named};
use crate::{Malformed, OptionText};

/// The choices in words, in the order of the message.
pub(crate) const TEXTS: [OptionText; 3] = [
    OptionText {
        name: "colors",
        description: "The colors of the players, in seat order.",
        values: "yellow, green, blue, red, black, each at most once",
        default_value: "the first free color in this order",
    },
    OptionText {
        name: "initial_order",
        description: "How the first turn order comes about.",
        values: "INITIAL_ORDER_RANDOM: by lot; INITIAL_ORDER_AS_LISTED: the order of the seats",
        default_value: "INITIAL_ORDER_RANDOM",
    },
    OptionText {
        name: "two_player_set_aside",
        description: "With two players, each sets one die aside every season.",
        values: "false, true",
        default_value: "true",
    },
];

impl FromPb<pb::Options> for Draft {
    fn from_pb(sent: pb::Options) -> Result<Self, Malformed> {
        Ok(Self {
            colors: FromPb::from_pb(sent.colors)?,
            initial_order: FromPb::from_pb(sent.initial_order)?,
            two_player_set_aside: sent.two_player_set_aside,
        })
    }
}

/// 0 leaves the choice to the game; a number that names nothing is left to the rules.
impl<T: Id> FromPb<i32> for Wish<T> {
    fn from_pb(sent: i32) -> Result<Self, Malformed> {
        Ok(match sent {
            0 => Self::Unsaid,
            _ => named(sent).map_or(Self::Unknown, Self::Value),
        })
    }
}

message! {
    Options => pb::Options,
    |options| pb::Options {
        colors: options.colors.to_pb(),
        initial_order: options.initial_order.to_pb(),
        two_player_set_aside: Some(options.two_player_set_aside),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_rules::kingsburg::{Color, InitialOrder};

    use super::*;

    #[test]
    fn what_does_not_exist_is_left_to_the_rules() {
        for number in [-1, 6, i32::MAX] {
            assert_eq!(Wish::<Color>::from_pb(number), Ok(Wish::Unknown));
            assert_eq!(Wish::<InitialOrder>::from_pb(number), Ok(Wish::Unknown));
        }
        assert_eq!(Wish::from_pb(5), Ok(Wish::Value(Color::Black)));
        assert_eq!(Wish::<Color>::from_pb(0), Ok(Wish::Unsaid));
    }
}
