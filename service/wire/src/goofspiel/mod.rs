//! Goofspiel on the wire. Rules and contract spell everything alike except the catalogue.

mod catalogue;

pub use gamekeeper_proto::gamekeeper::goofspiel::v1 as pb;

use crate::mapping::wire;

wire! { Goofspiel in pb, with positions }
