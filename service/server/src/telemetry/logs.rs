//! Log lines: text for people, JSON for machines, to standard error (`log_writer`). The filter can be changed
//! while the server runs.

use std::fmt;
use std::io::IsTerminal;

use gamekeeper_telemetry::TARGET;
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::trace::SdkTracer;
use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::subscriber::Interest;
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_opentelemetry::get_otel_context;
use tracing_subscriber::filter::{EnvFilter, FilterFn, ParseError};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::{Context, Filter, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{Layer, Registry, reload};

use super::log_writer::log;
use crate::config::LogFormat;

/// The reason why a filter of log lines was rejected.
#[derive(Debug, thiserror::Error)]
pub enum FilterError {
    /// The filter cannot be parsed.
    #[error(transparent)]
    Filter(#[from] ParseError),
    /// A part of the filter can never match a line, such as a misspelled name.
    #[error("{0:?} is neither a level nor something like gamekeeper=debug or audit=info")]
    UnknownTarget(String),
    /// There is no log to filter.
    #[error(transparent)]
    Reload(#[from] reload::Error),
    /// A log was already started.
    #[error(transparent)]
    Started(#[from] TryInitError),
}

/// The filter of log lines, which can be changed.
pub(super) struct LogFilter(reload::Handle<LogFilterLayer, Registry>);

impl LogFilter {
    pub(super) fn current(&self) -> String {
        self.0
            .with_current(|layer| layer.filter.to_string())
            .unwrap_or_default()
    }

    pub(super) fn change(&self, filter: &str) -> Result<(), FilterError> {
        self.0.reload(LogFilterLayer::parse(filter)?)?;
        tracing::info!(filter, "the log filter was changed");
        Ok(())
    }
}

/// Checks a filter.
pub(super) fn check(filter: &str) -> Result<(), FilterError> {
    LogFilterLayer::parse(filter).map(drop)
}

/// Sends log lines to standard error, and spans to a tracer.
pub(super) fn start(
    filter: &str,
    format: LogFormat,
    tracer: SdkTracer,
) -> Result<LogFilter, FilterError> {
    let (layer, handle) = reload::Layer::new(LogFilterLayer::parse(filter)?);
    let written = tracing_subscriber::fmt::layer()
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(log());
    let written = match format {
        LogFormat::Text => written.with_filter(layer).boxed(),
        LogFormat::Json => written.event_format(Json).with_filter(layer).boxed(),
    };
    let spans = FilterFn::new(is_trace_span as fn(&Metadata<'_>) -> bool)
        .with_max_level_hint(LevelFilter::INFO);
    let traced = tracing_opentelemetry::layer()
        .with_tracer(tracer)
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        .with_context_activation(false)
        .with_filter(spans)
        .boxed();
    Registry::default().with(vec![written, traced]).try_init()?;
    Ok(LogFilter(handle))
}

/// Whether this is one of our spans. They exist only in traced calls.
fn is_trace_span(metadata: &Metadata<'_>) -> bool {
    metadata.is_span() && metadata.target() == TARGET
}

/// Libraries that handle secrets, such as headers and passwords. Their most detailed lines are never written, whatever
/// the filter says.
const SENSITIVE_TARGETS: [&str; 8] = [
    "h2",
    "hyper",
    "hyper_util",
    "tonic",
    "tower",
    "redis",
    "rustls",
    "axum",
];

fn is_sensitive(metadata: &Metadata<'_>) -> bool {
    let library = metadata.target().split("::").next().unwrap_or_default();
    *metadata.level() > Level::INFO && SENSITIVE_TARGETS.contains(&library)
}

/// The filter of log lines. It always lets spans through, because lines take the trace from them.
struct LogFilterLayer {
    filter: EnvFilter,
}

impl LogFilterLayer {
    fn parse(filter: &str) -> Result<Self, FilterError> {
        let filter_layer = EnvFilter::try_new(filter)?;
        if let Some(unknown) = filter.split(',').find(|part| !is_known_directive(part)) {
            return Err(FilterError::UnknownTarget(unknown.trim().to_owned()));
        }
        Ok(Self {
            filter: filter_layer,
        })
    }
}

impl<S: Subscriber> Filter<S> for LogFilterLayer {
    fn enabled(&self, metadata: &Metadata<'_>, context: &Context<'_, S>) -> bool {
        if metadata.is_span() {
            return metadata.target() == TARGET;
        }
        !is_sensitive(metadata) && Filter::enabled(&self.filter, metadata, context)
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        if metadata.is_span() {
            return if metadata.target() == TARGET {
                Interest::always()
            } else {
                Interest::never()
            };
        }
        if is_sensitive(metadata) {
            return Interest::never();
        }
        Filter::<S>::callsite_enabled(&self.filter, metadata)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        let level = Filter::<S>::max_level_hint(&self.filter)?;
        Some(level.max(LevelFilter::INFO))
    }
}

/// All targets of log lines. A filter of `gamekeeper` covers all that begin with it.
const TARGETS: [&str; 28] = [
    "audit",
    "axum",
    "gamekeeper",
    "gamekeeper_bench",
    "gamekeeper_games",
    "gamekeeper_rules",
    "gamekeeper_store",
    "gamekeeper_store_embedded",
    "gamekeeper_store_redis",
    "gamekeeper_telemetry",
    "gamekeeper_wire",
    "gamekeeperd",
    "h2",
    "hyper",
    "hyper_util",
    "log",
    "mio",
    "opentelemetry",
    "opentelemetry_otlp",
    "opentelemetry_sdk",
    "redis",
    "rustls",
    "tokio",
    "tokio_util",
    "tonic",
    "tonic_web",
    "tower",
    "tower_http",
];

/// Whether this part of a filter is a level, or names a known target.
fn is_known_directive(part: &str) -> bool {
    let part = part.trim();
    if part.parse::<LevelFilter>().is_ok() {
        return !part.is_empty();
    }
    let Some((name, _)) = part.split_once(['=', '[']) else {
        return false;
    };
    TARGETS.contains(&name.split("::").next().unwrap_or_default())
}

/// One JSON object per line: time, level, target, fields and trace.
struct Json;

impl<S, N> FormatEvent<S, N> for Json
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut time = String::new();
        SystemTime.format_time(&mut Writer::new(&mut time))?;
        let metadata = event.metadata();
        let mut line = Map::new();
        line.insert("timestamp".into(), time.into());
        line.insert("level".into(), metadata.level().as_str().into());
        line.insert("target".into(), metadata.target().into());
        event.record(&mut Fields(&mut line));
        if let Some((trace, span)) = trace_of(context) {
            line.insert("trace_id".into(), trace.into());
            line.insert("span_id".into(), span.into());
        }
        writeln!(writer, "{}", Value::Object(line))
    }
}

/// Returns the trace and the span in which an event happens.
fn trace_of<S, N>(context: &FmtContext<'_, S, N>) -> Option<(String, String)>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    let id = context.lookup_current()?.id();
    let context = tracing::dispatcher::get_default(|dispatch| get_otel_context(&id, dispatch))?;
    let span = context.span();
    let span = span.span_context();
    Some((span.trace_id().to_string(), span.span_id().to_string()))
}

/// Writes the fields of an event into an object.
struct Fields<'a>(&'a mut Map<String, Value>);

impl Fields<'_> {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_mean_something() {
        for filter in [
            "info",
            "warn,audit=info",
            "info,h2=warn,hyper=warn",
            "gamekeeper_store_redis::terms=debug,h2=off",
            "TRACE",
        ] {
            assert!(check(filter).is_ok(), "{filter}");
        }
        for unknown in [
            "",
            "  ",
            "verbose",
            "gamekeeprd=debug",
            "info,",
            "info;debug",
            "a=b=c",
        ] {
            assert!(check(unknown).is_err(), "{unknown:?}");
        }
    }
}
