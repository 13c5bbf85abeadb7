//! Metrics of backups.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundCounter, Meter};

/// Metrics of the backups that this server writes.
#[derive(Clone)]
pub struct BackupMetrics {
    done: BoundCounter<u64>,
    failed: BoundCounter<u64>,
    /// When the last backup was written, in seconds since the Unix epoch.
    last: Arc<AtomicU64>,
}

impl BackupMetrics {
    /// Creates the metrics. They are exported from the start, so that the first failure shows as an increase.
    pub(super) fn new(meter: &Meter, last: u64) -> Self {
        let counter = meter
            .u64_counter("gamekeeper.backups")
            .with_unit("{backup}")
            .with_description("Backups that were asked for, by outcome")
            .build();
        let of = |outcome| {
            let bound = counter.bind(&[KeyValue::new("outcome", outcome)]);
            bound.add(0);
            bound
        };
        let (done, failed) = (of("done"), of("failed"));
        let last = Arc::new(AtomicU64::new(last));
        let seen = Arc::clone(&last);
        let gauge = meter.u64_observable_gauge("gamekeeper.backup.timestamp");
        let _observed = gauge
            .with_unit("s")
            .with_description(
                "When the last backup was written, or the server started without one, in seconds since the Unix epoch; 0: it writes none",
            )
            .with_callback(move |observer| observer.observe(seen.load(Ordering::Relaxed), &[]))
            .build();
        Self { done, failed, last }
    }

    /// Records that a backup was written at this time, in seconds since the Unix epoch.
    pub fn done(&self, at: u64) {
        self.done.add(1);
        self.last.store(at, Ordering::Relaxed);
    }

    /// Records that a backup failed.
    pub fn failed(&self) {
        self.failed.add(1);
    }
}
