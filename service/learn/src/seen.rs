//! Observations and action words for games of one ruleset, wherever they are stored.

use gamekeeper_proto::Opaque;
use gamekeeper_rules::table::{Happening, Kind, Pending, Seat, Viewer};
use gamekeeper_wire::Wire;

use crate::cells::{Cell, Page, Row};
use crate::space::Space;

impl Space {
    /// Returns the observation of a seat of a table of this ruleset: the view, the events since its last decision, and
    /// the words of its action so far.
    #[must_use]
    pub fn seen<'a, W: Wire, C: Cell>(
        &self,
        (state, seat): (&W::State, Seat),
        (happened, said): (impl Iterator<Item = &'a W::Event>, &[u16]),
        page: &mut Page,
    ) -> Vec<C>
    where
        W::Event: 'a,
    {
        let viewer = Viewer::Seat(seat);
        self.write_table::<W>(state, viewer, seat.index(), page);
        self.write_events::<W>(happened, viewer, seat.index(), page);
        self.write_said(said, page);
        let mut cells = vec![C::default(); self.cells().len()];
        page.finish(&mut cells, &mut Row::default());
        cells
    }

    /// Appends the words of an action of this ruleset to a list.
    pub fn say<W: Wire>(&self, action: &W::Action, said: &mut Vec<u16>) {
        self.sentence(&encoded(W::encoded_action(action)), said);
    }

    /// Writes the view of a viewer; `as_seat` is the observing seat, from which the others are counted.
    pub(crate) fn write_table<W: Wire>(
        &self,
        state: &W::State,
        viewer: Viewer,
        as_seat: usize,
        page: &mut Page,
    ) {
        let view = encoded(W::encoded_view(&W::view(state, viewer)));
        self.write_view(&view, as_seat, page);
        for Pending { seat, decision } in W::pending(state) {
            self.write_pending(seat.index(), decision, as_seat, page);
        }
        for seat in Seat::all(self.seats()) {
            W::tally(state, viewer, seat, &mut |what, count| {
                self.write_tally((seat.index(), what, count), as_seat, page);
            });
        }
    }

    /// Counts the events that the viewer may know.
    pub(crate) fn write_events<'a, W: Wire>(
        &self,
        happened: impl Iterator<Item = &'a W::Event>,
        viewer: Viewer,
        seat: usize,
        page: &mut Page,
    ) where
        W::Event: 'a,
    {
        let mut seen: Vec<u32> = happened
            .filter_map(|event| W::event_view(event, viewer))
            .filter_map(|event| self.happening(event.kind(), event.seat().map(Seat::index), seat))
            .collect();
        seen.sort_unstable();
        for same in seen.chunk_by(PartialEq::eq) {
            let count = u32::try_from(same.len()).unwrap_or(u32::MAX);
            self.write_happened(same[0], count, page);
        }
    }
}

/// Returns the bytes of a message, which the parsers of fields need.
pub(crate) fn encoded(message: Opaque) -> Vec<u8> {
    message.into()
}
