//! The cult board (TM-3.12).

use crate::table::ids;

ids! {
    /// A cult track, in the order of the board.
    Cult {
        Fire "fire",
        Water "water",
        Earth "earth",
        Air "air",
    }
}

ids! {
    /// The destination of a priest sent to a cult (TM-6.35).
    PriestSlot {
        Three "THREE" "the space of 3 steps",
        Two "TWO" "a space of 2 steps",
        Supply "SUPPLY" "the supply",
    }
}

impl PriestSlot {
    /// The steps that the marker advances.
    #[must_use]
    pub const fn steps(self) -> u8 {
        match self {
            Self::Three => 3,
            Self::Two => 2,
            Self::Supply => 1,
        }
    }
}

/// The last space of each track.
pub const CULT_TOP: u8 = 10;

/// Priest spaces of each track.
pub const PRIEST_SPACES_PER_CULT: usize = 4;

/// The steps of the priest spaces of each track.
pub const PRIEST_SPACES: [PriestSlot; PRIEST_SPACES_PER_CULT] = [
    PriestSlot::Three,
    PriestSlot::Two,
    PriestSlot::Two,
    PriestSlot::Two,
];

/// Power for reaching each space.
const POWER_AT: [u8; CULT_TOP as usize + 1] = [0, 0, 0, 1, 0, 2, 0, 2, 0, 0, 3];

/// The power of every space after `from` up to `to` (TM-6.36).
#[must_use]
pub fn cult_power_between(from: u8, to: u8) -> u8 {
    (from..to)
        .map(|space| POWER_AT[usize::from(space) + 1])
        .sum()
}
