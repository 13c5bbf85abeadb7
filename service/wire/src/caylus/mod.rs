//! Caylus on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::caylus::v1 as pb;
use gamekeeper_rules::caylus::{Caylus, Event};

use crate::rows::wire;

wire! { Caylus in pb; recorded_before }

fn recorded_before(event: &Event) -> Option<Event> {
    let is_new = matches!(
        event,
        Event::CastleFinished { .. } | Event::Automatic { .. }
    );
    (!is_new).then(|| event.clone())
}
