//! Every way to say no (CAY-6.11). Nothing is refused for a reason that is not listed here.

use super::action::Target;
use super::data::{FavorLine, Goods, Kind, Space, Tile};
use crate::table::{self, Seat};

/// Why an action, or a set of options, is not allowed. One variant for each code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// No such seat at this table.
    #[error("there is no {seat} in this game")]
    UnknownPlayer {
        /// Who wants to act.
        seat: Seat,
    },
    /// Somebody else must act.
    #[error("it is the turn of {acting}")]
    NotYourTurn {
        /// Who must act.
        acting: Seat,
    },
    /// The open decision, or the building in use, asks for another kind of action.
    #[error("the open decision is {decision}; {kind} does not answer it")]
    WrongDecision {
        /// The open decision.
        decision: &'static str,
        /// The kind of action.
        kind: &'static str,
    },
    /// The price is more than the player has.
    #[error("it costs {price}, which you do not have")]
    CannotAfford {
        /// What it costs.
        price: Goods,
        /// The rule that names the price.
        rule: &'static str,
    },
    /// The effect of this building is compulsory.
    #[error("the effect of the {tile} must be carried out")]
    NotOptional {
        /// The building in use.
        tile: Tile,
    },
    /// No such option, or a parameter that is not needed here.
    #[error("there is no such option here: {what}")]
    InvalidOption {
        /// The parameter.
        what: &'static str,
        /// The rule that lists the options.
        rule: &'static str,
    },
    /// An unknown resource, or one that cannot be chosen here.
    #[error("{what} is not a resource that can be chosen here")]
    InvalidResource {
        /// The parameter.
        what: &'static str,
        /// The rule that lists the resources.
        rule: &'static str,
    },
    /// The wrong number of cubes.
    #[error("{what} must be {wanted}")]
    InvalidAmount {
        /// The parameter.
        what: &'static str,
        /// What is wanted.
        wanted: &'static str,
        /// The rule that gives the number.
        rule: &'static str,
    },
    /// Cubes that do not make up this price.
    #[error("these cubes do not make up the price: {wanted}")]
    InvalidPayment {
        /// What is wanted.
        wanted: &'static str,
        /// The rule that gives the price.
        rule: &'static str,
    },
    /// Gold, where only the other kinds are accepted.
    #[error("gold is not accepted here")]
    GoldNotAllowed {
        /// The rule that excludes gold.
        rule: &'static str,
    },
    /// All workers are on the board.
    #[error("you have no worker left")]
    NoWorkers,
    /// No such place.
    #[error("there is no such place")]
    UnknownTarget,
    /// Nothing has been built there.
    #[error("{space} is empty")]
    SpaceEmpty {
        /// Where.
        space: Space,
    },
    /// No worker ever stands there.
    #[error("the {tile} on {space} takes no workers")]
    SpaceNotWorkable {
        /// Where.
        space: Space,
        /// What stands there.
        tile: Tile,
    },
    /// A worker stands there.
    #[error("{target} is occupied")]
    SpaceOccupied {
        /// Where.
        target: Target,
    },
    /// One worker of each player in the castle.
    #[error("you have a worker in the castle")]
    AlreadyInCastle,
    /// One worker of each player in the stables.
    #[error("you have a worker in the stables")]
    AlreadyInStables,
    /// Three workers in the stables.
    #[error("the stables are full")]
    StablesFull,
    /// Two players do not use the stables.
    #[error("the stables are not used by 2 players")]
    StablesNotUsed,
    /// More than three spaces.
    #[error("the provost moves 3 spaces at most, not {delta}")]
    ProvostMoveTooLong {
        /// The spaces asked for.
        delta: i32,
    },
    /// Beyond an end of the road.
    #[error("the provost on {provost} cannot move by {delta}: the road ends")]
    ProvostOutOfRange {
        /// Where he stands.
        provost: Space,
        /// The spaces asked for.
        delta: i32,
    },
    /// No such tile.
    #[error("there is no such tile")]
    UnknownTile,
    /// The tile is built by other craftsmen.
    #[error("the {tile} is a {} building, not a {wanted} building", .tile.kind())]
    WrongTileKind {
        /// The tile asked for.
        tile: Tile,
        /// The kind that is built here.
        wanted: Kind,
    },
    /// All copies have been built.
    #[error("the {tile} is not in the supply")]
    TileNotAvailable {
        /// The tile asked for.
        tile: Tile,
    },
    /// The road is full.
    #[error("no space of the road is free")]
    NoFreeSpace,
    /// Prestige buildings replace residences.
    #[error("there is no residence on {space}")]
    NoResidence {
        /// The space asked for.
        space: Space,
    },
    /// Prestige buildings replace own residences.
    #[error("the residence on {space} belongs to another player")]
    NotYourResidence {
        /// The space asked for.
        space: Space,
    },
    /// Neither a neutral building nor an own craft building, or a lawyer.
    #[error("what is on {space} cannot be transformed by you")]
    TargetNotTransformable {
        /// The space asked for.
        space: Space,
    },
    /// A transformation waits for the worker to leave.
    #[error("the building on {space} is going to be transformed already")]
    TargetAlreadyPending {
        /// The space asked for.
        space: Space,
    },
    /// Not two different kinds besides food.
    #[error("a batch is one food and two different kinds out of wood, stone, cloth and gold")]
    InvalidBatch,
    /// No part is left to build.
    #[error("no section of the castle has room")]
    CastleFull,
    /// One favor on each line in each phase.
    #[error("you have used a favor on the line {line} in this phase")]
    FavorLineUsed {
        /// The line asked for.
        line: FavorLine,
    },
    /// Beyond the marker, or beyond the columns that are open.
    #[error("on the line {line} you can use columns up to {most}, not {column}")]
    FavorColumnLocked {
        /// The line asked for.
        line: FavorLine,
        /// The column asked for.
        column: u8,
        /// The last column that can be used.
        most: u8,
    },
    /// Two to five players.
    #[error("Caylus is for 2 to 5 players, not {players}")]
    InvalidPlayerCount {
        /// The number of players.
        players: usize,
    },
    /// An explicit order that leaves something out.
    #[error("{option} must hold each of its values once")]
    InvalidOptions {
        /// The option.
        option: &'static str,
    },
}

