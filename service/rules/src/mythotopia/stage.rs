//! The course of a game: phases, stages, what a turn remembers (MYT-4.3, 6.1). Nothing here runs.

use enumset::EnumSet;
use serde::{Deserialize, Serialize};

use super::data::Converter;
use crate::table::ids;

ids! {
    /// The phases of a game (MYT-6.1). The name of a phase is the name of the decision it asks for.
    Phase {
        SetupDiscard "SETUP_DISCARD" "choice of provinces to give away",
        SetupCitadel "SETUP_CITADEL" "choice of the province of the citadel",
        Turn "TURN" "turn",
        ChooseTokenSource "CHOOSE_TOKEN_SOURCE" "choice of the source of a token",
        ChoosePhilosopherCard "CHOOSE_PHILOSOPHER_CARD" "choice of an improvement for Philosopher",
        Finished "FINISHED" "end of the game",
    }
}

/// How far the game has come; together with the waiting awards this is the [`Phase`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    /// Secret choice of provinces to give away.
    SetupDiscard,
    /// Secret choice of the citadel's province.
    SetupCitadel,
    /// Turns.
    Turns,
    /// The active player looks at the top improvements of the deck.
    Philosopher,
    /// The active player has won.
    Finished,
}

ids! {
    /// What can be done once in a turn (MYT-4.3).
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u8")]
    TurnMark {
        FreeAction "free_action_done" "a free action was done",
        Drafted "drafted" "a card was drafted",
        RoadMove "road_move_used" "armies moved by road",
        Warehouse "warehouse_used" "a card was stored",
        Farming "farming" "Farming was used",
        GoldMine "gold_mine" "Gold Mine was used",
        Quarry "quarry" "Quarry was used",
        Levies "levies" "Levies was used",
    }
}

/// What was done in this turn.
pub(crate) type TurnMarks = EnumSet<TurnMark>;

impl From<Converter> for TurnMark {
    fn from(converter: Converter) -> Self {
        match converter {
            Converter::Farming => Self::Farming,
            Converter::GoldMine => Self::GoldMine,
            Converter::Quarry => Self::Quarry,
            Converter::Levies => Self::Levies,
        }
    }
}

ids! {
    /// A condition of Master of the Seas that was rewarded.
    #[derive(enumset::EnumSetType)]
    #[enumset(no_super_impls, serialize_repr = "u8")]
    SeasMark {
        ThreeSeas "three_seas" "three seas",
        FourSeas "four_seas" "four seas",
    }
}

/// Conditions of Master of the Seas that were rewarded.
pub(crate) type SeasMarks = EnumSet<SeasMark>;

/// The running turn (MYT-4.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Turn {
    /// Actions done, 0 to 2.
    pub(crate) actions_done: u8,
    /// What was done once.
    pub(crate) marks: TurnMarks,
}
