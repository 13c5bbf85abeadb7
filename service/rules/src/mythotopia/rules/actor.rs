//! The acting player.

use crate::mythotopia::data::{Improvement, Province};
use crate::mythotopia::state::{Player, State};
use crate::table::Seat;

/// A player who wants to act, and the current table.
#[derive(Clone, Copy)]
pub struct ActorContext<'a> {
    pub state: &'a State,
    pub seat: Seat,
    pub mode: CheckMode,
}

/// The detail wanted from a validation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CheckMode {
    /// Only whether the action is allowed; used for lists.
    LegalityOnly,
    /// Also the facts to report when the action is carried out.
    Permit,
}

impl<'a> ActorContext<'a> {
    pub fn player(self) -> &'a Player {
        &self.state.players[self.seat]
    }

    pub fn controls(self, province: Province) -> bool {
        self.player().controls(province)
    }

    pub fn reserves(self, improvement: Improvement) -> bool {
        self.player().reserves(improvement)
    }
}
