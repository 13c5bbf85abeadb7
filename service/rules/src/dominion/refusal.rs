//! Every way to say no (DOM-6.1 and the tests named with each action).

use super::data::{Card, KINGDOM_SIZE};
use super::decision::Decision;
use crate::table::{Count, Seat};

/// Why an action or a new game is refused. Says nothing that the sender could not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game has ended.
    #[error("The game is over.")]
    GameOver,
    /// Another player has to decide.
    #[error("It is {to_act}'s turn to decide ({decision}).")]
    NotYourTurn {
        /// Who has to decide.
        to_act: Seat,
        /// What he has to decide.
        decision: Decision,
    },
    /// An action of the other phase.
    #[error("{action} does not belong to this phase ({decision}).")]
    WrongPhase {
        /// The kind of action that was sent.
        action: &'static str,
        /// The pending decision.
        decision: Decision,
    },
    /// A card's question must be answered first.
    #[error("{action} does not answer the pending {decision}.")]
    DecisionPending {
        /// The kind of action that was sent.
        action: &'static str,
        /// The pending decision.
        decision: Decision,
    },
    /// No card asks this question now.
    #[error("No card asks for {action} now.")]
    NoSuchDecision {
        /// The kind of action that was sent.
        action: &'static str,
    },
    /// A card is missing, or none of the 32.
    #[error("A card is missing or does not exist.")]
    UnknownCard,
    /// A card is not in hand, or not so often.
    #[error("{card} is not in hand, or not so often.")]
    CardNotInHand {
        /// The card.
        card: Card,
        /// The pending decision.
        decision: Decision,
    },
    /// The chosen top of the discard pile is neither in hand nor in play.
    #[error("{card} is neither in hand nor in play.")]
    CardNotAvailable {
        /// The card.
        card: Card,
    },
    /// The card is not one of those to choose from.
    #[error("{card} is not among the cards to choose from ({decision}).")]
    CardNotEligible {
        /// The card.
        card: Card,
        /// The pending decision.
        decision: Decision,
    },
    /// The card is no Action card.
    #[error("{card} is not an Action card.")]
    NotAnAction {
        /// The card.
        card: Card,
        /// The pending decision.
        decision: Decision,
    },
    /// The card is no Treasure.
    #[error("{card} is not a Treasure.")]
    NotATreasure {
        /// The card.
        card: Card,
        /// The pending decision.
        decision: Decision,
    },
    /// The card is no Victory card.
    #[error("{card} is not a Victory card.")]
    NotAVictoryCard {
        /// The card.
        card: Card,
    },
    /// No Treasure was chosen.
    #[error("At least one Treasure must be chosen.")]
    EmptySelection,
    /// There is no Treasure to play.
    #[error("There is no Treasure in hand.")]
    NoTreasureInHand,
    /// Too many or too few cards.
    #[error("{} chosen instead of {}.", Count(*count, "card"), span(*least, *most))]
    WrongNumberOfCards {
        /// How many cards were chosen.
        count: usize,
        /// The fewest.
        least: u16,
        /// The most.
        most: u16,
        /// The pending decision.
        decision: Decision,
    },
    /// Treasures come before purchases.
    #[error("No Treasures after the first purchase of a turn.")]
    TreasuresClosed,
    /// All buys are used.
    #[error("No buys are left.")]
    NoBuysLeft,
    /// Too few coins.
    #[error("{card} costs {}, and you have {coins}.", Count(*cost, "coin"))]
    CannotAfford {
        /// The card.
        card: Card,
        /// Its cost.
        cost: u8,
        /// The coins of the turn.
        coins: u16,
    },
    /// The card costs more than the gain allows.
    #[error("{card} costs {}, and the limit is {limit}.", Count(*cost, "coin"))]
    TooExpensive {
        /// The card.
        card: Card,
        /// Its cost.
        cost: u8,
        /// The most it may cost.
        limit: u8,
    },
    /// The card has no pile in this game.
    #[error("{card} has no Supply pile in this game.")]
    NotInSupply {
        /// The card.
        card: Card,
        /// The pending decision.
        decision: Decision,
    },
    /// The card's pile is empty.
    #[error("The Supply pile of {card} is empty.")]
    PileEmpty {
        /// The card.
        card: Card,
        /// The pending decision.
        decision: Decision,
    },
    /// Too few or too many players.
    #[error("Dominion is for 2 to 4 players, not {players}.")]
    InvalidPlayerCount {
        /// How many players there are.
        players: usize,
    },
    /// The kingdom is not one of a game.
    #[error("This is no kingdom: {flaw}.")]
    InvalidKingdom {
        /// What is wrong with it.
        flaw: KingdomFlaw,
    },
    /// The first player is no seat of the table.
    #[error("The first player is seat {number}, but the seats are 1 to {seats}.")]
    InvalidFirstPlayer {
        /// The number asked for.
        number: u32,
        /// The number of seats.
        seats: u8,
    },
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
pub enum KingdomFlaw {
    /// A set that is not in the rulebook.
    #[error("the set does not exist")]
    UnknownSet,
    /// A card that does not exist.
    #[error("one of the cards does not exist")]
    UnknownCard,
    /// A card that is in every Supply.
    #[error("{card} is in every Supply")]
    NotAKingdomCard {
        /// The basic card.
        card: Card,
    },
    /// A card that is named twice.
    #[error("{card} is named twice")]
    Twice {
        /// The card.
        card: Card,
    },
    /// Not ten cards.
    #[error("it has {} instead of {KINGDOM_SIZE}", Count(*count, "card"))]
    WrongNumber {
        /// How many cards were named.
        count: usize,
    },
}

