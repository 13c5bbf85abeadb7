//! The **anti-corruption layer** between contract and rules: converts protobuf messages to types of the rules and
//! back. The rules do not depend on protobuf, nor the contract on the rules; they meet only here. The build pairs
//! everything that both spell alike; the differences stand in the folder of the ruleset.
//!
//! Converting a message to types of the rules fails only for malformed messages: a missing oneof, seat 0, a text that
//! is too long. A card that does not exist is not malformed; the rules refuse it, with their own code and in their own
//! order.

mod allowed;
pub mod caylus;
mod commitment;
mod common;
pub mod contract;
mod detail;
pub mod dominion;
mod field_text;
pub mod goofspiel;
mod help;
pub mod kingsburg;
mod malformed;
mod mapping;
pub mod mythotopia;
mod oneof_codec;
mod options;
mod position;
pub mod record;
mod record_digest;
mod refusal;
#[cfg(test)]
mod refusal_tests;
mod start;
mod start_positions;
mod table_life;
pub mod terra_mystica;
#[cfg(test)]
mod tests;
mod unknown_enum_path;

use gamekeeper_proto::{EncodedMessage, Pb, raw};
use gamekeeper_rules::bots::{Budget, Policy};
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Seat, Seed};
pub use gamekeeper_rules::{for_each_ruleset, of_each_ruleset, with_ruleset};

pub use commitment::{Commitment, name_commitment, record_commitment};
pub use common::{
    check_name, check_text, draw, pending, player_names, seat, seat_number, seat_numbers,
    standings, timestamp,
};
pub use detail::{Detail, detail};
pub use field_text::field_text;
pub use malformed::Malformed;
pub use oneof_codec::{
    amounts, component_names, legal_action, ruleset_of, with_components, wrap_action,
    wrap_catalogue, wrap_event, wrap_options, wrap_view,
};
pub use options::{option_infos, option_text, value_text};
pub use position::{PositionFault, position};
pub use record_digest::RecordDigest;
pub use refusal::{OptionRefusal, RulesRefusal};
pub use start::{Position, StartKind, StartTable, begun_from_position, start, start_value, starts};
pub use start_positions::{MAX_POSITIONS, StartPositions};
pub use table_life::{
    add_table_life, end_reason, ended, pending_with_due_times, read_table_event, table_event,
    table_options, table_options_message,
};

/// The constructors that wrap the messages of a ruleset: the fields of the oneofs of `gamekeeper.v1`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the contract says what each message is")]
pub struct OneofCodec {
    pub options: fn(EncodedMessage) -> raw::options::Ruleset,
    pub action: fn(EncodedMessage) -> raw::action::Ruleset,
    pub event: fn(EncodedMessage) -> raw::event::Ruleset,
    pub view: fn(EncodedMessage) -> raw::view::Ruleset,
    pub catalogue: fn(EncodedMessage) -> raw::catalogue::Ruleset,
    pub detail: fn(EncodedMessage) -> raw::refusal_detail::Detail,
}

/// The seat and the version at which a bot decides.
pub type Turn = (Seat, u64);

#[diagnostic::on_unimplemented(
    message = "the ruleset `{Self}` is not on the wire",
    note = "its row is `wire! {{ … in pb }}` in `service/wire/src/<ruleset>/mod.rs`"
)]
/// A ruleset with a protobuf contract: the package `gamekeeper.<id of the ruleset>.v1`.
pub trait Wire: Ruleset {
    /// The revision of its catalogue, from 1.
    const CATALOGUE_REVISION: u32;

    /// Wraps the messages of its package in those of `gamekeeper.v1`.
    const ONEOF_CODEC: OneofCodec;

    /// The message of the options that the creator of a game chooses.
    type PbOptions: Pb;
    /// The message of an action.
    type PbAction: Pb;
    /// The message of an event.
    type PbEvent: Pb;
    /// The message of a view.
    type PbView: Pb;
    /// The message of the catalogue.
    type PbCatalogue: Pb;
    /// The message of the values of a refusal.
    type PbRefusalDetail: Pb;

