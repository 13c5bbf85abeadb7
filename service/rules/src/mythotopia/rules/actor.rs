//! The acting player.

use crate::mythotopia::data::{Improvement, Province};
use crate::mythotopia::state::{Player, State};
use crate::table::Seat;

/// A player who wants to act, and the table as it is.
#[derive(Clone, Copy)]
pub(crate) struct Actor<'a> {
    pub(crate) state: &'a State,
    pub(crate) seat: Seat,
    pub(crate) wants: Wants,
}

/// The detail wanted from a judgment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wants {
    /// Only whether the action is allowed: for lists.
    Answer,
    /// Also what to report when it is carried out.
    Permit,
}

impl<'a> Actor<'a> {
    pub(crate) fn player(self) -> &'a Player {
        &self.state.players[self.seat]
    }

    pub(crate) fn controls(self, province: Province) -> bool {
        self.player().controls(province)
    }

    pub(crate) fn reserves(self, improvement: Improvement) -> bool {
        self.player().reserves(improvement)
    }
}
