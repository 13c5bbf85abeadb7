//! Rate limiting of log lines for frequent events.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Logs at most once per interval that something happens.
#[derive(Debug)]
pub struct Seldom {
    every: Duration,
    said: Option<Instant>,
    times: u64,
}

impl Seldom {
    /// At most one line in this time.
    #[must_use]
    pub const fn every(every: Duration) -> Self {
        Self {
            every,
            said: None,
            times: 0,
        }
    }

    /// Counts an occurrence. `Some`: it is time to log, with the number of occurrences since the last
    /// time.
    pub fn now(&mut self) -> Option<u64> {
        self.times += 1;
        if self.said.is_some_and(|said| said.elapsed() < self.every) {
            return None;
        }
        self.said = Some(Instant::now());
        Some(std::mem::take(&mut self.times))
    }
}

/// The same, for all threads.
#[derive(Debug)]
pub struct SharedSeldom(Mutex<Seldom>);

impl SharedSeldom {
    /// At most one line in this time.
    #[must_use]
    pub const fn every(every: Duration) -> Self {
        Self(Mutex::new(Seldom::every(every)))
    }

    /// As [`Seldom::now`].
    pub fn now(&self) -> Option<u64> {
        let mut seldom = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seldom.now()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_said_and_the_others_are_counted() {
        let mut seldom = Seldom::every(Duration::from_millis(20));
        let said: Vec<_> = (0..4).map(|_| seldom.now()).collect();
        assert_eq!(said, [Some(1), None, None, None]);
        std::thread::sleep(Duration::from_millis(21));
        assert_eq!(seldom.now(), Some(4));
    }
}
