//! A guard against **DNS rebinding**: a web page of another origin can make its own host name resolve to our address,
//! and the browser then treats its requests as same-origin.
//!
//! Such a request names that host. So where no other protection exists, requests must name an IP address, or
//! localhost. Browsers use HTTP/2 only with TLS, where the certificate names the host: only HTTP/1 is checked.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, HOST, ORIGIN};
use axum::http::{self, HeaderValue, StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::future::{Either, Ready, ready};
use gamekeeper_telemetry::SharedLogRateLimiter;
use http_body_util::Full;
use tonic::body::Body;
use tower::{Layer, Service};

/// Whether this request names a host that may belong to an attacker.
fn is_untrusted_host<B>(request: &http::Request<B>) -> bool {
    if request.version() >= Version::HTTP_2 {
        return false;
    }
    !named_host(request).is_some_and(is_address)
}

/// Returns the host that this request names.
fn named_host<B>(request: &http::Request<B>) -> Option<&str> {
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    host.or(request.uri().host())
}

fn is_address(host: &str) -> bool {
    let bare = host.rsplit_once(':').map_or(host, |(bare, _port)| bare);
    host == "localhost"
        || bare == "localhost"
        || host.parse::<SocketAddr>().is_ok()
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

/// Middleware of the admin port that refuses foreign hosts.
pub(crate) async fn require_trusted_host(request: Request, next: Next) -> Response {
    if is_untrusted_host(&request) {
        let text = "Use an IP address or localhost, for example http://127.0.0.1:9090/playground/ or \
            http://127.0.0.1:9090/log.\n";
        return (StatusCode::FORBIDDEN, text).into_response();
    }
    next.run(request).await
}

/// The answer of the port of the service to foreign hosts.
const REFUSED: &str = "Without tokens and TLS, this server answers only requests that name it by its IP address or as \
    localhost, and pages of --cors-origins: the page of an attacker could call it by another name.\n";

/// The interval of log lines about foreign hosts.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// The maximum length of a host in the log, in characters.
const MAX_SHOWN: usize = 100;

/// A layer for the port of the service that refuses foreign hosts, except for pages of allowed origins.
#[derive(Clone)]
pub(crate) struct HostGuard {
    allowed: Arc<[HeaderValue]>,
    refused: Arc<SharedLogRateLimiter>,
}

impl HostGuard {
    /// Creates the guard that lets pages of these origins call.
    pub(crate) fn new(allowed: Vec<HeaderValue>) -> Self {
        Self {
            allowed: allowed.into(),
            refused: Arc::new(SharedLogRateLimiter::every(LOG_INTERVAL)),
        }
    }

    /// Refuses a request that names a foreign host.
    fn refuse<B>(&self, request: &http::Request<B>) -> http::Response<Body> {
        if let Some(times) = self.refused.should_log() {
            let host = named_host(request).unwrap_or_default();
            let host: String = host.chars().take(MAX_SHOWN).collect();
            tracing::warn!(
                host,
                times,
                "requests are refused because of the host that they name: use an IP address or localhost, TLS, \
                 or --auth tokens, or allow pages with --cors-origins"
            );
        }
        let mut response = http::Response::new(Body::new(Full::from(REFUSED)));
        *response.status_mut() = StatusCode::FORBIDDEN;
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, text);
        response
    }
}

impl<S> Layer<S> for HostGuard {
    type Service = HostGuardService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        let guard = self.clone();
        HostGuardService { inner, guard }
    }
}

/// A service inside of [`HostGuard`].
#[derive(Clone)]
pub(crate) struct HostGuardService<S> {
    inner: S,
    guard: HostGuard,
}

impl<S> Service<http::Request<Body>> for HostGuardService<S>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>>,
{
    type Response = http::Response<Body>;
    type Error = S::Error;
    type Future = Either<S::Future, Ready<Result<Self::Response, S::Error>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let origin = || request.headers().get(ORIGIN);
        if is_untrusted_host(&request)
            && origin().is_none_or(|origin| !self.guard.allowed.contains(origin))
        {
            return Either::Right(ready(Ok(self.guard.refuse(&request))));
        }
        Either::Left(self.inner.call(request))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use http_body_util::BodyExt;
    use tower::{ServiceExt, service_fn};

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

    #[tokio::test]
    async fn foreign_hosts_are_refused_unless_their_origin_is_allowed() {
        let service = service_fn(async |_| Ok::<_, Infallible>(http::Response::default()));
        let allowed = HeaderValue::from_static("http://example.org");
        let guarded = HostGuard::new(vec![allowed]).layer(service);
        let answer = async |version, headers: &[(http::HeaderName, &str)]| {
            let mut request = http::Request::builder().version(version);
            for (name, value) in headers {
                request = request.header(name, *value);
            }
            let request = request.body(Body::empty()).unwrap();
            guarded.clone().oneshot(request).await.unwrap()
        };
        let status = async |version, headers: &[_]| answer(version, headers).await.status();
        let foreign = (HOST, "example.org:50051");
        let origin = |origin| (ORIGIN, origin);
        let (old, new) = (Version::HTTP_11, Version::HTTP_2);
        assert_eq!(status(old, &[(HOST, "[::1]:50051")]).await, 200);
        assert_eq!(status(old, std::slice::from_ref(&foreign)).await, 403);
        assert_eq!(status(old, &[]).await, 403);
        let other = [foreign.clone(), origin("http://example.org:50051")];
        assert_eq!(status(old, &other).await, 403);
        let listed = [foreign.clone(), origin("http://example.org")];
        assert_eq!(status(old, &listed).await, 200);
        let refused = answer(old, std::slice::from_ref(&foreign)).await;
        assert_eq!(refused.headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
        let sentence = refused.into_body().collect().await.unwrap().to_bytes();
        assert!(sentence.ends_with(b".\n"), "{sentence:?}");
        assert_eq!(status(new, &[foreign]).await, 200);
    }
}
