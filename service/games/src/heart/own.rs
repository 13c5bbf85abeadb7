//! What requests hold of a ruleset, which arrives joined with what other rulesets would send, as bytes.

use gamekeeper_proto::{Opaque, raw};
use gamekeeper_wire::{Malformed, Wire};
use prost::Message;

/// The action in this field of a request, as it was sent.
///
/// # Errors
/// When it is missing, or belongs to another ruleset.
pub(crate) fn sent_action<W: Wire>(
    sent: Option<raw::Action>,
    field: &str,
) -> Result<Opaque, Malformed> {
    let joined = sent.and_then(|action| action.ruleset);
    let joined = joined.ok_or_else(|| Malformed::missing(field))?;
    W::own_action(joined).ok_or_else(|| of_another::<W>(field))
}

/// The same, read.
///
/// # Errors
/// When it is malformed.
pub(crate) fn own_action<W: Wire>(sent: &Opaque, field: &str) -> Result<W::Action, Malformed> {
    W::action(decoded(sent, field)?)
}

/// The options in this field of a request; the plain game if there are none.
///
/// # Errors
/// When they belong to another ruleset, or are malformed.
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
