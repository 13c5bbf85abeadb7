//! Messages of a ruleset in requests, which arrive as bytes.

use gamekeeper_proto::Opaque;
use gamekeeper_wire::Malformed;
use prost::Message;

/// The message in this field of a request.
///
/// # Errors
/// When the bytes are not such a message.
pub(super) fn decode_field<P: Message + Default>(
    field: &str,
    sent: &Opaque,
) -> Result<P, Malformed> {
    let message = sent.typed();
    message.map_err(|error| Malformed::new(field, format!("cannot be read: {error}")))
}
