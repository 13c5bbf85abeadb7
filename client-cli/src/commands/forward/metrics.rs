//! The metrics of `forward`, and the port that serves them: `GET /metrics`, `/livez` and `/readyz`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus::{
    Encoder, Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry,
    TEXT_FORMAT, TextEncoder,
};
use tokio::net::TcpListener;

use super::dispatcher::Figures;
use super::webhook::Kind;
use crate::failure::Failure;

/// The outcomes of requests, as labels.
const OUTCOMES: [&str; 3] = ["delivered", "failed", "gone"];

/// The metrics.
pub(super) struct Metrics {
    registry: Registry,
    /// Webhooks that were delivered, by kind.
    pub(super) delivered: IntCounterVec,
    /// Requests to the receiver, by outcome.
    pub(super) attempts: IntCounterVec,
    /// Time until the receiver answered.
    pub(super) duration: Histogram,
    /// Webhooks that were given up.
    pub(super) dead_letters: IntCounter,
    /// Cursors that had expired.
    pub(super) expired: IntCounter,
    queued: IntGauge,
    in_flight: IntGauge,
    failing: IntGauge,
    oldest: IntGauge,
    heard: IntGauge,
    is_following: AtomicBool,
}

impl Metrics {
    /// Registers all metrics, with every label that they can have.
    ///
    /// # Errors
    /// If two metrics have the same name.
    pub(super) fn new() -> Result<Self, Failure> {
        let failed = |error: prometheus::Error| Failure::Contract(error.to_string());
        Self::registered().map_err(failed)
    }

    fn registered() -> prometheus::Result<Self> {
        let registry = Registry::new();
        let gauge = |name, help| gauge(&registry, name, help);
        let counter = |name, help| counter(&registry, name, help);
        let duration = Histogram::with_opts(HistogramOpts::new(
            "gamekeeper_forward_request_duration_seconds",
            "Time from sending a webhook until its answer",
        ))?;
        registry.register(Box::new(duration.clone()))?;
        Ok(Self {
            delivered: counters(
                &registry,
                "gamekeeper_forward_delivered_total",
                "Webhooks that the receiver took, by kind",
                "kind",
                &Kind::ALL.map(Kind::name),
            )?,
            attempts: counters(
                &registry,
                "gamekeeper_forward_requests_total",
                "Requests to the receiver, by outcome",
                "outcome",
                &OUTCOMES,
            )?,
            duration,
            dead_letters: counter(
                "gamekeeper_forward_dead_letters_total",
                "Webhooks that were given up and written to the file of dead letters",
            )?,
            expired: counter(
                "gamekeeper_forward_cursors_expired_total",
                "Times that the cursor of the feed had expired, so that lists were read instead",
            )?,
            queued: gauge(
                "gamekeeper_forward_queued",
                "Webhooks that are not delivered yet",
            )?,
            in_flight: gauge(
                "gamekeeper_forward_requests_in_flight",
                "Requests to the receiver in progress",
            )?,
            failing: gauge(
                "gamekeeper_forward_failing_games",
                "Games whose next webhook has failed and is tried again",
            )?,
            oldest: gauge(
                "gamekeeper_forward_oldest_timestamp_seconds",
                "When the oldest webhook that is not delivered happened, in seconds since the Unix epoch; 0: none",
            )?,
            heard: gauge(
                "gamekeeper_forward_feed_timestamp_seconds",
                "When the feed sent its last message, in seconds since the Unix epoch; 0: never. It sends one every 15 seconds",
            )?,
            is_following: AtomicBool::new(false),
            registry,
        })
    }

    /// Notes the figures of the queues.
    pub(super) fn set(&self, figures: Figures) {
        let set =
            |gauge: &IntGauge, value: usize| gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
        set(&self.queued, figures.queued);
        set(&self.in_flight, figures.in_flight);
        set(&self.failing, figures.failing);
        let oldest = figures.oldest_ms.unwrap_or(0) / 1_000;
        self.oldest.set(i64::try_from(oldest).unwrap_or(i64::MAX));
    }

    /// Notes that the feed sent something at this time, in milliseconds since the Unix epoch.
    pub(super) fn set_heard(&self, now_ms: u64) {
        self.heard
            .set(i64::try_from(now_ms / 1_000).unwrap_or(i64::MAX));
    }

