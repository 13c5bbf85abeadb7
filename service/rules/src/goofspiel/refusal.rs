//! All refusals (GOO-6.3).

use super::data::Card;
use crate::table::{Refused, refusals};

refusals! {
    /// The reasons why an action, or a new game, is refused, in the order of the rule document.
    #[derive(Copy)]
    Refusal of "Goofspiel" {
        common GameOver,
        common NotYourTurn,
        common WrongDecision,
        common UnknownId,
        #[error("The {card} is not in your hand.")]
        CardNotInHand { card: Card },
        common InvalidPlayerCount,
        #[error("The option `{field}` does not take this value.")]
        InvalidOption { field: &'static str },
    }
}

/// A refusal, and the paragraph of the rule document that it cites.
pub type RefusedAction = Refused<Refusal>;