impl Refusal {
    /// All codes, in the order of the data file.
    pub const CODES: [&str; 23] = [
        "GAME_OVER",
        "NOT_YOUR_TURN",
        "WRONG_PHASE",
        "DECISION_PENDING",
        "NO_SUCH_DECISION",
        "UNKNOWN_CARD",
        "CARD_NOT_IN_HAND",
        "CARD_NOT_AVAILABLE",
        "CARD_NOT_ELIGIBLE",
        "NOT_AN_ACTION",
        "NOT_A_TREASURE",
        "NOT_A_VICTORY_CARD",
        "EMPTY_SELECTION",
        "WRONG_NUMBER_OF_CARDS",
        "TREASURES_CLOSED",
        "NO_BUYS_LEFT",
        "CANNOT_AFFORD",
        "TOO_EXPENSIVE",
        "NOT_IN_SUPPLY",
        "PILE_EMPTY",
        "INVALID_PLAYER_COUNT",
        "INVALID_KINGDOM",
        "INVALID_FIRST_PLAYER",
    ];
}

impl crate::table::Refusal for Refusal {
    const CODES: &'static [&'static str] = &Self::CODES;

    fn code(&self) -> &'static str {
        match self {
            Self::GameOver => "GAME_OVER",
            Self::NotYourTurn { .. } => "NOT_YOUR_TURN",
            Self::WrongPhase { .. } => "WRONG_PHASE",
            Self::DecisionPending { .. } => "DECISION_PENDING",
            Self::NoSuchDecision { .. } => "NO_SUCH_DECISION",
            Self::UnknownCard => "UNKNOWN_CARD",
            Self::CardNotInHand { .. } => "CARD_NOT_IN_HAND",
            Self::CardNotAvailable { .. } => "CARD_NOT_AVAILABLE",
            Self::CardNotEligible { .. } => "CARD_NOT_ELIGIBLE",
            Self::NotAnAction { .. } => "NOT_AN_ACTION",
            Self::NotATreasure { .. } => "NOT_A_TREASURE",
            Self::NotAVictoryCard { .. } => "NOT_A_VICTORY_CARD",
            Self::EmptySelection | Self::NoTreasureInHand => "EMPTY_SELECTION",
            Self::WrongNumberOfCards { .. } => "WRONG_NUMBER_OF_CARDS",
            Self::TreasuresClosed => "TREASURES_CLOSED",
            Self::NoBuysLeft => "NO_BUYS_LEFT",
            Self::CannotAfford { .. } => "CANNOT_AFFORD",
            Self::TooExpensive { .. } => "TOO_EXPENSIVE",
            Self::NotInSupply { .. } => "NOT_IN_SUPPLY",
            Self::PileEmpty { .. } => "PILE_EMPTY",
            Self::InvalidPlayerCount { .. } => "INVALID_PLAYER_COUNT",
            Self::InvalidKingdom { .. } => "INVALID_KINGDOM",
            Self::InvalidFirstPlayer { .. } => "INVALID_FIRST_PLAYER",
        }
    }
}

impl Refusal {
    /// The rule that usually refuses so.
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Self::GameOver => "DOM-8.5",
            Self::NotYourTurn { .. }
            | Self::WrongPhase { .. }
            | Self::DecisionPending { .. }
            | Self::NoSuchDecision { .. }
            | Self::UnknownCard => "DOM-6.1",
            Self::CardNotInHand { decision, .. }
            | Self::CardNotEligible { decision, .. }
            | Self::NotAnAction { decision, .. }
            | Self::NotATreasure { decision, .. }
            | Self::WrongNumberOfCards { decision, .. } => decision.rule(),
            Self::CardNotAvailable { .. } => "DOM-6.13",
            Self::NotAVictoryCard { .. } => "DOM-7.2",
            Self::EmptySelection | Self::TreasuresClosed => "DOM-6.8",
            Self::NoTreasureInHand => "DOM-6.9",
            Self::NoBuysLeft | Self::CannotAfford { .. } => "DOM-6.10",
            Self::TooExpensive { .. } => "DOM-6.34",
            Self::NotInSupply { decision, .. } | Self::PileEmpty { decision, .. } => {
                supply_rule(*decision)
            }
            Self::InvalidPlayerCount { .. } => "DOM-5.1",
            Self::InvalidKingdom { .. } => "DOM-5.2",
            Self::InvalidFirstPlayer { .. } => "DOM-5.3",
        }
    }
}

/// Purchases and other gains ask the same of a pile, in two rules.
fn supply_rule(decision: Decision) -> &'static str {
    if decision == Decision::BuyPhase {
        "DOM-6.10"
    } else {
        "DOM-6.34"
    }
}

impl From<Refusal> for crate::table::Refused<Refusal> {
    fn from(why: Refusal) -> Self {
        Self {
            rule: why.rule(),
            why,
        }
    }
}
