//! All refusals (DOM-6.1). A refusal cites the paragraph of the action that was sent (DOM-14.12).

use super::data::Card;
use super::stage::Decision;
use crate::table::{Count, MaybeKnown, Refusal as _, refusals};

refusals! {
    /// The reasons why an action, or a new game, is refused, in the order of the rule document. A refusal reveals
    /// nothing that the sender could not know.
    #[derive(Copy)]
    Refusal of "Dominion" {
        /// The card is named `count` times, and `held` are in hand.
        #[error("{}", not_in_hand(*card, *count, *held))]
        CardNotInHand { card: Card, count: u16, held: u16 },
        #[error("You have no {card} in hand or in play.")]
        CardNotAvailable { card: Card },
        #[error("{}", not_eligible(*card, *decision))]
        CardNotEligible { card: Card, decision: Decision },
        #[error("{card} is not an Action card.")]
        NotAnAction { card: Card },
        #[error("{card} is not a Treasure.")]
        NotATreasure { card: Card },
        #[error("{card} is not a Victory card.")]
        NotAVictoryCard { card: Card },
        /// The player named no Treasure, although some are in hand.
        #[error("At least one Treasure must be played; you have {held} in hand.")]
        EmptySelection { held: u16 },
        #[error("Choose {}, not {count}.", range(*min, *max))]
        WrongNumberOfCards { count: u16, min: u16, max: u16 },
        #[error("Treasures cannot be played after the first purchase of a turn.")]
        TreasuresClosed,
        #[error("You have no buys left.")]
        NoBuysLeft,
        #[error("{card} costs {}, but you have {coins}.", Count(*cost, "coin"))]
        CannotAfford { card: Card, cost: u8, coins: u16 },
        #[error("{card} costs {}, but the limit is {limit}.", Count(*cost, "coin"))]
        TooExpensive { card: Card, cost: u8, limit: u8 },
        #[error("{card} is not in the Supply of this game.")]
        NotInSupply { card: Card },
        #[error("The {card} pile is empty.")]
        PileEmpty { card: Card },
        common InvalidPlayerCount,
        #[error("{flaw}")]
        InvalidOption {
            field: &'static str,
            flaw: OptionFlaw,
        },
    }
}

/// Returns the value that a client named, or refuses a name that is missing or unknown.
///
/// # Rule DOM-6.1, DOM-14.5
/// A name that is missing or names nothing is refused before the other checks of the action.
pub fn require_known<T>(named: MaybeKnown<T>, field: &'static str) -> Result<T, RefusedAction> {
    named.ok_or(Refusal::UnknownId { field }.citing("DOM-6.1"))
}

/// States that the hand has too few of these cards, or none.
fn not_in_hand(card: Card, count: u16, in_hand: u16) -> String {
    match in_hand {
        0 => format!("You have no {card} in hand."),
        1 => format!("You have only 1 {card} in hand, not {count}."),
        _ => format!(
            "You have only {in_hand} {} in hand, not {count}.",
            card.plural()
        ),
    }
}

/// A number of cards from the minimum to the maximum.
fn range(min: u16, max: u16) -> String {
    if min == max {
        Count(max, "card").to_string()
    } else {
        format!("{min} to {}", Count(max, "card"))
    }
}

/// The reason why a card cannot answer this decision.
fn not_eligible(card: Card, decision: Decision) -> String {
    if decision == Decision::ReactToAttack {
        format!("{card} is not a Reaction.")
    } else if decision == Decision::LibraryDecide {
        format!("{card} is not an Action card: it cannot be set aside.")
    } else if decision == Decision::ThiefGain {
        format!("This Thief did not trash that many {}.", card.plural())
    } else {
        format!("{card} is not among the cards to choose from.")
    }
}

/// A fault in the options of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionFlaw {
    #[error("There is no such set of kingdom cards.")]
    UnknownSet,
    /// Positions are counted from 1.
    #[error("Card {place} of the kingdom does not exist.")]
    UnknownCard { place: u32 },
    #[error("{card} is in every Supply and cannot be a kingdom card.")]
    NotAKingdomCard { card: Card },
    #[error("{card} is in the kingdom twice.")]
    Twice { card: Card },
    #[error("A kingdom has {wanted} cards, not {count}.")]
    WrongNumber { count: u32, wanted: u32 },
    #[error("The first player must be a seat from 1 to {seats}, not {number}.")]
    NoSuchSeat { number: u32, seats: u8 },
}
