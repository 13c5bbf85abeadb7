//! The **event log** of an action: the events and automatic actions that it caused.

use serde::Serialize;

use super::codec::encode;
use super::seat::Seat;

/// An action that the engine took itself: the only legal one, or the fallback for a player who has left.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Automatic<A> {
    /// The seat that owed the decision.
    pub seat: Seat,
    /// The action that was taken.
    pub action: A,
    /// The index of the first event that a forced action caused, in the events of the same journal. Is `None` if it
    /// caused no event, or if it was a fallback.
    pub first_event: Option<usize>,
}

impl<A> Automatic<A> {
    /// Creates the fallback action for a player who has left. Its events are not marked: other actions were legal.
    #[must_use]
    pub const fn fallback(seat: Seat, action: A) -> Self {
        let first_event = None;
        Self {
            seat,
            action,
            first_event,
        }
    }

    /// Shifts the action's event index by this many events, which come before those of its journal.
    #[must_use]
    pub fn shifted_by(self, events: usize) -> Self {
        let first_event = self.first_event.map(|at| at + events);
        Self {
            first_event,
            ..self
        }
    }
}

/// Yields events in order, each with whether it is the first of a forced action.
pub fn events_with_forced<'a, A, E>(
    events: &'a [E],
    automatic: &'a [Automatic<A>],
) -> impl Iterator<Item = (&'a E, bool)> + Clone {
    let is_forced = |at| {
        automatic
            .iter()
            .any(|automatic| automatic.first_event == Some(at))
    };
    let events = events.iter().enumerate();
    events.map(move |(at, event)| (event, is_forced(at)))
}

/// Collects, in order, the consequences of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal<A, E> {
    /// The events, in order.
    pub events: Vec<E>,
    /// The actions that the engine took because there was no choice.
    pub automatic: Vec<Automatic<A>>,
    /// The encoded tables before the automatic actions; kept only in a journal for audits.
    pub(crate) audit_states: Option<Vec<Vec<u8>>>,
}

impl<A, E> Journal<A, E> {
    /// Creates an empty journal.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            events: Vec::new(),
            automatic: Vec::new(),
            audit_states: None,
        }
    }

    /// Records an event.
    pub fn push_event(&mut self, event: E) {
        self.events.push(event);
    }

    /// Records that the engine takes the only legal action of a seat at this table. Returns the index of the record,
    /// to be passed to [`Self::end_forced`] after the action was carried out.
    pub(super) fn begin_forced<S: Serialize>(&mut self, state: &S, seat: Seat, action: A) -> usize {
        if let Some(audit_states) = &mut self.audit_states {
            audit_states.push(encode(state));
        }
        let first_event = Some(self.events.len());
        self.automatic.push(Automatic {
            seat,
            action,
            first_event,
        });
        self.automatic.len() - 1
    }

    /// Clears the event index of an automatic action that emitted no event.
    pub(super) fn end_forced(&mut self, index: usize) {
        let event_count = self.events.len();
        if let Some(Automatic { first_event, .. }) = self.automatic.get_mut(index) {
            *first_event = first_event.filter(|at| *at < event_count);
        }
    }

    /// Empties the journal and keeps its memory.
    pub fn clear(&mut self) {
        self.events.clear();
        self.automatic.clear();
        if let Some(audit_states) = &mut self.audit_states {
            audit_states.clear();
        }
    }
}

impl<A, E> Default for Journal<A, E> {
    fn default() -> Self {
        Self::new()
    }
}
