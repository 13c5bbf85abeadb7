//! Every way to say no (TM-6.70).

use super::data::{
    BonusCard, Cult, Faction, FavorTile, Goods, PowerAction, PriestSlot, SpecialAction, Structure,
    Terrain, TownTile,
};
use super::pending::Decision;
use crate::table;
use crate::table::Seat;

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
    #[error("{spades} spades are needed, {free} are free")]
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
    #[error("a sacrifice of {tokens} is not allowed")]
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
    #[error("{keys} keys for {tracks} tracks: name the tracks that use them")]
    KeyChoiceRequired {
        /// Keys in hand.
        keys: u8,
        /// Tracks that would reach the top.
        tracks: u8,
    },
    /// Tracks were named that cannot use the keys, or without need.
    #[error("these tracks do not fit {} and {keys} keys", tile.id())]
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

impl Refusal {
    /// The stable code and the rule of every refusal, in the order of TM-6.70.
    pub const ALL: [(&'static str, &'static str); 51] = [
        ("INVALID_PLAYER_COUNT", "TM-5.1"),
        ("INVALID_OPTION", "TM-5.1"),
        ("NOT_YOUR_TURN", "TM-6.1"),
        ("WRONG_DECISION", "TM-6.1"),
        ("GAME_FINISHED", "TM-6.1"),
        ("MAIN_ACTION_DONE", "TM-6.7"),
        ("MAIN_ACTION_REQUIRED", "TM-6.60"),
        ("FOLLOW_UP_PENDING", "TM-6.58"),
        ("FACTION_TAKEN", "TM-5.5"),
        ("COLOR_TAKEN", "TM-5.5"),
        ("UNKNOWN_FACTION", "TM-5.5"),
        ("UNKNOWN_SPACE", "TM-3.2"),
        ("NOT_A_LAND_SPACE", "TM-6.11"),
        ("SPACE_OCCUPIED", "TM-6.20"),
        ("WRONG_TERRAIN", "TM-6.20"),
        ("SAME_TERRAIN", "TM-6.20"),
        ("NOT_REACHABLE", "TM-6.13"),
        ("LEAP_LIMIT", "TM-6.14"),
        ("TOO_MANY_SPACES", "TM-6.20"),
        ("SPACE_REPEATED", "TM-6.20"),
        ("MUST_REACH_HOME_FIRST", "TM-6.20"),
        ("NOT_ENOUGH_SPADES", "TM-6.20"),
        ("TARGET_NOT_HOME", "TM-6.20"),
        ("BUILD_SPACE_NOT_TRANSFORMED", "TM-6.20"),
        ("NOTHING_TO_DO", "TM-6.20"),
        ("CANNOT_AFFORD", "TM-6.4"),
        ("INSUFFICIENT_POWER", "TM-6.9"),
        ("INVALID_SACRIFICE", "TM-6.9"),
        ("NO_PIECE_LEFT", "TM-3.4"),
        ("TRACK_MAXED", "TM-6.25"),
        ("NO_SUCH_TRACK", "TM-6.25"),
        ("NOT_YOUR_STRUCTURE", "TM-6.30"),
        ("INVALID_UPGRADE", "TM-6.30"),
        ("PRIEST_SPACE_TAKEN", "TM-6.35"),
        ("ACTION_TAKEN", "TM-6.38"),
        ("ACTION_NOT_AVAILABLE", "TM-6.44"),
        ("NO_EFFECT", "TM-6.44"),
        ("INVALID_BRIDGE_SITE", "TM-6.39"),
        ("BRIDGE_SITE_TAKEN", "TM-6.39"),
        ("BRIDGE_NEEDS_STRUCTURE", "TM-6.39"),
        ("CARD_NOT_AVAILABLE", "TM-6.45"),
        ("CARD_REQUIRED", "TM-6.45"),
        ("CARD_NOT_ALLOWED", "TM-6.45"),
        ("TILE_NOT_AVAILABLE", "TM-6.55"),
        ("TILE_ALREADY_OWNED", "TM-6.54"),
        ("KEY_CHOICE_REQUIRED", "TM-6.37"),
        ("INVALID_KEY_CHOICE", "TM-6.37"),
        ("NOT_A_TOWN", "TM-6.53"),
        ("INVALID_AMOUNT", "TM-6.3"),
        ("CONVERSION_NOT_ALLOWED", "TM-6.10"),
        ("WRONG_FACTION", "TM-7.1"),
    ];

    /// The place in [`ALL`](Self::ALL).
    const fn place(&self) -> usize {
        match self {
            Self::InvalidPlayerCount { .. } => 0,
            Self::InvalidOption { .. } => 1,
            Self::NotYourTurn { .. } => 2,
            Self::WrongDecision { .. } => 3,
            Self::GameFinished => 4,
            Self::MainActionDone => 5,
            Self::MainActionRequired => 6,
            Self::FollowUpPending => 7,
            Self::FactionTaken { .. } => 8,
            Self::ColorTaken { .. } => 9,
            Self::UnknownFaction => 10,
            Self::UnknownSpace => 11,
            Self::NotALandSpace { .. } => 12,
            Self::SpaceOccupied { .. } => 13,
            Self::WrongTerrain { .. } => 14,
            Self::SameTerrain { .. } => 15,
            Self::NotReachable { .. } => 16,
            Self::LeapLimit { .. } => 17,
            Self::TooManySpaces { .. } => 18,
            Self::SpaceRepeated { .. } => 19,
            Self::MustReachHomeFirst { .. } => 20,
            Self::NotEnoughSpades { .. } => 21,
            Self::TargetNotHome { .. } => 22,
            Self::BuildSpaceNotTransformed { .. } => 23,
            Self::NothingToDo => 24,
            Self::CannotAfford { .. } => 25,
            Self::InsufficientPower { .. } => 26,
            Self::InvalidSacrifice { .. } => 27,
            Self::NoPieceLeft { .. } => 28,
            Self::TrackMaxed { .. } => 29,
            Self::NoSuchTrack { .. } => 30,
            Self::NotYourStructure { .. } => 31,
            Self::InvalidUpgrade { .. } => 32,
            Self::PriestSpaceTaken { .. } => 33,
            Self::ActionTaken { .. } => 34,
            Self::ActionNotAvailable { .. } => 35,
            Self::NoEffect { .. } => 36,
            Self::InvalidBridgeSite { .. } => 37,
            Self::BridgeSiteTaken { .. } => 38,
            Self::BridgeNeedsStructure { .. } => 39,
            Self::CardNotAvailable { .. } => 40,
            Self::CardRequired => 41,
            Self::CardNotAllowed => 42,
            Self::TileNotAvailable { .. } => 43,
            Self::TileAlreadyOwned { .. } => 44,
            Self::KeyChoiceRequired { .. } => 45,
            Self::InvalidKeyChoice { .. } => 46,
            Self::NotATown { .. } => 47,
            Self::InvalidAmount { .. } => 48,
            Self::ConversionNotAllowed { .. } => 49,
            Self::WrongFaction { .. } => 50,
        }
    }
}

impl table::Refusal for Refusal {
    fn code(&self) -> &'static str {
        Self::ALL[self.place()].0
    }

    fn rule(&self) -> &'static str {
        Self::ALL[self.place()].1
    }

    fn codes() -> Vec<&'static str> {
        Self::ALL.iter().map(|(code, _)| *code).collect()
    }
}
