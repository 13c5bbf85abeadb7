//! The actions that a player can send (TM-6.3).

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::data::{
    BonusCard, Conversion, Cult, Faction, FavorTile, PowerAction, PriestSlot, Space, SpecialAction,
    Structure, Terrain, TownTile,
};
use crate::table::{MaybeKnown, actions, ids};

/// The longest list of transformations, and of tracks, that an action can carry. No rule allows
/// more than three; longer lists are malformed.
pub const MAX_LIST: usize = 8;

ids! {
    /// The direction around the cycle (J7).
    #[derive(Default)]
    Direction {
        /// 1 to 3 spades.
        #[default]
        Short "short",
        /// 4 to 6 spades.
        Long "long",
    }
}

/// One space to be transformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Transform {
    pub space: Space,
    pub target: Terrain,
    pub direction: Direction,
}

/// Spaces to be transformed, in this order.
pub type Transforms = ArrayVec<Transform, MAX_LIST>;

/// The work of procedure T (TM-6.20).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    pub transforms: Transforms,
    /// The space of a dwelling to build, if any.
    pub build_at: Option<Space>,
}

/// The two ends of a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    pub a: Space,
    pub b: Space,
}

/// A power action with its parameters (TM-6.38).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PowerUse {
    /// ACT1.
    Bridge {
        /// The site. Is `None` if the bridge is forgone.
        span: Option<Span>,
    },
    /// ACT2.
    Priest,
    /// ACT3.
    Workers,
    /// ACT4.
    Coins,
    /// ACT5.
    Spade(Work),
    /// ACT6.
    TwoSpades(Work),
}

impl PowerUse {
    /// The power action.
    #[must_use]
    pub const fn action(&self) -> PowerAction {
        match self {
            Self::Bridge { .. } => PowerAction::Act1,
            Self::Priest => PowerAction::Act2,
            Self::Workers => PowerAction::Act3,
            Self::Coins => PowerAction::Act4,
            Self::Spade(_) => PowerAction::Act5,
            Self::TwoSpades(_) => PowerAction::Act6,
        }
    }
}

/// A special action with its parameters (TM-6.44).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SpecialUse {
    /// BON1.
    BonusSpade(Work),
    /// BON2.
    BonusCultStep(Cult),
    /// FAV6.
    FavorCultStep(Cult),
    /// ACTA.
    CultSteps(Cult),
    /// ACTW.
    WitchesRide(Space),
    /// ACTS.
    FreeTradingHouse(Space),
    /// ACTC.
    DoubleTurn,
    /// ACTG.
    GiantSpades(Work),
    /// ACTN.
    Sandstorm {
        /// The space that becomes desert.
        space: Space,
        build: bool,
    },
}

impl SpecialUse {
    /// The special action.
    #[must_use]
    pub const fn action(&self) -> SpecialAction {
        match self {
            Self::BonusSpade(_) => SpecialAction::Bon1,
            Self::BonusCultStep(_) => SpecialAction::Bon2,
            Self::FavorCultStep(_) => SpecialAction::Fav6,
            Self::CultSteps(_) => SpecialAction::ActA,
            Self::WitchesRide(_) => SpecialAction::ActW,
            Self::FreeTradingHouse(_) => SpecialAction::ActS,
            Self::DoubleTurn => SpecialAction::ActC,
            Self::GiantSpades(_) => SpecialAction::ActG,
            Self::Sandstorm { .. } => SpecialAction::ActN,
        }
    }
}

actions! {
    /// An action of a player.
    Action {
        /// Picks a faction (TM-5.5).
        ChooseFaction { faction: MaybeKnown<Faction> } "Choose a faction",
        /// Places a first dwelling (TM-5.7).
        PlaceDwelling { space: Space } "Place a dwelling",
        /// Takes a first bonus card (TM-5.8).
        ChooseBonusCard { card: BonusCard } "Choose a bonus card",
        /// Main action 1 (TM-6.20).
        TransformAndBuild { work: Work } "Transform and build",
        /// Completes the running main action (TM-6.27).
        BuildDwelling { space: Space } "Build a dwelling",
        /// Main action 2 (TM-6.25).
        AdvanceShipping "Advance on the shipping track",
        /// Main action 3 (TM-6.26).
        AdvanceTerraforming "Advance on the exchange track",
        /// Main action 4 (TM-6.30).
        UpgradeStructure {
            space: Space,
            to_structure: Structure,
        } "Upgrade a structure",
        /// Main action 5 (TM-6.35).
        SendPriest { cult: Cult, slot: PriestSlot } "Send a priest to a cult",
        /// Main action 6 (TM-6.38).
        TakePowerAction {
            power_use: PowerUse,
            /// The number of tokens of bowl II sacrificed for it.
            sacrifice: u32,
        } "Take a power action",
        /// Main action 7 (TM-6.44).
        TakeSpecialAction { special_use: SpecialUse } "Take a special action",
        /// The Engineers' main action (TM-6.39).
        BuildEngineerBridge { span: Span } "Build a bridge for 2 workers",
        /// Main action 8 (TM-6.45).
        PassTurn {
            /// The new bonus card, in rounds 1 to 5.
            card: Option<BonusCard>,
        } "Pass",
        /// A conversion (TM-6.10).
        Convert {
            kind: Conversion,
            times: u32,
            /// The number of tokens of bowl II sacrificed for it.
            sacrifice: u32,
        } "Convert resources",
        /// Sacrifices power for later, where the table allows it (TM-6.9, J6).
        SacrificePower {
            /// The number of tokens that leave bowl II for good.
            tokens: u32,
        } "Sacrifice power",
        /// Founds a town over a river hex (TM-6.53).
        FoundRiverTown { river: Space } "Found a town over a river",
        /// Ends the turn (TM-6.60).
        EndTurn "End the turn",
        /// Answers an offer of power (TM-6.41).
        DecidePower { accept: bool } "Take or decline power",
        /// Takes a favor tile (TM-6.54).
        ChooseFavorTile { tile: FavorTile } "Choose a favor tile",
        /// Takes the tile of a founded town (TM-6.55).
        ChooseTownTile {
            tile: TownTile,
            /// The tracks that use keys, if there are too few keys (TM-6.37).
            key_cults: ArrayVec<Cult, MAX_LIST>,
        } "Choose a town tile",
        /// The Cultists' step (TM-6.43).
        ChooseCultStep { cult: Cult } "Advance on a cult track",
        /// The Darklings' ordination (TM-6.56).
        OrdainPriests {
            /// The number of workers that become priests.
            count: u32,
        } "Ordain priests",
        /// The Halflings' stronghold (TM-6.57).
        UseStrongholdSpades { work: Work } "Use the spades of the stronghold",
        /// Spades of the cult rewards (TM-6.62).
        UseCultSpades { transforms: Transforms } "Use the spades of the cult tracks",
    }
}
