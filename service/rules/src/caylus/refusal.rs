//! Every way to say no (CAY-6.11). Nothing is refused for a reason that is not listed here.

use strum::VariantNames;

use super::action::Target;
use super::data::{FavorLine, Goods, Kind, Space, Tile};
use crate::table::{self, Seat};

/// A refusal, and the paragraph that refuses: that of the action that was sent (CAY-14.13).
pub(crate) type No = table::Refused<Refusal>;

/// Why an action, or a set of options, is not allowed.
#[derive(
    Clone, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs, reason = "the sentences say it")]
pub enum Refusal {
    #[error("the game is over")]
    GameOver,
    #[error("there is no {seat} in this game")]
    UnknownPlayer { seat: Seat },
    #[error("it is the turn of {acting}")]
    NotYourTurn { acting: Seat },
    #[error("the open decision is {decision}; {kind} does not answer it")]
    WrongDecision {
        decision: &'static str,
        kind: &'static str,
    },
    #[error("it costs {price}, which you do not have")]
    CannotAfford { price: Goods },
    #[error("the effect of the {tile} must be carried out")]
    NotOptional { tile: Tile },
    #[error("there is no such option here: {what}")]
    InvalidOption { what: &'static str },
    #[error("{what} is not a resource that can be chosen here")]
    InvalidResource { what: &'static str },
    #[error("{what} must be {wanted}")]
    InvalidAmount {
        what: &'static str,
        wanted: &'static str,
    },
    #[error("these cubes do not make up the price: {wanted}")]
    InvalidPayment { wanted: &'static str },
    #[error("gold is not accepted here")]
    GoldNotAllowed,
    #[error("you have no worker left")]
    NoWorkers,
    #[error("there is no such place")]
    UnknownTarget,
    #[error("{space} is empty")]
    SpaceEmpty { space: Space },
    #[error("the {tile} on {space} takes no workers")]
    SpaceNotWorkable { space: Space, tile: Tile },
    #[error("{target} is occupied")]
    SpaceOccupied { target: Target },
    #[error("you have a worker in the castle")]
    AlreadyInCastle,
    #[error("you have a worker in the stables")]
    AlreadyInStables,
    #[error("the stables are full")]
    StablesFull,
    #[error("the stables are not used by 2 players")]
    StablesNotUsed,
    #[error("the provost moves 3 spaces at most, not {delta}")]
    ProvostMoveTooLong { delta: i32 },
    #[error("the provost on {provost} cannot move by {delta}: the road ends")]
    ProvostOutOfRange { provost: Space, delta: i32 },
    #[error("there is no such tile")]
    UnknownTile,
    #[error("the {tile} is a {} building, not a {wanted} building", .tile.kind())]
    WrongTileKind { tile: Tile, wanted: Kind },
    #[error("the {tile} is not in the supply")]
    TileNotAvailable { tile: Tile },
    #[error("no space of the road is free")]
    NoFreeSpace,
    #[error("there is no residence on {space}")]
    NoResidence { space: Space },
    #[error("the residence on {space} belongs to another player")]
    NotYourResidence { space: Space },
    #[error("what is on {space} cannot be transformed by you")]
    TargetNotTransformable { space: Space },
    #[error("the building on {space} is going to be transformed already")]
    TargetAlreadyPending { space: Space },
    #[error("a batch is one food and two different kinds out of wood, stone, cloth and gold")]
    InvalidBatch,
    #[error("no section of the castle has room")]
    CastleFull,
    #[error("you have used a favor on the line {line} in this phase")]
    FavorLineUsed { line: FavorLine },
    #[error("on the line {line} you can use columns up to {most}, not {column}")]
    FavorColumnLocked {
        line: FavorLine,
        column: u8,
        most: u8,
    },
    #[error("Caylus is for 2 to 5 players, not {players}")]
    InvalidPlayerCount { players: usize },
    #[error("{option} must hold each of its values once")]
    InvalidOptions { option: &'static str },
}

impl table::Refusal for Refusal {
    const CODES: &'static [&'static str] = Self::VARIANTS;

    fn code(&self) -> &'static str {
        self.into()
    }
}
