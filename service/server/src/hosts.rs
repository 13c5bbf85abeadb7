//! A guard against **DNS rebinding**: a web page of another origin can make its own host name resolve to our address,
//! and the browser then treats its requests as same-origin.
//!
//! Such a request names that host. So where no other protection exists, requests must name an IP address, or
//! localhost. Browsers use HTTP/2 only with TLS, where the certificate names the host: only HTTP/1 is checked.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::http::header::{HOST, ORIGIN};
use axum::http::{self, HeaderValue, StatusCode, Version};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::future::{Either, Ready, ready};
use tonic::body::Body;
use tower::{Layer, Service};

/// Whether this request names a host that may belong to an attacker.
fn is_untrusted_host<B>(request: &http::Request<B>) -> bool {
    if request.version() >= Version::HTTP_2 {
        return false;
    }
    let host = request
        .headers()
        .get(HOST)
        .and_then(|host| host.to_str().ok());
    let host = host.or(request.uri().host());
    !host.is_some_and(is_address)
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

/// A layer for the port of the service that refuses foreign hosts, except for pages of allowed origins.
#[derive(Clone)]
pub(crate) struct HostGuard(pub(crate) Arc<[HeaderValue]>);

impl<S> Layer<S> for HostGuard {
    type Service = HostGuardService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        let allowed = Arc::clone(&self.0);
        HostGuardService { inner, allowed }
    }
}

/// A service inside of [`HostGuard`].
#[derive(Clone)]
pub(crate) struct HostGuardService<S> {
    inner: S,
    allowed: Arc<[HeaderValue]>,
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
            && origin().is_none_or(|origin| !self.allowed.contains(origin))
        {
            let mut refused = http::Response::default();
            *refused.status_mut() = StatusCode::FORBIDDEN;
            return Either::Right(ready(Ok(refused)));
        }
        Either::Left(self.inner.call(request))
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

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
        let guarded = HostGuard([allowed].into()).layer(service);
        let status = async |version, headers: &[(http::HeaderName, &str)]| {
            let mut request = http::Request::builder().version(version);
            for (name, value) in headers {
                request = request.header(name, *value);
            }
            let request = request.body(Body::empty()).unwrap();
            guarded.clone().oneshot(request).await.unwrap().status()
        };
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
        assert_eq!(status(new, &[foreign]).await, 200);
    }
}
