//! All refusals (GOO-6.3).

use super::data::Card;
use crate::table::refusals;

refusals! {
    /// The reasons why an action, or a new game, is refused, in the order of the rule document.
    #[derive(Copy)]
    Refusal of "Goofspiel" {
        #[error("The {card} is not in your hand.")]
        CardNotInHand { card: Card },
        common InvalidPlayerCount,
        #[error("The option `{field}` does not take this value.")]
        InvalidOption { field: &'static str },
    }
}
