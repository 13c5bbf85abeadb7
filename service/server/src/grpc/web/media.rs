//! HTTP responses outside of gRPC.

use http_body_util::Full;
use tonic::body::Body;
use tonic::codegen::http::header::{ACCEPT, ALLOW, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use tonic::codegen::http::{Response, StatusCode, response};

/// The media type of one message.
pub(super) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The media type of a stream with one message a line.
pub(super) const LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson");

const TEXT: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// The media types that the service accepts.
const ACCEPTED: HeaderValue =
    HeaderValue::from_static("application/grpc, application/grpc-web, application/json");

/// Headers that have a meaning only in gRPC or describe its body.
const OF_GRPC: [&str; 4] = [
    "grpc-status",
    "grpc-message",
    "grpc-status-details-bin",
    "grpc-encoding",
];

/// Builds a response with this body, without the headers that have a meaning only in gRPC.
pub(super) fn response_with(
    mut head: response::Parts,
    media: HeaderValue,
    body: Body,
) -> Response<Body> {
    for name in OF_GRPC {
        head.headers.remove(name);
    }
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_TYPE, media);
    Response::from_parts(head, body)
}

/// Builds a response with a sentence for people.
pub(super) fn plain_text(status: StatusCode, what: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::new(Full::from(what)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, TEXT);
    headers.insert(ALLOW, HeaderValue::from_static("POST"));
    headers.insert(ACCEPT, ACCEPTED);
    response
}
