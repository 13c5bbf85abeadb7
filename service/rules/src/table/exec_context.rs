//! A table while an action is carried out.

use serde::Serialize;

use super::chance::Chance;
use super::journal::Journal;
use super::seat::Seat;

/// The context in which the rules carry out an action: the table, its luck, and the journal of events. A ruleset names
/// its own: `type ExecContext<'a> = table::ExecContext<'a, State, Action, Event>`.
#[derive(Debug)]
pub struct ExecContext<'a, S, A, E> {
    /// The table.
    pub state: &'a mut S,
    /// The only source of luck.
    pub chance: &'a mut Chance,
    /// The events and automatic actions so far.
    pub journal: &'a mut Journal<A, E>,
}

impl<S, A, E> ExecContext<'_, S, A, E> {
    /// Records an event.
    pub fn emit(&mut self, event: E) {
        self.journal.push_event(event);
    }

    /// Takes the only legal action of a seat that owes a decision: `execute` carries it out, and its first event is
    /// marked as forced. This is the only way in which the engine decides for a player.
    pub fn execute_forced(&mut self, seat: Seat, action: A, execute: impl FnOnce(&mut Self))
    where
        S: Serialize,
    {
        let index = self.journal.begin_forced(self.state, seat, action);
        execute(self);
        self.journal.end_forced(index);
    }
}
