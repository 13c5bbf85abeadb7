//! Compression of whole responses, as HTTP has it (`content-encoding`), by the library's layer.

use std::convert::Infallible;
use std::future::ready;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use gamekeeper_games::admission::{ConcurrencyLimiter, ConcurrencyPermit};
use gamekeeper_games::authz::Account;
use hyper::body::{Frame, SizeHint};
use tonic::body::Body;
use tonic::codegen::Body as HttpBody;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::predicate::SizeAbove;
use tower_http::compression::{CompressionLayer, CompressionLevel};

use crate::grpc::stream_body::carrying;

/// The minimum size of a unary response to compress, in bytes.
pub(super) const WORTHWHILE: usize = 1 << 10;

/// The number of bytes that are compressed without a break: a quarter of a millisecond with gzip.
const SLICE: usize = 16 << 10;

/// The level of all codings.
const LEVEL: CompressionLevel = CompressionLevel::Precise(4);

/// The maximum number of whole responses that a process compresses at the same time. Each needs memory meanwhile: 0.5 MB
/// with gzip, 2 MB with zstd, 3 MB with br.
const MAX_WHOLE: usize = 64;

/// The maximum number of streams that a process compresses at the same time. Each keeps 0.5 MB for as long as it is open;
/// that is why streams are compressed with gzip alone.
const MAX_STREAMS: usize = 1_000;

/// The responses that a process compresses at the same time, shared fairly among accounts. Further ones are sent as they
/// are.
#[derive(Clone)]
pub(super) struct Compressors {
    whole: Arc<ConcurrencyLimiter>,
    streams: Arc<ConcurrencyLimiter>,
}

impl Compressors {
    pub(super) fn new() -> Self {
        Self::with_limits(MAX_WHOLE, MAX_STREAMS)
    }

    /// Creates compressors for at most these numbers of whole responses and of streams.
    pub(super) fn with_limits(whole: usize, streams: usize) -> Self {
        Self {
            whole: ConcurrencyLimiter::new("", "compressed responses", whole),
            streams: ConcurrencyLimiter::new("", "compressed streams", streams),
        }
    }

    /// Compresses the response of this account to a unary call, with the best of these codings. The permit must be kept
    /// until the response has been read.
    pub(super) async fn whole(
        &self,
        account: Account,
        response: Response<Body>,
        codings: HeaderMap,
    ) -> (Response<Body>, Option<ConcurrencyPermit>) {
        let Ok(permit) = self.whole.try_acquire(account) else {
            return (response, None);
        };
        (compressed(response, codings, layer()).await, Some(permit))
    }

    /// Compresses a stream of this account, if these codings allow it. Each message is sent at once.
    pub(super) async fn stream(
        &self,
        account: Account,
        response: Response<Body>,
        codings: HeaderMap,
    ) -> Response<Body> {
        let Ok(permit) = self.streams.try_acquire(account) else {
            return response;
        };
        let response = compressed(response, codings, layer().no_br().no_zstd()).await;
        response.map(|body| carrying(body, permit))
    }
}

/// Returns the library's layer for all codings.
fn layer() -> CompressionLayer {
    CompressionLayer::new().quality(LEVEL)
}

/// Passes a response through this layer, as if it answered a request with these codings.
async fn compressed(
    response: Response<Body>,
    codings: HeaderMap,
    layer: CompressionLayer,
) -> Response<Body> {
    // The caller has decided that it is worthwhile.
    let layer = layer.compress_when(SizeAbove::new(0));
    let status = response.status();
    let mut request = Request::new(());
    *request.headers_mut() = codings;
    let mut response = Some(response);
    let answer = service_fn(move |_: Request<()>| {
        ready(Ok::<_, Infallible>(response.take().unwrap_or_default()))
    });
    let Ok(mut response) = layer.layer(answer).oneshot(request).await;
    // The library answers 406 to a client that accepts none of them, not even plain bytes. But the call was carried out.
    *response.status_mut() = status;
    response.map(Body::new)
}

/// A body that takes a break after each slice.
pub(super) struct Slices {
    rest: Bytes,
    is_due: bool,
}

impl Slices {
    pub(super) fn of(rest: Bytes) -> Self {
        Self {
            rest,
            is_due: false,
        }
    }
}

