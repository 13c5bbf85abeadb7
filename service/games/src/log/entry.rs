//! Entries after the first: what was done, with its outcome.

use gamekeeper_rules::table::{Seat, decode};
use gamekeeper_rules::table_life::TableEvent;
use gamekeeper_store::Version;
use gamekeeper_wire::{Wire, read_table_event, seat_number, table_event};
use serde::de::DeserializeOwned;

use super::envelope::{damaged, decode_envelope, encode_envelope};
use super::{EntryOf, messages};
use crate::errors::ServiceError;
use crate::log::entry_record::{EntryRecord, decode_record, encode_record};

/// An entry after the first: what was done, with its outcome. `A` and `E` are actions and events of the ruleset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry<A, E> {
    pub(crate) kind: EntryKind<A>,
    pub(crate) record: EntryRecord<A, E>,
}

/// The cause of an entry.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum EntryKind<A> {
    /// A seat took an action of the ruleset.
    Action(ActionEntry<A>),
    /// Something happened outside the rules, such as a resignation.
    Table(TableEntry),
}

/// An action of a seat.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ActionEntry<A> {
    pub(crate) seat: Seat,
    pub(crate) action: A,
}

/// Something that happened outside the rules.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TableEntry {
    pub(crate) event: TableEvent,
    /// The encoded state that a take-back restores. Is empty for other events, and while only a replay can restore the
    /// effects of the entry.
    pub(crate) undo_state: Vec<u8>,
}

/// Encodes an entry for the store.
pub(crate) fn encode_entry<W: Wire>(version: Version, entry: &EntryOf<W>) -> Vec<u8> {
    let record = Some(encode_record::<W>(&entry.record));
    let message = match &entry.kind {
        EntryKind::Action(ActionEntry { seat, action }) => messages::Entry {
            seat: seat_number(*seat),
            action: Some(W::encoded_action(action)),
            record,
            ..messages::Entry::default()
        },
        EntryKind::Table(TableEntry { event, undo_state }) => messages::Entry {
            event: Some(table_event(event)),
            undo_state: undo_state.clone(),
            record,
            ..messages::Entry::default()
        },
    };
    encode_envelope(W::INFO.revision, version, &message)
}

/// Decodes an entry that [`encode_entry`] encoded.
pub(crate) fn decode_entry<W: Wire>(
    version: Version,
    bytes: &[u8],
) -> Result<EntryOf<W>, ServiceError> {
    let message: messages::Entry = decode_envelope(W::INFO.revision, version, bytes)?;
    let (record, context) = decode_record::<W>(version, message.record)?;
    let kind = match message.event {
        None => EntryKind::Action(ActionEntry {
            seat: context.decode_seat(message.seat)?,
            action: context.read(message.action.as_ref(), W::action)?,
        }),
        Some(event) => EntryKind::Table(TableEntry {
            event: match read_table_event(&event) {
                Ok(Some(event)) => event,
                // Another build wrote the entry, so an unknown kind of table event means that the writer is newer, not
                // that the data is damaged.
                Ok(None) | Err(_) if !context.same_layout => {
                    return Err(ServiceError::WrittenByNewerBuild);
                }
                Ok(None) => return Err(damaged(version, &"what happened is no table event")),
                Err(malformed) => return Err(damaged(version, &malformed)),
            },
            undo_state: if context.same_layout {
                message.undo_state
            } else {
                Vec::new()
            },
        }),
    };
    Ok(EntryOf::<W> { kind, record })
}

impl<A, E> Entry<A, E> {
    /// Returns the seat that caused the entry. Returns `None` for the owner of the game.
    pub(crate) fn actor(&self) -> Option<Seat> {
        match &self.kind {
            EntryKind::Action(action) => Some(action.seat),
            EntryKind::Table(table_entry) => table_entry.event.actor(),
        }
    }

    /// Returns whether the events of the entry could be decoded. If not, the entry must be replayed.
    pub(crate) fn has_effects(&self) -> bool {
        self.record.effects.is_some()
    }

    /// Returns the version that a take-back restores, if the entry does not hold its state in a layout that this build
    /// can decode. Returns `None` for all other entries.
    pub(crate) fn undo_target(&self) -> Option<Version> {
        match &self.kind {
            EntryKind::Table(TableEntry {
                event: TableEvent::TakenBack { to_version, .. },
                ..
            }) if !self.has_effects() => Some(*to_version),
            EntryKind::Action(_) | EntryKind::Table(_) => None,
        }
    }

    /// Decodes the state that a take-back restores. Returns `None` for all other entries.
    pub(crate) fn decode_undo_state<S: DeserializeOwned>(
        &self,
        version: Version,
    ) -> Result<Option<S>, ServiceError> {
        match &self.kind {
            EntryKind::Action(_) => Ok(None),
            EntryKind::Table(TableEntry { undo_state, .. }) if undo_state.is_empty() => Ok(None),
            EntryKind::Table(TableEntry { undo_state, .. }) => decode(undo_state)
                .map(Some)
                .map_err(|error| damaged(version, &error)),
        }
    }
}
