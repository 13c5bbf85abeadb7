//! Mythotopia on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod view;

pub use gamekeeper_proto::gamekeeper::mythotopia::v1 as pb;
use gamekeeper_rules::mythotopia::{Action, Draft, Event, Mythotopia, Options, View};

use crate::{Malformed, OptionText, Wire};

impl Wire for Mythotopia {
    const CATALOGUE_REVISION: u32 = catalogue::REVISION;
    const OPTIONS: &'static [OptionText] = &options::TEXTS;

    type Messages = pb::Messages;

    fn draft(message: pb::Options) -> Result<Draft, Malformed> {
        Ok(options::draft(&message))
    }

    fn options_message(options: &Options) -> pb::Options {
        options::message(options)
    }

    fn action(message: pb::Action) -> Result<Action, Malformed> {
        action::action(message)
    }

    fn action_message(action: &Action) -> pb::Action {
        action::message(action)
    }

    fn event_message(event: &Event, text: Option<String>) -> pb::Event {
        event::message(event, text)
    }

    fn view_message(view: &View) -> pb::View {
        view::message(view)
    }

    fn catalogue() -> pb::Catalogue {
        catalogue::message()
    }
}
