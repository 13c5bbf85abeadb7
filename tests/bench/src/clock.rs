//! The processor time of the current thread, which other load on the machine hardly affects.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the processor time of the current thread up to now.
#[must_use]
pub fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanos)
}

/// Measures the processor time of `work`.
pub fn time(work: impl FnOnce()) -> Duration {
    let begun = worked();
    work();
    worked().saturating_sub(begun)
}

/// The spread of a figure that was measured several times.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The minimum.
    pub min: f64,
    /// The maximum.
    pub max: f64,
}

impl Spread {
    /// Summarizes the measurements of a figure.
    #[must_use]
    pub fn of(mut figures: Vec<f64>) -> Self {
        figures.sort_by(f64::total_cmp);
        let at = |index: usize| figures.get(index).copied().unwrap_or_default();
        Self {
            median: at(figures.len() / 2),
            min: at(0),
            max: at(figures.len().saturating_sub(1)),
        }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let figure = |figure: f64| match figure {
            figure if figure >= 10_000.0 => format!("{:.0}k", figure / 1_000.0),
            figure if figure >= 100.0 => format!("{figure:.0}"),
            figure => format!("{figure:.2}"),
        };
        let Self { median, min, max } = *self;
        write!(f, "{} [{}-{}]", figure(median), figure(min), figure(max))
    }
}

/// Measures a rate per second. `work` returns how many units it did, and is repeated for at least this time, in
/// `rounds` rounds after a warm-up round.
pub fn per_second(rounds: usize, least: Duration, mut work: impl FnMut() -> usize) -> Spread {
    let mut round = || {
        let begun = worked();
        let mut iterations = 0;
        loop {
            iterations += work();
            let took = worked().saturating_sub(begun);
            if took >= least {
                return float(iterations) / took.as_secs_f64();
            }
        }
    };
    round();
    Spread::of((0..rounds).map(|_| round()).collect())
}

/// Converts a count to a figure.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
pub fn float(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let spread = Spread::of(vec![3.0, 1.0, 2.0]);
        assert_eq!((spread.median, spread.min, spread.max), (2.0, 1.0, 3.0));
        assert_eq!(spread.to_string(), "2.00 [1.00-3.00]");
    }

    #[test]
    fn work_takes_time() {
        let spread = per_second(2, Duration::from_millis(1), || {
            std::hint::black_box((0..1_000).sum::<usize>());
            1
        });
        assert!(spread.min > 0.0 && spread.max >= spread.median);
    }
}
