//! Dominion on the wire.

mod catalogue;
mod ids;
mod options;
mod view;

pub use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_rules::dominion::data::Group as CardGroup;
use gamekeeper_rules::dominion::{EffectFrame as Frame, OptionFlaw as Flaw, Playing as Play};

use crate::mapping::wire;

wire! { Dominion in pb, with positions }
