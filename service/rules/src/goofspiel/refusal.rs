//! All refusals (GOO-6.3).

use super::data::Card;
use crate::table::{Refused, refusals};

refusals! {
    /// The reasons why an action, or a new game, is refused, in the order of the rule document.
    #[derive(Copy)]
    Refusal of "Goofspiel" {
        shared GameOver,
        shared NotYourTurn,
        shared WrongDecision,
        shared UnknownId,
        #[error("The {card} is not in your hand.")]
        CardNotInHand { card: Card },
        shared InvalidPlayerCount,
        #[error("The option `{field}` does not take this value.")]
        InvalidOption { field: &'static str },
    }
}

/// A refusal, and the paragraph of the rule document that it cites.
pub type No = Refused<Refusal>;
