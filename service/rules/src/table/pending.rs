//! Pending decisions.

use arrayvec::ArrayVec;

use super::seat::{MAX_SEATS, Seat};

/// One seat owes one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The seat that must act.
    pub seat: Seat,
    /// The name of the decision, as the rule document spells it.
    pub decision: &'static str,
}

/// All decisions owed now. Empty: the game is over. More than one: they are simultaneous.
pub type PendingList = ArrayVec<Pending, MAX_SEATS>;
