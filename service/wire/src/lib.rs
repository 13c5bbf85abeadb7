//! Protobuf messages to rules types and back. Rules never see protobuf, protobuf never sees rules:
//! they meet here, in one file or folder per ruleset, and nowhere else.
//!
//! Turning a message into rules types fails only for malformed messages: a missing oneof, seat 0, a
//! text that is too long. A card that does not exist is not malformed; the rules refuse it, with
//! their own code and in their own order.

pub mod caylus;
mod common;
#[cfg(test)]
mod contract;
pub mod dominion;
pub mod kingsburg;
mod malformed;
pub mod mythotopia;
mod names;
mod registry;
mod rows;
pub mod terra_mystica;

use std::fmt::Debug;

use gamekeeper_rules::ruleset::Ruleset;
use prost::Message;

pub use common::{draw, pending, player_names, seat, seat_number, seat_numbers, standings};
pub use malformed::Malformed;

/// A message of the contract.
pub trait Pb: Message + Default + Clone + Debug + PartialEq + 'static {}
impl<T: Message + Default + Clone + Debug + PartialEq + 'static> Pb for T {}

/// A ruleset that can be spoken of in protobuf.
pub trait Wire: Ruleset {
    /// The package of its messages, such as `gamekeeper.dominion.v1`.
    const PACKAGE: &'static str;
    /// Counts the changes of its catalogue. From 1.
    const CATALOGUE_REVISION: u32;
    /// What a creator may choose: field, meaning, values, default.
    const OPTIONS: &'static [OptionText];

    /// The message `Options`.
    type PbOptions: Pb;
    /// The message `Action`.
    type PbAction: Pb;
    /// The message `Event`.
    type PbEvent: Pb;
    /// The message `View`.
    type PbView: Pb;
    /// The message `Catalogue`.
    type PbCatalogue: Pb;

    /// What a creator asks for, still unchecked by the rules.
    ///
    /// # Errors
    /// When the message is malformed.
    fn draft(message: Self::PbOptions) -> Result<Self::Draft, Malformed>;

    /// Checked options, every choice spelt out. `draft` of it, checked, gives the options again.
    fn options_message(options: &Self::Options) -> Self::PbOptions;

    /// What a player does.
    ///
    /// # Errors
    /// When the message is malformed.
    fn action(message: Self::PbAction) -> Result<Self::Action, Malformed>;

    /// The message of an action. `action` of it gives the action again.
    fn action_message(action: &Self::Action) -> Self::PbAction;

    /// The message of an event that was already cut to what its viewer may know. With a text, it
    /// carries the event's English sentence.
    fn event_message(event: &Self::Event, text: Option<String>) -> Self::PbEvent;

    /// Is this event of a kind that earlier builds of this revision did not tell? Their records lack
    /// it, and are as true.
    fn is_told_lately(_event: &Self::Event) -> bool {
        false
    }

    /// The message of a view.
    fn view_message(view: &Self::View) -> Self::PbView;

    /// The components of the game.
    fn catalogue() -> Self::PbCatalogue;
}

/// A choice that a creator has, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionText {
    /// The field of the message `Options`.
    pub name: &'static str,
    /// What it means.
    pub description: &'static str,
    /// The values that it takes.
    pub values: &'static str,
    /// The value that holds when it is not given.
    pub default_value: &'static str,
}
