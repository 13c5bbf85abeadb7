//! Caylus on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::caylus::v1 as pb;
use gamekeeper_rules::caylus::Caylus;

use crate::rows::wire;

wire! { Caylus in pb }
