//! Dominion on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod refusal;
mod view;

use gamekeeper_proto::Opaque;
pub use gamekeeper_proto::gamekeeper::dominion::v1 as pb;
use gamekeeper_rules::dominion::{Action, Dominion, Draft, Event, Options, Refusal, View};

use crate::rows;
use crate::{Malformed, Wire};

impl Wire for Dominion {
    const CATALOGUE_REVISION: u32 = catalogue::REVISION;

    type Messages = pb::Messages;

    fn draft(message: pb::Options) -> Result<Draft, Malformed> {
        rows::field("options", message)
    }

    fn encoded_options(options: &Options) -> Opaque {
        rows::encoded::<pb::Options>(options)
    }

    fn action(message: pb::Action) -> Result<Action, Malformed> {
        rows::action(message.kind)
    }

    fn encoded_action(action: &Action) -> Opaque {
        rows::encoded_action(&pb::Action::FIELDS.kind, action)
    }

    fn encoded_event(event: &Event, text: Option<String>) -> Opaque {
        let pb::FieldsOfEvent {
            text: sentence,
            kind,
        } = pb::Event::FIELDS;
        rows::encoded_event((&sentence, text), (&kind, event))
    }

    fn told_before(event: &Event) -> Option<Event> {
        let is_new = matches!(
            event,
            Event::NothingChosen { .. } | Event::SpyDecided { .. }
        );
        (!is_new).then(|| event.clone())
    }

    fn encoded_view(view: &View) -> Opaque {
        rows::encoded_view::<pb::View>(view)
    }

    fn encoded_detail(refusal: &Refusal) -> Option<Opaque> {
        rows::encoded_detail::<pb::RefusalDetail>(refusal)
    }

    fn catalogue() -> pb::Catalogue {
        catalogue::catalogue()
    }
}
