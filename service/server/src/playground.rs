//! The playground: a page for trying out the service, on the admin port, if enabled.
//!
//! The page and its calls share one origin, so pages of other origins cannot call. The page is built
//! from `playground/`; it learns about games from the contract.

use std::net::{IpAddr, SocketAddr};

use axum::Router;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::{from_fn, map_response};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, get};
use gamekeeper_proto::DESCRIPTORS;
use tokio::net::TcpListener;
use tonic::body::Body;
use tower::{Layer, ServiceExt};
use tower_http::compression::CompressionLayer;

use crate::auth::AuthConfig;
use crate::config::{Config, ConfigError};
use crate::grpc::{Edge, Services, Web};
use crate::hosts::require_trusted_host;
use crate::version::VERSION;

/// The **content security policy**: the page fetches nothing from elsewhere, and no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
];

/// Access to the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guests {
    /// Anyone who can reach the port.
    Everybody,
    /// Anyone with a token; the page asks for it.
    Callers,
}

/// The facts about the service that the page needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// The address of the service.
    pub(crate) listen: SocketAddr,
    /// `http` or `https`.
    pub(crate) scheme: &'static str,
    /// Access to the page.
    pub(crate) guests: Guests,
}

impl Facts {
    /// Returns the facts of a server with this configuration.
    pub(crate) fn of(config: &Config, listener: &TcpListener) -> Result<Self, ConfigError> {
        let guests = match config.auth_config()? {
            AuthConfig::Open => Guests::Everybody,
            AuthConfig::Tokens { .. } => Guests::Callers,
        };
        let tls = config.tls.tls_cert_file.is_some();
        Ok(Self {
            listen: listener.local_addr().unwrap_or(config.listening.listen),
            scheme: if tls { "https" } else { "http" },
            guests,
        })
    }

    /// Returns the facts as JSON for the page. Replaces an unspecified address by one that can be called.
    fn json(self) -> String {
        let mut listen = self.listen;
        if listen.ip().is_unspecified() {
            listen.set_ip(IpAddr::from([127, 0, 0, 1]));
        }
        serde_json::json!({
            "url": format!("{}://{listen}", self.scheme),
            "tokens": self.guests == Guests::Callers,
            "version": VERSION,
        })
        .to_string()
    }
}

/// Serves the page under `/playground/`, and its calls under `/playground/api/`.
pub(crate) fn router(calls: Services, (web, edge): (&Web, &Edge), facts: Facts) -> Router {
    let calls = web.layer(edge.layer(calls));
    let calls = calls.map_request(|request: Request| request.map(Body::new));
    let router = files(facts)
        .route(
            "/playground",
            get(async || Redirect::permanent("/playground/")),
        )
        .nest_service("/playground/api", calls)
        .layer(map_response(with_security_headers));
    match facts.guests {
        Guests::Everybody => router.layer(from_fn(require_trusted_host)),
        Guests::Callers => router,
    }
}

/// Serves the files of the page, compressed: a fifth of their bytes.
fn files(facts: Facts) -> Router {
    Router::new()
        .route(
            "/playground/",
            file(
                "text/html; charset=utf-8",
                include_str!("../playground/index.html"),
            ),
        )
        .route(
            "/playground/playground.css",
            file("text/css", include_str!("../playground/playground.css")),
        )
        .route(
            "/playground/playground.js",
            file(
                "text/javascript",
                include_str!("../playground/dist/playground.js"),
            ),
        )
        .route(
            "/playground/descriptors.bin",
            file("application/octet-stream", DESCRIPTORS),
        )
        .route(
            "/playground/facts.json",
            file("application/json", facts.json()),
        )
        .layer(CompressionLayer::new().no_br().no_zstd())
}

fn file(
    kind: &'static str,
    content: impl IntoResponse + Clone + Send + Sync + 'static,
) -> MethodRouter {
    get(async move || ([(CONTENT_TYPE, kind)], content))
}

async fn with_security_headers(mut response: Response) -> Response {
    response.headers_mut().extend(HEADERS);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unspecified_address_is_not_shown() {
        let facts = Facts {
            listen: SocketAddr::from(([0, 0, 0, 0], 50051)),
            scheme: "https",
            guests: Guests::Callers,
        };
        let parsed: serde_json::Value = serde_json::from_str(&facts.json()).unwrap();
        assert_eq!(parsed["url"], "https://127.0.0.1:50051");
        assert_eq!(parsed["tokens"], true);
    }
}
