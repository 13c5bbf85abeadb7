//! The values of refusals.

use gamekeeper_rules::terra_mystica::{Expense, Piece, Refusal, TakenAction, Tile, Track};

use super::pb;
use super::pb::expense::Expense as PbExpense;
use super::pb::piece::Piece as PbPiece;
use crate::rows::{message, names, refusals};

refusals! {
    Refusal in pb;
    InvalidOption { field, problem },
    FactionTaken { faction },
    ColorTaken { color },
    NotALandSpace { space },
    NotARiverSpace { space },
    SpaceOccupied { space },
    WrongTerrain { space, terrain, needed },
    SameTerrain { space, terrain },
    NotReachable { space },
    LeapLimit { space },
    TooManySpaces { spaces, max },
    SpaceRepeated { space },
    MustReachHomeFirst { space, home },
    NotEnoughSpades { spades, free },
    TargetNotHome { space, target, home },
    BuildSpaceNotTransformed { space, home },
    CannotAfford { expense, price, vp, owned, owned_vp },
    InsufficientPower { needed, at_hand },
    InvalidSacrifice { tokens, max },
    NoPieceLeft { piece, left },
    TrackMaxed { track, level },
    NoSuchTrack { faction, track },
    NotYourStructure { space },
    InvalidUpgrade { from_structure, to_structure },
    PriestSpaceTaken { cult, slot },
    ActionTaken { action },
    ActionNotAvailable { action },
    NoEffect { cult },
    InvalidBridgeSite { a, b },
    BridgeSiteTaken { a, b },
    BridgeNeedsStructure { a, b },
    CardNotAvailable { card },
    TileNotAvailable { tile },
    TileAlreadyOwned { tile },
    KeyChoiceRequired { keys, tracks },
    InvalidKeyChoice { keys, tracks },
    NotATown { river },
    InvalidAmount { amount, min, max },
    ConversionNotAllowed { kind },
    WrongFaction { needed, faction };
    bare MainActionDone, MainActionRequired, FollowUpPending, NothingToDo, CardRequired,
    CardNotAllowed,
}

names! { Track => pb::Track }

message! {
    Expense => pb::Expense,
    |expense| {
        let kind = |kind: pb::ExpenseKind| PbExpense::Kind(kind.into());
        let expense = Some(match expense {
            Expense::Work => kind(pb::ExpenseKind::Work),
            Expense::Structure(structure) => PbExpense::Structure(structure.to_pb()),
            Expense::Step(track) => PbExpense::Step(track.to_pb()),
            Expense::Bridge => kind(pb::ExpenseKind::Bridge),
            Expense::Priest => kind(pb::ExpenseKind::Priest),
            Expense::Conversion(conversion) => PbExpense::Conversion(conversion.to_pb()),
        });
        pb::Expense { expense }
    }
}

message! {
    Piece => pb::Piece,
    |piece| {
        let piece = Some(match piece {
            Piece::Structure(structure) => PbPiece::Structure(structure.to_pb()),
            Piece::Bridge => PbPiece::Kind(pb::PieceKind::Bridge.into()),
            Piece::Priest => PbPiece::Kind(pb::PieceKind::Priest.into()),
        });
        pb::Piece { piece }
    }
}

message! {
    TakenAction => pb::TakenAction,
    |action| {
        use pb::taken_action::Action;
        let action = Some(match action {
            TakenAction::Power(action) => Action::Power(action.to_pb()),
            TakenAction::Special(action) => Action::Special(action.to_pb()),
        });
        pb::TakenAction { action }
    }
}

message! {
    Tile => pb::Tile,
    |tile| {
        use pb::tile::Tile as PbTile;
        let tile = Some(match tile {
            Tile::Favor(tile) => PbTile::Favor(tile.to_pb()),
            Tile::Town(tile) => PbTile::Town(tile.to_pb()),
        });
        pb::Tile { tile }
    }
}
