//! Options of a new game: requested, and validated (GOO-5.1 to GOO-5.3).

use super::data::{MAX_CARDS, MAX_PLAYERS, MIN_CARDS, MIN_PLAYERS};
use super::refusal::Refusal;
use crate::table::{ids, options};

ids! {
    /// The treatment of prizes for which the highest bids are equal (GOO-6.7).
    #[derive(Default)]
    Ties {
        /// Tied prizes wait for the next turn.
        #[default]
        CarryOver "carry_over" "carried over",
        /// Tied prizes leave the game.
        Discard "discard" "discarded",
    }
}

options! {
    players: MIN_PLAYERS..=MAX_PLAYERS, "GOO-5.1";
    /// The cards of each suit, from the Ace on. Unset: 13.
    cards: u8, "Cards of each suit", in MIN_CARDS..=MAX_CARDS, or MAX_CARDS, "GOO-5.2";
    /// The treatment of tied prizes. Unset: they wait for the next turn.
    ties: Ties, "Equal bids", "GOO-5.3";
}
