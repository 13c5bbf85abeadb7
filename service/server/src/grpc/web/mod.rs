//! Calls as pages, proxies and scripts make them: **gRPC-Web**, and plain JSON.
//!
//! Such a call is converted to the equivalent gRPC call and takes the same path, so admission, limits and deadlines
//! are those of gRPC. Its bytes are converted on the way in and out, and its response is compressed as HTTP is: in turns
//! that the caller pays for.

mod content_coding;
mod json;
mod media;
mod payer;
mod response;

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::Either;
pub(super) use payer::Payer;
use tonic::body::Body;
use tonic::codegen::http::header::CONTENT_TYPE;
use tonic::codegen::http::{Method, Request, Response, StatusCode, Version};
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service};

use self::content_coding::Compressors;
use self::json::JsonService;
use self::media::plain_text;
use self::response::Outgoing;
use super::unary::ResponseFuture;

/// The text for requests in other protocols.
const USAGE: &str = "This is the service of Gamekeeper. Call it with gRPC, with gRPC-Web, or with JSON:\n\
    curl -H 'content-type: application/json' -d '{}' http://HOST:PORT/gamekeeper.v1.RulesetService/ListRulesets\n";
const NEEDS_HTTP_2: &str = "gRPC needs HTTP/2. Over HTTP/1.1, use gRPC-Web or JSON.\n";

/// A layer that accepts gRPC-Web and JSON beside gRPC.
#[derive(Clone)]
pub struct Web(Arc<WebSettings>);

struct WebSettings {
    /// The maximum size of a request in JSON, in bytes.
    max_bytes: usize,
    compressors: Compressors,
}

impl Web {
    /// Creates the layer, for requests of at most this many bytes. Clones share their compressors.
    #[must_use]
    pub fn new(max_bytes: usize) -> Self {
        Self(Arc::new(WebSettings {
            max_bytes,
            compressors: Compressors::new(),
        }))
    }
}

impl<S> Layer<S> for Web
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
    S::Future: Send + 'static,
{
    type Service = WebService<S>;

    fn layer(&self, grpc: S) -> Self::Service {
        let settings = Arc::clone(&self.0);
        WebService { grpc, settings }
    }
}

/// A gRPC service inside of [`Web`]. It is cloned for each call.
#[derive(Clone)]
pub struct WebService<S> {
    grpc: S,
    settings: Arc<WebSettings>,
}

impl<S> Service<Request<Body>> for WebService<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible> + Clone,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<S::Future, ResponseFuture>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.grpc.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let protocol = match Protocol::of(&request) {
            Protocol::Grpc => return Either::Left(self.grpc.call(request)),
            protocol @ (Protocol::GrpcWeb | Protocol::Json | Protocol::Other(..)) => protocol,
        };
        let outgoing = Outgoing::to(&mut request, &self.settings.compressors);
        let grpc = self.grpc.clone();
        let response: ResponseFuture = match protocol {
            Protocol::Grpc | Protocol::GrpcWeb => {
                Box::pin(GrpcWebLayer::new().layer(grpc).call(request))
            }
            Protocol::Json => {
                let mut json = JsonService::new(grpc, self.settings.max_bytes);
                json.call(request, outgoing.payer.clone())
            }
            Protocol::Other(status, what) => {
                Box::pin(std::future::ready(Ok(plain_text(status, what))))
            }
        };
        Either::Right(Box::pin(async move {
            let response = response.await?;
            Ok(outgoing.send(response).await)
        }))
    }
}

/// The protocol of a request.
enum Protocol {
    Grpc,
    GrpcWeb,
    Json,
    /// Another protocol, which gets this status and text.
    Other(StatusCode, &'static str),
}

impl Protocol {
    fn of(request: &Request<Body>) -> Self {
        let content_type = request.headers().get(CONTENT_TYPE);
        let content_type = content_type.and_then(|content_type| content_type.to_str().ok());
        let media = content_type.map(|text| text.split(';').next().unwrap_or_default().trim());
        match media {
            Some(media) if media.starts_with("application/grpc-web") => Self::GrpcWeb,
            Some(media) if media.starts_with("application/grpc") => {
                if request.version() < Version::HTTP_2 {
                    return Self::Other(StatusCode::BAD_REQUEST, NEEDS_HTTP_2);
                }
                Self::Grpc
            }
            _ if request.method() != Method::POST => {
                Self::Other(StatusCode::METHOD_NOT_ALLOWED, USAGE)
            }
            Some(media) if media.eq_ignore_ascii_case("application/json") => Self::Json,
            Some(_) | None => Self::Other(StatusCode::UNSUPPORTED_MEDIA_TYPE, USAGE),
        }
    }
}
