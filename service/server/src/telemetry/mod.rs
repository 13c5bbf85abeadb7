//! **Telemetry**: the log lines, metrics and traces of a running server, and their export.
//!
//! Metrics are counted once, by OpenTelemetry, and exported twice: to Prometheus, from `/metrics`
//! of the admin port, and to a collector, over OTLP. Traces go only to the collector. Metrics and
//! traces contain no game id, token, key or seed; log lines neither, except that those of the target
//! `audit`, and those about a damaged record, name the game. Metrics that name tenants are read from `/metrics` alone.

mod accounted;
mod log_writer;
mod logs;
mod otlp;
mod process;

use std::sync::Arc;

use gamekeeper_telemetry::{Metrics, Traces};
pub(crate) use log_writer::log;
pub use logs::FilterError;
use logs::LogFilter;
use opentelemetry::KeyValue;
use opentelemetry::metrics::MeterProvider;
use opentelemetry::trace::TracerProvider;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::resource::{EnvResourceDetector, ResourceDetector};
use opentelemetry_sdk::trace::SdkTracerProvider;
use otlp::Otlp;
pub use otlp::OtlpError;
use prometheus::TextEncoder;
use prometheus::core::Collector;

use crate::config::Config;

/// The name of the instrumentation scope.
const SCOPE: &str = "gamekeeperd";

/// The reason why telemetry could not start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The filter of log lines is invalid.
    #[error("--log: {0}")]
    Filter(#[from] FilterError),
    /// The settings of the collector are wrong.
    #[error(transparent)]
    Otlp(#[from] OtlpError),
    /// Metrics cannot be exported.
    #[error("metrics: {0}")]
    Metrics(#[from] opentelemetry_sdk::error::OTelSdkError),
    /// Metrics for the admin port alone cannot be registered.
    #[error("metrics: {0}")]
    Local(prometheus::Error),
}

/// Log lines, metrics and traces of this process.
pub struct Telemetry {
    metrics: Arc<Metrics>,
    traces: Traces,
    filter: Option<LogFilter>,
    registry: prometheus::Registry,
    meters: SdkMeterProvider,
    spans: SdkTracerProvider,
    /// Whether a collector gets traces.
    sends_traces: bool,
    otlp: Option<Otlp>,
}

impl Telemetry {
    /// Starts telemetry for the whole process, as configured.
    ///
    /// # Errors
    /// When the filter of log lines is invalid, or a file for the collector cannot be used.
    pub fn start(config: &Config) -> Result<Self, TelemetryError> {
        let otlp = Otlp::new(&config.telemetry)?;
        let mut telemetry = Self::build(otlp)?;
        if telemetry.sends_traces {
            telemetry.traces = Traces::sampled(config.telemetry.trace_ratio);
        }
        let tracer = telemetry.spans.tracer(SCOPE);
        telemetry.filter = Some(logs::start(&config.log.filter, config.log.format, tracer)?);
        telemetry.metrics.observe_lost_lines(|| log().lost());
        count_panics(Arc::clone(&telemetry.metrics));
        process::observe(&telemetry.meters.meter(SCOPE));
        Ok(telemetry)
    }

    /// Creates telemetry that counts but writes no log and sends nothing, for unit tests.
    ///
    /// # Errors
    /// When metrics cannot be exported.
    pub fn silent() -> Result<Self, TelemetryError> {
        Self::build(None)
    }

    fn build(otlp: Option<Otlp>) -> Result<Self, TelemetryError> {
        let resource = resource();
        let registry = prometheus::Registry::new();
        let exporter = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .scope_info_enabled(false)
            .build()?;
        let mut meters = SdkMeterProvider::builder()
            .with_resource(resource.clone())
            .with_reader(exporter);
        let mut spans = SdkTracerProvider::builder().with_resource(resource);
        let mut sends_traces = false;
        if let Some(otlp) = &otlp {
            if let Some(reader) = otlp.metric_reader()? {
                meters = meters.with_reader(reader);
            }
            if let Some(exporter) = otlp.span_exporter()? {
                spans = spans.with_batch_exporter(exporter);
                sends_traces = true;
            }
        }
        let (meters, spans) = (meters.build(), spans.build());
        Ok(Self {
            metrics: Metrics::new(meters.meter(SCOPE)),
            traces: Traces::off(),
            filter: None,
            registry,
            meters,
            spans,
            sends_traces,
            otlp,
        })
    }

    /// Returns the metrics.
    #[must_use]
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.metrics
    }

    /// Returns the sampler, which decides which calls are traced.
    #[must_use]
    pub fn traces(&self) -> &Traces {
        &self.traces
    }

    /// Adds these metrics to `/metrics`. They are not sent to a collector.
    ///
    /// # Errors
    /// When metrics with their names exist already.
    pub(crate) fn register(&self, metrics: impl Collector + 'static) -> Result<(), TelemetryError> {
        let registered = self.registry.register(Box::new(metrics));
        registered.map_err(TelemetryError::Local)
    }

    /// Returns all metrics in the text format of Prometheus.
    ///
    /// # Errors
    /// When a metric cannot be written.
    pub fn prometheus(&self) -> Result<String, prometheus::Error> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }

    /// Returns the current filter of log lines.
    #[must_use]
    pub fn log_filter(&self) -> String {
        self.filter
            .as_ref()
            .map_or_else(String::new, LogFilter::current)
    }

    /// Changes the filter of log lines.
    ///
    /// # Errors
    /// When the filter is invalid.
    pub fn set_log_filter(&self, filter: &str) -> Result<(), FilterError> {
        self.filter
            .as_ref()
            .map_or(Ok(()), |now| now.change(filter))
    }

    /// Flushes metrics and traces that were not sent yet. Must not be called from a task.
    pub fn stop(&self) {
        if self.otlp.is_none() {
            return;
        }
        for stopped in [self.spans.shutdown(), self.meters.shutdown()] {
            if let Err(error) = stopped {
                tracing::warn!(%error, "the collector did not accept everything");
            }
        }
    }
}

