//! Transcoding of JSON requests to gRPC.

use bytes::Bytes;
use futures_util::future::lazy;
use futures_util::stream;
use gamekeeper_games::scheduling::schedule;
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

use super::Payer;
use super::transcoding::framed;
use crate::grpc::reasons::Reason;
use crate::grpc::status::too_large;

/// The gRPC body of a message without fields, used if there is nothing to transcode.
const EMPTY: Bytes = Bytes::from_static(&[0; 5]);

/// Converts a request to gRPC. Its body is read and checked when the service reads it. `input` is `None` for an
/// unknown method.
pub(super) fn of(
    request: Request<Body>,
    input: Option<MessageDescriptor>,
    max_bytes: usize,
    payer: Payer,
) -> Request<Body> {
    let (mut head, body) = request.into_parts();
    let is_compressed = head
        .headers
        .get(CONTENT_ENCODING)
        .is_some_and(|coding| coding != "identity");
    translate(&mut head.headers);
    // The library accepts gRPC only over HTTP/2.
    head.version = Version::HTTP_2;
    let message = stream::once(async move {
        if is_compressed {
            let message = "JSON must not be compressed";
            return Err(Reason::UNKNOWN_COMPRESSION.status(message, []));
        }
        let json = read(body, max_bytes).await?;
        let Some(input) = input else {
            return Ok(Frame::data(EMPTY));
        };
        // The caller is admitted by now.
        let framed = schedule(payer.task(), lazy(|_| framed(input, &json))).await;
        framed.map(Frame::data)
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

async fn read(body: Body, max: usize) -> Result<Bytes, Status> {
    let read = Limited::new(body, max).collect().await;
    let json = read.map_err(|error| {
        if error.is::<LengthLimitError>() {
            return too_large(&format!("the request is larger than {max} bytes"));
        }
        Reason::MALFORMED_MESSAGE.status("the request broke off", [])
    })?;
    Ok(json.to_bytes())
}
