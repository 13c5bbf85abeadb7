//! Rate limiting of log lines for frequent events.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// A rate limiter that lets a recurring event be logged at most once per interval.
#[derive(Debug)]
pub struct Seldom {
    every: Duration,
    said: Option<Instant>,
    times: u64,
}

impl Seldom {
    /// Creates a limiter that allows one line per interval.
    #[must_use]
    pub const fn every(every: Duration) -> Self {
        Self {
            every,
            said: None,
            times: 0,
        }
    }

    /// Counts an occurrence. Returns the number of occurrences since the last line if it is time to log another one,
    /// `None` otherwise.
    pub fn now(&mut self) -> Option<u64> {
        self.times += 1;
        if self.said.is_some_and(|said| said.elapsed() < self.every) {
            return None;
        }
        self.said = Some(Instant::now());
        Some(std::mem::take(&mut self.times))
    }
}

/// A [`Seldom`] that threads share.
#[derive(Debug)]
pub struct SharedSeldom(Mutex<Seldom>);

impl SharedSeldom {
    /// Creates a limiter that allows one line per interval.
    #[must_use]
    pub const fn every(every: Duration) -> Self {
        Self(Mutex::new(Seldom::every(every)))
    }

    /// Counts an occurrence, like [`Seldom::now`].
    pub fn now(&self) -> Option<u64> {
        let mut seldom = self.0.lock();
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
