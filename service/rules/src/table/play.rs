//! A table while an action is carried out.

use serde::Serialize;

use super::chance::Chance;
use super::journal::Journal;
use super::seat::Seat;

/// The context in which the rules carry out an action: the table, its luck, and the journal of events. A ruleset names
/// its own: `type Play<'a> = table::Play<'a, State, Action, Event>`.
#[derive(Debug)]
pub struct Play<'a, S, A, E> {
    /// The table.
    pub state: &'a mut S,
    /// The only source of luck.
    pub chance: &'a mut Chance,
    /// The events and automatic actions so far.
    pub journal: &'a mut Journal<A, E>,
}

impl<S, A, E> Play<'_, S, A, E> {
    /// Records an event.
    pub fn tell(&mut self, event: E) {
        self.journal.event(event);
    }

    /// Takes the only legal action of a seat that owes a decision: `deed` carries it out, and its first event is
    /// marked as forced. This is the only way in which the engine decides for a player.
    pub fn automatic(&mut self, seat: Seat, action: A, deed: impl FnOnce(&mut Self))
    where
        S: Serialize,
    {
        let note = self.journal.begin(self.state, seat, action);
        deed(self);
        self.journal.end(note);
    }
}
