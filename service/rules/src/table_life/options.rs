//! Options of the table, independent of the ruleset.

use serde::{Deserialize, Serialize};

/// The options of table events. The default is a plain game: no clock, no take-backs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableOptions {
    /// The clock. Is `None` if time is unlimited.
    pub clock: Option<ClockOptions>,
    /// The kinds of take-backs that are allowed.
    pub take_back: TakeBack,
    /// Whether the clocks may stop when all seats agree.
    pub pause_by_agreement: bool,
    /// Whether the game may end when all seats agree.
    pub end_by_agreement: bool,
}

/// The limits of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockOptions {
    /// Seconds for each decision that are not charged to the time bank.
    pub decision_seconds: u32,
    /// The time bank: seconds for the whole game, used after the seconds of a decision.
    pub bank_seconds: u32,
    /// Seconds that are added to the bank for each decision that the seat answers.
    pub increment_seconds: u32,
    /// The consequence for a seat that has used up both.
    pub on_timeout: OnTimeout,
    /// The parties that can claim a timeout.
    pub claim: Claim,
}

/// The parties that can claim that a seat is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// Callers of the API.
    ByCall,
    /// Callers, and the service itself.
    Automatic,
}

/// The consequence of a claimed timeout for the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnTimeout {
    /// The ruleset's fallback answers this decision.
    Fallback,
    /// The player leaves the seat.
    Resign,
}

/// The kinds of take-backs that are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TakeBack {
    /// Never.
    #[default]
    Never,
    /// A seat takes back its own last actions until another seat acts, something is drawn, or anybody learns anything
    /// hidden.
    Unseen,
    /// All other seats must agree.
    Agreed,
    /// Both: a seat takes back alone what `Unseen` allows, and everything else with the agreement of all other seats.
    UnseenOrAgreed,
}
