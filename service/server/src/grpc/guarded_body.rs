//! Responses that keep the permit of their call until they end, with **timeouts** for clients that do not read.
//!
//! The HTTP library polls a body only when the client has room for more. The body of a client that does not read would
//! therefore stay, with everything that it holds, as long as the connection (a **slow reader** attack). So a task
//! beside the body ends it: the permit is released and the contents are dropped, even if the client never notices.

use std::future::pending;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use bytes::Bytes;
use gamekeeper_games::errors::{EndCause, ServiceError};
use hyper::body::Frame;
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Body as HttpBody;
use tonic::codegen::http::HeaderMap;

use super::reasons::Reason;
use super::status::status_of;

/// The bounds of a response that does not end by itself.
pub(super) struct BodyLimits {
    /// The maximum age of the response, and the reason that the client gets when it is reached.
    pub(super) max_age: Option<(Duration, ExpiryReason)>,
    /// The maximum time in which the client reads nothing.
    pub(super) slow_consumer_timeout: Duration,
    /// Ends the response when the server closes. Is `None` if the response then ends by itself.
    pub(super) closing: Option<CancellationToken>,
}

/// The reason why a response of this age ends.
#[derive(Clone, Copy)]
pub(super) enum ExpiryReason {
    /// The deadline of the call has passed.
    Deadline,
    /// The client can renew the call, here or at another server.
    MaxAge,
}

impl ExpiryReason {
    fn status(self) -> Status {
        match self {
            Self::Deadline => Reason::DEADLINE.status("the deadline passed", []),
            Self::MaxAge => going_away(EndCause::MaxAge),
        }
    }
}

fn going_away(cause: EndCause) -> Status {
    status_of(&ServiceError::GoingAway { cause, version: 0 })
}

/// Wraps a body so that it keeps `permit` until it ends.
pub(super) fn guard_body(body: Body, permit: impl Send + 'static, limits: BodyLimits) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let state = Arc::new(Mutex::new(GuardState {
        guarded: Some((body, permit)),
        unread_since: Some(Instant::now()),
        end_status: None,
        waker: None,
    }));
    let (alive, body_dropped) = oneshot::channel();
    tokio::spawn(enforce_limits(Arc::downgrade(&state), limits, body_dropped));
    Body::new(GuardedBody {
        state,
        _alive: alive,
    })
}

struct GuardedBody<P> {
    state: Arc<Mutex<GuardState<P>>>,
    /// Notifies the task when the body is dropped.
    _alive: oneshot::Sender<()>,
}

struct GuardState<P> {
    /// The body and its permit, until it ends.
    guarded: Option<(Body, P)>,
    /// When the client last got data. Is `None` while the client waits for more.
    unread_since: Option<Instant>,
    /// The status of a body that was ended early.
    end_status: Option<Status>,
    waker: Option<Waker>,
}

impl<P: Send + 'static> HttpBody for GuardedBody<P> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let mut state = self.state.lock();
        let Some((body, _)) = &mut state.guarded else {
            let end_status = state.end_status.take();
            return Poll::Ready(end_status.map(|status| Ok(Frame::trailers(trailers(&status)))));
        };
        let polled = Pin::new(body).poll_frame(context);
        match &polled {
            Poll::Pending => {
                state.unread_since = None;
                state.waker = Some(context.waker().clone());
            }
            Poll::Ready(Some(Ok(frame))) if frame.is_data() => {
                state.unread_since = Some(Instant::now());
            }
            Poll::Ready(_) => state.guarded = None,
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        let state = self.state.lock();
        state.end_status.is_none()
            && state
                .guarded
                .as_ref()
                .is_none_or(|(body, _)| body.is_end_stream())
    }
}

