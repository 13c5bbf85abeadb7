//! The turn that runs, and what it still owes.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::super::data::{Faction, Land, LandSet, Terrain};
use crate::table::{MAX_SEATS, PerSeat, Seat};

/// Factions chosen so far (TM-5.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Choosing {
    pub(in super::super) chosen: PerSeat<Option<Faction>>,
    /// The drawn colours by seat; empty if everybody is free to choose.
    pub(in super::super) colors: ArrayVec<Terrain, MAX_SEATS>,
}

/// Power offered for one structure (TM-6.40). What can be gained is worked out when it is decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Offer {
    pub(in super::super) seat: Seat,
    pub(in super::super) land: Land,
    pub(in super::super) value: u8,
}

/// How the offers of one event of the Cultists were answered so far (TM-6.43).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) enum Takers {
    /// There is no event of the Cultists.
    NoEvent,
    /// Nobody has accepted.
    Nobody,
    /// Somebody has accepted.
    Somebody,
}

/// Choices that the active player still owes. Town tiles are owed by towns without tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct FollowUps {
    pub(in super::super) favor_tiles: u8,
    pub(in super::super) cult_step: bool,
    pub(in super::super) ordination: bool,
    pub(in super::super) stronghold_spades: bool,
}

impl FollowUps {
    pub(in super::super) const fn any(self) -> bool {
        self.favor_tiles > 0 || self.cult_step || self.ordination || self.stronghold_spades
    }
}

/// The turn that runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Turn {
    pub(in super::super) seat: Seat,
    pub(in super::super) main_action_done: bool,
    /// Main actions of a double turn still to be taken.
    pub(in super::super) extra_actions: u8,
    /// Where a late dwelling may stand (TM-6.27).
    pub(in super::super) late_build: LandSet,
    pub(in super::super) offers: ArrayVec<Offer, { MAX_SEATS - 1 }>,
    pub(in super::super) takers: Takers,
    pub(in super::super) follow_ups: FollowUps,
}

impl Turn {
    pub(in super::super) const fn of(seat: Seat) -> Self {
        Self {
            seat,
            main_action_done: false,
            extra_actions: 0,
            late_build: LandSet::EMPTY,
            offers: ArrayVec::new_const(),
            takers: Takers::NoEvent,
            follow_ups: FollowUps {
                favor_tiles: 0,
                cult_step: false,
                ordination: false,
                stronghold_spades: false,
            },
        }
    }

    /// A main action begins: one less is owed, and late dwellings are forgone (TM-6.27).
    pub(in super::super) fn begin_main_action(&mut self) {
        self.late_build = LandSet::EMPTY;
        self.extra_actions = self.extra_actions.saturating_sub(1);
        self.main_action_done = self.extra_actions == 0;
    }

    /// A double turn (ACTC): two main actions follow.
    pub(in super::super) fn double(&mut self) {
        self.extra_actions = 2;
        self.main_action_done = false;
    }
}

/// Spades of a cult reward (TM-6.61).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct CultSpades {
    pub(in super::super) seat: Seat,
    pub(in super::super) spades: u8,
}
