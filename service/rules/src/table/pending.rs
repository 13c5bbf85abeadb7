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

impl Pending {
    /// At most one seat owes a decision.
    #[must_use]
    pub fn only(owed: Option<(Seat, &'static str)>) -> PendingList {
        let pending = owed.map(|(seat, decision)| Self { seat, decision });
        pending.into_iter().collect()
    }
}

/// All decisions owed now. Empty: the game is over. More than one: they are simultaneous.
pub type PendingList = ArrayVec<Pending, MAX_SEATS>;
