//! Decoding of a ruleset's own parts of requests, which arrive as bytes in a field that all rulesets share.

use gamekeeper_proto::{Opaque, raw};
use gamekeeper_wire::{Malformed, Wire};
use prost::Message;

/// Returns the action in this field of a request, still encoded.
///
/// # Errors
/// If the action is missing, or belongs to another ruleset.
pub(crate) fn sent_action<W: Wire>(
    sent: Option<raw::Action>,
    field: &str,
) -> Result<Opaque, Malformed> {
    let joined = sent.and_then(|action| action.ruleset);
    let joined = joined.ok_or_else(|| Malformed::missing(field))?;
    W::own_action(joined).ok_or_else(|| of_another::<W>(field))
}

/// Decodes an action of this ruleset. See [`sent_action`] for the encoded form.
///
/// # Errors
/// If the action is malformed.
pub(crate) fn own_action<W: Wire>(sent: &Opaque, field: &str) -> Result<W::Action, Malformed> {
    W::action(decoded(sent, field)?)
}

/// Decodes the options in this field of a request. Returns `None` if there are none, for the plain game.
///
/// # Errors
/// If the options belong to another ruleset, or are malformed.
pub(crate) fn own_options<W: Wire>(
    sent: Option<raw::Options>,
    field: &str,
) -> Result<Option<W::PbOptions>, Malformed> {
    let joined = sent.and_then(|options| options.ruleset);
    let own = joined.map(|joined| W::own_options(joined).ok_or_else(|| of_another::<W>(field)));
    own.transpose()?.map(|own| decoded(&own, field)).transpose()
}

fn of_another<W: Wire>(field: &str) -> Malformed {
    Malformed::new(field, format!("is not of the ruleset {}", W::SHEET.id))
}

fn decoded<P: Message + Default>(own: &Opaque, field: &str) -> Result<P, Malformed> {
    let message = own.typed();
    message.map_err(|error| Malformed::new(field, format!("cannot be read: {error}")))
}
