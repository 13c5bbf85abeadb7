//! Mythotopia on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod view;

use gamekeeper_rules::mythotopia::{Action, Draft, Event, Mythotopia, Options, View};

use crate::rows::{FromPb, ToPb};
use crate::{Malformed, OptionText, Wire};

/// The messages of `gamekeeper.mythotopia.v1`, and its service under the names that all rulesets use.
pub mod pb {
    pub use gamekeeper_proto::gamekeeper::mythotopia::v1::mythotopia_service_client::MythotopiaServiceClient as Client;
    pub use gamekeeper_proto::gamekeeper::mythotopia::v1::mythotopia_service_server::{
        MythotopiaService as Service, MythotopiaServiceServer as Server,
    };
    pub use gamekeeper_proto::gamekeeper::mythotopia::v1::*;
}

impl Wire for Mythotopia {
    const PACKAGE: &'static str = "gamekeeper.mythotopia.v1";
    const CATALOGUE_REVISION: u32 = catalogue::REVISION;
    const OPTIONS: &'static [OptionText] = &options::TEXTS;

    type PbOptions = pb::Options;
    type PbAction = pb::Action;
    type PbEvent = pb::Event;
    type PbView = pb::View;
    type PbCatalogue = pb::Catalogue;

    fn draft(message: pb::Options) -> Result<Draft, Malformed> {
        Draft::from_pb(message)
    }

    fn options_message(options: &Options) -> pb::Options {
        options.to_pb()
    }

    fn action(message: pb::Action) -> Result<Action, Malformed> {
        let kind = message
            .kind
            .ok_or_else(|| Malformed::missing("action.kind"))?;
        Action::from_pb(kind)
    }

    fn action_message(action: &Action) -> pb::Action {
        pb::Action {
            kind: Some(action.to_pb()),
        }
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
        catalogue::message()
    }
}
