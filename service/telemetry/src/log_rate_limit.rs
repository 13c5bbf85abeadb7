//! Rate limiting of log lines for frequent events.

use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// A rate limiter that lets a recurring event be logged at most once per interval.
#[derive(Debug)]
pub struct LogRateLimiter {
    every: Duration,
    last_logged: Option<Instant>,
    occurrences: u64,
}

impl LogRateLimiter {
    /// Creates a limiter that allows one line per interval.
    #[must_use]
    pub const fn every(every: Duration) -> Self {
        Self {
            every,
            last_logged: None,
            occurrences: 0,
        }
    }

    /// Counts an occurrence. Returns the number of occurrences since the last line if it is time to log another one,
    /// `None` otherwise.
    pub fn should_log(&mut self) -> Option<u64> {
        self.occurrences += 1;
        if self
            .last_logged
            .is_some_and(|last_logged| last_logged.elapsed() < self.every)
        {
            return None;
        }
        self.last_logged = Some(Instant::now());
        Some(std::mem::take(&mut self.occurrences))
    }
}

/// A [`LogRateLimiter`] that threads share.
#[derive(Debug)]
pub struct SharedLogRateLimiter(Mutex<LogRateLimiter>);

impl SharedLogRateLimiter {
    /// Creates a limiter that allows one line per interval.
    #[must_use]
    pub const fn every(every: Duration) -> Self {
        Self(Mutex::new(LogRateLimiter::every(every)))
    }

    /// Counts an occurrence, like [`LogRateLimiter::should_log`].
    pub fn should_log(&self) -> Option<u64> {
        let mut limiter = self.0.lock();
        limiter.should_log()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_logged_and_the_others_are_counted() {
        let mut limiter = LogRateLimiter::every(Duration::from_millis(20));
        let counts: Vec<_> = (0..4).map(|_| limiter.should_log()).collect();
        assert_eq!(counts, [Some(1), None, None, None]);
        std::thread::sleep(Duration::from_millis(21));
        assert_eq!(limiter.should_log(), Some(4));
    }
}
