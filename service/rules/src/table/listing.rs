//! How legal actions are listed: by a visitor, so that a list is never longer in memory than asked.

use std::ops::ControlFlow;

/// Says whether the listing goes on.
pub type Visit = ControlFlow<()>;

/// How finely actions are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Detail {
    /// Every distinct move once. Where the ways to pay for one move explode, one way to pay.
    #[default]
    Moves,
    /// Every way to pay for every move.
    AllPayments,
}
