//! The events that a seat has seen since its last decision, as **counts**: all that an observation shows of them, in
//! bounded memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use gamekeeper_rules::ruleset::visit_legal;
use gamekeeper_rules::table::{Detail, GameEvent, Kind, Seat, Viewer};
use gamekeeper_wire::Wire;

/// The numbers of events of each kind and acting seat that one seat has seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCounts {
    counts: BTreeMap<(&'static str, Option<usize>), u32>,
}

impl EventCounts {
    /// Counts an event, as far as the seat may know that it happened.
    pub fn add<W: Wire>(&mut self, event: &W::Event, seat: Seat) {
        if let Some(seen) = W::event_view(event, Viewer::Seat(seat)) {
            let key = (seen.kind(), seen.seat().map(Seat::index));
            let count = self.counts.entry(key).or_default();
            *count = count.saturating_add(1);
        }
    }

    /// Forgets all events: the seat has decided.
    pub fn clear(&mut self) {
        self.counts.clear();
    }

    /// Yields the kind and the acting seat, counted from 0, of the events, and how many they are.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, Option<usize>, u32)> {
        let counts = self.counts.iter();
        counts.map(|((kind, actor), count)| (*kind, *actor, *count))
    }
}

/// Returns whether a seat has several actions to choose from: only then is its action a decision.
#[must_use]
pub fn has_choice<W: Wire>(state: &W::State, seat: Seat) -> bool {
    let mut actions = 0;
    let _cut = visit_legal::<W>(state, seat, Detail::Moves, &mut |_| {
        actions += 1;
        if actions < 2 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    actions > 1
}
