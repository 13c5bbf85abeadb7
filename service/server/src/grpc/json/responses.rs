//! Responses outside gRPC.

use http_body_util::Full;
use tonic::body::Body;
use tonic::codegen::http::header::{ACCEPT, ALLOW, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use tonic::codegen::http::{Response, StatusCode, response};

/// One message.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// A line for each message.
pub(super) const LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson");

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// What the service understands.
const UNDERSTOOD: HeaderValue =
    HeaderValue::from_static("application/grpc, application/grpc-web, application/json");

/// Headers that have a meaning in gRPC alone, or that say something of its body.
const OF_GRPC: [&str; 4] = [
    "grpc-status",
    "grpc-message",
    "grpc-status-details-bin",
    "grpc-encoding",
];

/// A response with this body, and the headers that have a meaning outside gRPC.
pub(super) fn with(mut head: response::Parts, media: HeaderValue, body: Body) -> Response<Body> {
    for name in OF_GRPC {
        head.headers.remove(name);
    }
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_TYPE, media);
    Response::from_parts(head, body)
}

/// A sentence for people.
pub(super) fn said(status: StatusCode, what: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::new(Full::from(what)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, TEXT);
    headers.insert(ALLOW, HeaderValue::from_static("POST"));
    headers.insert(ACCEPT, UNDERSTOOD);
    response
}
