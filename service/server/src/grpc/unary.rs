//! Unary calls: one message in, one message out, each in one piece of memory.
//!
//! The library treats every call as a stream: it allocates a buffer for each direction, copies the message through it,
//! and keeps the request meanwhile. Only unusual requests are left to it.

use std::convert::Infallible;
use std::future::Future;
use std::mem;
use std::pin::Pin;

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use gamekeeper_games::scheduling;
use gamekeeper_proto::Pb;
use http_body_util::{BodyExt, BodyStream, StreamBody};
use hyper::body::Frame;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Body as _;
use tonic::codegen::http::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use tonic::codegen::http::{Request, Response};
use tonic::metadata::GRPC_CONTENT_TYPE;

use super::status::fault;

/// The future of a response.
pub(super) type ResponseFuture =
    Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// The size of the header before each message, in bytes: a flag, and the length of the message.
pub(super) const HEADER_SIZE: usize = 5;

/// The initial capacity for a response, in bytes; enough for most.
const ROOM: usize = 2 * 1024;

/// Decodes the message of a request whose body is present in one piece, as admission leaves it. Returns `None` if the
/// request is compressed or cannot be decoded; it then still has its body.
pub(super) fn read<Q: Pb>(request: &mut Request<Body>) -> Option<Q> {
    if request.headers().contains_key("grpc-encoding") {
        return None;
    }
    let body = request.body_mut();
    let data = body.frame().now_or_never()??.ok()?.into_data().ok()?;
    let message = message(&data).and_then(|message| Q::decode(message).ok());
    if message.is_some() && body.is_end_stream() {
        return message;
    }
    let remaining = BodyStream::new(mem::take(body));
    let again = stream::iter([Ok(Frame::data(data))]).chain(remaining);
    *body = Body::new(StreamBody::new(again));
    None
}

/// Returns the message in a body that consists of one uncompressed message.
fn message(body: &[u8]) -> Option<&[u8]> {
    let (header, message) = body.split_first_chunk::<HEADER_SIZE>()?;
    let [0, length @ ..] = header else {
        return None;
    };
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    (length == message.len()).then_some(message)
}

/// Builds the response to a call with this result.
pub(super) fn respond<A: Pb>(ended: Result<A, Status>) -> Response<Body> {
    let framed = ended.and_then(|message| framed(&message));
    let message = match framed {
        Ok(message) => message,
        Err(status) => return status.into_http(),
    };
    let good = HeaderValue::from_static("0");
    let trailers = HeaderMap::from_iter([(Status::GRPC_STATUS, good)]);
    // A stream, because it announces no length: gRPC-Web appends the trailers to the body.
    let frames = [Frame::data(message), Frame::trailers(trailers)];
    let body = StreamBody::new(stream::iter(frames.map(Ok::<_, Status>)));
    let mut response = Response::new(Body::new(body));
    response
        .headers_mut()
        .insert(CONTENT_TYPE, GRPC_CONTENT_TYPE);
    response
}

/// Encodes a message with its header.
fn framed<A: Pb>(message: &A) -> Result<Bytes, Status> {
    // A vector grows as needed, so the length of the message need not be computed first.
    let mut bytes = Vec::with_capacity(ROOM);
    bytes.extend([0; HEADER_SIZE]);
    message.encode_raw(&mut bytes);
    let length = u32::try_from(bytes.len() - HEADER_SIZE);
    let length = length.map_err(|_| fault("a response of more than 4 GiB"))?;
    scheduling::record_written(bytes.len());
    bytes[1..HEADER_SIZE].copy_from_slice(&length.to_be_bytes());
    Ok(bytes.into())
}

#[cfg(test)]
mod tests {
    use gamekeeper_proto::gamekeeper::v1::GetGameRequest;
    use http_body_util::Full;

    use super::*;

    fn question() -> GetGameRequest {
        GetGameRequest {
            game_id: String::from("a game"),
            ..GetGameRequest::default()
        }
    }

    fn request(body: impl Into<Bytes>) -> Request<Body> {
        Request::new(Body::new(Full::new(body.into())))
    }

    /// Returns the body that is left of a request that was not decoded.
    async fn left(mut request: Request<Body>) -> Bytes {
        let read = read::<GetGameRequest>(&mut request);
        assert_eq!(read, None);
        let body = request.into_body().collect().await.unwrap();
        body.to_bytes()
    }

    #[tokio::test]
    async fn what_is_written_is_read() {
        let response = respond(Ok(question()));
        assert_eq!(response.headers()["content-type"], "application/grpc");
        assert_eq!(response.body().size_hint().exact(), None);
        let body = response.into_body().collect().await.unwrap();
        let trailers = body.trailers().unwrap();
        assert_eq!(
            (trailers.len(), &trailers["grpc-status"]),
            (1, &"0".parse().unwrap())
        );
        let mut request = request(body.to_bytes());
        assert_eq!(read(&mut request), Some(question()));
    }

    #[tokio::test]
    async fn unusual_requests_are_left_as_they_are() {
        let usual = framed(&question()).unwrap();
        let compressed = [&[1], &usual[1..]].concat();
        let two = [&usual[..], &usual[..]].concat();
        let unreadable = [&usual[..HEADER_SIZE], &[255; 8]].concat();
        let short = usual.slice(..HEADER_SIZE - 1);
        for body in [
            Bytes::from(compressed),
            two.into(),
            unreadable.into(),
            short,
        ] {
            assert_eq!(left(request(body.clone())).await, body);
        }
        let mut zipped = request(usual.clone());
        zipped
            .headers_mut()
            .insert("grpc-encoding", HeaderValue::from_static("gzip"));
        assert_eq!(left(zipped).await, usual);
        assert_eq!(left(Request::new(Body::empty())).await, "");
    }

    #[tokio::test]
    async fn a_body_in_pieces_is_left_whole() {
        let usual = framed(&question()).unwrap();
        let pieces = [usual.slice(..7), usual.slice(7..)];
        let pieces = stream::iter(pieces.map(|piece| Ok::<_, Status>(Frame::data(piece))));
        let request = Request::new(Body::new(StreamBody::new(pieces)));
        assert_eq!(left(request).await, usual);
    }

    #[test]
    fn failures_have_a_status_alone() {
        let response = respond::<GetGameRequest>(Err(Status::aborted("late")));
        assert_eq!(response.headers()["grpc-status"], "10");
    }
}
