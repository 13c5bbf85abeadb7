//! Table options, independent of the ruleset.

use serde::{Deserialize, Serialize};

/// The options of table life. The default is a plain game: no clock, no take-backs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableOptions {
    /// The clock. `None`: no limit.
    pub clock: Option<ClockOptions>,
    /// Whether actions can be taken back.
    pub take_back: TakeBack,
    /// May the clocks stop when all seats agree?
    pub pause_by_agreement: bool,
    /// May the game end when all seats agree?
    pub end_by_agreement: bool,
}

/// The limits of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockOptions {
    /// Seconds for each decision that do not count against the bank.
    pub decision_seconds: u32,
    /// The time bank: seconds for the whole game beyond those.
    pub bank_seconds: u32,
    /// Seconds that are added to the bank for each decision that the seat answers.
    pub increment_seconds: u32,
    /// What happens when both have run out.
    pub on_timeout: OnTimeout,
    /// Who notices it.
    pub claim: Claim,
}

/// Who notices that a seat is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// Whoever calls.
    ByCall,
    /// The service itself too.
    Automatic,
}

/// What a claimed timeout does to the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnTimeout {
    /// The ruleset's fallback answers this decision.
    Fallback,
    /// The player leaves the seat.
    Resign,
}

/// Whether actions can be taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TakeBack {
    /// Never.
    #[default]
    Never,
    /// A seat takes back its own last actions as long as nobody else acted, nothing was drawn and
    /// nobody learned anything hidden.
    Unseen,
    /// When all other seats agree.
    Agreed,
    /// Both: alone what `Unseen` allows, everything else when all other seats agree.
    UnseenOrAgreed,
}
