//! **Jitter**, which spreads expiries over time.

use std::time::Duration;

/// The maximum deviation as a fraction of the age, in both directions.
const JITTER: f64 = 0.2;

/// Returns a random age around this one. Streams and connections that started together, when a process was replaced,
/// then do not all end together.
#[must_use]
pub fn jittered(age: Duration) -> Duration {
    age.mul_f64(rand::random_range(1.0 - JITTER..=1.0 + JITTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_differ_and_lie_around_the_age_that_was_set() {
        let minute = Duration::from_mins(1);
        let ages: Vec<_> = (0..100).map(|_| jittered(minute)).collect();
        let range = Duration::from_secs(48)..=Duration::from_secs(72);
        assert!(ages.iter().all(|age| range.contains(age)));
        assert!(ages.iter().any(|age| *age < minute) && ages.iter().any(|age| *age > minute));
    }
}