impl Refusal {
    /// All codes, in the order of CAY-6.11.
    pub const CODES: [&'static str; 36] = [
        "GAME_OVER",
        "UNKNOWN_PLAYER",
        "NOT_YOUR_TURN",
        "WRONG_DECISION",
        "CANNOT_AFFORD",
        "NOT_OPTIONAL",
        "INVALID_OPTION",
        "INVALID_RESOURCE",
        "INVALID_AMOUNT",
        "INVALID_PAYMENT",
        "GOLD_NOT_ALLOWED",
        "NO_WORKERS",
        "UNKNOWN_TARGET",
        "SPACE_EMPTY",
        "SPACE_NOT_WORKABLE",
        "SPACE_OCCUPIED",
        "ALREADY_IN_CASTLE",
        "ALREADY_IN_STABLES",
        "STABLES_FULL",
        "STABLES_NOT_USED",
        "PROVOST_MOVE_TOO_LONG",
        "PROVOST_OUT_OF_RANGE",
        "UNKNOWN_TILE",
        "WRONG_TILE_KIND",
        "TILE_NOT_AVAILABLE",
        "NO_FREE_SPACE",
        "NO_RESIDENCE",
        "NOT_YOUR_RESIDENCE",
        "TARGET_NOT_TRANSFORMABLE",
        "TARGET_ALREADY_PENDING",
        "INVALID_BATCH",
        "CASTLE_FULL",
        "FAVOR_LINE_USED",
        "FAVOR_COLUMN_LOCKED",
        "INVALID_PLAYER_COUNT",
        "INVALID_OPTIONS",
    ];
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = &Self::CODES;

