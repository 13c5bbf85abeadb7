//! The last steps of a response that is in the protocol of its client: compression, and headers for proxies.

use std::mem;

use bytes::{Bytes, BytesMut};
use futures_util::stream;
use gamekeeper_games::Yielder;
use gamekeeper_games::scheduling::schedule;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Body as _;
use tonic::codegen::http::header::{ACCEPT_ENCODING, CACHE_CONTROL};
use tonic::codegen::http::{HeaderMap, HeaderName, HeaderValue, Request, Response};

use super::content_coding::{Compressors, Slices, WORTHWHILE};
use super::payer::Payer;
use crate::grpc::method_specs::Streaming;
use crate::grpc::services::spec_of;
use crate::grpc::stream_body::scheduled_conversion;

/// The header that keeps nginx from collecting a stream before it passes it on.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The facts about a request on which its response depends.
pub(super) struct Outgoing {
    pub(super) payer: Payer,
    is_stream: bool,
    /// The codings that the client accepts. Empty if it names none.
    accepted: HeaderMap,
    compressors: Compressors,
}

impl Outgoing {
    /// Remembers what the response to this request depends on, and lets the request carry its payer.
    pub(super) fn to(request: &mut Request<Body>, compressors: &Compressors) -> Self {
        let payer = Payer::of(request);
        request.extensions_mut().insert(payer.clone());
        let name = request.uri().path().strip_prefix('/').unwrap_or_default();
        let streaming = spec_of(name).streaming;
        let is_stream = matches!(streaming, Streaming::Server | Streaming::Bidi);
        let mut accepted = HeaderMap::new();
        for codings in request.headers().get_all(ACCEPT_ENCODING) {
            accepted.append(ACCEPT_ENCODING, codings.clone());
        }
        Self {
            payer,
            is_stream,
            accepted,
            compressors: compressors.clone(),
        }
    }

    /// Completes a response: a large one is compressed. A unary response is read and compressed at once, so that a client
    /// that reads slowly keeps nothing but its bytes.
    pub(super) async fn send(mut self, response: Response<Body>) -> Response<Body> {
        if response.body().is_end_stream() {
            return response;
        }
        // Its messages are compressed one by one.
        let is_coded = response.headers().contains_key("grpc-encoding");
        let accepted = mem::take(&mut self.accepted);
        let codings = (!accepted.is_empty() && !is_coded).then_some(accepted);
        // A failed call has a short response, whatever its method.
        if self.is_stream && response.body().size_hint().exact().is_none() {
            return self.send_stream(response, codings).await;
        }
        let task = self.payer.task();
        schedule(task, Box::pin(self.send_whole(response, codings))).await
    }

    async fn send_stream(
        self,
        mut response: Response<Body>,
        codings: Option<HeaderMap>,
    ) -> Response<Body> {
        let headers = response.headers_mut();
        headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-transform"));
        let response = match codings {
            Some(codings) => {
                let account = self.payer.account();
                self.compressors.stream(account, response, codings).await
            }
            None => response,
        };
        response.map(|body| scheduled_conversion(body, self.payer.task()))
    }

    async fn send_whole(
        self,
        response: Response<Body>,
        codings: Option<HeaderMap>,
    ) -> Response<Body> {
        let (head, body) = response.into_parts();
        let plain = match read(body).await {
            Ok(plain) => plain,
            Err(status) => return Response::from_parts(head, broken(status)),
        };
        let Some(codings) = codings.filter(|_| plain.len() >= WORTHWHILE) else {
            return Response::from_parts(head, Body::new(Full::new(plain)));
        };
        let sliced = Response::from_parts(head, Body::new(Slices::of(plain)));
        let account = self.payer.account();
        let (response, _permit) = self.compressors.whole(account, sliced, codings).await;
        let (head, body) = response.into_parts();
        let body = match read(body).await {
            Ok(body) => Body::new(Full::new(body)),
            Err(status) => broken(status),
        };
        Response::from_parts(head, body)
    }
}

