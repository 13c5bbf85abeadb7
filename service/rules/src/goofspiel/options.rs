//! Options of a new game: requested, and validated (GOO-5.1 to GOO-5.3).

use serde::{Deserialize, Serialize};

use super::data::{MAX_CARDS, MAX_PLAYERS, MIN_CARDS, MIN_PLAYERS};
use super::refusal::Refusal;
use crate::table::{
    OptionRule, OptionalParam, Refusal as _, RefusedOption, Values, ids, player_count,
};

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

/// The requested options, not yet validated. The default is the plain game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// The cards of each suit. Unset: 13.
    pub cards: Option<u32>,
    /// The treatment of tied prizes. Unset: they wait for the next turn.
    pub ties: OptionalParam<Ties>,
}

/// Validated options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The number of seats.
    pub seats: u8,
    /// The cards of each suit, from the Ace on.
    pub cards: u8,
    /// The treatment of tied prizes.
    pub ties: Ties,
}

impl Options {
    /// The number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.seats.into()
    }
}

const CARDS: &str = "cards";
const TIES: &str = "ties";

/// The fields, and the values of the cards (GOO-5.2).
pub const OPTIONS: &[OptionRule] = &[
    OptionRule::new(CARDS, "Cards of each suit")
        .taking(|_| Values::Numbers(MIN_CARDS.into()..=MAX_CARDS.into())),
    OptionRule::of::<Ties>(TIES, "Equal bids"),
];

/// Validates the requested options: number of players, cards, ties, in this order.
///
/// # Rule GOO-5.1 to GOO-5.3
pub fn check(players: &[String], draft: &Draft) -> Result<Options, RefusedOption<Refusal>> {
    let seats = player_count(players, MIN_PLAYERS..=MAX_PLAYERS, "GOO-5.1")?;
    let cards = match draft.cards {
        None => Some(MAX_CARDS),
        Some(cards) => u8::try_from(cards).ok(),
    };
    let cards = cards.filter(|cards| (MIN_CARDS..=MAX_CARDS).contains(cards));
    let no_such_suit = Refusal::InvalidOption { field: CARDS }.citing("GOO-5.2");
    let unknown = || {
        Refusal::InvalidOption { field: TIES }
            .citing("GOO-5.3")
            .for_field(TIES)
    };
    Ok(Options {
        seats,
        cards: cards.ok_or_else(|| no_such_suit.for_field(CARDS))?,
        ties: draft.ties.require_known(unknown)?.unwrap_or_default(),
    })
}