/// Ends a body that exceeds its bounds.
async fn enforce_limits<P>(
    state: Weak<Mutex<GuardState<P>>>,
    limits: BodyLimits,
    body_dropped: oneshot::Receiver<()>,
) {
    let expired = async {
        let Some((age, why)) = limits.max_age else {
            return pending().await;
        };
        sleep(age).await;
        why.status()
    };
    let closed = async {
        match limits.closing {
            Some(closing) => closing.cancelled_owned().await,
            None => pending().await,
        }
        going_away(EndCause::Shutdown)
    };
    let end_status = tokio::select! {
        _ = body_dropped => return,
        end = expired => end,
        end = closed => end,
        end = stalled(&state, limits.slow_consumer_timeout) => end,
    };
    let Some(state) = state.upgrade() else {
        return;
    };
    let mut state = state.lock();
    let Some(guarded) = state.guarded.take() else {
        return;
    };
    state.end_status = Some(end_status);
    let waker = state.waker.take();
    drop(state);
    drop(guarded);
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// Resolves when the client has read nothing for too long.
async fn stalled<P>(state: &Weak<Mutex<GuardState<P>>>, slow_consumer_timeout: Duration) -> Status {
    let mut wait = slow_consumer_timeout;
    loop {
        sleep(wait).await;
        let since = state.upgrade().and_then(|state| state.lock().unread_since);
        wait = since.map_or(slow_consumer_timeout, |since| {
            slow_consumer_timeout.saturating_sub(since.elapsed())
        });
        if wait.is_zero() {
            return Reason::DEADLINE.status("the client read nothing for too long", []);
        }
    }
}

fn trailers(status: &Status) -> HeaderMap {
    let mut headers = HeaderMap::new();
    if status.add_header(&mut headers).is_err() {
        // Only details that are no header value could be the cause, and they are in base64.
        tracing::error!(%status, "a status cannot be sent");
    }
    headers
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use http_body_util::{BodyExt, StreamBody};
    use tonic::Code;

    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_mins(10);

    /// Creates a body of this many parts that never ends, and a handle that shows whether its permit is released.
    fn endless(parts: usize, limits: BodyLimits) -> (Body, Weak<()>) {
        let parts = (0..parts).map(|_| Ok::<_, Status>(Frame::data(Bytes::from_static(b"part"))));
        let stream = futures_util::StreamExt::chain(stream::iter(parts), stream::pending());
        let permit = Arc::new(());
        let left = Arc::downgrade(&permit);
        (
            guard_body(Body::new(StreamBody::new(stream)), permit, limits),
            left,
        )
    }

    fn patient() -> BodyLimits {
        BodyLimits {
            max_age: None,
            slow_consumer_timeout: LONG,
            closing: None,
        }
    }

    /// Returns the code in the trailers of a body.
    async fn ended(body: Body) -> Code {
        let collected = body.collect().await.unwrap();
        let status = Status::from_header_map(collected.trailers().unwrap()).unwrap();
        assert!(!status.details().is_empty(), "{status:?}");
        status.code()
    }

    #[tokio::test]
    async fn a_body_that_ends_releases_its_permit() {
        let parts = [Frame::data(Bytes::from_static(b"part"))].map(Ok::<_, Status>);
        let finite = Body::new(StreamBody::new(stream::iter(parts)));
        let permit = Arc::new(());
        let left = Arc::downgrade(&permit);
        let mut body = guard_body(finite, permit, patient());
        assert!(body.frame().await.unwrap().unwrap().is_data());
        assert_eq!(left.strong_count(), 1);
        assert!(body.frame().await.is_none());
        assert_eq!(left.strong_count(), 0);
        assert!(body.is_end_stream());
    }

    #[tokio::test]
    async fn a_body_that_is_dropped_gives_its_place_back() {
        let (body, left) = endless(1, patient());
        assert_eq!(left.strong_count(), 1);
        drop(body);
        assert_eq!(left.strong_count(), 0);
    }

    #[tokio::test]
    async fn an_unread_body_ends_and_one_that_waits_for_the_server_does_not() {
        let hasty = || BodyLimits {
            slow_consumer_timeout: SHORT,
            ..patient()
        };
        let (mut unread, left) = endless(3, hasty());
        assert!(unread.frame().await.unwrap().unwrap().is_data());
        let (read, waits) = endless(0, hasty());
        let reading = tokio::spawn(ended(read));
        while left.strong_count() > 0 {
            sleep(SHORT).await;
        }
        assert_eq!(ended(unread).await, Code::DeadlineExceeded);
        sleep(SHORT * 3).await;
        assert_eq!(waits.strong_count(), 1);
        reading.abort();
    }

    #[tokio::test]
    async fn a_body_ends_with_its_age_and_with_the_server() {
        for (why, code) in [
            (ExpiryReason::Deadline, Code::DeadlineExceeded),
            (ExpiryReason::MaxAge, Code::Unavailable),
        ] {
            let age = Some((SHORT, why));
            let (body, left) = endless(
                2,
                BodyLimits {
                    max_age: age,
                    ..patient()
                },
            );
            assert_eq!(ended(body).await, code);
            assert_eq!(left.strong_count(), 0);
        }
        let closing = CancellationToken::new();
        let (body, left) = endless(
            2,
            BodyLimits {
                closing: Some(closing.clone()),
                ..patient()
            },
        );
        let reading = tokio::spawn(ended(body));
        sleep(SHORT).await;
        assert_eq!(left.strong_count(), 1);
        closing.cancel();
        assert_eq!(reading.await.unwrap(), Code::Unavailable);
        assert_eq!(left.strong_count(), 0);
    }
}
