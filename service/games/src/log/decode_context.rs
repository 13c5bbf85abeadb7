//! Decoding of rulesets' messages within stored pieces, with **forward compatibility**: unknown content of another
//! build means that the build is newer.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::Version;
use gamekeeper_wire::Malformed;
use prost::Message;

use super::envelope::damaged;
use crate::errors::ServiceError;

/// The origin of a stored message: its version, and whether a build of this layout wrote it.
#[derive(Clone, Copy)]
pub(super) struct DecodeContext {
    pub(super) version: Version,
    pub(super) same_layout: bool,
}

impl DecodeContext {
    /// Decodes a message of the ruleset. Content that cannot be decoded is damage if a build of this layout wrote it.
    /// In a message of another build, the checksum vouches for the data, so unknown content means that the writer is
    /// newer.
    pub(super) fn read<M: Message + Default, T>(
        self,
        encoded: Option<&EncodedMessage>,
        convert: impl FnOnce(M) -> Result<T, Malformed>,
    ) -> Result<T, ServiceError> {
        let encoded = encoded.ok_or_else(|| damaged(self.version, &"a message is missing"))?;
        let message: M = encoded
            .decode_as()
            .map_err(|error| damaged(self.version, &error))?;
        // Decoding skips unknown fields, so a message that has some is shorter when it is encoded again.
        if !self.same_layout && message.encoded_len() < encoded.encoded_len() {
            return Err(ServiceError::WrittenByNewerBuild);
        }
        convert(message).map_err(|malformed| match self.same_layout {
            true => damaged(self.version, &malformed),
            false => ServiceError::WrittenByNewerBuild,
        })
    }

    /// Converts the number of a seat.
    pub(super) fn decode_seat(self, number: u32) -> Result<Seat, ServiceError> {
        let seat = u8::try_from(number).ok().and_then(Seat::new);
        seat.ok_or_else(|| damaged(self.version, &format!("there is no seat {number}")))
    }

    /// Converts bytes that may be missing. Returns `None` if they are empty.
    pub(super) fn decode_optional_bytes<const N: usize>(
        self,
        bytes: &[u8],
    ) -> Result<Option<[u8; N]>, ServiceError> {
        (!bytes.is_empty())
            .then(|| self.decode_bytes(bytes))
            .transpose()
    }

    /// Converts bytes to an array of this length.
    pub(super) fn decode_bytes<const N: usize>(
        self,
        bytes: &[u8],
    ) -> Result<[u8; N], ServiceError> {
        let wrong_length = |_| damaged(self.version, &format!("{} bytes, not {N}", bytes.len()));
        bytes.try_into().map_err(wrong_length)
    }
}
