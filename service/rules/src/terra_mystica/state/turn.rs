//! The current turn, and its pending choices.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::table::{MAX_SEATS, Seat};
use crate::terra_mystica::data::{Land, LandSet};

/// Power offered for one structure (TM-6.40). The gain is computed at the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    pub seat: Seat,
    pub land: Land,
    pub value: u8,
}

/// The answers so far to one event of the Cultists, a structure beside another player's (TM-6.43).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Takers {
    /// There is no event of the Cultists.
    NoEvent,
    /// Nobody has accepted.
    Nobody,
    /// At least one player has accepted.
    Somebody,
}

/// Choices that the active player still owes. Town tiles are owed by towns without a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUps {
    pub favor_tiles: u8,
    pub cult_step: bool,
    pub ordination: bool,
    pub stronghold_spades: bool,
}

impl FollowUps {
    pub const NONE: Self = Self {
        favor_tiles: 0,
        cult_step: false,
        ordination: false,
        stronghold_spades: false,
    };

    pub const fn any(self) -> bool {
        self.favor_tiles > 0 || self.cult_step || self.ordination || self.stronghold_spades
    }
}

/// The current turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    pub seat: Seat,
    pub main_action_done: bool,
    /// Main actions of a double turn still to be taken.
    pub extra_actions: u8,
    /// The spaces for a late dwelling (TM-6.27).
    pub late_build: LandSet,
    pub offers: ArrayVec<Offer, { MAX_SEATS - 1 }>,
    pub takers: Takers,
    pub follow_ups: FollowUps,
}

impl Turn {
    pub const fn of(seat: Seat) -> Self {
        Self {
            seat,
            main_action_done: false,
            extra_actions: 0,
            late_build: LandSet::EMPTY,
            offers: ArrayVec::new_const(),
            takers: Takers::NoEvent,
            follow_ups: FollowUps::NONE,
        }
    }

    /// Begins a main action: one less is owed, and late dwellings are forgone (TM-6.27).
    pub fn begin_main_action(&mut self) {
        self.late_build = LandSet::EMPTY;
        self.extra_actions = self.extra_actions.saturating_sub(1);
        self.main_action_done = self.extra_actions == 0;
    }

    /// A double turn (ACTC): two main actions follow.
    pub const fn double(&mut self) {
        self.extra_actions = 2;
        self.main_action_done = false;
    }
}

/// Spades of a cult reward (TM-6.61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CultSpades {
    pub seat: Seat,
    pub spades: u8,
}
