//! The events that each seat has seen since its last decision, for programs that learn: the same as in their training.
//!
//! A **decision** of a seat is an action that it chose from several. The count of a seat begins with the events of its
//! last decision, and at the set-up if there is none. What was taken back has not happened.

use gamekeeper_learn::{EventCounts, has_choice};
use gamekeeper_rules::table::Seat;
use gamekeeper_rules::table_life::TableEvent;
use gamekeeper_store::Version;
use gamekeeper_wire::Wire;
use std::ops::RangeInclusive;

use crate::log::{ActionEntry, EntryKind, EntryOf, GenesisOf, TableEntry};

/// The events that each seat has seen since its last decision.
#[derive(Clone, Debug)]
pub(crate) struct RecentEvents {
    seats: Box<[EventCounts]>,
    /// The versions that are taken back later, if that is known: their entries do not count.
    taken_back: Box<[RangeInclusive<Version>]>,
}

impl RecentEvents {
    /// Counts the events of a set-up, for a log of which these versions are taken back later.
    pub(crate) fn of_setup<W: Wire>(
        genesis: &GenesisOf<W>,
        taken_back: Vec<RangeInclusive<Version>>,
    ) -> Self {
        let seats = vec![EventCounts::default(); W::seats(&genesis.options)];
        let mut recent = Self {
            seats: seats.into(),
            taken_back: taken_back.into(),
        };
        let events = genesis.effects.iter().flat_map(|effects| &effects.events);
        recent.add::<W>(events);
        recent
    }

    /// Returns the events after the entry of a version, which was played at this table. Returns `None` if that takes
    /// back versions, which only a look at the log can undo.
    pub(crate) fn after<W: Wire>(
        mut self: Box<Self>,
        version: Version,
        before: &W::State,
        entry: &EntryOf<W>,
    ) -> Option<Box<Self>> {
        if self.taken_back.iter().any(|range| range.contains(&version)) {
            return Some(self);
        }
        match &entry.kind {
            EntryKind::Action(ActionEntry { seat, .. }) => {
                if has_choice::<W>(before, *seat)
                    && let Some(counts) = self.seats.get_mut(seat.index())
                {
                    counts.clear();
                }
            }
            EntryKind::Table(TableEntry {
                event: TableEvent::TakenBack { .. },
                ..
            }) => return None,
            EntryKind::Table(_) => {}
        }
        let events = (entry.record.effects.iter()).flat_map(|effects| &effects.events);
        self.add::<W>(events);
        Some(self)
    }

    /// Returns the events that a seat has seen. Returns `None` if the table has no such seat.
    pub(crate) fn of_seat(&self, seat: Seat) -> Option<&EventCounts> {
        self.seats.get(seat.index())
    }

    fn add<'a, W: Wire>(&mut self, events: impl Iterator<Item = &'a W::Event>)
    where
        W::Event: 'a,
    {
        for event in events {
            for (seat, counts) in Seat::all(self.seats.len()).zip(&mut self.seats) {
                counts.add::<W>(event, seat);
            }
        }
    }
}

/// Returns the versions that are not part of the line that ends at a version: the take-backs, and what they take back.
/// `take_backs` has each with the version that it restores, in the order of the log.
pub(crate) fn versions_taken_back(
    take_backs: &[(Version, Version)],
    version: Version,
) -> Vec<RangeInclusive<Version>> {
    let (mut line_end, mut ranges) = (version, Vec::new());
    for (at, restored) in take_backs.iter().rev() {
        if *at <= line_end {
            ranges.push(restored + 1..=*at);
            line_end = *restored;
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_back_is_no_part_of_the_line() {
        let take_backs = [(5, 2), (9, 4), (12, 10)];
        let of = |version| versions_taken_back(&take_backs, version);
        assert_eq!(of(4), []);
        assert_eq!(of(5), [3..=5]);
        assert_eq!(of(8), [3..=5]);
        // Version 9 restores version 4, which itself was taken back by version 5: the line had been left there.
        assert_eq!(of(9), [5..=9]);
        assert_eq!(of(11), [5..=9]);
        assert_eq!(of(12), [11..=12, 5..=9]);
    }
}