    /// Unwraps the options of this ruleset. Returns `None` if they belong to another ruleset.
    fn unwrap_options(message: raw::options::Ruleset) -> Option<EncodedMessage>;

    /// Unwraps an action of this ruleset. Returns `None` if it belongs to another ruleset.
    fn unwrap_action(message: raw::action::Ruleset) -> Option<EncodedMessage>;

    /// Unwraps a view of this ruleset. Returns `None` if it belongs to another ruleset.
    fn unwrap_view(message: raw::view::Ruleset) -> Option<EncodedMessage>;

    /// Decodes a view that somebody describes, without checking it against the rules. The options of the game are those
    /// given here. See [`position`](fn@position), which compares them.
    ///
    /// # Errors
    /// Fails if the message is malformed, and for rulesets without positions; the path begins at a field of the view.
    fn read_view(
        _message: Self::PbView,
        _options: &Self::Options,
    ) -> Result<Self::View, Malformed> {
        Err(Malformed::new("", "this ruleset has no positions"))
    }

    /// Decodes the requested options, without checking them against the rules.
    ///
    /// # Errors
    /// Fails if the message is malformed.
    fn draft(message: Self::PbOptions) -> Result<Self::Draft, Malformed>;

    /// Encodes checked options, with every choice spelled out. Decoding them with `draft` and checking them gives the
    /// same options.
    fn encoded_options(options: &Self::Options) -> EncodedMessage;

    /// Decodes the action of a player.
    ///
    /// # Errors
    /// Fails if the message is malformed.
    fn action(message: Self::PbAction) -> Result<Self::Action, Malformed>;

    /// Encodes an action. Decoding it with `action` gives the same action.
    fn encoded_action(action: &Self::Action) -> EncodedMessage;

    /// Encodes an event, which must contain only what its viewer may know.
    fn encoded_event(event: &Self::Event) -> EncodedMessage;

    /// Encodes a view.
    fn encoded_view(view: &Self::View) -> EncodedMessage;

    /// Encodes the values of a refusal of this ruleset as its `RefusalDetail`. Returns `None` if it has no values, and
    /// for the refusals of every game: [`CommonRefusals::common`](gamekeeper_rules::table::CommonRefusals::common) returns their
    /// values.
    fn encoded_detail(refusal: &Self::Refusal) -> Option<EncodedMessage>;

    /// Returns the catalogue of the printed components.
    fn catalogue() -> Self::PbCatalogue;

    /// Returns the policies that its bots can have.
    fn policies() -> Vec<Policy> {
        Policy::ALL.to_vec()
    }

    /// Returns the action that a bot of this policy chooses for a seat that owes a decision, by what the seat may
    /// know: [`Policy::decide`]. Returns `None` if the seat owes no decision, or if this ruleset has no bots.
    fn bot_action(
        _policy: Policy,
        _state: &Self::State,
        _turn: Turn,
        _game: &Seed,
        _budget: Budget<'_>,
    ) -> Option<Self::Action> {
        None
    }

    /// Returns options as a decoded message, equal to the bytes of `encoded_options`.
    fn options_message(options: &Self::Options) -> Self::PbOptions {
        mapping::decoded(&Self::encoded_options(options))
    }

    /// Returns an action as a decoded message, equal to the bytes of `encoded_action`.
    fn action_message(action: &Self::Action) -> Self::PbAction {
        mapping::decoded(&Self::encoded_action(action))
    }

    /// Returns an event as a decoded message, equal to the bytes of `encoded_event`.
    fn event_message(event: &Self::Event) -> Self::PbEvent {
        mapping::decoded(&Self::encoded_event(event))
    }

    /// Returns a view as a decoded message, equal to the bytes of `encoded_view`.
    fn view_message(view: &Self::View) -> Self::PbView {
        mapping::decoded(&Self::encoded_view(view))
    }
}
