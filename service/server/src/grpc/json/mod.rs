//! Plain JSON: the **Connect protocol** for unary calls, and one line of JSON for each message of a stream.
//!
//! A JSON call is converted to the equivalent gRPC call and takes the same path, so admission, limits and deadlines
//! are those of gRPC. Only its bytes are transcoded on the way in and out.

mod error;
mod media;
mod request;
mod response;
mod transcoding;

use std::convert::Infallible;
use std::task::{Context, Poll};

use futures_util::future::Either;
use prost_reflect::MethodDescriptor;
use tonic::body::Body;
use tonic::codegen::http::header::CONTENT_TYPE;
use tonic::codegen::http::{Method, Request, Response, StatusCode, Version};
use tower::{Layer, Service};

use self::media::plain_text;
use super::reasons::Reason;
use super::unary::ResponseFuture;

/// The text for requests in other protocols.
const USAGE: &str = "This is the service of Gamekeeper. Call it with gRPC, with gRPC-Web, or with JSON:\n\
    curl -H 'content-type: application/json' -d '{}' http://HOST:PORT/gamekeeper.v1.RulesetService/ListRulesets\n";
const NEEDS_HTTP_2: &str = "gRPC needs HTTP/2. Over HTTP/1.1, use gRPC-Web or JSON.\n";

/// A layer that accepts JSON, with requests of at most this many bytes.
#[derive(Clone, Copy)]
pub struct Json(pub usize);

impl<S> Layer<S> for Json {
    type Service = JsonService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        let max_bytes = self.0;
        JsonService { inner, max_bytes }
    }
}

/// A gRPC service inside of [`Json`].
#[derive(Clone)]
pub struct JsonService<S> {
    inner: S,
    max_bytes: usize,
}

impl<S> Service<Request<Body>> for JsonService<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Either<S::Future, ResponseFuture>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        match Protocol::of(&request) {
            Protocol::Grpc => Either::Left(self.inner.call(request)),
            Protocol::Json => Either::Right(self.call_json(request)),
            Protocol::Other(status, what) => {
                Either::Right(Box::pin(std::future::ready(Ok(plain_text(status, what)))))
            }
        }
    }
}

impl<S> JsonService<S>
where
    S: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
    S::Future: Send + 'static,
{
    fn call_json(&mut self, request: Request<Body>) -> ResponseFuture {
        let method = transcoding::method(request.uri().path());
        if method
            .as_ref()
            .is_some_and(MethodDescriptor::is_client_streaming)
        {
            let message = "this method reads a stream of requests: call it with gRPC";
            let status = Reason::UNKNOWN_METHOD.status(message, []);
            return Box::pin(std::future::ready(Ok(error::response(&status))));
        }
        let input = method.as_ref().map(MethodDescriptor::input);
        let response = self.inner.call(request::of(request, input, self.max_bytes));
        Box::pin(async move {
            let response = response.await?;
            Ok(response::of(response, method.as_ref()).await)
        })
    }
}

/// The protocol of a request.
enum Protocol {
    Grpc,
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
            Some(media) if media.starts_with("application/grpc-web") => Self::Grpc,
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
