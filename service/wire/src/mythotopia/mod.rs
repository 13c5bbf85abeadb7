//! Mythotopia on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod view;

pub use gamekeeper_proto::gamekeeper::mythotopia::v1 as pb;
use gamekeeper_rules::mythotopia::{
    AwardView as Award, BoxView as OutOfGame, HandStacking as HandLimitStacking,
    PiecesView as Pieces, RoadScope as RoadSubstitutionScope, SupplyView as Supply,
    TurnView as Turn, WarView as War,
};

use crate::mapping::wire;

wire! { Mythotopia in pb, with positions }
