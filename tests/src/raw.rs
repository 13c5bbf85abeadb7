//! Calls with arbitrary bytes that no client library would send.

use bytes::{BufMut, Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use prost::Message;
use tonic::body::Body;
use tonic::codegen::Service;
use tonic::codegen::http::{HeaderMap, Request};
use tonic::{Code, Status};

use crate::contract::Method;
use crate::evidence::Channel;

/// The response to a raw call.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status of the call. A stream that is still open counts as OK.
    pub status: Status,
    /// The names of all headers and trailers.
    pub headers: Vec<String>,
    /// The beginning of the response, with its framing.
    pub body: Bytes,
}

/// Frames a message: the flag for no compression, the length, the bytes.
#[must_use]
pub fn framed(message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(message.len() + 5);
    frame.put_u8(0);
    frame.put_u32(u32::try_from(message.len()).unwrap_or(u32::MAX));
    frame.put_slice(message);
    frame.freeze()
}

/// Converts a message between its typed form and the raw form that leaves the messages of rulesets encoded.
///
/// # Panics
/// If the two forms have different fields.
#[must_use]
pub fn typed<T: Message + Default>(raw: &impl Message) -> T {
    T::decode(&*raw.encode_to_vec()).expect("the same message")
}

/// Calls a method. `body` is sent as it is. If the response is a stream, only its first message is read.
///
/// # Errors
/// If the connection breaks or the server aborts the stream.
///
/// # Panics
/// If the token or the path is not plain text.
pub async fn call(
    channel: &mut Channel,
    method: &Method,
    token: &str,
    body: Bytes,
) -> Result<Answer, Status> {
    let mut request = Request::post(method.path())
        .header("content-type", "application/grpc")
        .header("te", "trailers");
    if !token.is_empty() {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = request.body(Body::new(Full::new(body)));
    let broken = |error: &dyn std::fmt::Display| Status::unavailable(format!("broken: {error}"));
    std::future::poll_fn(|context| channel.poll_ready(context))
        .await
        .map_err(|error| broken(&error))?;
    let sent = channel.call(request.expect("a request"));
    let (head, mut body) = sent.await.map_err(|error| broken(&error))?.into_parts();
    let mut headers = names(&head.headers);
    if let Some(status) = Status::from_header_map(&head.headers) {
        return Ok(Answer {
            status,
            headers,
            body: Bytes::new(),
        });
    }
    let mut read = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| broken(&error))?;
        if let Some(trailers) = frame.trailers_ref() {
            headers.extend(names(trailers));
            let status = Status::from_header_map(trailers);
            return Ok(Answer {
                status: status.unwrap_or_else(|| Status::unknown("trailers without a status")),
                headers,
                body: read.freeze(),
            });
        }
        if let Ok(data) = frame.into_data() {
            read.extend_from_slice(&data);
        }
        if method.streams {
            return Ok(Answer {
                status: Status::new(Code::Ok, ""),
                headers,
                body: read.freeze(),
            });
        }
    }
    Err(Status::unknown("an answer without a status"))
}

fn names(headers: &HeaderMap) -> Vec<String> {
    let mut names: Vec<String> = headers.keys().map(ToString::to_string).collect();
    names.sort_unstable();
    names
}
