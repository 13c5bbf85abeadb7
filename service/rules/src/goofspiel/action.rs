//! The actions that a player can send (GOO-6.2).

use super::data::Card;
use crate::table::{MaybeKnown, actions};

actions! {
    /// An action of a player.
    #[derive(Copy)]
    Action {
        /// Bids a card for the prizes of this turn (GOO-6.2).
        Bid { card: MaybeKnown<Card> } "Bid a card",
    }
}
