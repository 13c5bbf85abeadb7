//! The cards (GOO-3).

use enumset::EnumSet;

use crate::table::{JoinAnd, drawn, drawn_label, ids};

/// The fewest players (GOO-5.1).
pub const MIN_PLAYERS: u8 = 2;
/// The most players (GOO-5.1).
pub const MAX_PLAYERS: u8 = 5;
/// The fewest cards of a suit (GOO-5.2).
pub const MIN_CARDS: u8 = 5;
/// The cards of a whole suit (GOO-3.1).
pub const MAX_CARDS: u8 = 13;

ids! {
    /// A card of a suit, the lowest first (GOO-3.1). Suits do not matter.
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u16")]
    Card {
        Ace "ace" "Ace",
        Two "two" "2",
        Three "three" "3",
        Four "four" "4",
        Five "five" "5",
        Six "six" "6",
        Seven "seven" "7",
        Eight "eight" "8",
        Nine "nine" "9",
        Ten "ten" "10",
        Jack "jack" "Jack",
        Queen "queen" "Queen",
        King "king" "King",
    }
}

/// Some of the cards of a suit.
pub type Cards = EnumSet<Card>;

impl Card {
    /// Returns the value of the card as a bid and as a prize, 1 to 13 (GOO-3.2).
    #[must_use]
    pub const fn value(self) -> u8 {
        self as u8 + 1
    }
}

drawn! { Card from 1 }

/// Returns the label of a drawn value: the id of the card (GOO-14.1).
pub fn draw_label(_draw: &str, value: u16) -> Option<&'static str> {
    drawn_label::<Card>(value)
}

/// This many cards of a suit, from the Ace on (GOO-5.2).
pub fn suit(cards: u8) -> Cards {
    let all = Card::ALL.into_iter();
    all.filter(|card| card.value() <= cards).collect()
}

/// The points of prizes. A whole suit has 91 (GOO-3.2).
pub fn points(prizes: Cards) -> u8 {
    prizes.iter().map(Card::value).sum()
}

/// `the King`, `the 3 and the King`.
pub fn named(cards: Cards) -> String {
    JoinAnd(cards.iter().map(|card| format!("the {card}"))).to_string()
}
