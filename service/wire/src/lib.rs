//! Protobuf messages to rules types and back. Rules never see protobuf, protobuf never sees rules:
//! they meet here and nowhere else. What both spell alike is paired by the build; what differs stands in the folder of
//! its ruleset.
//!
//! Turning a message into rules types fails only for malformed messages: a missing oneof, seat 0, a
//! text that is too long. A card that does not exist is not malformed; the rules refuse it, with
//! their own code and in their own order.

mod basis;
pub mod caylus;
mod common;
pub mod contract;
mod detail;
pub mod dominion;
pub mod goofspiel;
mod join;
pub mod kingsburg;
mod life;
mod malformed;
pub mod mythotopia;
mod options;
mod rows;
mod seal;
pub mod terra_mystica;
#[cfg(test)]
mod tests;
mod unknown;

use gamekeeper_proto::{Opaque, Pb, raw};
use gamekeeper_rules::bots::{Policy, Spent};
pub use gamekeeper_rules::for_each_ruleset;
use gamekeeper_rules::ruleset::Ruleset;
use gamekeeper_rules::table::{Chance, Seat};

pub use basis::{Commitment, name_commitment, record_commitment};
pub use common::{
    check_name, check_text, draw, pending, player_names, seat, seat_number, seat_numbers,
    standings, timestamp,
};
pub use detail::{Detail, detail};
pub use join::{
    amounts, component_names, joined_action, joined_catalogue, joined_event, joined_options,
    joined_view, legal_action, ruleset_of,
};
pub use life::{
    add_life, deed, end_reason, ended, pending_until, table_event, table_options,
    table_options_message,
};
pub use malformed::Malformed;
pub use options::{allowed, allowed_beside, option_in_words, option_infos, value_in_words};
pub use seal::RecordDigest;
pub use unknown::{Unknown, unknown};

/// How the messages of a ruleset are joined with those of all others: the fields of the oneofs of `gamekeeper.v1`.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the contract says what each message is")]
pub struct Join {
    pub options: fn(Opaque) -> raw::options::Ruleset,
    pub action: fn(Opaque) -> raw::action::Ruleset,
    pub event: fn(Opaque) -> raw::event::Ruleset,
    pub view: fn(Opaque) -> raw::view::Ruleset,
    pub catalogue: fn(Opaque) -> raw::catalogue::Ruleset,
    pub detail: fn(Opaque) -> raw::refusal_detail::Detail,
}

/// How much of its time a bot has spent, and luck of its own.
pub type Thinking<'a> = (Spent<'a>, &'a mut Chance);

#[diagnostic::on_unimplemented(
    message = "the ruleset `{Self}` is not on the wire",
    note = "its row is `wire! {{ … in pb }}` in `service/wire/src/<ruleset>/mod.rs`"
)]
/// A ruleset with a protobuf contract: the package `gamekeeper.<id of the ruleset>.v1`.
pub trait Wire: Ruleset {
    /// The revision of its catalogue, from 1.
    const CATALOGUE_REVISION: u32;

    /// The messages of its package, joined with those of all others.
    const JOIN: Join;

    /// What the creator of a game chooses.
    type PbOptions: Pb;
    /// What a player does.
    type PbAction: Pb;
    /// What happened.
    type PbEvent: Pb;
    /// What one viewer may know of the table.
    type PbView: Pb;
    /// The printed components.
    type PbCatalogue: Pb;
    /// The values of a refusal.
    type PbRefusalDetail: Pb;

    /// The ruleset's own part of a joined message; `None`: it is a message of another ruleset.
    fn own_options(joined: raw::options::Ruleset) -> Option<Opaque>;

    /// The same for an action.
    fn own_action(joined: raw::action::Ruleset) -> Option<Opaque>;

    /// The requested options, not yet checked by the rules.
    ///
    /// # Errors
    /// When the message is malformed.
    fn draft(message: Self::PbOptions) -> Result<Self::Draft, Malformed>;

    /// Checked options, every choice spelled out. Reading them with `draft` and checking them gives the same
    /// options.
    fn encoded_options(options: &Self::Options) -> Opaque;

    /// A player's action.
    ///
    /// # Errors
    /// When the message is malformed.
    fn action(message: Self::PbAction) -> Result<Self::Action, Malformed>;

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
    fn catalogue() -> Self::PbCatalogue;

    /// The policies that its bots can have.
    fn policies() -> Vec<Policy> {
        Policy::ALL.to_vec()
    }

    /// What a bot of this policy does for a seat that owes a decision, as far as the seat may know. `None`: it owes none,
    /// or this ruleset has no bots.
    fn bot_action(
        _policy: Policy,
        _seat: Seat,
        _state: &Self::State,
        _thinking: Thinking<'_>,
    ) -> Option<Self::Action> {
        None
    }

    /// The same as `encoded_options`, decoded.
    fn options_message(options: &Self::Options) -> Self::PbOptions {
        rows::decoded(&Self::encoded_options(options))
    }

    /// The same as `encoded_action`, decoded.
    fn action_message(action: &Self::Action) -> Self::PbAction {
        rows::decoded(&Self::encoded_action(action))
    }

    /// The same as `encoded_event`, decoded.
    fn event_message(event: &Self::Event) -> Self::PbEvent {
        rows::decoded(&Self::encoded_event(event))
    }

    /// The same as `encoded_view`, decoded.
    fn view_message(view: &Self::View) -> Self::PbView {
        rows::decoded(&Self::encoded_view(view))
    }
}
