//! Events tell the table: a small **reader** (an **event-sourced projection**) that follows the events of one viewer,
//! from the set-up on, has the view of that viewer at every version.

use super::audit::Audit;
use super::event_reader::EventReader as _;
use super::secrecy::viewers;
use crate::ruleset::Applied;
use crate::table::{Fault, Viewer};

/// The readers of all viewers of a game.
pub(super) struct Audience<R: Audit> {
    readers: Vec<(Viewer, R::Reader)>,
}

impl<R: Audit> Audience<R> {
    /// Begins with the table before the first event.
    pub(super) fn new(options: &R::Options) -> Self {
        let readers = viewers(R::seats(options));
        Self {
            readers: readers
                .map(|viewer| (viewer, R::Reader::new(options, viewer)))
                .collect(),
        }
    }

    /// Tells every viewer what happened, as far as they may know it, and compares what each has read with their view.
    pub(super) fn hear(&mut self, now: &Applied<R>) -> Result<(), Fault> {
        for (viewer, reader) in &mut self.readers {
            let events = now.events.iter();
            events
                .filter_map(|event| R::event_view(event, *viewer))
                .for_each(|event| reader.read(&event));
            reader.end_version();
            if R::pending(&now.state).is_empty() {
                reader.end();
            }
            let mut actual = R::view(&now.state, *viewer);
            R::clear_pending(&mut actual);
            let read = reader.view(&actual);
            Fault::unless(read == actual, "retelling", || {
                format!(
                    "the events of {viewer:?} tell another table:\n{}after {:#?}",
                    difference(&read, &actual),
                    now.events
                )
            })?;
        }
        Ok(())
    }
}

/// Lists the lines in which two views differ, with the names around them.
fn difference<V: std::fmt::Debug>(read: &V, actual: &V) -> String {
    let (read, actual) = (format!("{read:#?}"), format!("{actual:#?}"));
    let lines = read.lines().zip(actual.lines()).enumerate();
    let differing = lines.filter(|(_, (read, actual))| read != actual);
    let shown = differing.take(3).map(|(at, (told, real))| {
        let before: Vec<&str> = actual.lines().take(at).collect();
        let context = before[before.len().saturating_sub(4)..].join("\n");
        format!("{context}\n{told} (as told)\n{real} (on the table)\n")
    });
    shown.collect()
}
