//! Caylus on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod view;

pub use gamekeeper_proto::gamekeeper::caylus::v1 as pb;
use gamekeeper_rules::caylus::{Action, Caylus, Draft, Event, Options, View};

use crate::rows::{FromPb, ToPb};
use crate::{Malformed, Wire};

impl Wire for Caylus {
    const CATALOGUE_REVISION: u32 = catalogue::REVISION;

    type Messages = pb::Messages;

    fn draft(message: pb::Options) -> Result<Draft, Malformed> {
        Draft::from_pb(message)
    }

    fn options_message(options: &Options) -> pb::Options {
        options.to_pb()
    }

    fn action(message: pb::Action) -> Result<Action, Malformed> {
        let kind = message.kind;
        Action::from_pb(kind.ok_or_else(|| Malformed::missing("action.kind"))?)
    }

    fn action_message(action: &Action) -> pb::Action {
        let kind = Some(action.to_pb());
        pb::Action { kind }
    }

    fn event_message(event: &Event, text: Option<String>) -> pb::Event {
        let kind = Some(event.to_pb());
        let text = text.unwrap_or_default();
        pb::Event { text, kind }
    }

    fn is_told_lately(event: &Event) -> bool {
        matches!(event, Event::CastleFinished { .. })
    }

    fn view_message(view: &View) -> pb::View {
        view.to_pb()
    }

    fn catalogue() -> pb::Catalogue {
        catalogue::message()
    }
}