/// Reads a body whole, and yields to other calls meanwhile.
async fn read(mut body: Body) -> Result<Bytes, Status> {
    let (mut first, mut all) = (Bytes::new(), BytesMut::new());
    let mut yielder = Yielder::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else {
            continue;
        };
        if first.is_empty() && all.is_empty() {
            first = data;
        } else {
            // Only a body in several parts is copied.
            all.extend_from_slice(&mem::take(&mut first));
            all.extend_from_slice(&data);
        }
        yielder.yield_if_due().await;
    }
    Ok(if all.is_empty() { first } else { all.freeze() })
}

/// Returns a body that ends with this error, so that the client does not take its beginning for all of it.
fn broken(status: Status) -> Body {
    Body::new(StreamBody::new(stream::iter([Err::<Frame<Bytes>, _>(
        status,
    )])))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use gamekeeper_games::authz::Account;
    use gamekeeper_games::scheduling::RateLimiter;
    use tonic::codegen::http::header::CONTENT_ENCODING;

    use super::*;

    /// Returns what a response to a call of this method knows, and the payer that its request carries.
    fn asked(method: &str, compressors: &Compressors) -> (Outgoing, Payer) {
        let request = Request::builder()
            .uri(format!("/gamekeeper.v1.GameService/{method}"))
            .header(ACCEPT_ENCODING, "deflate")
            .header(ACCEPT_ENCODING, "gzip");
        let mut request = request.body(Body::empty()).unwrap();
        let outgoing = Outgoing::to(&mut request, compressors);
        let payer = request.extensions().get::<Payer>().unwrap().clone();
        (outgoing, payer)
    }

    fn is_compressed(response: &Response<Body>) -> bool {
        response.headers().contains_key(CONTENT_ENCODING)
    }

    #[tokio::test]
    async fn further_streams_are_sent_as_they_are() {
        let compressors = Compressors::with_limits(2, 1);
        let open = async || {
            let endless = stream::pending::<Result<Frame<Bytes>, Status>>();
            let response = Response::new(Body::new(StreamBody::new(endless)));
            asked("WatchGame", &compressors).0.send(response).await
        };
        let first = open().await;
        assert!(is_compressed(&first) && !is_compressed(&open().await));
        assert_eq!(first.headers()[ACCEL_BUFFERING], "no");
        drop(first);
        assert!(is_compressed(&open().await));
    }

    #[tokio::test]
    async fn the_caller_pays_for_the_compression_of_large_answers() {
        let compressors = Compressors::with_limits(2, 1);
        let (red, budgets) = (Account::of_tenant("red"), Arc::new(RateLimiter::new(None)));
        for (size, is_large) in [(WORTHWHILE - 1, false), (1 << 20, true)] {
            let (outgoing, payer) = asked("GetGame", &compressors);
            payer.admit(red, &budgets);
            let plain = Body::new(Full::new(Bytes::from(vec![7; size])));
            let response = outgoing.send(Response::new(plain)).await;
            assert_eq!(is_compressed(&response), is_large, "{size}");
            let sent = response.body().size_hint().exact().unwrap();
            assert!(sent < 5_000, "{sent} of {size}");
        }
        let used = budgets.usage().meter(red).consumption();
        assert!(used.time > Duration::from_millis(1), "{used:?}");
        assert_eq!(used.written, 0, "counted before it was compressed");
    }

    #[tokio::test]
    async fn an_answer_that_breaks_off_is_not_taken_for_a_whole_one() {
        let compressors = Compressors::with_limits(2, 1);
        let parts = [
            Ok(Frame::data(Bytes::from_static(b"part"))),
            Err(Status::internal("lost")),
        ];
        let body = Body::new(StreamBody::new(stream::iter(parts)));
        let (outgoing, _) = asked("GetGame", &compressors);
        let response = outgoing.send(Response::new(body)).await;
        assert!(response.into_body().collect().await.is_err());
    }
}
