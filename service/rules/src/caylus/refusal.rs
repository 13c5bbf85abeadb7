//! All refusals (CAY-6.11). A refusal cites the paragraph of the action that was sent (CAY-14.13).

use super::action::Target;
use super::data::{FavorLine, Goods, Kind, Resource, Space, Tile};
use crate::table::{Count, JoinAnd, MaybeKnown, OptionalParam, Refusal as _, ids, refusals};

ids! {
    /// The purpose of a price.
    Expense {
        Worker "worker" "A worker there",
        Provost "provost" "That move of the provost",
        Joust "joust" "A favor at the Joust field",
        Trade "trade" "That trade",
        Tile "tile" "That building",
        Transformation "transformation" "The transformation",
        Batch "batch" "That part of the castle",
    }
}

refusals! {
    /// The reasons why an action, or a new game, is refused, in the order of the rule document.
    #[derive(Copy)]
    Refusal of "Caylus" {
        /// `owned` is the player's goods of the kinds in the price; `tile` is the tile to build.
        #[error("{} costs {price}, of which you have {}.", bill(*expense, *tile), none_or(*owned))]
        CannotAfford {
            expense: Expense,
            tile: Option<Tile>,
            price: Goods,
            owned: Goods,
        },
        #[error("The effect of the {tile} cannot be declined.")]
        NotOptional { tile: Tile },
        /// CAY-14.7.
        #[error("`{field}` is not needed here.")]
        SuperfluousParameter { field: &'static str },
        #[error("You cannot choose {resource} here, only {}.", JoinAnd(*allowed))]
        InvalidResource {
            resource: Resource,
            allowed: &'static [Resource],
        },
        #[error("Choose {}, not {count}.", cubes(*min, *max))]
        InvalidAmount {
            field: &'static str,
            count: i32,
            min: i32,
            max: i32,
        },
        #[error("{flaw}")]
        InvalidPayment { flaw: PaymentFlaw },
        #[error("Gold is not accepted here.")]
        GoldNotAllowed,
        #[error("You have no workers left.")]
        NoWorkers,
        #[error("There is no building on {space}.")]
        SpaceEmpty { space: Space },
        #[error("The {tile} on {space} takes no workers.")]
        SpaceNotWorkable { space: Space, tile: Tile },
        #[error("There is already a worker {}.", target.at())]
        SpaceOccupied { target: Target },
        #[error("You already have a worker in the castle.")]
        AlreadyInCastle,
        #[error("You already have a worker in the Stables.")]
        AlreadyInStables,
        #[error("The Stables are full.")]
        StablesFull,
        #[error("The Stables are not used by 2 players.")]
        StablesNotUsed,
        #[error("The provost moves at most {}, not {}.", Count(*max, "space"), delta.unsigned_abs())]
        ProvostMoveTooLong { delta: i32, max: u16 },
        #[error("The provost on {provost} cannot move by {delta:+}: the road ends.")]
        ProvostOutOfRange { provost: Space, delta: i32 },
        #[error("The {tile} is not a {wanted} building.")]
        WrongTileKind { tile: Tile, wanted: Kind },
        #[error("The {tile} is not in the supply.")]
        TileNotAvailable { tile: Tile },
        #[error("No space of the road is free.")]
        NoFreeSpace,
        #[error("There is no residence on {space}.")]
        NoResidence { space: Space },
        #[error("The residence on {space} is not yours.")]
        NotYourResidence { space: Space },
        #[error("{}", not_transformable(*space, *tile))]
        TargetNotTransformable { space: Space, tile: Option<Tile> },
        #[error("The {tile} on {space} is already to be transformed.")]
        TargetAlreadyPending { space: Space, tile: Tile },
        #[error("A batch is food and two other kinds of cubes that differ, not {second} and {third}.")]
        InvalidBatch { second: Resource, third: Resource },
        #[error("No section of the castle has room.")]
        CastleFull,
        #[error("You have already used the favor line {line} in this phase.")]
        FavorLineUsed { line: FavorLine },
        #[error("You may use columns 0 to {max} of the favor line {line}, not {column}.")]
        FavorColumnLocked {
            line: FavorLine,
            column: u32,
            max: u8,
        },
        /// CAY-14.3.
        #[error("Column {column} of the favor line {line} gives nothing: choose column 0 instead.")]
        FavorColumnEmpty { line: FavorLine, column: u32 },
        common InvalidPlayerCount,
        #[error("{flaw}")]
        InvalidOption {
            field: &'static str,
            flaw: OptionFlaw,
        },
    }
}

/// Returns the value that a client named, or refuses a name that is missing or unknown.
///
/// # Rule CAY-6.11, CAY-14.8
/// A name that is missing or names nothing is refused before the other checks of the action.
pub fn require_known<T>(
    named: MaybeKnown<T>,
    field: &'static str,
    rule: &'static str,
) -> Result<T, RefusedAction> {
    named.ok_or(Refusal::UnknownId { field }.citing(rule))
}

/// Returns the value of a parameter that may be left out. Only an unknown name is refused, see
/// [`OptionalParam::require_known`].
pub fn optional<T>(
    given: OptionalParam<T>,
    field: &'static str,
    rule: &'static str,
) -> Result<Option<T>, RefusedAction> {
    given.require_known(|| Refusal::UnknownId { field }.citing(rule))
}

/// The subject of a refused price: the tile if one is to be built, since its name says more than `That building`.
fn bill(expense: Expense, tile: Option<Tile>) -> String {
    tile.map_or_else(|| expense.to_string(), |tile| format!("The {tile}"))
}

fn none_or(owned: Goods) -> String {
    if owned == Goods::NONE {
        String::from("none")
    } else {
        owned.to_string()
    }
}

/// `1 cube`, `2 to 4 cubes`.
fn cubes(min: i32, max: i32) -> String {
    match (min, max) {
        (1, 1) => String::from("1 cube"),
        _ if min == max => format!("{max} cubes"),
        _ => format!("{min} to {max} cubes"),
    }
}

fn not_transformable(space: Space, tile: Option<Tile>) -> String {
    match tile {
        Some(tile) => format!("You cannot transform the {tile} on {space}."),
        None => format!("There is no building on {space} to transform."),
    }
}

/// A fault in the cubes that are offered as a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaymentFlaw {
    /// CAY-7.8.
    #[error("The Alchemist takes {less} or {more} cubes, not {cubes}.")]
    Alchemist { cubes: u64, less: u16, more: u16 },
    /// CAY-7.4.
    #[error("The price of the {tile} holds a cube of any kind: name it.")]
    CubeMissing { tile: Tile },
    /// CAY-7.4.
    #[error("The price of the {tile} holds no cube of any kind.")]
    CubeNotNeeded { tile: Tile },
}

/// A fault in the options of a new game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionFlaw {
    #[error("The neutral order must hold each neutral building once.")]
    NeutralOrder,
    #[error("The turn order must hold each seat from 1 to {seats} once.")]
    TurnOrder { seats: u8 },
}
