//! Caylus on the wire.

mod action;
mod catalogue;
mod ids;
#[cfg(test)]
mod options_tests;

pub use gamekeeper_proto::gamekeeper::caylus::v1 as pb;
use gamekeeper_rules::caylus::data::Kind as TileKind;
use gamekeeper_rules::caylus::{
    OptionFlaw as InvalidOptionFlaw, PaymentFlaw as InvalidPaymentFlaw,
};

use crate::mapping::wire;

wire! { Caylus in pb, with positions }
