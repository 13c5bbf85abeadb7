//! Distributed tracing: which calls are traced (**head sampling**), and how spans are linked.
//!
//! Whether a call is traced is decided once, before any span is created, so that other calls cost nothing. A caller
//! that sends a `traceparent` is always traced; its trace id is also in log lines and in the response, whether or not
//! traces are exported.

use std::future::Future;

use futures_util::future::Either;
use opentelemetry::propagation::{Extractor, TextMapPropagator};
use opentelemetry::trace::TraceContextExt;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tonic::Code;
use tonic::codegen::http::{HeaderMap, HeaderName, HeaderValue};
use tracing::instrument::Instrumented;
use tracing::{Instrument, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt;

use super::codes;

/// The log target of all spans.
pub const TARGET: &str = "gamekeeperd::trace";

/// The request header with the caller's trace (W3C Trace Context).
const TRACEPARENT: &str = "traceparent";

/// The response header that names the trace of the call (W3C Trace Context, level 2).
static TRACERESPONSE: HeaderName = HeaderName::from_static("traceresponse");

/// Creates a span for a step of the current call, disabled if the call is not traced.
#[macro_export]
macro_rules! child_span {
    ($name:literal $(, $($fields:tt)*)?) => {
        if $crate::tracing::Span::current().is_none() {
            $crate::tracing::Span::none()
        } else {
            $crate::tracing::info_span!(target: "gamekeeperd::trace", $name $(, $($fields)*)?)
        }
    };
}

/// Runs work as a step of a call, inside its span.
pub fn traced<F: Future>(span: Span, work: F) -> Either<F, Instrumented<F>> {
    if span.is_none() {
        Either::Left(work)
    } else {
        Either::Right(work.instrument(span))
    }
}

/// Decides which calls are traced.
#[derive(Clone, Debug)]
pub struct Traces {
    /// The share of calls to trace if their callers do not send a trace, out of 2^32.
    threshold: u64,
}

impl Traces {
    /// Traces only calls with a `traceparent`.
    #[must_use]
    pub fn off() -> Self {
        Self { threshold: 0 }
    }

    /// Traces this share of all other calls, from 0 to 1.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the product lies from 0 to 2^32"
    )]
    pub fn sampled(ratio: f64) -> Self {
        let range = f64::from(u32::MAX) + 1.0;
        Self {
            threshold: (ratio.clamp(0.0, 1.0) * range) as u64,
        }
    }

    /// Creates the span of a call, disabled if the call is not traced.
    #[must_use]
    pub fn begin(&self, method: &str, headers: &HeaderMap) -> Span {
        let has_parent = headers.contains_key(TRACEPARENT);
        if !has_parent && !self.sample() {
            return Span::none();
        }
        let span = tracing::info_span!(
            target: TARGET,
            "call",
            otel.name = method,
            otel.kind = "server",
            otel.status_code = tracing::field::Empty,
            rpc.system.name = "grpc",
            rpc.method = method,
            rpc.response.status_code = tracing::field::Empty,
            "error.type" = tracing::field::Empty,
        );
        if has_parent {
            let parent = TraceContextPropagator::new().extract(&Headers(headers));
            // Fails only if no spans are recorded at all.
            let _kept = span.set_parent(parent);
        }
        span
    }

    fn sample(&self) -> bool {
        self.threshold > 0 && u64::from(rand::random::<u32>()) < self.threshold
    }
}

/// Records how a call ended, and adds its trace to the response headers.
pub fn finish(span: &Span, code: Code, headers: &mut HeaderMap) {
    if span.is_none() {
        return;
    }
    span.record("rpc.response.status_code", codes::name(code));
    if codes::is_server_error(code) {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", codes::name(code));
    }
    let context = span.context();
    let context = context.span().span_context().clone();
    if !context.is_valid() {
        return;
    }
    let text = format!(
        "00-{}-{}-{:02x}",
        context.trace_id(),
        context.span_id(),
        context.trace_flags()
    );
    if let Ok(value) = HeaderValue::try_from(text) {
        headers.insert(TRACERESPONSE.clone(), value);
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_is_kept() {
        assert!(!Traces::off().sample());
        assert!((0..1_000).all(|_| Traces::sampled(1.0).sample()));
        assert!((0..1_000).all(|_| !Traces::sampled(0.0).sample()));
        let half = (0..10_000)
            .filter(|_| Traces::sampled(0.5).sample())
            .count();
        assert!((4_500..5_500).contains(&half), "{half}");
    }
}
