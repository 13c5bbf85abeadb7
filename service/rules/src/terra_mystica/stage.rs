//! The data types of the course of play: decisions, stages, phases (TM-4.1, TM-6.1). `flow` runs them.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::{Faction, Terrain};
use crate::table::{MAX_SEATS, PerSeat, decisions, ids};

decisions! {
    /// A decision point (TM-6.1).
    Decision {
        ChooseFaction "choose_faction"
            "Choose a faction" "Which faction do you play?",
        PlaceDwelling "place_dwelling"
            "Place a dwelling" "Where do you place your dwelling?",
        ChooseBonusCard "choose_bonus_card"
            "Choose a bonus card" "Which bonus card do you take?",
        Turn "turn"
            "Take your turn" "What do you do?",
        PowerDecision "power_decision"
            "Decide on power" "Do you take the power and pay for it?",
        FollowUp "follow_up"
            "Complete the action" "Which open choice do you make?",
        CultSpades "cult_spades"
            "Use spades" "Where do you use your spades from the cult tracks?",
    }
}

/// The stage of the game: the decision that the table waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Nobody has a board yet.
    ChooseFaction(Choosing),
    PlaceDwelling,
    ChooseBonusCard,
    /// Phase II: a player's turn.
    Action,
    /// Phase III: spades of the cult rewards are used.
    Cult,
    Over,
}

/// Factions chosen so far (TM-5.5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choosing {
    pub chosen: PerSeat<Option<Faction>>,
    /// The drawn colors by seat. Empty if all players are free to choose.
    pub colors: ArrayVec<Terrain, MAX_SEATS>,
}

ids! {
    /// The phase of the game (TM-4.1). Income runs by itself and is never observed.
    Phase {
        Setup "setup",
        Action "action",
        Cult "cult",
        Over "over",
    }
}
