//! Dominion on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_rules::dominion::Dominion;

use crate::rows::wire;

wire! { Dominion in pb }