impl HttpBody for Slices {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.rest.is_empty() {
            return Poll::Ready(None);
        }
        self.is_due = !self.is_due;
        if !self.is_due {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let length = self.rest.len().min(SLICE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(u64::try_from(self.rest.len()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use http_body_util::{BodyExt, StreamBody};
    use tokio::sync::mpsc;
    use tokio_stream::wrappers::UnboundedReceiverStream;
    use tonic::codegen::http::StatusCode;
    use tonic::codegen::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING};

    use super::*;

    const CODINGS: [&str; 3] = ["gzip", "br", "zstd"];

    fn accepting(codings: &str) -> HeaderMap {
        HeaderMap::from_iter([(ACCEPT_ENCODING, codings.parse().unwrap())])
    }

    fn coding(response: &Response<Body>) -> Option<&str> {
        response.headers().get(CONTENT_ENCODING)?.to_str().ok()
    }

    /// Decompresses as much as there is.
    fn plain(coding: &str, bytes: &[u8]) -> Vec<u8> {
        let mut reader: Box<dyn Read> = match coding {
            "gzip" => Box::new(flate2::read::GzDecoder::new(bytes)),
            "br" => Box::new(brotli::Decompressor::new(bytes, 1_024)),
            "zstd" => Box::new(zstd::Decoder::new(bytes).unwrap()),
            _ => return bytes.to_vec(),
        };
        let (mut plain, mut buffer) = (Vec::new(), [0; 1_024]);
        while let Ok(read @ 1..) = reader.read(&mut buffer) {
            plain.extend(&buffer[..read]);
        }
        plain
    }

    #[tokio::test]
    async fn bodies_are_compressed_as_the_client_accepts() {
        let text = Bytes::from("a board game ".repeat(10_000));
        for accepted in [
            "gzip",
            "br",
            "zstd",
            "gzip;q=0.5, br;q=0.9",
            "deflate, *;q=0",
            "identity;q=0",
            "",
        ] {
            let mut response = Response::new(Body::new(Slices::of(text.clone())));
            *response.status_mut() = StatusCode::CREATED;
            let response = compressed(response, accepting(accepted), layer()).await;
            assert_eq!(response.status(), 201, "{accepted}");
            let coding = coding(&response).unwrap_or_default().to_owned();
            let expected = match accepted {
                "gzip;q=0.5, br;q=0.9" => "br",
                accepted if CODINGS.contains(&accepted) => accepted,
                _ => "",
            };
            assert_eq!(coding, expected, "{accepted}");
            let bytes = response.into_body().collect().await.unwrap().to_bytes();
            assert!(
                coding.is_empty() || bytes.len() < text.len() / 20,
                "{accepted}: {}",
                bytes.len()
            );
            assert!(plain(&coding, &bytes) == text, "{accepted}");
        }
    }

    /// A client sees each message when it is sent, not when a window is full.
    #[tokio::test]
    async fn each_message_of_a_stream_is_sent_at_once() {
        for coding in CODINGS {
            let (sender, messages) = mpsc::unbounded_channel::<Result<Frame<Bytes>, Infallible>>();
            let stream = StreamBody::new(UnboundedReceiverStream::new(messages));
            let response = Response::new(Body::new(stream));
            let response = compressed(response, accepting(coding), layer()).await;
            let (mut body, mut bytes, mut sent) = (response.into_body(), Vec::new(), Vec::new());
            for number in 0..20 {
                let message = format!("message {number}\n");
                sent.extend(message.bytes());
                sender.send(Ok(Frame::data(message.into()))).unwrap();
                while plain(coding, &bytes).len() < sent.len() {
                    bytes.extend(body.frame().await.unwrap().unwrap().into_data().unwrap());
                }
                assert_eq!(plain(coding, &bytes), sent, "{coding}");
            }
        }
    }

    #[tokio::test]
    async fn slices_come_one_at_a_time() {
        let text = Bytes::from(vec![7; 3 * SLICE + 1]);
        let mut body = Slices::of(text.clone());
        let (mut pieces, mut breaks) = (Vec::new(), 0);
        while !body.is_end_stream() {
            match futures_util::poll!(body.frame()) {
                Poll::Ready(frame) => pieces.push(frame.unwrap().unwrap().into_data().unwrap()),
                Poll::Pending => breaks += 1,
            }
        }
        assert!((pieces.len(), breaks) == (4, 3) && pieces.concat() == text);
    }
}
