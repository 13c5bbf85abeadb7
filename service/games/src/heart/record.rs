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
/// An entry after the first of a game of this ruleset.
pub(crate) type EntryOf<W> = Entry<<W as Ruleset>::Action, <W as Ruleset>::Event>;
/// The outcome of an entry of a game of this ruleset.
type StoryOf<W> = Story<<W as Ruleset>::Action, <W as Ruleset>::Event>;
