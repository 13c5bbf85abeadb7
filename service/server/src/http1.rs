//! The parts of HTTP/1.1 that the library leaves to us: **keep-alive** for as long as load balancers count on it, and
//! an end for the bodies of requests that were answered before they were read.
//!
//! Clients send such a body anyway, and reuse the connection afterwards. So its rest is read and dropped, after the
//! answer has been sent. If it is large, the answer announces the end of the connection instead, and the connection
//! stays open for a moment without being served, because a socket that is closed with unread bytes resets the connection, and the
//! client may lose the answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use parking_lot::Mutex;
use tokio::time::{Instant, Sleep};
use tonic::body::Body;
use tonic::codegen::http::header::{CONNECTION, EXPECT};
use tonic::codegen::http::{HeaderMap, HeaderName, HeaderValue, Request, Response};

/// The maximum size of a rest of a body that is read and dropped, in bytes.
const MAX_DRAINED: usize = 64 << 10;

/// The maximum time for reading and dropping the rest of a body, and for a connection to linger.
pub(crate) const LINGER: Duration = Duration::from_secs(1);

const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");
const CLOSE: HeaderValue = HeaderValue::from_static("close");

/// The state of a connection with HTTP/1.1, which its requests and responses share.
pub(crate) struct Http1 {
    handshake_timeout: Duration,
    idle_timeout: Duration,
    state: Mutex<State>,
}

struct State {
    phase: Phase,
    /// The rest of the body of the last request, which nobody reads any more.
    unread: Option<Incoming>,
    /// Whether the connection ends with the response.
    is_last: bool,
    /// Whether the connection lingers at its end.
    lingers: bool,
}

/// The phase of a connection. Times are those at which the phase began.
#[derive(Clone, Copy)]
enum Phase {
    /// The first request has not arrived.
    New(Instant),
    /// A call is carried out.
    Busy,
    /// A response has ended.
    Answered,
    /// The rest of a request is read and dropped, of which this many bytes have arrived.
    Draining(Instant, usize),
    /// The next request has not begun. The peer had sent this many bytes.
    Idle(Instant, usize),
    /// The headers of the next request arrive.
    Head(Instant),
    /// The library closes the connection.
    Closing,
}

/// The part of a request that a peer was too slow to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slow {
    /// The headers of a request.
    Headers,
    /// Another request.
    Idle,
}

impl Http1 {
    /// Creates the state of a new connection: `handshake_timeout` is the maximum time for the headers of a request,
    /// `idle_timeout` that between a response and the next request.
    pub(crate) fn new(handshake_timeout: Duration, idle_timeout: Duration) -> Arc<Self> {
        Arc::new(Self {
            handshake_timeout,
            idle_timeout,
            state: Mutex::new(State {
                phase: Phase::New(Instant::now()),
                unread: None,
                is_last: false,
                lingers: false,
            }),
        })
    }

    /// Begins the call of this request. The guard must be kept until its response has ended.
    pub(crate) fn begin(
        self: &Arc<Self>,
        request: Request<Incoming>,
    ) -> (Request<Body>, CallGuard) {
        let mut state = self.state.lock();
        state.phase = Phase::Busy;
        state.is_last |= is_close(request.headers());
        drop(state);
        // Its body is sent only after we have asked for it.
        let is_announced = request.headers().contains_key(EXPECT);
        let request = request.map(|incoming| {
            Body::new(RequestBody {
                incoming: Some(incoming),
                is_announced,
                connection: Arc::clone(self),
            })
        });
        (request, CallGuard(Arc::clone(self)))
    }

    /// Adds what the client must know about the connection to the response of this call.
    pub(crate) fn respond(&self, mut response: Response<Body>, call: CallGuard) -> Response<Body> {
        let mut state = self.state.lock();
        let rest = state
            .unread
            .as_ref()
            .and_then(|body| body.size_hint().exact());
        if rest.is_some_and(|rest| rest > MAX_DRAINED as u64) {
            state.close();
        }
        if state.lingers {
            response.headers_mut().insert(CONNECTION, CLOSE);
        } else if !state.is_last {
            let seconds = self.idle_timeout.as_secs();
            if let Ok(timeout) = HeaderValue::try_from(format!("timeout={seconds}")) {
                response.headers_mut().insert(KEEP_ALIVE, timeout);
            }
        }
        drop(state);
        response.map(|body| Body::new(ResponseBody { body, _call: call }))
    }

    /// Records that the connection is closed gracefully: no further response promises that it stays open.
    pub(crate) fn is_ending(&self) {
        self.state.lock().is_last = true;
    }

    /// Whether unread bytes of the peer are to be expected at the end of the connection.
    pub(crate) fn lingers(&self) -> bool {
        self.state.lock().lingers
    }

