//! What happened while an action was carried out.

use super::seat::Seat;

/// A decision with one legal action that the engine took itself.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Automatic<A> {
    /// Whose decision it was.
    pub seat: Seat,
    /// The only legal action.
    pub action: A,
}

/// Collects, in order, the consequences of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journal<A, E> {
    /// What happened.
    pub events: Vec<E>,
    /// What the engine decided because there was no choice.
    pub automatic: Vec<Automatic<A>>,
}

impl<A, E> Journal<A, E> {
    /// An empty journal.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            events: Vec::new(),
            automatic: Vec::new(),
        }
    }

    /// Notes what happened.
    pub fn event(&mut self, event: E) {
        self.events.push(event);
    }

    /// Notes an action that the engine took for a seat.
    pub fn automatic(&mut self, seat: Seat, action: A) {
        self.automatic.push(Automatic { seat, action });
    }

    /// Empties the journal and keeps its memory.
    pub fn clear(&mut self) {
        self.events.clear();
        self.automatic.clear();
    }
}

impl<A, E> Default for Journal<A, E> {
    fn default() -> Self {
        Self::new()
    }
}
