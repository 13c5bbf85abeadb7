//! Observations and action words for games of one ruleset, wherever they are stored.

use gamekeeper_proto::EncodedMessage;
use gamekeeper_rules::table::{GameEvent, Kind, Pending, Seat, Viewer};
use gamekeeper_wire::Wire;

use crate::event_counts::EventCounts;
use crate::row_buffer::{DirtyCells, Element, RowBuffer};
use crate::space::Space;

impl Space {
    /// Returns the observation of a seat of a table of this ruleset: the view, the events since its last decision, and
    /// the words of its action so far.
    #[must_use]
    pub fn observe<W: Wire, C: Element>(
        &self,
        (state, seat): (&W::State, Seat),
        (events, prefix): (&EventCounts, &[u16]),
        buffer: &mut RowBuffer,
    ) -> Vec<C> {
        let viewer = Viewer::Seat(seat);
        self.write_table::<W>(state, viewer, seat.index(), buffer);
        for (kind, actor, count) in events.iter() {
            if let Some(index) = self.event_index(kind, actor, seat.index()) {
                self.write_event_count(index, count, buffer);
            }
        }
        self.write_prefix(prefix, buffer);
        let mut cells = vec![C::default(); self.cells().len()];
        buffer.flush_into(&mut cells, &mut DirtyCells::default());
        cells
    }

    /// Appends the words of an action of this ruleset to a list.
    pub fn push_words<W: Wire>(&self, action: &W::Action, words: &mut Vec<u16>) {
        self.push_encoded_words(&encoded(W::encoded_action(action)), words);
    }

    /// Writes the view of a viewer; `as_seat` is the observing seat, from which the others are counted.
    pub(crate) fn write_table<W: Wire>(
        &self,
        state: &W::State,
        viewer: Viewer,
        as_seat: usize,
        buffer: &mut RowBuffer,
    ) {
        let view = encoded(W::encoded_view(&W::view(state, viewer)));
        self.write_view(&view, as_seat, buffer);
        for Pending { seat, decision } in W::pending(state) {
            self.write_pending(seat.index(), decision, as_seat, buffer);
        }
        for seat in Seat::all(self.seats()) {
            W::count_tracked(state, viewer, seat, &mut |what, count| {
                self.write_counter((seat.index(), what, count), as_seat, buffer);
            });
        }
    }

    /// Counts the events that the viewer may know.
    pub(crate) fn write_events<'a, W: Wire>(
        &self,
        events: impl Iterator<Item = &'a W::Event>,
        viewer: Viewer,
        seat: usize,
        buffer: &mut RowBuffer,
    ) where
        W::Event: 'a,
    {
        let mut event_indices: Vec<u32> = events
            .filter_map(|event| W::event_view(event, viewer))
            .filter_map(|event| self.event_index(event.kind(), event.seat().map(Seat::index), seat))
            .collect();
        event_indices.sort_unstable();
        for same in event_indices.chunk_by(PartialEq::eq) {
            let count = u32::try_from(same.len()).unwrap_or(u32::MAX);
            self.write_event_count(same[0], count, buffer);
        }
    }
}

/// Returns the bytes of a message, which the parsers of fields need.
pub(crate) fn encoded(message: EncodedMessage) -> Vec<u8> {
    message.into()
}
