//! The rows of views that differ between rules and contract.

use gamekeeper_rules::dominion::data::Card;
use gamekeeper_rules::dominion::{Cards, Gain};

use super::pb;
use crate::Malformed;
use crate::mapping::{FromView, message, view_message};

/// More copies of a card than any game has.
const MAX_COPIES: usize = 100;

// A frame that contains a single value.
message! { Gain => pb::GainFrame { max_cost, treasure_only, destination } }
view_message! { Gain => pb::GainFrame { max_cost, treasure_only, destination } }

/// Cards in any order, each as often as it is there.
impl FromView<Vec<i32>> for Cards {
    fn from_view(sent: Vec<i32>) -> Result<Self, Malformed> {
        let cards = Vec::<Card>::from_view(sent)?;
        for card in Card::ALL {
            let copies = cards.iter().filter(|other| **other == card).count();
            if copies > MAX_COPIES {
                let problem =
                    format!("has a card {copies} times; at most {MAX_COPIES} times is allowed");
                return Err(Malformed::new("", problem));
            }
        }
        Ok(cards.into_iter().collect())
    }
}
