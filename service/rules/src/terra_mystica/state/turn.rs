//! The current turn, and its pending choices.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::table::{MAX_SEATS, Seat};
use crate::terra_mystica::data::{Land, LandSet};

/// Power offered for one structure (TM-6.40). The gain is computed at the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Offer {
    pub(crate) seat: Seat,
    pub(crate) land: Land,
    pub(crate) value: u8,
}

/// The answers so far to one event of the Cultists, a structure beside another player's (TM-6.43).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Takers {
    /// There is no event of the Cultists.
    NoEvent,
    /// Nobody has accepted.
    Nobody,
    /// Somebody has accepted.
    Somebody,
}

/// Choices that the active player still owes. Town tiles are owed by towns without a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FollowUps {
    pub(crate) favor_tiles: u8,
    pub(crate) cult_step: bool,
    pub(crate) ordination: bool,
    pub(crate) stronghold_spades: bool,
}

impl FollowUps {
    pub(crate) const NONE: Self = Self {
        favor_tiles: 0,
        cult_step: false,
        ordination: false,
        stronghold_spades: false,
    };

    pub(crate) const fn any(self) -> bool {
        self.favor_tiles > 0 || self.cult_step || self.ordination || self.stronghold_spades
    }
}

/// The current turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Turn {
    pub(crate) seat: Seat,
    pub(crate) main_action_done: bool,
    /// Main actions of a double turn still to be taken.
    pub(crate) extra_actions: u8,
    /// The spaces for a late dwelling (TM-6.27).
    pub(crate) late_build: LandSet,
    pub(crate) offers: ArrayVec<Offer, { MAX_SEATS - 1 }>,
    pub(crate) takers: Takers,
    pub(crate) follow_ups: FollowUps,
}

impl Turn {
    pub(crate) const fn of(seat: Seat) -> Self {
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
    pub(crate) fn begin_main_action(&mut self) {
        self.late_build = LandSet::EMPTY;
        self.extra_actions = self.extra_actions.saturating_sub(1);
        self.main_action_done = self.extra_actions == 0;
    }

    /// A double turn (ACTC): two main actions follow.
    pub(crate) const fn double(&mut self) {
        self.extra_actions = 2;
        self.main_action_done = false;
    }
}

/// Spades of a cult reward (TM-6.61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CultSpades {
    pub(crate) seat: Seat,
    pub(crate) spades: u8,
}
