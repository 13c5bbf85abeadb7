//! Dominion on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_rules::dominion::{Dominion, Event};

use crate::rows::wire;

wire! { Dominion in pb; recorded_before }

fn recorded_before(event: &Event) -> Option<Event> {
    let is_new = matches!(
        event,
        Event::NothingChosen { .. } | Event::SpyDecided { .. }
    );
    (!is_new).then(|| event.clone())
}