    #[rustfmt::skip]
    fn code(&self) -> &'static str {
        match self {
            Self::GameOver => "GAME_OVER",
            Self::UnknownPlayer { .. } => "UNKNOWN_PLAYER",
            Self::NotYourTurn { .. } => "NOT_YOUR_TURN",
            Self::WrongDecision { .. } => "WRONG_DECISION",
            Self::CannotAfford { .. } => "CANNOT_AFFORD",
            Self::NotOptional { .. } => "NOT_OPTIONAL",
            Self::InvalidOption { .. } => "INVALID_OPTION",
            Self::InvalidResource { .. } => "INVALID_RESOURCE",
            Self::InvalidAmount { .. } => "INVALID_AMOUNT",
            Self::InvalidPayment { .. } => "INVALID_PAYMENT",
            Self::GoldNotAllowed { .. } => "GOLD_NOT_ALLOWED",
            Self::NoWorkers => "NO_WORKERS",
            Self::UnknownTarget => "UNKNOWN_TARGET",
            Self::SpaceEmpty { .. } => "SPACE_EMPTY",
            Self::SpaceNotWorkable { .. } => "SPACE_NOT_WORKABLE",
            Self::SpaceOccupied { .. } => "SPACE_OCCUPIED",
            Self::AlreadyInCastle => "ALREADY_IN_CASTLE",
            Self::AlreadyInStables => "ALREADY_IN_STABLES",
            Self::StablesFull => "STABLES_FULL",
            Self::StablesNotUsed => "STABLES_NOT_USED",
            Self::ProvostMoveTooLong { .. } => "PROVOST_MOVE_TOO_LONG",
            Self::ProvostOutOfRange { .. } => "PROVOST_OUT_OF_RANGE",
            Self::UnknownTile => "UNKNOWN_TILE",
            Self::WrongTileKind { .. } => "WRONG_TILE_KIND",
            Self::TileNotAvailable { .. } => "TILE_NOT_AVAILABLE",
            Self::NoFreeSpace => "NO_FREE_SPACE",
            Self::NoResidence { .. } => "NO_RESIDENCE",
            Self::NotYourResidence { .. } => "NOT_YOUR_RESIDENCE",
            Self::TargetNotTransformable { .. } => "TARGET_NOT_TRANSFORMABLE",
            Self::TargetAlreadyPending { .. } => "TARGET_ALREADY_PENDING",
            Self::InvalidBatch => "INVALID_BATCH",
            Self::CastleFull => "CASTLE_FULL",
            Self::FavorLineUsed { .. } => "FAVOR_LINE_USED",
            Self::FavorColumnLocked { .. } => "FAVOR_COLUMN_LOCKED",
            Self::InvalidPlayerCount { .. } => "INVALID_PLAYER_COUNT",
            Self::InvalidOptions { .. } => "INVALID_OPTIONS",
        }
    }
}

impl Refusal {
    /// The rule that usually refuses so.
    #[rustfmt::skip]
    pub(crate) fn rule(&self) -> &'static str {
        match self {
            Self::CannotAfford { rule, .. }
            | Self::InvalidOption { rule, .. }
            | Self::InvalidResource { rule, .. }
            | Self::InvalidAmount { rule, .. }
            | Self::InvalidPayment { rule, .. }
            | Self::GoldNotAllowed { rule, .. } => rule,
            Self::GameOver
            | Self::UnknownPlayer { .. }
            | Self::NotYourTurn { .. }
            | Self::WrongDecision { .. } => "CAY-6.1.5",
            Self::NotOptional { .. } => "CAY-7.1",
            Self::NoWorkers
            | Self::SpaceEmpty { .. }
            | Self::SpaceNotWorkable { .. }
            | Self::SpaceOccupied { .. }
            | Self::AlreadyInCastle
            | Self::AlreadyInStables
            | Self::StablesFull => "CAY-6.4.3",
            Self::UnknownTarget
            | Self::UnknownTile => "CAY-6.11",
            Self::StablesNotUsed => "CAY-9.2",
            Self::ProvostMoveTooLong { .. }
            | Self::ProvostOutOfRange { .. } => "CAY-6.6.1",
            Self::WrongTileKind { .. }
            | Self::TileNotAvailable { .. }
            | Self::NoFreeSpace => "CAY-7.4",
            Self::NoResidence { .. }
            | Self::NotYourResidence { .. } => "CAY-7.6",
            Self::TargetNotTransformable { .. }
            | Self::TargetAlreadyPending { .. } => "CAY-7.5",
            Self::InvalidBatch
            | Self::CastleFull => "CAY-6.8.3",
            Self::FavorLineUsed { .. }
            | Self::FavorColumnLocked { .. } => "CAY-6.10.3",
            Self::InvalidPlayerCount { .. }
            | Self::InvalidOptions { .. } => "CAY-5.1",
        }
    }
}

impl From<Refusal> for crate::table::Refused<Refusal> {
    fn from(why: Refusal) -> Self {
        Self {
            rule: why.rule(),
            why,
        }
    }
}
