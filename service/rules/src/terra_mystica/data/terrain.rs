//! Terrains and the transformation cycle (TM-3.1).

use crate::table::ids;

ids! {
    /// A terrain, in the order of the transformation cycle (TM-3.1): yellow, brown, black, blue,
    /// green, gray and red on the board.
    Terrain {
        Desert "desert",
        Plains "plains",
        Swamp "swamp",
        Lakes "lakes",
        Forest "forest",
        Mountains "mountains",
        Wasteland "wasteland",
    }
}

impl Terrain {
    /// The number of spades from this terrain to another on the short way, 0 to 3 (J7).
    #[must_use]
    pub const fn spades_to(self, target: Self) -> u8 {
        let apart = (self as u8).abs_diff(target as u8);
        if apart <= 3 { apart } else { 7 - apart }
    }
}
