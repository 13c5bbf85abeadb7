//! The progress of long tasks, shown on the error stream if it is a terminal.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// The interval between updates of the line.
const EVERY: Duration = Duration::from_millis(200);

/// A progress line that is updated in place.
pub struct Progress {
    what: &'static str,
    total: u64,
    done: u64,
    /// The time of the last update. `None` if the error stream is not a terminal.
    written: Option<Instant>,
    shown: bool,
}

impl Progress {
    /// Starts a task of this size.
    #[must_use]
    pub fn new(what: &'static str, total: u64) -> Self {
        let seen = std::io::stderr().is_terminal();
        Self {
            what,
            total,
            done: 0,
            written: seen.then(Instant::now),
            shown: false,
        }
    }

    /// Counts further units of work as done.
    pub fn advance(&mut self, by: u64) {
        self.done += by;
        let due = self.written.is_some_and(|at| at.elapsed() >= EVERY);
        if due {
            self.written = Some(Instant::now());
            self.shown = true;
            let percent = (100 * self.done).checked_div(self.total).unwrap_or(0);
            // If the error stream itself fails, there is nowhere left to report it.
            let _ = write!(
                std::io::stderr(),
                "\r{} of {} {} ({percent} %) ",
                self.done,
                self.total,
                self.what
            );
        }
    }
}

impl Drop for Progress {
    /// Erases the line.
    fn drop(&mut self) {
        if self.shown {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}
