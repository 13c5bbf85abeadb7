//! Pending decisions.

use arrayvec::ArrayVec;

use super::seat::{MAX_SEATS, Seat};

/// A decision that one seat owes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The seat that must act.
    pub seat: Seat,
    /// The name of the decision, as the rule document spells it.
    pub decision: &'static str,
}

impl Pending {
    /// Lists the decisions that these seats owe; `name` gives the name of a decision.
    pub fn all<D>(
        pending: impl IntoIterator<Item = (Seat, D)>,
        name: impl Fn(D) -> &'static str,
    ) -> PendingList {
        let pending = pending.into_iter().map(|(seat, decision)| Self {
            seat,
            decision: name(decision),
        });
        pending.collect()
    }
}

/// All decisions owed now. Empty if the game is over; several decisions are simultaneous.
pub type PendingList = ArrayVec<Pending, MAX_SEATS>;
