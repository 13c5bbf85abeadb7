//! Decoding of a ruleset's own parts of requests, which arrive as bytes in a field that all rulesets share.

use gamekeeper_proto::{EncodedMessage, raw};
use gamekeeper_wire::{Malformed, Wire};
use prost::Message;

/// Returns the action in this field of a request, still encoded.
///
/// # Errors
/// If the action is missing, or belongs to another ruleset.
pub(crate) fn extract_action<W: Wire>(
    action: Option<raw::Action>,
    field: &str,
) -> Result<EncodedMessage, Malformed> {
    let oneof = action.and_then(|action| action.ruleset);
    let joined = oneof.ok_or_else(|| Malformed::missing(field))?;
    W::unwrap_action(joined).ok_or_else(|| wrong_ruleset::<W>(field))
}

/// Decodes an action of this ruleset. See [`extract_action`] for the encoded form.
///
/// # Errors
/// If the action is malformed.
pub(crate) fn decode_action<W: Wire>(
    encoded: &EncodedMessage,
    field: &str,
) -> Result<W::Action, Malformed> {
    W::action(decode(encoded, field)?)
}

/// Decodes the options in this field of a request. Returns `None` if there are none, for the plain game.
///
/// # Errors
/// If the options belong to another ruleset, or are malformed.
pub(crate) fn decode_options<W: Wire>(
    options: Option<raw::Options>,
    field: &str,
) -> Result<Option<W::PbOptions>, Malformed> {
    let oneof = options.and_then(|options| options.ruleset);
    let encoded =
        oneof.map(|oneof| W::unwrap_options(oneof).ok_or_else(|| wrong_ruleset::<W>(field)));
    encoded
        .transpose()?
        .map(|encoded| decode(&encoded, field))
        .transpose()
}

/// The maximum size of a described table, in bytes: several times that of the largest table of a game.
const MAX_POSITION_BYTES: usize = 64 * 1024;

/// Returns the described table in this field of a request, still encoded, without fields that the contract does not have.
///
/// # Errors
/// If the ruleset has no positions, or the table is missing, belongs to another ruleset, is malformed or too large.
pub(crate) fn extract_position<W: Wire>(
    view: &raw::View,
    field: &str,
) -> Result<EncodedMessage, Malformed> {
    if !W::HAS_POSITIONS {
        let text = format!(
            "is given; no game of {} begins on a described table",
            W::INFO.title
        );
        return Err(Malformed::new(field, text));
    }
    let joined = view
        .ruleset
        .clone()
        .ok_or_else(|| Malformed::missing(field))?;
    let encoded = W::unwrap_view(joined).ok_or_else(|| wrong_ruleset::<W>(field))?;
    let message: W::PbView = decode(&encoded, field)?;
    let bytes = message.encode_to_vec();
    if bytes.len() > MAX_POSITION_BYTES {
        let text = format!(
            "has {} bytes; at most {MAX_POSITION_BYTES} are allowed",
            bytes.len()
        );
        return Err(Malformed::new(field, text));
    }
    Ok(bytes.into())
}

fn wrong_ruleset<W: Wire>(field: &str) -> Malformed {
    Malformed::new(field, format!("is not of the ruleset {}", W::INFO.id))
}

fn decode<P: Message + Default>(encoded: &EncodedMessage, field: &str) -> Result<P, Malformed> {
    let message = encoded.decode_as();
    message.map_err(|error| Malformed::new(field, format!("cannot be read: {error}")))
}
