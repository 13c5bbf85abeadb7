//! Entries after the first: what was done, with its outcome.

use gamekeeper_rules::life::Deed;
use gamekeeper_rules::table::{Seat, decode};
use gamekeeper_store::Version;
use gamekeeper_wire::{Wire, deed, seat_number, table_event};
use serde::de::DeserializeOwned;

use super::envelope::{damaged, open, seal};
use super::story::{Story, read_story, story_message};
use super::{EntryOf, messages};
use crate::heart::problem::Problem;

/// An entry after the first: what was done, with its outcome. `A` and `E` are actions and events of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry<A, E> {
    pub(crate) done: Done<A>,
    pub(crate) story: Story<A, E>,
}

/// The cause of an entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Done<A> {
    /// A seat took an action of the ruleset.
    Act(Act<A>),
    /// Something happened outside the rules, such as a resignation.
    Beside(Beside),
}

/// An action of a seat.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Act<A> {
    pub(crate) seat: Seat,
    pub(crate) action: A,
}

/// Something that happened outside the rules.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Beside {
    pub(crate) deed: Deed,
    /// The encoded state that a take-back restores. Is empty for other deeds, and while only a replay can restore the
    /// effects of the entry.
    pub(crate) back: Vec<u8>,
}

/// Encodes an entry for the store.
pub(crate) fn seal_entry<W: Wire>(version: Version, entry: &EntryOf<W>) -> Vec<u8> {
    let story = Some(story_message::<W>(&entry.story));
    let message = match &entry.done {
        Done::Act(Act { seat, action }) => messages::Entry {
            seat: seat_number(*seat),
            action: Some(W::encoded_action(action)),
            story,
            ..messages::Entry::default()
        },
        Done::Beside(Beside { deed, back }) => messages::Entry {
            deed: Some(table_event(deed)),
            back: back.clone(),
            story,
            ..messages::Entry::default()
        },
    };
    seal(W::SHEET.revision, version, &message)
}

/// Decodes an entry that [`seal_entry`] encoded.
pub(crate) fn open_entry<W: Wire>(version: Version, bytes: &[u8]) -> Result<EntryOf<W>, Problem> {
    let message: messages::Entry = open(W::SHEET.revision, version, bytes)?;
    let (story, origin) = read_story::<W>(version, message.story)?;
    let done = match message.deed {
        None => Done::Act(Act {
            seat: origin.seat(message.seat)?,
            action: origin.read(message.action.as_ref(), W::action)?,
        }),
        Some(event) => Done::Beside(Beside {
            deed: match deed(&event) {
                Ok(Some(deed)) => deed,
                // Another build wrote the entry, so an unknown kind of deed means that the writer is newer, not that
                // the data is damaged.
                Ok(None) | Err(_) if !origin.is_own => return Err(Problem::SnapshotTooNew),
                Ok(None) => return Err(damaged(version, &"what happened is no deed")),
                Err(malformed) => return Err(damaged(version, &malformed)),
            },
            back: if origin.is_own {
                message.back
            } else {
                Vec::new()
            },
        }),
    };
    Ok(EntryOf::<W> { done, story })
}

impl<A, E> Entry<A, E> {
    /// Returns the seat that caused the entry. Returns `None` for the owner of the game.
    pub(crate) fn actor(&self) -> Option<Seat> {
        match &self.done {
            Done::Act(act) => Some(act.seat),
            Done::Beside(beside) => beside.deed.actor(),
        }
    }

    /// Returns whether the events of the entry could be decoded. If not, the entry must be replayed.
    pub(crate) fn is_told(&self) -> bool {
        self.story.effects.is_some()
    }

    /// Returns the version that a take-back restores, if the entry does not hold its state in a layout that this build
    /// can decode. Returns `None` for all other entries.
    pub(crate) fn returns_to(&self) -> Option<Version> {
        match &self.done {
            Done::Beside(Beside {
                deed: Deed::TakenBack { to_version, .. },
                ..
            }) if !self.is_told() => Some(*to_version),
            Done::Act(_) | Done::Beside(_) => None,
        }
    }

    /// Decodes the state that a take-back restores. Returns `None` for all other entries.
    pub(crate) fn restored<S: DeserializeOwned>(
        &self,
        version: Version,
    ) -> Result<Option<S>, Problem> {
        match &self.done {
            Done::Act(_) => Ok(None),
            Done::Beside(Beside { back, .. }) if back.is_empty() => Ok(None),
            Done::Beside(Beside { back, .. }) => decode(back)
                .map(Some)
                .map_err(|error| damaged(version, &error)),
        }
    }
}
