//! Mythotopia on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::mythotopia::v1 as pb;
use gamekeeper_rules::mythotopia::Mythotopia;

use crate::rows::wire;

wire! { Mythotopia in pb }
