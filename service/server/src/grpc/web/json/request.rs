//! Transcoding of JSON requests to gRPC.

use bytes::{Bytes, BytesMut};
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
/// unknown method. A stream has a message in each line, and `max_bytes` limits each of them.
pub(super) fn of(
    request: Request<Body>,
    input: Option<MessageDescriptor>,
    (max_bytes, is_stream): (usize, bool),
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
    let compressed = || {
        let message = "JSON must not be compressed";
        Reason::UNKNOWN_COMPRESSION.status(message, [])
    };
    if let Some(input) = input.clone().filter(|_| is_stream) {
        let lines = Lines::new(body, max_bytes);
        let messages = stream::try_unfold((lines, input, payer), move |state| async move {
            if is_compressed {
                return Err(compressed());
            }
            message_of_line(state).await
        });
        return Request::from_parts(head, Body::new(StreamBody::new(messages)));
    }
    let message = stream::once(async move {
        if is_compressed {
            return Err(compressed());
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

/// The lines of a body that is still arriving.
struct Lines {
    body: Body,
    /// The bytes that have arrived and are not a whole line yet.
    rest: BytesMut,
    /// The bytes of `rest` in which there is no end of a line.
    searched: usize,
    max_bytes: usize,
    is_over: bool,
}

impl Lines {
    fn new(body: Body, max_bytes: usize) -> Self {
        Self {
            body,
            rest: BytesMut::new(),
            searched: 0,
            max_bytes,
            is_over: false,
        }
    }

    /// Returns the next line that is not blank. Returns `None` after the last one.
    async fn next(&mut self) -> Result<Option<Bytes>, Status> {
        loop {
            let end = self.rest[self.searched..]
                .iter()
                .position(|byte| *byte == b'\n');
            let line = match end {
                Some(end) => self.rest.split_to(self.searched + end + 1),
                None if self.is_over && self.rest.is_empty() => return Ok(None),
                None if self.is_over => self.rest.split(),
                None if self.rest.len() > self.max_bytes => {
                    let max = self.max_bytes;
                    return Err(too_large(&format!("a line is larger than {max} bytes")));
                }
                None => {
                    self.searched = self.rest.len();
                    self.fill().await?;
                    continue;
                }
            };
            self.searched = 0;
            if !line.trim_ascii().is_empty() {
                return Ok(Some(line.freeze()));
            }
        }
    }

    /// Waits for more of the body.
    async fn fill(&mut self) -> Result<(), Status> {
        match self.body.frame().await {
            None => self.is_over = true,
            Some(Err(_)) => {
                let message = "the request broke off";
                return Err(Reason::MALFORMED_MESSAGE.status(message, []));
            }
            Some(Ok(frame)) => {
                if let Ok(data) = frame.into_data() {
                    self.rest.extend_from_slice(&data);
                }
            }
        }
        Ok(())
    }
}

/// The lines of a stream, the type of their messages, and who pays.
type LineReader = (Lines, MessageDescriptor, Payer);

/// Converts the next line to a message. Returns `None` after the last one.
async fn message_of_line(
    (mut lines, input, payer): LineReader,
) -> Result<Option<(Frame<Bytes>, LineReader)>, Status> {
    let Some(line) = lines.next().await? else {
        return Ok(None);
    };
    let converted = schedule(payer.task(), lazy(|_| framed(input.clone(), &line))).await;
    Ok(Some((Frame::data(converted?), (lines, input, payer))))
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
