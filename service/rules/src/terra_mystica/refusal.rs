//! Every way to say no, in the order of TM-6.70.

use super::data::{
    BonusCard, Cult, Faction, FavorTile, Goods, PowerAction, PriestSlot, SpecialAction, Structure,
    Terrain, TownTile,
};
use super::stage::Decision;
use crate::table::{self, Count, Refused, Seat};

/// No, said by a paragraph of the rule document.
pub(crate) type No = Refused<Refusal>;

/// Why an action, or a set of options, is not allowed. Spaces are named by their ids.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "each row says its sentence")]
pub enum Refusal {
    #[error("the game is for 2 to 5 players, not for {players}")]
    InvalidPlayerCount { players: usize },
    #[error("option {option} {problem}")]
    InvalidOption {
        option: &'static str,
        problem: &'static str,
    },
    #[error("it is for {actor} to decide, not for {seat}")]
    NotYourTurn { seat: Seat, actor: Seat },
    #[error("{action} does not belong to the open decision, {decision}")]
    WrongDecision {
        action: &'static str,
        decision: Decision,
    },
    #[error("the game is over")]
    GameFinished,
    #[error("the main action of this turn is done")]
    MainActionDone,
    #[error("a main action must be taken before the turn ends")]
    MainActionRequired,
    #[error("a choice of this turn is still open")]
    FollowUpPending,
    #[error("{faction} are taken")]
    FactionTaken { faction: Faction },
    #[error("the colour of {color} is not for this seat")]
    ColorTaken { color: Terrain },
    #[error("there is no such faction")]
    UnknownFaction,
    #[error("there is no such space")]
    UnknownSpace,
    #[error("{space} is a river hex")]
    NotALandSpace { space: &'static str },
    #[error("a structure stands on {space}")]
    SpaceOccupied { space: &'static str },
    #[error("{space} is {terrain}")]
    WrongTerrain {
        space: &'static str,
        terrain: Terrain,
    },
    #[error("{space} is {terrain} already")]
    SameTerrain {
        space: &'static str,
        terrain: Terrain,
    },
    #[error("{space} is out of reach")]
    NotReachable { space: &'static str },
    #[error("{space} needs a second leap")]
    LeapLimit { space: &'static str },
    #[error("{spaces} spaces are too many, at most {most}")]
    TooManySpaces { spaces: usize, most: usize },
    #[error("{space} is named twice")]
    SpaceRepeated { space: &'static str },
    #[error("{space} must become home terrain before spades go elsewhere")]
    MustReachHomeFirst { space: &'static str },
    #[error("{} needed, {free} free", Count(*spades, "spade"))]
    NotEnoughSpades { spades: u8, free: u8 },
    #[error("the target must be {home}")]
    TargetNotHome { home: Terrain },
    #[error("{space} was not transformed to home terrain by this action")]
    BuildSpaceNotTransformed { space: &'static str },
    #[error("there is nothing to do")]
    NothingToDo,
    #[error("the price is {price}{}", vp_text(*vp))]
    CannotAfford { price: Goods, vp: u16 },
    #[error("{needed} power is needed, {at_hand} is at hand")]
    InsufficientPower { needed: u64, at_hand: u64 },
    #[error("a sacrifice of {} is not allowed", Count(*tokens, "power token"))]
    InvalidSacrifice { tokens: u32 },
    #[error("no {piece} is left")]
    NoPieceLeft { piece: Piece },
    #[error("the track is at its end, level {level}")]
    TrackMaxed { level: u8 },
    #[error("{faction} have no such track")]
    NoSuchTrack { faction: Faction },
    #[error("no structure of yours stands on {space}")]
    NotYourStructure { space: &'static str },
    #[error("a {from} does not become a {to}")]
    InvalidUpgrade { from: Structure, to: Structure },
    #[error("{} of the {cult} track is taken", slot.name())]
    PriestSpaceTaken { cult: Cult, slot: PriestSlot },
    #[error("{action} was used in this round")]
    ActionTaken { action: TakenAction },
    #[error("{} is not yours to use", action.id())]
    ActionNotAvailable { action: SpecialAction },
    #[error("the marker on the {cult} track cannot advance")]
    NoEffect { cult: Cult },
    #[error("there is no bridge site {a}-{b}")]
    InvalidBridgeSite { a: &'static str, b: &'static str },
    #[error("a bridge stands on {a}-{b}")]
    BridgeSiteTaken { a: &'static str, b: &'static str },
    #[error("no structure of yours stands at {a} or {b}")]
    BridgeNeedsStructure { a: &'static str, b: &'static str },
    #[error("{} is not in the pool", card.id())]
    CardNotAvailable { card: BonusCard },
    #[error("passing in rounds 1 to 5 names a new bonus card")]
    CardRequired,
    #[error("no bonus card is taken in the last round")]
    CardNotAllowed,
    #[error("no {tile} is left")]
    TileNotAvailable { tile: &'static str },
    #[error("you have {} already", tile.id())]
    TileAlreadyOwned { tile: FavorTile },
    #[error("{} for {}: name the tracks that use them", Count(*keys, "key"), Count(*tracks, "track"))]
    KeyChoiceRequired { keys: u8, tracks: u8 },
    #[error("these tracks do not fit {} and {}", tile.id(), Count(*keys, "key"))]
    InvalidKeyChoice { keys: u8, tile: TownTile },
    #[error("the structures around {river} do not found a town")]
    NotATown { river: &'static str },
    #[error("{amount} is out of range, at most {most}")]
    InvalidAmount { amount: u32, most: u32 },
    #[error("{kind} is not allowed here")]
    ConversionNotAllowed { kind: &'static str },
    #[error("{action} is not an action of {faction}")]
    WrongFaction {
        action: &'static str,
        faction: Faction,
    },
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    fn code(&self) -> &'static str {
        self.into()
    }
}

/// A piece that can run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Piece {
    Structure(Structure),
    Bridge,
    /// A priest of the supply.
    Priest,
}

impl std::fmt::Display for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Structure(structure) => structure.name(),
            Self::Bridge => "bridge",
            Self::Priest => "priest",
        })
    }
}

/// An action that is used once per round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum TakenAction {
    Power(PowerAction),
    Special(SpecialAction),
}

impl std::fmt::Display for TakenAction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Power(action) => action.id(),
            Self::Special(action) => action.id(),
        })
    }
}

fn vp_text(vp: u16) -> String {
    if vp == 0 {
        String::new()
    } else {
        format!(", {vp} VP")
    }
}
