//! Every way to say no (TM-6.70).

mod codes;

use super::data::{
    BonusCard, Cult, Faction, FavorTile, Goods, PowerAction, PriestSlot, SpecialAction, Structure,
    Terrain, TownTile,
};
use super::pending::Decision;
use crate::table::{Count, Seat};

/// Why an action, or a set of options, is not allowed. Spaces are named by their ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not 2 to 5 players.
    #[error("the game is for 2 to 5 players, not for {players}")]
    InvalidPlayerCount {
        /// How many were named.
        players: usize,
    },
    /// Options that contradict the box or each other.
    #[error("option {option} {problem}")]
    InvalidOption {
        /// Which option.
        option: &'static str,
        /// What is wrong.
        problem: &'static str,
    },
    /// The sender is not the actor of the open decision.
    #[error("it is for {actor} to decide, not for {seat}")]
    NotYourTurn {
        /// Who sent it.
        seat: Seat,
        /// Who must act.
        actor: Seat,
    },
    /// The action does not belong to the open decision.
    #[error("{action} does not belong to the open decision, {decision}")]
    WrongDecision {
        /// The action.
        action: &'static str,
        /// The open decision.
        decision: Decision,
    },
    /// The game is over.
    #[error("the game is over")]
    GameFinished,
    /// A second main action in a turn.
    #[error("the main action of this turn is done")]
    MainActionDone,
    /// The turn cannot end without a main action.
    #[error("a main action must be taken before the turn ends")]
    MainActionRequired,
    /// The turn cannot end with open follow-ups.
    #[error("a choice of this turn is still open")]
    FollowUpPending,
    /// Somebody has this faction.
    #[error("{faction} are taken")]
    FactionTaken {
        /// Which.
        faction: Faction,
    },
    /// Somebody has this colour, or it was not drawn for this seat.
    #[error("the colour of {color} is not for this seat")]
    ColorTaken {
        /// The home terrain.
        color: Terrain,
    },
    /// There is no such faction.
    #[error("there is no such faction")]
    UnknownFaction,
    /// There is no such space.
    #[error("there is no such space")]
    UnknownSpace,
    /// A river hex.
    #[error("{space} is a river hex")]
    NotALandSpace {
        /// Which.
        space: &'static str,
    },
    /// A structure stands there.
    #[error("a structure stands on {space}")]
    SpaceOccupied {
        /// Where.
        space: &'static str,
    },
    /// The terrain does not fit.
    #[error("{space} is {terrain}")]
    WrongTerrain {
        /// Where.
        space: &'static str,
        /// What it is.
        terrain: Terrain,
    },
    /// The space is already what it should become.
    #[error("{space} is {terrain} already")]
    SameTerrain {
        /// Where.
        space: &'static str,
        /// What it is.
        terrain: Terrain,
    },
    /// Neither reachable nor leapable.
    #[error("{space} is out of reach")]
    NotReachable {
        /// Where.
        space: &'static str,
    },
    /// A second leap in one action.
    #[error("{space} needs a second leap")]
    LeapLimit {
        /// Where.
        space: &'static str,
    },
    /// Too many spaces.
    #[error("{spaces} spaces are too many, at most {most}")]
    TooManySpaces {
        /// How many.
        spaces: usize,
        /// How many are allowed.
        most: usize,
    },
    /// A space twice.
    #[error("{space} is named twice")]
    SpaceRepeated {
        /// Where.
        space: &'static str,
    },
    /// All spaces but the last must become home terrain.
    #[error("{space} must become home terrain before spades go elsewhere")]
    MustReachHomeFirst {
        /// Where.
        space: &'static str,
    },
    /// More spades than are free, where none may be bought.
    #[error("{} needed, {free} free", Count(*spades, "spade"))]
    NotEnoughSpades {
        /// How many are needed.
        spades: u8,
        /// How many are free.
        free: u8,
    },
    /// Giants transform to wasteland only.
    #[error("the target must be {home}")]
    TargetNotHome {
        /// The home terrain.
        home: Terrain,
    },
    /// A dwelling must stand on a space that became home terrain.
    #[error("{space} was not transformed to home terrain by this action")]
    BuildSpaceNotTransformed {
        /// Where.
        space: &'static str,
    },
    /// Neither a transformation nor a dwelling.
    #[error("there is nothing to do")]
    NothingToDo,
    /// Coins, workers, priests or VP are short.
    #[error("the price is {price}{}", vp_text(*vp))]
    CannotAfford {
        /// What it costs.
        price: Goods,
        /// VP to be paid.
        vp: u16,
    },
    /// Bowl III is short.
    #[error("{needed} power is needed, {at_hand} is at hand")]
    InsufficientPower {
        /// How much is needed.
        needed: u64,
        /// Bowl III and the sacrifice.
        at_hand: u64,
    },
    /// The sacrifice is not allowed.
    #[error("a sacrifice of {} is not allowed", Count(*tokens, "power token"))]
    InvalidSacrifice {
        /// How many tokens.
        tokens: u32,
    },
    /// No structure, bridge or priest is left.
    #[error("no {piece} is left")]
    NoPieceLeft {
        /// Which.
        piece: Piece,
    },
    /// The track is at its end.
    #[error("the track is at its end, level {level}")]
    TrackMaxed {
        /// The level.
        level: u8,
    },
    /// The faction has no such track.
    #[error("{faction} have no such track")]
    NoSuchTrack {
        /// Who.
        faction: Faction,
    },
    /// No own structure there.
    #[error("no structure of yours stands on {space}")]
    NotYourStructure {
        /// Where.
        space: &'static str,
    },
    /// Not an upgrade.
    #[error("a {from} does not become a {to}")]
    InvalidUpgrade {
        /// What stands there.
        from: Structure,
        /// What was wanted.
        to: Structure,
    },
    /// No free priest space of this value.
    #[error("{} of the {cult} track is taken", slot.name())]
    PriestSpaceTaken {
        /// Which track.
        cult: Cult,
        /// Which space.
        slot: PriestSlot,
    },
    /// Used in this round.
    #[error("{action} was used in this round")]
    ActionTaken {
        /// Which.
        action: TakenAction,
    },
    /// The player does not have this special action.
    #[error("{} is not yours to use", action.id())]
    ActionNotAvailable {
        /// Which.
        action: SpecialAction,
    },
    /// Nothing would happen.
    #[error("the marker on the {cult} track cannot advance")]
    NoEffect {
        /// Which track.
        cult: Cult,
    },
    /// No bridge can be built there.
    #[error("there is no bridge site {a}-{b}")]
    InvalidBridgeSite {
        /// One end.
        a: &'static str,
        /// The other end.
        b: &'static str,
    },
    /// A bridge is there.
    #[error("a bridge stands on {a}-{b}")]
    BridgeSiteTaken {
        /// One end.
        a: &'static str,
        /// The other end.
        b: &'static str,
    },
    /// No own structure at either end.
    #[error("no structure of yours stands at {a} or {b}")]
    BridgeNeedsStructure {
        /// One end.
        a: &'static str,
        /// The other end.
        b: &'static str,
    },
    /// The card is not in the pool.
    #[error("{} is not in the pool", card.id())]
    CardNotAvailable {
        /// Which.
        card: BonusCard,
    },
    /// A new card must be named.
    #[error("passing in rounds 1 to 5 names a new bonus card")]
    CardRequired,
    /// No card is taken in the last round.
    #[error("no bonus card is taken in the last round")]
    CardNotAllowed,
    /// No copy is left.
    #[error("no {tile} is left")]
    TileNotAvailable {
        /// Which.
        tile: &'static str,
    },
    /// The player has this tile.
    #[error("you have {} already", tile.id())]
    TileAlreadyOwned {
        /// Which.
        tile: FavorTile,
    },
    /// Too few keys: the tracks that use them must be named.
    #[error("{} for {}: name the tracks that use them", Count(*keys, "key"), Count(*tracks, "track"))]
    KeyChoiceRequired {
        /// Keys in hand.
        keys: u8,
        /// Tracks that would reach the top.
        tracks: u8,
    },
    /// Tracks were named that cannot use the keys, or without need.
    #[error("these tracks do not fit {} and {}", tile.id(), Count(*keys, "key"))]
    InvalidKeyChoice {
        /// Keys in hand.
        keys: u8,
        /// The tile.
        tile: TownTile,
    },
    /// Not enough for a town.
    #[error("the structures around {river} do not found a town")]
    NotATown {
        /// The river hex.
        river: &'static str,
    },
    /// A count out of range.
    #[error("{amount} is out of range, at most {most}")]
    InvalidAmount {
        /// The count.
        amount: u32,
        /// The most that is allowed.
        most: u32,
    },
    /// Not for this faction, or not now.
    #[error("{kind} is not allowed here")]
    ConversionNotAllowed {
        /// Which conversion.
        kind: &'static str,
    },
    /// An action of another faction.
    #[error("{action} is not an action of {faction}")]
    WrongFaction {
        /// The action.
        action: &'static str,
        /// The player's faction.
        faction: Faction,
    },
}

/// A piece that can run out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A structure.
    Structure(Structure),
    /// A bridge.
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
pub enum TakenAction {
    /// A power action.
    Power(PowerAction),
    /// A special action.
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
