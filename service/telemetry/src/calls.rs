//! Metrics of calls: count and duration by method and code, and the ends of streams by method and cause.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundHistogram, Counter, Histogram};
use tonic::Code;

use super::codes::{self, CODES};

/// The label of every method that does not exist, whatever name the caller sent.
pub const OTHER_METHOD: &str = "_OTHER";

/// A method of this server. The set is closed, so that callers cannot create labels (**cardinality**).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method(usize);

/// The durations of calls, and the ends of streams.
pub struct CallMetrics {
    duration: Histogram<f64>,
    ended: Counter<u64>,
    by_path: HashMap<String, Method>,
    /// The full name of each method. The last one stands for all methods that do not exist.
    names: Vec<String>,
    /// The bound histograms by method and code, created on first use.
    cells: Box<[OnceLock<BoundHistogram<f64>>]>,
}

impl CallMetrics {
    /// Creates the metrics of these methods, given their full names (`package.Service/Method`).
    pub(super) fn new(
        (duration, ended): (Histogram<f64>, Counter<u64>),
        methods: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut names: Vec<_> = methods.into_iter().collect();
        let by_path = names
            .iter()
            .enumerate()
            .map(|(at, name)| (format!("/{name}"), Method(at)))
            .collect();
        names.push(OTHER_METHOD.to_owned());
        Self {
            duration,
            ended,
            by_path,
            cells: (0..names.len() * CODES).map(|_| OnceLock::new()).collect(),
            names,
        }
    }

    /// Returns the method that a path names.
    #[must_use]
    pub fn method(&self, path: &str) -> Method {
        let other = Method(self.names.len() - 1);
        self.by_path.get(path).copied().unwrap_or(other)
    }

    /// Returns the full name of a method.
    #[must_use]
    pub fn name(&self, method: Method) -> &str {
        &self.names[method.0]
    }

    /// Records an answered call.
    pub fn record_call(&self, method: Method, code: Code, took: Duration) {
        self.cells[method.0 * CODES + codes::index(code)]
            .get_or_init(|| self.bind(method, code))
            .record(took.as_secs_f64());
    }

    /// Counts a stream that has ended. Causes are a closed set.
    pub fn stream_ended(&self, method: Method, cause: &'static str) {
        let method = KeyValue::new("rpc.method", self.names[method.0].clone());
        self.ended.add(1, &[method, KeyValue::new("cause", cause)]);
    }

    fn bind(&self, method: Method, code: Code) -> BoundHistogram<f64> {
        let name = &self.names[method.0];
        self.duration.bind(&[
            KeyValue::new("rpc.system.name", "grpc"),
            KeyValue::new("rpc.method", name.clone()),
            KeyValue::new("rpc.response.status_code", codes::name(code)),
        ])
    }
}
