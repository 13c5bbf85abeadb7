//! Every way to say no (DOM-6.1 and the tests named with each action). A refusal cites the paragraph
//! of the action that was sent (DOM-14.12).

use super::data::{Card, KINGDOM_SIZE};
use super::stage::Decision;
use crate::table::{self, Count, Refused, Seat};

/// A refusal, and the paragraph that refuses.
pub(crate) type No = Refused<Refusal>;

/// What a theme says of an action; nothing if the action answers another question.
pub(crate) type Answer<D> = Option<Result<D, No>>;

/// Why an action or a new game is refused. Says nothing that the sender could not know. In the
/// order of the data file.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the sentences say it")]
pub enum Refusal {
    #[error("The game is over.")]
    GameOver,
    #[error("It is {to_act}'s turn to decide ({decision}).")]
    NotYourTurn { to_act: Seat, decision: Decision },
    #[error("{action} does not belong to this phase ({decision}).")]
    WrongPhase {
        action: &'static str,
        decision: Decision,
    },
    #[error("{action} does not answer the pending {decision}.")]
    DecisionPending {
        action: &'static str,
        decision: Decision,
    },
    #[error("No card asks for {action} now.")]
    NoSuchDecision { action: &'static str },
    #[error("A card is missing or does not exist.")]
    UnknownCard,
    #[error("{card} is not in hand, or not so often.")]
    CardNotInHand { card: Card },
    #[error("{card} is neither in hand nor in play.")]
    CardNotAvailable { card: Card },
    #[error("{card} is not among the cards to choose from ({decision}).")]
    CardNotEligible { card: Card, decision: Decision },
    #[error("{card} is not an Action card.")]
    NotAnAction { card: Card },
    #[error("{card} is not a Treasure.")]
    NotATreasure { card: Card },
    #[error("{card} is not a Victory card.")]
    NotAVictoryCard { card: Card },
    /// No Treasure of those to play, or none among all of the hand.
    #[error("{}", if *all { "There is no Treasure in hand." } else { "At least one Treasure must be chosen." })]
    EmptySelection { all: bool },
    #[error("{} chosen instead of {}.", Count(*count, "card"), span(*least, *most))]
    WrongNumberOfCards { count: usize, least: u16, most: u16 },
    #[error("No Treasures after the first purchase of a turn.")]
    TreasuresClosed,
    #[error("No buys are left.")]
    NoBuysLeft,
    #[error("{card} costs {}, and you have {coins}.", Count(*cost, "coin"))]
    CannotAfford { card: Card, cost: u8, coins: u16 },
    #[error("{card} costs {}, and the limit is {limit}.", Count(*cost, "coin"))]
    TooExpensive { card: Card, cost: u8, limit: u8 },
    #[error("{card} has no Supply pile in this game.")]
    NotInSupply { card: Card },
    #[error("The Supply pile of {card} is empty.")]
    PileEmpty { card: Card },
    #[error("Dominion is for 2 to 4 players, not {players}.")]
    InvalidPlayerCount { players: usize },
    #[error("This is no kingdom: {flaw}.")]
    InvalidKingdom { flaw: KingdomFlaw },
    #[error("The first player is seat {number}, but the seats are 1 to {seats}.")]
    InvalidFirstPlayer { number: u32, seats: u8 },
}

/// A number from the fewest to the most.
fn span(least: u16, most: u16) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    }
}

/// What is wrong with a kingdom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the sentences say it")]
pub enum KingdomFlaw {
    #[error("the set does not exist")]
    UnknownSet,
    #[error("one of the cards does not exist")]
    UnknownCard,
    #[error("{card} is in every Supply")]
    NotAKingdomCard { card: Card },
    #[error("{card} is named twice")]
    Twice { card: Card },
    #[error("it has {} instead of {KINGDOM_SIZE}", Count(*count, "card"))]
    WrongNumber { count: usize },
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    fn code(&self) -> &'static str {
        self.into()
    }
}
