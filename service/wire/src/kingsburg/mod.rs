//! Kingsburg on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;
use gamekeeper_rules::kingsburg::Kingsburg;

use crate::rows::wire;

wire! { Kingsburg in pb }
