//! What is written to the store: the first entry, further entries, snapshots.
//!
//! Every piece is an envelope: format number, rules revision, body in postcard, checksum. A build reads only
//! the revision that it plays, and refuses pieces that it would interpret differently.
//!
//! Pieces of a plain game have format 1. A piece that contains table life (a table entry, a clock, a seat that
//! has left) has format 2, and the first entry of a fork has format 3.

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

/// A fingerprint as it is stored: eight bytes, since a variable-length integer would not make a hash shorter.
pub(crate) fn stored(fingerprint: Fingerprint) -> [u8; 8] {
    fingerprint.to_be_bytes()
}
