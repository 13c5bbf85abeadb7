//! Kingsburg on the wire.

mod action;
mod catalogue;
mod view;

pub use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;

use crate::mapping::wire;

wire! { Kingsburg in pb, with positions }
