//! The acting player.

use crate::mythotopia::data::{Improvement, Province};
use crate::mythotopia::state::{Player, State};
use crate::table::Seat;

/// A player who wants to act, and the table as it is.
#[derive(Clone, Copy)]
pub struct Actor<'a> {
    pub state: &'a State,
    pub seat: Seat,
    pub wants: Wants,
}

/// The detail wanted from a judgment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wants {
    /// Only whether the action is allowed: for lists.
    Answer,
    /// Also what to report when it is carried out.
    Permit,
}

impl<'a> Actor<'a> {
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
