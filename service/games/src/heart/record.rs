//! What is written to the store: the first entry, further entries, snapshots.
//!
//! Every piece is an envelope: format number, rules revision, body, checksum. A build reads only the revision that
//! it plays. A body is an additive message, so builds with more options, actions or events read each other's games:
//!
//! * options and actions are messages of the contract. What a build does not know in one, it does not play;
//! * events, states and table life are stored by position, in the layout of the build that wrote them. A build of
//!   another layout ignores such a snapshot, and replays such entries from their actions: automatic actions and draws
//!   must then be the recorded ones.

mod birth;
mod entry;
mod envelope;
mod known;
mod mark;
mod messages;
mod snapshot;
mod story;
#[cfg(test)]
mod tests;

use gamekeeper_rules::ruleset::Ruleset;

pub(crate) use self::birth::{
    Ancestor, Birth, Bound, Fork, open_birth, open_birth_head, seal_birth,
};
pub(crate) use self::entry::{Act, Beside, Done, Entry, open_entry, seal_entry};
pub(crate) use self::mark::RequestMark;
pub(crate) use self::snapshot::{Snapshot, open_snapshot, seal_snapshot};
pub(crate) use self::story::{Effects, Story};

/// The first entry of a game of this ruleset.
pub(crate) type BirthOf<W> = Birth<<W as Ruleset>::Options, <W as Ruleset>::Event>;
/// A further entry of a game of this ruleset.
pub(crate) type EntryOf<W> = Entry<<W as Ruleset>::Action, <W as Ruleset>::Event>;
/// What came of an entry of a game of this ruleset.
type StoryOf<W> = Story<<W as Ruleset>::Action, <W as Ruleset>::Event>;
