//! The data types of the course of play: phases, stages, decisions (CAY-4, CAY-6). `flow` runs them.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::Space;
use crate::table::{MAX_SEATS, Seat, decisions, ids};

/// A list of seats.
pub type SeatList = ArrayVec<Seat, MAX_SEATS>;

ids! {
    /// A phase of a turn (CAY-4).
    Phase {
        Income "income",
        Placement "placement",
        Special "special",
        Provost "provost",
        Activation "activation",
        Castle "castle",
        EndOfTurn "end_of_turn" "end of turn",
        Over "over",
    }
}

/// The next automatic step of the rules, taken when no decision is open and no favor is waiting (CAY-6.12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// Begin a turn, with its income.
    StartTurn,
    /// Ask the player at the placement cursor, unless all have passed.
    Place,
    /// Activate the special building at the cursor.
    Special,
    /// Continue after the special building at the cursor.
    AfterSpecial,
    /// Ask the player at the cursor of the pass order to bribe the provost.
    Bribe,
    /// Continue after the player at the cursor of the pass order.
    AfterBribe,
    /// Activate the road from the space at the cursor on.
    Road,
    /// Give the owner's bonus: the effect at the cursor is done.
    OwnerBonus,
    /// Return the worker at the cursor, and carry out a transformation that waits for it.
    LeaveBuilding,
    /// Ask the castle builder at the cursor.
    Castle,
    /// Give a favor for the most batches: all have built.
    MostBatches,
    /// Return the castle workers.
    LeaveCastle,
    /// Move the bailiff.
    Bailiff,
    /// Score the current section, if it is due.
    SectionDue,
    /// Score the current section for the seat at the cursor of the turn order.
    ScoreSeat,
    /// Continue after the seat at the cursor of the turn order.
    AfterSeat,
    /// Do nothing: the game is over.
    Over,
}

decisions! {
    /// A decision that one seat owes (CAY-6.2). `space` is the space of the building that it is about.
    Decision {
        PlaceWorker "place_worker"
            "Place a worker" "Where do you place a worker, or do you pass?",
        GateRelocate "gate_relocate"
            "Move the worker at the Gate" "Where does your worker at the Gate go?",
        GuildMove "guild_move"
            "Move the provost" "How far do you move the provost for the Merchants' Guild?",
        Joust "joust"
            "Joust" "Do you pay 1 denier and 1 cloth for a royal favor?",
        InnStay "inn_stay"
            "Stay at the Inn" "Does your worker stay at the Inn?",
        BribeProvost "bribe_provost"
            "Bribe the provost" "How far do you move the provost, for 1 denier per space?",
        UseBuilding { space: Space } "use_building"
            "Use a building" "How do you use the building?",
        OwnerBonus { space: Space } "owner_bonus"
            "Take the owner's bonus" "Which cube do you take as the owner of the building?",
        TakeFavor "take_favor"
            "Use a royal favor" "Which line and column of the favor table do you use?",
        CastleBuild "castle_build"
            "Build the castle" "Do you build another part of the castle?",
    }
}

impl Decision {
    /// The space of the building that the decision is about.
    #[must_use]
    pub const fn space(self) -> Option<Space> {
        match self {
            Self::UseBuilding { space } | Self::OwnerBonus { space } => Some(space),
            Self::PlaceWorker
            | Self::GateRelocate
            | Self::GuildMove
            | Self::Joust
            | Self::InnStay
            | Self::BribeProvost
            | Self::TakeFavor
            | Self::CastleBuild => None,
        }
    }
}
