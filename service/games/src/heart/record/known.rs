//! Messages of rulesets within stored pieces.

use gamekeeper_proto::Opaque;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::Version;
use gamekeeper_wire::Malformed;
use prost::Message;

use super::envelope::damaged;
use crate::heart::problem::Problem;

/// Where a message stands, and whether this build or one like it wrote it.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) version: Version,
    pub(super) is_own: bool,
}

impl Origin {
    /// Reads a message of the ruleset. What a build like this one wrote is read or damaged. What this build does not
    /// know in a message of another build, which the checksum vouches for, was added since.
    pub(super) fn read<M: Message + Default, T>(
        self,
        sent: Option<&Opaque>,
        read: impl FnOnce(M) -> Result<T, Malformed>,
    ) -> Result<T, Problem> {
        let sent = sent.ok_or_else(|| damaged(self.version, &"a message is missing"))?;
        let message: M = sent
            .typed()
            .map_err(|error| damaged(self.version, &error))?;
        // Unknown fields are skipped, so the message is written shorter than it came.
        if !self.is_own && message.encoded_len() < sent.encoded_len() {
            return Err(Problem::SnapshotTooNew);
        }
        read(message).map_err(|malformed| match self.is_own {
            true => damaged(self.version, &malformed),
            false => Problem::SnapshotTooNew,
        })
    }

    /// A seat by its number.
    pub(super) fn seat(self, number: u32) -> Result<Seat, Problem> {
        let seat = u8::try_from(number).ok().and_then(Seat::new);
        seat.ok_or_else(|| damaged(self.version, &format!("there is no seat {number}")))
    }

    /// Bytes of a fixed length.
    pub(super) fn bytes<const N: usize>(self, bytes: &[u8]) -> Result<[u8; N], Problem> {
        let wrong = |_| damaged(self.version, &format!("{} bytes, not {N}", bytes.len()));
        bytes.try_into().map_err(wrong)
    }
}
