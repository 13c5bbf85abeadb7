//! Terra Mystica on the wire.

mod action;
mod catalogue;
mod event;
mod ids;
mod options;
mod view;

use gamekeeper_rules::terra_mystica::{Action, Draft, Event, Options, TerraMystica, View};

use crate::{Malformed, OptionText, Wire};

/// The messages of `gamekeeper.terra_mystica.v1`, and its service under the names that all rulesets
/// use.
pub mod pb {
    pub use gamekeeper_proto::gamekeeper::terra_mystica::v1::terra_mystica_service_client::TerraMysticaServiceClient as Client;
    pub use gamekeeper_proto::gamekeeper::terra_mystica::v1::terra_mystica_service_server::{
        TerraMysticaService as Service, TerraMysticaServiceServer as Server,
    };
    pub use gamekeeper_proto::gamekeeper::terra_mystica::v1::*;
}

impl Wire for TerraMystica {
    const PACKAGE: &'static str = "gamekeeper.terra_mystica.v1";
    const CATALOGUE_REVISION: u32 = catalogue::REVISION;
    const OPTIONS: &'static [OptionText] = &options::TEXTS;

    type PbOptions = pb::Options;
    type PbAction = pb::Action;
    type PbEvent = pb::Event;
    type PbView = pb::View;
    type PbCatalogue = pb::Catalogue;

    fn draft(message: pb::Options) -> Result<Draft, Malformed> {
        options::draft(&message)
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

    fn is_told_lately(event: &Event) -> bool {
        matches!(event, Event::SpadesUnused { .. })
    }

    fn view_message(view: &View) -> pb::View {
        view::message(view)
    }

    fn catalogue() -> pb::Catalogue {
        catalogue::message()
    }
}
