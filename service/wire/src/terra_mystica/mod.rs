//! Terra Mystica on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;
use gamekeeper_rules::terra_mystica::{
    BoardView as FactionBoard, BridgeView as Bridge, OfferView as PowerOffer, PoolView as PoolCard,
    SpadesView as CultSpades, TownView as Town, TurnView as Turn,
};

use crate::mapping::wire;

wire! { TerraMystica in pb, with positions }
