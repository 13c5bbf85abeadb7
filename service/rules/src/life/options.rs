//! What the creator of a game chooses for its table, whatever the ruleset.

use serde::{Deserialize, Serialize};

/// How the table is kept. The default is a plain game: no clock, nothing is taken back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableOptions {
    /// The time that players have; nothing: any time.
    pub clock: Option<ClockOptions>,
    /// Whether actions can be taken back.
    pub take_back: TakeBack,
}

/// How much time players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockOptions {
    /// Seconds for each decision, which do not count.
    pub decision_seconds: u32,
    /// Seconds that a seat has in all beyond those.
    pub bank_seconds: u32,
    /// Seconds that are added to the bank for each decision that the seat answers.
    pub increment_seconds: u32,
    /// What happens when both have run out.
    pub on_timeout: OnTimeout,
}

/// What happens to a seat whose time has run out, once somebody says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnTimeout {
    /// The ruleset's fallback answers this decision.
    Fallback,
    /// The seat has left.
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
}
