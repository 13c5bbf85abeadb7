//! Terra Mystica on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::terra_mystica::v1 as pb;
use gamekeeper_rules::terra_mystica::{Event, TerraMystica};

use crate::rows::wire;

wire! { TerraMystica in pb; recorded_before }

fn recorded_before(event: &Event) -> Option<Event> {
    if let &Event::TownJoined { seat, spaces, .. } = event {
        return Some(Event::TownExtended { seat, spaces });
    }
    let is_new = matches!(event, Event::SpadesUnused { .. });
    (!is_new).then(|| event.clone())
}
