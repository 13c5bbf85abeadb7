//! Transcoding of gRPC responses to JSON.

use bytes::{Buf, Bytes, BytesMut};
use futures_util::stream;
use gamekeeper_games::scheduling::schedule;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use prost_reflect::{MessageDescriptor, MethodDescriptor};
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, Response};
use tonic::{Code, Status};

use super::media::{JSON, LINES, response_with};
use super::transcoding::json;
use super::{Payer, error};
use crate::grpc::status::fault;
use crate::grpc::unary::HEADER_SIZE;

/// Converts the response to a call of this method to JSON.
pub(super) async fn of(
    response: Response<Body>,
    method: Option<&MethodDescriptor>,
    payer: &Payer,
) -> Response<Body> {
    let (head, body) = response.into_parts();
    match (failed(&head.headers), method) {
        (Err(status), _) => error::of(head, &status),
        (Ok(()), None) => error::of(head, &fault("an unknown method has answered")),
        (Ok(()), Some(method)) if method.is_server_streaming() => {
            response_with(head, LINES, json_lines(body, method.output()))
        }
        (Ok(()), Some(method)) => match unary_json(body, method.output(), payer).await {
            Ok(json) => response_with(head, JSON, Body::new(Full::new(json.into()))),
            Err(status) => error::of(head, &status),
        },
    }
}

/// Returns the status in headers or trailers as an error, if it is one.
fn failed(headers: &HeaderMap) -> Result<(), Status> {
    match Status::from_header_map(headers) {
        Some(status) if status.code() != Code::Ok => Err(status),
        Some(_) | None => Ok(()),
    }
}

async fn unary_json(
    body: Body,
    output: MessageDescriptor,
    payer: &Payer,
) -> Result<Vec<u8>, Status> {
    let read = body.collect().await?;
    failed(read.trailers().unwrap_or(&HeaderMap::new()))?;
    let mut bytes = BytesMut::from(read.to_bytes());
    let message = message(&mut bytes).ok_or_else(|| fault("an answer without a message"))?;
    schedule(payer.task(), Box::pin(json(output, message))).await
}

/// A stream whose messages are transcoded one by one.
struct JsonLines {
    body: Body,
    output: MessageDescriptor,
    /// The bytes received of the next message.
    buffer: BytesMut,
    has_ended: bool,
}

/// Converts a body to one line for each message, and a last line if the stream ends with an error.
fn json_lines(body: Body, output: MessageDescriptor) -> Body {
    let messages = JsonLines {
        body,
        output,
        buffer: BytesMut::new(),
        has_ended: false,
    };
    let messages = stream::unfold(messages, async |mut messages| {
        let bytes = messages.next().await?;
        Some((Ok::<_, Status>(Frame::data(bytes)), messages))
    });
    Body::new(StreamBody::new(messages))
}

impl JsonLines {
    async fn next(&mut self) -> Option<Bytes> {
        if self.has_ended {
            return None;
        }
        let mut bytes = match self.message().await {
            Ok(Some(json)) => json,
            Ok(None) => {
                self.has_ended = true;
                return None;
            }
            Err(status) => {
                self.has_ended = true;
                error::error_line(&status)
            }
        };
        bytes.push(b'\n');
        Some(bytes.into())
    }

    /// Returns the next message, or `None` after the last.
    async fn message(&mut self) -> Result<Option<Vec<u8>>, Status> {
        loop {
            if let Some(message) = message(&mut self.buffer) {
                return json(self.output.clone(), message).await.map(Some);
            }
            let Some(frame) = self.body.frame().await else {
                return Ok(None);
            };
            match frame?.into_data() {
                Ok(data) => self.buffer.extend_from_slice(&data),
                Err(frame) => {
                    failed(frame.trailers_ref().unwrap_or(&HeaderMap::new()))?;
                    return Ok(None);
                }
            }
        }
    }
}

/// Removes the first message from these bytes, if it is complete.
fn message(bytes: &mut BytesMut) -> Option<Bytes> {
    let header = bytes.first_chunk::<HEADER_SIZE>()?;
    let [_, length @ ..] = *header;
    let length = usize::try_from(u32::from_be_bytes(length)).ok()?;
    if bytes.len() < HEADER_SIZE + length {
        return None;
    }
    bytes.advance(HEADER_SIZE);
    Some(bytes.split_to(length).freeze())
}
