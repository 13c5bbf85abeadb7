//! The gRPC request that a request in JSON stands for.

use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt, LengthLimitError, Limited, StreamBody};
use hyper::body::Frame;
use prost_reflect::MessageDescriptor;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::header::{
    ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue, TE,
};
use tonic::codegen::http::{Request, Version};
use tonic::metadata::GRPC_CONTENT_TYPE;

use super::transcoding::framed;
use crate::grpc::reasons::Reason;
use crate::grpc::status::too_large;

/// A body that has nothing to transcode: a message without fields.
const EMPTY: Bytes = Bytes::from_static(&[0; 5]);

/// The request over gRPC. Its body is read, and found to be wrong, when the service reads it. An unknown method has no
/// `input`.
pub(super) fn of(
    request: Request<Body>,
    input: Option<MessageDescriptor>,
    max_bytes: usize,
) -> Request<Body> {
    let (mut head, body) = request.into_parts();
    let is_compressed = head
        .headers
        .get(CONTENT_ENCODING)
        .is_some_and(|coding| coding != "identity");
    translate(&mut head.headers);
    // The library takes gRPC over HTTP/2 alone.
    head.version = Version::HTTP_2;
    let message = stream::once(async move {
        if is_compressed {
            let message = "JSON must not be compressed";
            return Err(Reason::UNKNOWN_COMPRESSION.status(message, []));
        }
        read(body, input, max_bytes).await.map(Frame::data)
    });
    Request::from_parts(head, Body::new(StreamBody::new(message)))
}

fn translate(headers: &mut HeaderMap) {
    for other in [CONTENT_LENGTH, CONTENT_ENCODING, ACCEPT_ENCODING] {
        headers.remove(other);
    }
    headers.remove("grpc-encoding");
    headers.remove("grpc-accept-encoding");
    headers.insert(CONTENT_TYPE, GRPC_CONTENT_TYPE);
    headers.insert(TE, HeaderValue::from_static("trailers"));
    let timeout = headers.remove("connect-timeout-ms");
    let timeout = timeout
        .and_then(|millis| HeaderValue::try_from(format!("{}m", millis.to_str().ok()?)).ok());
    if let Some(timeout) = timeout {
        headers.insert("grpc-timeout", timeout);
    }
}

async fn read(body: Body, input: Option<MessageDescriptor>, max: usize) -> Result<Bytes, Status> {
    let read = Limited::new(body, max).collect().await;
    let json = read.map_err(|error| {
        if error.is::<LengthLimitError>() {
            return too_large(&format!("the request is larger than {max} bytes"));
        }
        Reason::MALFORMED_MESSAGE.status("the request broke off", [])
    })?;
    match input {
        Some(input) => framed(input, &json.to_bytes()),
        None => Ok(EMPTY),
    }
}
