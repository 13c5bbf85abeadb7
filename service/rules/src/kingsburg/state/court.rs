//! Groups of dice on the court, and the King's Envoy.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::kingsburg::action::EnvoyUse;
use crate::kingsburg::data::{Advisor, DiceSet, OWN_DICE};
use crate::table::{MAX_SEATS, Seat};

/// Every group has an own die of its owner (KIN-6.42).
pub const MAX_GROUPS: usize = MAX_SEATS * OWN_DICE;

/// The dice of one player on one advisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    pub owner: Seat,
    pub advisor: Advisor,
    pub dice: DiceSet,
    /// +2 tokens used with the dice.
    pub plus2: u8,
    /// The offset by the Market: -1, 0 or 1.
    pub market_offset: i8,
    /// Whether the envoy opened the occupied advisor.
    pub via_envoy: bool,
}

/// Neutral dice on one advisor (KIN-16.7).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeutralGroup {
    pub advisor: Advisor,
    pub values: ArrayVec<u8, 3>,
}

/// The King's Envoy from phase 5 to the end of autumn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Envoy {
    /// On the board, not given this year.
    OnBoard,
    /// Given, its purpose not yet declared.
    Undeclared(Seat),
    /// Declared for this autumn.
    Declared {
        by: Seat,
        purpose: EnvoyUse,
        /// Whether the envoy was already used for an advisor.
        spent: bool,
    },
}

impl Envoy {
    /// The holder of the marker. It is back on the board once declared for anything but an advisor
    /// (KIN-6.21), and once used (KIN-6.43).
    pub const fn holder(self) -> Option<Seat> {
        match self {
            Self::Undeclared(seat)
            | Self::Declared {
                by: seat,
                purpose: EnvoyUse::Advisor,
                spent: false,
            } => Some(seat),
            Self::OnBoard | Self::Declared { .. } => None,
        }
    }

    /// Returns whether this player may send the envoy to an occupied advisor (KIN-6.42).
    pub fn opens_for(self, seat: Seat) -> bool {
        self == Self::Declared {
            by: seat,
            purpose: EnvoyUse::Advisor,
            spent: false,
        }
    }

    /// The number of buildings that this player may build this season (KIN-6.60).
    pub fn build_actions(self, seat: Seat) -> u8 {
        match self {
            Self::Declared {
                by,
                purpose: EnvoyUse::SecondBuilding,
                ..
            } if by == seat => 2,
            Self::OnBoard | Self::Undeclared(_) | Self::Declared { .. } => 1,
        }
    }
}