    /// Notes that the feed is followed.
    pub(super) fn set_following(&self) {
        self.is_following.store(true, Ordering::Relaxed);
    }

    fn text(&self) -> prometheus::Result<Vec<u8>> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text)?;
        Ok(text)
    }
}

fn gauge(registry: &Registry, name: &str, help: &str) -> prometheus::Result<IntGauge> {
    let gauge = IntGauge::new(name, help)?;
    registry.register(Box::new(gauge.clone()))?;
    Ok(gauge)
}

fn counter(registry: &Registry, name: &str, help: &str) -> prometheus::Result<IntCounter> {
    let counter = IntCounter::new(name, help)?;
    registry.register(Box::new(counter.clone()))?;
    Ok(counter)
}

/// Registers a counter for each value of a label.
fn counters(
    registry: &Registry,
    name: &str,
    help: &str,
    label: &str,
    values: &[&str],
) -> prometheus::Result<IntCounterVec> {
    let counters = IntCounterVec::new(Opts::new(name, help), &[label])?;
    registry.register(Box::new(counters.clone()))?;
    for value in values {
        counters.with_label_values(&[*value]);
    }
    Ok(counters)
}

/// Serves the metrics at this address, `host:port`, until the program ends. Returns the address.
///
/// # Errors
/// If the address cannot be used.
pub(super) async fn serve(address: &str, metrics: Arc<Metrics>) -> Result<String, Failure> {
    let wrong =
        |error: std::io::Error| Failure::Usage(format!("--admin-listen {address}: {error}"));
    let listener = TcpListener::bind(address).await.map_err(wrong)?;
    let bound = listener.local_addr().map_err(wrong)?.to_string();
    let router = Router::new()
        .route("/metrics", get(text))
        .route("/livez", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .with_state(metrics);
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(bound)
}

async fn text(State(metrics): State<Arc<Metrics>>) -> Response {
    match metrics.text() {
        Ok(text) => ([(header::CONTENT_TYPE, TEXT_FORMAT)], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

async fn ready(State(metrics): State<Arc<Metrics>>) -> (StatusCode, &'static str) {
    match metrics.is_following.load(Ordering::Relaxed) {
        true => (StatusCode::OK, "ok\n"),
        false => (
            StatusCode::SERVICE_UNAVAILABLE,
            "the feed has not been reached yet\n",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_there_from_the_beginning() {
        let metrics = Metrics::new().unwrap();
        metrics.set(Figures {
            queued: 3,
            oldest_ms: Some(5_999),
            ..Figures::default()
        });
        let text = String::from_utf8(metrics.text().unwrap()).unwrap();
        for line in [
            "gamekeeper_forward_delivered_total{kind=\"due_soon\"} 0",
            "gamekeeper_forward_requests_total{outcome=\"gone\"} 0",
            "gamekeeper_forward_dead_letters_total 0",
            "gamekeeper_forward_queued 3",
            "gamekeeper_forward_oldest_timestamp_seconds 5",
        ] {
            assert!(text.lines().any(|one| one == line), "{line}\n{text}");
        }
    }

    #[test]
    fn the_page_lists_every_metric() {
        let page = include_str!("../../../../deploy/MONITORING.md");
        let (_, table) = page.split_once("<!-- metrics of forward -->").unwrap();
        let (table, _) = table
            .split_once("<!-- end of metrics of forward -->")
            .unwrap();
        let rows: Vec<&str> = table
            .lines()
            .filter(|line| line.starts_with("| `"))
            .collect();
        let metrics = Metrics::new().unwrap();
        let expected = metrics.registry.gather().into_iter().map(|family| {
            let labels = family.get_metric()[0].get_label().iter();
            let labels: Vec<_> = labels.map(|label| format!("`{}`", label.name())).collect();
            let kind = format!("{:?}", family.get_field_type()).to_lowercase();
            format!(
                "| `{}` | {kind} | {} | {} |",
                family.name(),
                labels.join(" "),
                family.help()
            )
        });
        assert_eq!(rows, expected.collect::<Vec<_>>());
    }
}
