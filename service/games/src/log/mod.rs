//! The **stored format** of a game: the first entry, further entries, and snapshots.
//!
//! Every piece is an envelope of format number, rules revision, body and checksum. A build reads only the revision that
//! it plays. A body is a message whose schema only grows, so builds that differ in options, actions or events can read
//! each other's games:
//!
//! * options and actions are messages of the contract. A build does not play a game with options or actions that it
//!   does not know;
//! * events, states and table life are stored by position, in the layout of the build that wrote them. A build with
//!   another layout ignores such a snapshot, and replays such entries from their actions: the forced actions and draws
//!   must then equal the recorded ones.

mod decode_context;
mod entry;
mod entry_record;
mod envelope;
mod genesis;
mod messages;
mod request_fingerprint;
mod snapshot;
#[cfg(test)]
mod tests;

use gamekeeper_rules::ruleset::Ruleset;

pub(crate) use self::entry::{
    ActionEntry, Entry, EntryKind, TableEntry, decode_entry, encode_entry,
};
pub(crate) use self::entry_record::{Effects, EntryRecord};
pub(crate) use self::genesis::{
    Ancestor, AncestorRecord, CreationCommitments, Fork, GenesisEntry, decode_genesis,
    decode_genesis_head, encode_genesis,
};
pub(crate) use self::request_fingerprint::RequestFingerprint;
pub(crate) use self::snapshot::{Snapshot, decode_snapshot, encode_snapshot};

/// The first entry of a game of this ruleset.
pub(crate) type GenesisOf<W> = GenesisEntry<<W as Ruleset>::Options, <W as Ruleset>::Event>;
/// An entry after the first of a game of this ruleset.
pub(crate) type EntryOf<W> = Entry<<W as Ruleset>::Action, <W as Ruleset>::Event>;
/// The outcome of an entry of a game of this ruleset.
type RecordOf<W> = EntryRecord<<W as Ruleset>::Action, <W as Ruleset>::Event>;
