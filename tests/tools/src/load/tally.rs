//! The measurements.

use std::time::Duration;

use hdrhistogram::Histogram;
use parking_lot::Mutex;

/// A kind of call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Method {
    /// `CreateGame`, called whenever a game has ended.
    Create,
    Apply,
    /// `GetGame`.
    Get,
    /// `ListLegalActions`.
    Legal,
    /// The time from the sending of an action to its arrival at a watcher.
    Watch,
}

impl Method {
    /// All kinds of calls.
    pub(crate) const ALL: [Self; 5] = [
        Self::Create,
        Self::Apply,
        Self::Get,
        Self::Legal,
        Self::Watch,
    ];

    /// Returns the name of the method in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Apply => "apply",
            Self::Get => "get",
            Self::Legal => "legal",
            Self::Watch => "watch",
        }
    }
}

/// The latencies of every method, in nanoseconds, and the sizes of the responses.
pub(crate) struct Tally {
    counts: Mutex<[Counted; 5]>,
}

#[derive(Clone)]
struct Counted {
    latencies: Histogram<u64>,
    bytes: u64,
}

/// The figures of one method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    pub(crate) count: u64,
    /// The mean size of a response, in bytes.
    pub(crate) bytes: f64,
    /// The percentiles of the latency, in microseconds.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
}

/// Maximum recorded latency, in nanoseconds. Longer calls are counted with this value.
const MAX_LEN: u64 = 60_000_000_000;

impl Tally {
    /// Creates an empty tally. Returns `None` if the histograms cannot be created.
    pub(crate) fn new() -> Option<Self> {
        let counted = Counted {
            latencies: Histogram::new_with_max(MAX_LEN, 3).ok()?,
            bytes: 0,
        };
        let counts = Mutex::new(std::array::from_fn(|_| counted.clone()));
        Some(Self { counts })
    }

    /// Records a call that was answered.
    pub(crate) fn note(&self, method: Method, took: Duration, bytes: usize) {
        let nanos = u64::try_from(took.as_nanos()).unwrap_or(MAX_LEN);
        let mut counts = self.counts.lock();
        let counted = &mut counts[method as usize];
        counted.latencies.saturating_record(nanos);
        counted.bytes += bytes as u64;
    }

    /// Returns the figures of a method, or `None` if it was not called.
    #[expect(clippy::cast_precision_loss, reason = "figures for people")]
    pub(crate) fn figures(&self, method: Method) -> Option<Figures> {
        let counts = self.counts.lock();
        let Counted { latencies, bytes } = &counts[method as usize];
        let micros = |quantile| latencies.value_at_quantile(quantile) as f64 / 1_000.0;
        let count = latencies.len();
        (count > 0).then(|| Figures {
            count,
            bytes: *bytes as f64 / count as f64,
            p50: micros(0.5),
            p99: micros(0.99),
            p999: micros(0.999),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_calls() {
        let tally = Tally::new().unwrap();
        for micros in 1..=1_000 {
            tally.note(Method::Apply, Duration::from_micros(micros), 10);
        }
        let figures = tally.figures(Method::Apply).unwrap();
        assert_eq!(figures.count, 1_000);
        assert!((figures.p50 - 500.0).abs() < 1.0, "{figures:?}");
        assert!((figures.p99 - 990.0).abs() < 1.0, "{figures:?}");
        assert!((figures.bytes - 10.0).abs() < f64::EPSILON);
        assert!(tally.figures(Method::Get).is_none());
    }
}
