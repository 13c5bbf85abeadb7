//! Readers of events: small clients that make a table of the events they receive.

use crate::ruleset::Ruleset;
use crate::table::Viewer;

/// A reader of events: it knows the options, and what the comments of the contract say about each event. It is written
/// without the rules, as a client would write it.
pub trait EventReader<R: Ruleset>: Clone {
    /// Prepares the table of a game with these options, before its first event.
    fn new(options: &R::Options, viewer: Viewer) -> Self;

    /// Changes the table by an event, as its comment says.
    fn read(&mut self, event: &R::Event);

    /// Ends the events of one version.
    fn end_version(&mut self) {}

    /// Changes the table by the end of the game, which is no event of the rules.
    fn end(&mut self) {}

    /// Returns the view as read, without pending decisions. What no event tells, such as a position within a phase, is
    /// that of the actual view.
    fn view(&self, actual: &R::View) -> R::View;
}

/// A reader of nothing, who copies the table: for variants of a ruleset, whose events the ruleset's own reader reads.
#[derive(Clone, Copy, Debug)]
pub struct Unread;

impl<R: Ruleset> EventReader<R> for Unread {
    fn new(_options: &R::Options, _viewer: Viewer) -> Self {
        Self
    }

    fn read(&mut self, _event: &R::Event) {}

    fn view(&self, actual: &R::View) -> R::View {
        actual.clone()
    }
}