/// Checks the settings and files of [`Telemetry::start`], without starting anything.
///
/// # Errors
/// The errors of [`Telemetry::start`].
pub fn check(config: &Config) -> Result<(), TelemetryError> {
    logs::check(&config.log.filter)?;
    Ok(otlp::check(&config.telemetry)?)
}

/// Returns the OpenTelemetry resource of this process. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take
/// precedence.
fn resource() -> Resource {
    let given = EnvResourceDetector::new().detect();
    let name = std::env::var_os("OTEL_SERVICE_NAME");
    let is_named = name.is_some_and(|name| !name.is_empty());
    Resource::builder()
        .with_attributes(defaults(&given, is_named))
        .build()
}

/// Returns the attributes that the environment does not set.
fn defaults(given: &Resource, is_named: bool) -> Vec<KeyValue> {
    let name = (!is_named).then(|| KeyValue::new("service.name", SCOPE));
    let others = [
        KeyValue::new("service.version", crate::version::VERSION),
        KeyValue::new("service.instance.id", uuid::Uuid::now_v7().to_string()),
    ];
    name.into_iter()
        .chain(others)
        .filter(|ours| given.get(&ours.key).is_none())
        .collect()
}

/// Installs a panic hook that counts panics and writes each as a log line.
fn count_panics(metrics: Arc<Metrics>) {
    std::panic::set_hook(Box::new(move |panic| {
        metrics.panicked();
        let at = panic.location().map(ToString::to_string);
        let what = panic.payload_as_str().unwrap_or("panic");
        tracing::error!(at, what, "panic");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_wins_over_defaults() {
        let keys = |given: &[KeyValue], is_named| {
            let given = Resource::builder_empty().with_attributes(given.to_vec());
            let defaults = defaults(&given.build(), is_named);
            let keys: Vec<String> = defaults.iter().map(|of| of.key.to_string()).collect();
            keys
        };
        let [name, version, instance] = ["service.name", "service.version", "service.instance.id"];
        assert_eq!(keys(&[], false), [name, version, instance]);
        assert_eq!(keys(&[], true), [version, instance]);
        let given = [name, instance].map(|key| KeyValue::new(key, "given"));
        assert_eq!(keys(&given, false), [version]);
    }
}
