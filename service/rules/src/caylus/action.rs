//! The actions that a player can send (CAY-6.2).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::data::{FavorLine, Resource, Space, Special, Tile};
use crate::table::{MaybeKnown, OptionalParam, actions};

/// A place for a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Target {
    Castle,
    Special(Special),
    Road(Space),
}

impl Target {
    /// The position of a worker: `in the castle`, `at the Gate`, `on space 3`.
    #[must_use]
    pub fn at(self) -> String {
        match self {
            Self::Castle => String::from("in the castle"),
            Self::Special(special) => format!("at the {special}"),
            Self::Road(space) => format!("on {space}"),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Castle => f.write_str("the castle"),
            Self::Special(special) => write!(f, "the {special}"),
            Self::Road(space) => write!(f, "{space}"),
        }
    }
}

/// The parameters of a favor's effect; each column needs some of them and refuses the others.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FavorEffect {
    /// Line `resources`, column 2: the cube to gain.
    pub resource: OptionalParam<Resource>,
    /// Line `resources`, column 4: the cube to give.
    pub give: OptionalParam<Resource>,
    /// Line `resources`, column 4: the two cubes to take, in any order; empty is absent.
    pub take: Vec<MaybeKnown<Resource>>,
    /// Line `buildings`, columns 2, 3 and 5: the tile to build.
    pub tile: OptionalParam<Tile>,
    /// Line `buildings`, column 2: the cube of any kind in the tile's price, if it has one.
    pub any_payment: OptionalParam<Resource>,
    /// Line `buildings`, columns 4 and 5: the space to transform or to build on.
    pub space: OptionalParam<Space>,
}

impl FavorEffect {
    /// No parameters.
    pub const NONE: Self = Self {
        resource: OptionalParam::Absent,
        give: OptionalParam::Absent,
        take: Vec::new(),
        tile: OptionalParam::Absent,
        any_payment: OptionalParam::Absent,
        space: OptionalParam::Absent,
    };
}

/// Prints only the parameters that are given, since most effects have one.
impl fmt::Debug for FavorEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fn field<T: fmt::Debug>(
            show: &mut fmt::DebugStruct<'_, '_>,
            name: &str,
            value: &OptionalParam<T>,
        ) {
            match value {
                OptionalParam::Absent => {}
                OptionalParam::Unknown => drop(show.field(name, &"?")),
                OptionalParam::Known(value) => drop(show.field(name, value)),
            }
        }
        let mut show = f.debug_struct("FavorEffect");
        field(&mut show, "resource", &self.resource);
        field(&mut show, "give", &self.give);
        if !self.take.is_empty() {
            show.field("take", &self.take);
        }
        field(&mut show, "tile", &self.tile);
        field(&mut show, "any_payment", &self.any_payment);
        field(&mut show, "space", &self.space);
        show.finish()
    }
}

actions! {
    /// An action of a player. The doc comments name the decision that it answers.
    Action {
        /// `place_worker`: put a worker somewhere for the current price (CAY-6.4.3).
        PlaceWorker { target: MaybeKnown<Target> } "Place a worker",
        /// `place_worker`: place no more workers this turn (CAY-6.4.6).
        PassTurn "Pass",
        /// `gate_relocate`: send the gate's worker elsewhere, free of charge (CAY-6.5.1).
        MoveGateWorker { target: MaybeKnown<Target> } "Move the worker at the Gate",
        /// `gate_relocate`: take the gate's worker back (CAY-6.5.1).
        RecallGateWorker "Take the worker back from the Gate",
        /// `guild_move`, `bribe_provost`: move the provost by up to 3 spaces away from the bridge, or
        /// towards it, which is negative (CAY-6.5.3, CAY-6.6.1).
        MoveProvost { delta: i32 } "Move the provost",
        /// `joust`: pay and gain a favor, or not (CAY-6.5.4).
        Joust { accept: bool } "Joust",
        /// `inn_stay`: keep the worker on the right circle, or take it back (CAY-6.5.6).
        InnChoice { stay: bool } "Stay at the Inn or leave",
        /// `use_building`: gain the cubes of one of the tile's options, from 0 (CAY-7.1).
        Produce { option: Option<u8> } "Produce cubes",
        /// `use_building`: sell a cube (CAY-7.2).
        SellCube { resource: MaybeKnown<Resource> } "Sell a cube",
        /// `use_building`: buy cubes, in any order (CAY-7.3).
        BuyCubes { resources: Vec<MaybeKnown<Resource>> } "Buy cubes",
        /// `use_building`: take one of the trades of church, tailor or bank, from 0 (CAY-7.7).
        Trade { option: Option<u8> } "Trade",
        /// `use_building`: turn cubes into gold at the alchemist; this many of each kind, in resource
        /// order (CAY-7.8).
        Alchemy { payment: [i32; 5] } "Turn cubes into gold",
        /// `use_building`: build a wood or stone tile; `any_payment` is the cube of any kind in its
        /// price, if it has one (CAY-7.4).
        BuildCraft {
            tile: MaybeKnown<Tile>,
            any_payment: OptionalParam<Resource>,
        } "Build a wood or stone building",
        /// `use_building`: build a prestige tile on an own residence (CAY-7.6).
        BuildPrestige {
            tile: MaybeKnown<Tile>,
            space: MaybeKnown<Space>,
        } "Build a prestige building",
        /// `use_building`: transform a building into a residence (CAY-7.5).
        TransformBuilding { space: MaybeKnown<Space> } "Transform a building into a residence",
        /// `use_building`: do not use the effect (CAY-7.10).
        Decline "Do not use the building",
        /// `owner_bonus`: take a cube for another player's worker (CAY-7.1).
        ChooseOwnerBonus { resource: MaybeKnown<Resource> } "Take the owner's bonus",
        /// `take_favor`: use a royal favor; column 0 has no effect (CAY-6.10.3).
        TakeFavor {
            line: MaybeKnown<FavorLine>,
            column: u32,
            effect: FavorEffect,
        } "Use a royal favor",
        /// `castle_build`: deliver one food and two cubes of other kinds (CAY-6.8.3).
        BuildCastleBatch {
            second: MaybeKnown<Resource>,
            third: MaybeKnown<Resource>,
        } "Build a part of the castle",
        /// `castle_build`: deliver no more batches this turn (CAY-6.8.2).
        FinishCastle "Build no more parts of the castle",
    }
}