    /// Reads and drops what nobody reads, and resolves when the peer is too slow. `bytes_read` is the number of bytes
    /// that it has sent.
    pub(crate) fn poll_slow(
        &self,
        mut timer: Pin<&mut Sleep>,
        bytes_read: usize,
        context: &mut Context<'_>,
    ) -> Poll<Slow> {
        let mut state = self.state.lock();
        loop {
            let now = Instant::now();
            let deadline = match state.phase {
                Phase::Busy | Phase::Closing => return Poll::Pending,
                Phase::New(since) | Phase::Head(since) => since + self.handshake_timeout,
                Phase::Answered if state.unread.is_some() => {
                    state.phase = Phase::Draining(now, 0);
                    continue;
                }
                Phase::Answered => {
                    state.phase = Phase::Idle(now, bytes_read);
                    continue;
                }
                Phase::Idle(_, before) if bytes_read > before => {
                    state.phase = Phase::Head(now);
                    continue;
                }
                Phase::Idle(since, _) => since + self.idle_timeout,
                Phase::Draining(since, _) => {
                    if state.poll_drained(context).is_ready() {
                        continue;
                    }
                    since + LINGER
                }
            };
            if timer.deadline() != deadline {
                timer.as_mut().reset(deadline);
            }
            ready!(timer.as_mut().poll(context));
            match state.phase {
                Phase::New(_) | Phase::Head(_) => return Poll::Ready(Slow::Headers),
                Phase::Idle(..) => return Poll::Ready(Slow::Idle),
                Phase::Draining(..) => {
                    state.close();
                    context.waker().wake_by_ref();
                }
                Phase::Busy | Phase::Answered | Phase::Closing => {}
            }
        }
    }
}

impl State {
    /// Gives up the rest of a body. The library then closes the connection.
    fn close(&mut self) {
        self.unread = None;
        self.lingers = true;
        if !matches!(self.phase, Phase::Busy) {
            self.phase = Phase::Closing;
        }
    }

    /// Reads and drops the rest of a body. Is ready when nothing is left to read.
    fn poll_drained(&mut self, context: &mut Context<'_>) -> Poll<()> {
        while let (Phase::Draining(_, read), Some(body)) = (&mut self.phase, &mut self.unread) {
            match ready!(Pin::new(body).poll_frame(context)) {
                Some(Ok(frame)) => {
                    *read += frame.data_ref().map_or(0, Bytes::len);
                    if *read > MAX_DRAINED {
                        self.close();
                        context.waker().wake_by_ref();
                        return Poll::Ready(());
                    }
                }
                Some(Err(_)) | None => self.unread = None,
            }
        }
        self.phase = Phase::Answered;
        Poll::Ready(())
    }
}

/// Whether these headers announce that the connection ends.
fn is_close(headers: &HeaderMap) -> bool {
    let mut values = headers.get_all(CONNECTION).iter();
    values.any(|value| {
        let options = value.to_str().unwrap_or_default().split(',');
        options
            .map(str::trim)
            .any(|option| option.eq_ignore_ascii_case("close"))
    })
}

/// A guard that notes the end of a call when it is dropped.
pub(crate) struct CallGuard(Arc<Http1>);

impl Drop for CallGuard {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.phase = match state.lingers {
            true => Phase::Closing,
            false => Phase::Answered,
        };
    }
}

/// The body of a request. When it is dropped before its end, the connection keeps the rest.
struct RequestBody {
    /// The body. Is `None` after its end.
    incoming: Option<Incoming>,
    /// Whether the client waits until the body is asked for, which happens when it is polled.
    is_announced: bool,
    connection: Arc<Http1>,
}

impl HttpBody for RequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        self.is_announced = false;
        let Some(incoming) = &mut self.incoming else {
            return Poll::Ready(None);
        };
        let frame = ready!(Pin::new(incoming).poll_frame(context));
        if frame.is_none() {
            self.incoming = None;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.incoming.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        let none = SizeHint::with_exact(0);
        self.incoming.as_ref().map_or(none, HttpBody::size_hint)
    }
}

impl Drop for RequestBody {
    fn drop(&mut self) {
        let rest = self.incoming.take().filter(|body| !body.is_end_stream());
        let Some(rest) = rest else {
            return;
        };
        let mut state = self.connection.state.lock();
        if self.is_announced {
            // The client may send the body or not, and the next bytes would mean either.
            state.close();
        } else {
            state.unread = Some(rest);
        }
    }
}

/// The body of a response, at whose end the next request may begin.
struct ResponseBody {
    // Dropped before the guard: it may hold the body of the request.
    body: Body,
    _call: CallGuard,
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = tonic::Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, tonic::Status>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
