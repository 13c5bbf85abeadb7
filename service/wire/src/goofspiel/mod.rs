//! Goofspiel on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::goofspiel::v1 as pb;
use gamekeeper_rules::goofspiel::Goofspiel;

use crate::rows::wire;

wire! { Goofspiel in pb }
