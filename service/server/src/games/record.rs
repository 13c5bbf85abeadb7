//! What is written to the store: the first entry, further entries, snapshots.
//!
//! Every piece is an envelope: format number, rules revision, body in postcard, checksum. A build
//! reads only the revision that it plays: it refuses a piece that it would read differently.
//!
//! What is written of a plain game has format 1. Where anything beside the rules belongs to a piece
//! (a table entry, a clock, a seat that left), it has format 2. The first entry of a fork has format 3.

mod birth;
mod entry;
mod envelope;
mod mark;
mod snapshot;
#[cfg(test)]
mod tests;

use gamekeeper_rules::table::Fingerprint;

pub(crate) use self::birth::{Ancestor, Birth, Fork, open_birth_head};
pub(crate) use self::entry::{Act, Beside, Done, Entry, Story};
pub(crate) use self::mark::RequestMark;
pub(crate) use self::snapshot::{Snapshot, open_snapshot, seal_snapshot};

/// A fingerprint as it is stored: eight bytes, since no integer coding makes a hash shorter.
pub(crate) fn stored(fingerprint: Fingerprint) -> [u8; 8] {
    fingerprint.to_be_bytes()
}
