//! The admin port: health probes, metrics, usage of accounts and a way to stop them, the log filter, and backups. It
//! speaks plain text, for use inside a cluster, and serves nothing to players.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Router, serve};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use crate::grpc::NO_SUCH_METHOD;
use crate::health::Probes;
use crate::hosts::require_trusted_host;
use crate::telemetry::Telemetry;

/// The maximum length of a log filter, in bytes.
const MAX_FILTER_LEN: usize = 4_096;

/// Returns the routes of this port. More can be merged into it.
pub fn router(health: Routes, probes: Probes, telemetry: Arc<Telemetry>) -> Router {
    let (ready, alive) = (probes.clone(), probes);
    let log = get(log_filter)
        .put(set_log_filter)
        .layer(from_fn(require_trusted_host));
    Router::new()
        .route("/metrics", get(metrics))
        .route("/log", log)
        .layer(axum::extract::DefaultBodyLimit::max(MAX_FILTER_LEN))
        .with_state(telemetry)
        .route(
            "/readyz",
            get(async move || probe_response(ready.is_ready())),
        )
        .route(
            "/livez",
            get(async move || probe_response(alive.is_alive())),
        )
        .merge(health.into_axum_router().fallback(unknown))
}

/// Returns the answer to a probe over plain HTTP.
fn probe_response(is_healthy: bool) -> (StatusCode, &'static str) {
    if is_healthy {
        (StatusCode::OK, "ok\n")
    } else {
        (
            StatusCode::SERVICE_UNAVAILABLE,
            "the store is unavailable, or the server is shutting down\n",
        )
    }
}

/// Returns an answer as JSON.
pub(crate) fn json(body: &impl Serialize) -> Response {
    match serde_json::to_string(body) {
        Ok(text) => {
            let kind = (header::CONTENT_TYPE, "application/json");
            ([kind], text + "\n").into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// Returns the answer for unknown paths, in the protocol of the request.
async fn unknown(request: Request) -> Response {
    let kind = request.headers().get(header::CONTENT_TYPE);
    if kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc")) {
        return tonic::Status::unimplemented(NO_SUCH_METHOD).into_http();
    }
    let message = "not found; there are /metrics, /top, /cut, /log, /backup, /livez and /readyz\n";
    (StatusCode::NOT_FOUND, message).into_response()
}

/// Serves until the server closes.
pub fn start(
    listener: TcpListener,
    router: Router,
    closing: CancellationToken,
) -> JoinHandle<std::io::Result<()>> {
    let closed = async move { closing.cancelled().await };
    tokio::spawn(async move { serve(listener, router).with_graceful_shutdown(closed).await })
}

/// `GET /metrics`: all metrics, for Prometheus.
async fn metrics(State(telemetry): State<Arc<Telemetry>>) -> Response {
    match telemetry.prometheus() {
        Ok(text) => {
            let kind = (header::CONTENT_TYPE, prometheus::TEXT_FORMAT);
            ([kind], text).into_response()
        }
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

/// `GET /log`: the current log filter.
async fn log_filter(State(telemetry): State<Arc<Telemetry>>) -> String {
    telemetry.log_filter() + "\n"
}

/// `PUT /log`: sets the log filter, until the process ends.
async fn set_log_filter(State(telemetry): State<Arc<Telemetry>>, filter: String) -> Response {
    match telemetry.set_log_filter(filter.trim()) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, format!("{error}\n")).into_response(),
    }
}
