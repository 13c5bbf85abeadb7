//! Metrics of the store: duration and errors of its operations.

use std::time::Duration;

use gamekeeper_store::StoreError;
use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundHistogram, Histogram};

/// The operations of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "they are the methods of the store")]
pub enum StoreOperation {
    Create,
    Load,
    Commit,
    Log,
    Watch,
    List,
    Delete,
    SetAccess,
    StoredBytes,
    KvGet,
    KvCompareAndSet,
    Wake,
    Feed,
    Ping,
}

impl StoreOperation {
    const ALL: [Self; 14] = [
        Self::Create,
        Self::Load,
        Self::Commit,
        Self::Log,
        Self::Watch,
        Self::List,
        Self::Delete,
        Self::SetAccess,
        Self::StoredBytes,
        Self::KvGet,
        Self::KvCompareAndSet,
        Self::Wake,
        Self::Feed,
        Self::Ping,
    ];

    /// Returns the label of the operation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Load => "load",
            Self::Commit => "commit",
            Self::Log => "log",
            Self::Watch => "watch",
            Self::List => "list",
            Self::Delete => "delete",
            Self::SetAccess => "set_access",
            Self::StoredBytes => "stored_bytes",
            Self::KvGet => "note",
            Self::KvCompareAndSet => "set_note",
            Self::Wake => "wake",
            Self::Feed => "feed",
            Self::Ping => "ping",
        }
    }
}

/// Metrics of the store.
pub struct StoreMetrics {
    system: &'static str,
    done: [BoundHistogram<f64>; 14],
    failed: Histogram<f64>,
}

impl StoreMetrics {
    /// Creates the metrics of a store of this kind.
    pub(super) fn new(duration: &Histogram<f64>, system: &'static str) -> Self {
        let done = StoreOperation::ALL.map(|operation| {
            duration.bind(&[
                KeyValue::new("db.system.name", system),
                KeyValue::new("db.operation.name", operation.name()),
            ])
        });
        Self {
            system,
            done,
            failed: duration.clone(),
        }
    }

    /// Returns the kind of store.
    #[must_use]
    pub fn system(&self) -> &'static str {
        self.system
    }

    /// Records an answer of the store.
    pub fn record_operation(
        &self,
        operation: StoreOperation,
        took: Duration,
        error: Option<&StoreError>,
    ) {
        let Some(error) = error else {
            return self.done[operation as usize].record(took.as_secs_f64());
        };
        self.failed.record(
            took.as_secs_f64(),
            &[
                KeyValue::new("db.system.name", self.system),
                KeyValue::new("db.operation.name", operation.name()),
                KeyValue::new("error.type", error_type(error)),
            ],
        );
    }
}

/// Returns the kind of an error, without its text.
pub(crate) const fn error_type(error: &StoreError) -> &'static str {
    match error {
        StoreError::Unavailable(_) => "unavailable",
        StoreError::OutcomeUnknown(_) => "outcome_unknown",
        StoreError::Full(_) => "full",
        StoreError::Damaged(_) => "damaged",
        StoreError::Setup(_) => "setup",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        for (at, operation) in StoreOperation::ALL.into_iter().enumerate() {
            assert_eq!(operation as usize, at);
        }
    }
}
