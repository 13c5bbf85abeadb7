//! Power actions and special actions (TM-3.10, TM-3.11).

use super::ids::closed_ids;

closed_ids! {
    /// A power action, shared by all, each once per round (TM-3.10).
    pub enum PowerAction {
        /// A bridge.
        Act1 = "ACT1", "bridge";
        /// A priest.
        Act2 = "ACT2", "priest";
        /// Two workers.
        Act3 = "ACT3", "2 workers";
        /// Seven coins.
        Act4 = "ACT4", "7 coins";
        /// One spade.
        Act5 = "ACT5", "1 spade";
        /// Two spades.
        Act6 = "ACT6", "2 spades";
    }
}

impl PowerAction {
    /// The power to spend.
    #[must_use]
    pub const fn power(self) -> u8 {
        match self {
            Self::Act1 | Self::Act2 => 3,
            Self::Act3 | Self::Act4 | Self::Act5 => 4,
            Self::Act6 => 6,
        }
    }
}

closed_ids! {
    /// A special action, each once per round for its owner (TM-3.11).
    pub enum SpecialAction {
        /// One spade, of the bonus card.
        Bon1 = "BON1", "spade of the bonus card";
        /// One cult step, of the bonus card.
        Bon2 = "BON2", "cult step of the bonus card";
        /// One cult step, of the favor tile.
        Fav6 = "FAV6", "cult step of the favor tile";
        /// Auren: two steps on one track.
        ActA = "ACTA", "two cult steps";
        /// Witches: a free dwelling on a forest.
        ActW = "ACTW", "witches' ride";
        /// Swarmlings: a free trading house.
        ActS = "ACTS", "free trading house";
        /// Chaos Magicians: two actions in a row.
        ActC = "ACTC", "double turn";
        /// Giants: two spades for one space.
        ActG = "ACTG", "two spades";
        /// Nomads: a space becomes desert.
        ActN = "ACTN", "sandstorm";
    }
}
