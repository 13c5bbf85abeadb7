//! Kingsburg on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod view;

pub use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;
use gamekeeper_rules::kingsburg::{Action, Draft, Event, Kingsburg, Options, View};

use crate::rows::{FromPb, ToPb};
use crate::{Malformed, Wire};

impl Wire for Kingsburg {
    const CATALOGUE_REVISION: u32 = catalogue::REVISION;

    type Messages = pb::Messages;

    fn draft(message: pb::Options) -> Result<Draft, Malformed> {
        FromPb::from_pb(message)
    }

    fn options_message(options: &Options) -> pb::Options {
        options.to_pb()
    }

    fn action(message: pb::Action) -> Result<Action, Malformed> {
        let kind = message.kind;
        FromPb::from_pb(kind.ok_or_else(|| Malformed::missing("action.kind"))?)
    }

    fn action_message(action: &Action) -> pb::Action {
        let kind = Some(action.to_pb());
        pb::Action { kind }
    }

    fn event_message(event: &Event, text: Option<String>) -> pb::Event {
        pb::Event {
            text: text.unwrap_or_default(),
            kind: Some(event.to_pb()),
        }
    }

    fn view_message(view: &View) -> pb::View {
        view.to_pb()
    }

    fn catalogue() -> pb::Catalogue {
        catalogue::catalogue()
    }
}
