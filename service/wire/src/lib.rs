//! Protobuf messages to rules types and back. Rules never see protobuf, protobuf never sees rules:
//! they meet here, in one file or folder per ruleset, and nowhere else.
//!
//! Turning a message into rules types fails only for malformed messages: a missing oneof, seat 0, a
//! text that is too long. A card that does not exist is not malformed; the rules refuse it, with
//! their own code and in their own order.

pub mod caylus;
mod common;
pub mod contract;
mod detail;
pub mod dominion;
pub mod kingsburg;
mod life;
mod malformed;
pub mod mythotopia;
mod options;
mod registry;
mod rows;
pub mod terra_mystica;

use gamekeeper_proto::Opaque;
use gamekeeper_proto::envelope::{Messages, Package};
use gamekeeper_rules::ruleset::Ruleset;

pub use common::{
    draw, pending, player_names, seat, seat_number, seat_numbers, standings, timestamp,
};
pub use detail::{Detail, detail};
pub use life::{add_life, deed, pending_until, table_entry, table_options, table_options_message};
pub use malformed::Malformed;
pub use options::{allowed, option_in_words, option_infos, value_in_words};

/// The message `Options` of a ruleset.
pub type PbOptions<W> = <<W as Wire>::Messages as Messages>::Options;
/// The message `Action` of a ruleset.
pub type PbAction<W> = <<W as Wire>::Messages as Messages>::Action;
/// The message `Event` of a ruleset.
pub type PbEvent<W> = <<W as Wire>::Messages as Messages>::Event;
/// The message `View` of a ruleset.
pub type PbView<W> = <<W as Wire>::Messages as Messages>::View;
/// The message `RefusalDetail` of a ruleset.
pub type PbRefusalDetail<W> = <<W as Wire>::Messages as Messages>::RefusalDetail;
/// The message `Catalogue` of a ruleset.
pub type PbCatalogue<W> = <<W as Wire>::Messages as Messages>::Catalogue;

/// A ruleset with a protobuf contract.
pub trait Wire: Ruleset {
    /// The package of its messages, such as `gamekeeper.dominion.v1`.
    const PACKAGE: &'static str = <Self::Messages as Package>::NAME;
    /// The revision of its catalogue, from 1.
    const CATALOGUE_REVISION: u32;

    /// Its messages in the contract.
    type Messages: Package;

    /// The requested options, not yet checked by the rules.
    ///
    /// # Errors
    /// When the message is malformed.
    fn draft(message: PbOptions<Self>) -> Result<Self::Draft, Malformed>;

    /// Checked options, every choice spelled out. Reading them with `draft` and checking them gives the same
    /// options.
    fn encoded_options(options: &Self::Options) -> Opaque;

    /// A player's action.
    ///
    /// # Errors
    /// When the message is malformed.
    fn action(message: PbAction<Self>) -> Result<Self::Action, Malformed>;

    /// The message of an action. Reading it with `action` gives the same action.
    fn encoded_action(action: &Self::Action) -> Opaque;

    /// The message of an event that was already cut to what its viewer may know.
    fn encoded_event(event: &Self::Event) -> Opaque;

    /// The message of a view.
    fn encoded_view(view: &Self::View) -> Opaque;

    /// The values that a refusal of this ruleset names, as its `RefusalDetail`; `None` if its code says it all, and
    /// for those of every game: [`Shares::shared`](gamekeeper_rules::table::Shares::shared) gives their values.
    fn encoded_detail(refusal: &Self::Refusal) -> Option<Opaque>;

    /// The components of the game.
    fn catalogue() -> PbCatalogue<Self>;

    /// The same as `encoded_options`, decoded.
    fn options_message(options: &Self::Options) -> PbOptions<Self> {
        rows::decoded(&Self::encoded_options(options))
    }

    /// The same as `encoded_action`, decoded.
    fn action_message(action: &Self::Action) -> PbAction<Self> {
        rows::decoded(&Self::encoded_action(action))
    }

    /// The same as `encoded_event`, decoded.
    fn event_message(event: &Self::Event) -> PbEvent<Self> {
        rows::decoded(&Self::encoded_event(event))
    }

    /// The same as `encoded_view`, decoded.
    fn view_message(view: &Self::View) -> PbView<Self> {
        rows::decoded(&Self::encoded_view(view))
    }
}
