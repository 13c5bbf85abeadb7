//! The playground: a page for trying out the service, on the admin port, if enabled.
//!
//! The page and its calls share one origin, so pages of other origins cannot call. The page is built
//! from `playground/`; it learns about games from the contract.

use std::net::{IpAddr, SocketAddr};

use axum::Router;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn, map_response};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{MethodRouter, get};
use gamekeeper_proto::DESCRIPTORS;
use tokio::net::TcpListener;
use tonic_web::GrpcWebLayer;
use tower::Layer;

use crate::auth::AuthConfig;
use crate::config::{Config, ConfigError};
use crate::grpc::{Edge, Services};

/// Nothing is fetched from elsewhere, and no other page can show this one in a frame.
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
    Bearers,
}

/// What the page needs to know about the service.
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
    /// The facts of a server with this configuration.
    pub(crate) fn of(config: &Config, listener: &TcpListener) -> Result<Self, ConfigError> {
        let guests = match config.auth_config()? {
            AuthConfig::Open => Guests::Everybody,
            AuthConfig::Tokens { .. } => Guests::Bearers,
        };
        let tls = config.tls.tls_cert_file.is_some();
        Ok(Self {
            listen: listener.local_addr().unwrap_or(config.listening.listen),
            scheme: if tls { "https" } else { "http" },
            guests,
        })
    }

    /// As JSON for the page. An unspecified address is replaced by one that can be called.
    fn json(self) -> String {
        let mut listen = self.listen;
        if listen.ip().is_unspecified() {
            listen.set_ip(IpAddr::from([127, 0, 0, 1]));
        }
        serde_json::json!({
            "url": format!("{}://{listen}", self.scheme),
            "tokens": self.guests == Guests::Bearers,
            "version": env!("CARGO_PKG_VERSION"),
        })
        .to_string()
    }
}

/// The page under `/playground/`, and its calls under `/playground/api/`.
pub(crate) fn router(calls: Services, edge: &Edge, facts: Facts) -> Router {
    let calls = GrpcWebLayer::new().layer(edge.layer(calls));
    let router = Router::new()
        .route(
            "/playground",
            get(async || Redirect::permanent("/playground/")),
        )
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
        .nest_service("/playground/api", calls)
        .layer(map_response(guarded));
    match facts.guests {
        Guests::Everybody => router.layer(from_fn(by_address)),
        Guests::Bearers => router,
    }
}

fn file(
    kind: &'static str,
    content: impl IntoResponse + Clone + Send + Sync + 'static,
) -> MethodRouter {
    get(async move || ([(CONTENT_TYPE, kind)], content))
}

async fn guarded(mut response: Response) -> Response {
    response.headers_mut().extend(HEADERS);
    response
}

/// Without tokens, a page of another origin could make its own host name resolve to our address and
/// call as if it were ours (DNS rebinding). So the page must be requested by an IP address, or as
/// localhost.
async fn by_address(request: Request, next: Next) -> Response {
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    if host.or(request.uri().host()).is_some_and(is_address) {
        return next.run(request).await;
    }
    let text =
        "With --auth open the playground is found by address alone, such as http://127.0.0.1.\n";
    (StatusCode::FORBIDDEN, text).into_response()
}

fn is_address(host: &str) -> bool {
    let bare = host.rsplit_once(':').map_or(host, |(bare, _port)| bare);
    host == "localhost"
        || bare == "localhost"
        || host.parse::<SocketAddr>().is_ok()
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_and_localhost_are_addresses() {
        for host in [
            "localhost",
            "localhost:80",
            "127.0.0.1",
            "127.0.0.1:80",
            "[::1]",
            "[::1]:80",
        ] {
            assert!(is_address(host), "{host}");
        }
        for host in [
            "",
            "example.org",
            "example.org:80",
            "127.0.0.1.example.org",
            "localhost.example.org:80",
            "localhost:80:80",
        ] {
            assert!(!is_address(host), "{host}");
        }
    }

    #[test]
    fn an_unspecified_address_is_not_shown() {
        let facts = Facts {
            listen: SocketAddr::from(([0, 0, 0, 0], 50051)),
            scheme: "https",
            guests: Guests::Bearers,
        };
        let told: serde_json::Value = serde_json::from_str(&facts.json()).unwrap();
        assert_eq!(told["url"], "https://127.0.0.1:50051");
        assert_eq!(told["tokens"], true);
    }
}
