//! Kingsburg on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

pub use gamekeeper_proto::gamekeeper::kingsburg::v1 as pb;
use gamekeeper_rules::kingsburg::{Action, Draft, Event, Kingsburg, Options, Refusal, View};

use crate::rows::{self, ToPb};
use crate::{Malformed, Wire};

impl Wire for Kingsburg {
    const CATALOGUE_REVISION: u32 = catalogue::REVISION;

    type Messages = pb::Messages;

    fn draft(message: pb::Options) -> Result<Draft, Malformed> {
        rows::field("options", message)
    }

    fn options_message(options: &Options) -> pb::Options {
        options.to_pb()
    }

    fn action(message: pb::Action) -> Result<Action, Malformed> {
        rows::action(message.kind)
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

    fn told_before(event: &Event) -> Option<Event> {
        let is_new = matches!(event, Event::DicePlaced { .. });
        (!is_new).then(|| event.clone())
    }

    fn view_message(view: &View) -> pb::View {
        view.to_pb()
    }

    fn refusal_detail(refusal: &Refusal) -> Option<pb::RefusalDetail> {
        refusal.to_pb()
    }

    fn catalogue() -> pb::Catalogue {
        catalogue::catalogue()
    }
}
