//! Decoding of rulesets' messages within stored pieces, with **forward compatibility**: unknown content of another
//! build means that the build is newer.

use gamekeeper_proto::Opaque;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::Version;
use gamekeeper_wire::Malformed;
use prost::Message;

use super::envelope::damaged;
use crate::heart::problem::Problem;

/// The origin of a stored message: its version, and whether a build of this layout wrote it.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) version: Version,
    pub(super) is_own: bool,
}

impl Origin {
    /// Decodes a message of the ruleset. Content that cannot be decoded is damage if a build of this layout wrote it.
    /// In a message of another build, the checksum vouches for the data, so unknown content means that the writer is
    /// newer.
    pub(super) fn read<M: Message + Default, T>(
        self,
        sent: Option<&Opaque>,
        read: impl FnOnce(M) -> Result<T, Malformed>,
    ) -> Result<T, Problem> {
        let sent = sent.ok_or_else(|| damaged(self.version, &"a message is missing"))?;
        let message: M = sent
            .typed()
            .map_err(|error| damaged(self.version, &error))?;
        // Decoding skips unknown fields, so a message that has some is shorter when it is encoded again.
        if !self.is_own && message.encoded_len() < sent.encoded_len() {
            return Err(Problem::SnapshotTooNew);
        }
        read(message).map_err(|malformed| match self.is_own {
            true => damaged(self.version, &malformed),
            false => Problem::SnapshotTooNew,
        })
    }

    /// Converts the number of a seat.
    pub(super) fn seat(self, number: u32) -> Result<Seat, Problem> {
        let seat = u8::try_from(number).ok().and_then(Seat::new);
        seat.ok_or_else(|| damaged(self.version, &format!("there is no seat {number}")))
    }

    /// Converts bytes to an array of this length.
    pub(super) fn bytes<const N: usize>(self, bytes: &[u8]) -> Result<[u8; N], Problem> {
        let wrong = |_| damaged(self.version, &format!("{} bytes, not {N}", bytes.len()));
        bytes.try_into().map_err(wrong)
    }
}
