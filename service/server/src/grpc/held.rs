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
use gamekeeper_games::problem::Problem;
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
pub(super) struct Bounds {
    /// The maximum age of the response, and the reason that the client gets when it is reached.
    pub(super) age: Option<(Duration, Old)>,
    /// The maximum time in which the client reads nothing.
    pub(super) patience: Duration,
    /// Ends the response when the server closes. Is `None` if the response then ends by itself.
    pub(super) closing: Option<CancellationToken>,
}

/// The reason why a response of this age ends.
#[derive(Clone, Copy)]
pub(super) enum Old {
    /// The deadline of the call has passed.
    Late,
    /// The client can renew the call, here or at another server.
    Renewable,
}

impl Old {
    fn status(self) -> Status {
        match self {
            Self::Late => Reason::DEADLINE.status("the deadline passed", []),
            Self::Renewable => going_away(),
        }
    }
}

fn going_away() -> Status {
    status_of(&Problem::GoingAway { version: 0 })
}

/// Wraps a body so that it keeps `place` (the permit) until it ends.
pub(super) fn held(body: Body, place: impl Send + 'static, bounds: Bounds) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let state = Arc::new(Mutex::new(State {
        kept: Some((body, place)),
        unread_since: Some(Instant::now()),
        end: None,
        waker: None,
    }));
    let (alive, gone) = oneshot::channel();
    tokio::spawn(end_in_time(Arc::downgrade(&state), bounds, gone));
    Body::new(Held {
        state,
        _alive: alive,
    })
}

struct Held<P> {
    state: Arc<Mutex<State<P>>>,
    /// Notifies the task when the body is dropped.
    _alive: oneshot::Sender<()>,
}

struct State<P> {
    /// The body and its permit, until it ends.
    kept: Option<(Body, P)>,
    /// When the client last got data. Is `None` while the client waits for more.
    unread_since: Option<Instant>,
    /// The status of a body that was ended early.
    end: Option<Status>,
    waker: Option<Waker>,
}

impl<P: Send + 'static> HttpBody for Held<P> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let mut state = self.state.lock();
        let Some((body, _)) = &mut state.kept else {
            let end = state.end.take();
            return Poll::Ready(end.map(|status| Ok(Frame::trailers(trailers(&status)))));
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
            Poll::Ready(_) => state.kept = None,
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        let state = self.state.lock();
        state.end.is_none()
            && state
                .kept
                .as_ref()
                .is_none_or(|(body, _)| body.is_end_stream())
    }
}

/// Ends a body that exceeds its bounds.
async fn end_in_time<P>(state: Weak<Mutex<State<P>>>, bounds: Bounds, gone: oneshot::Receiver<()>) {
    let old = async {
        let Some((age, why)) = bounds.age else {
            return pending().await;
        };
        sleep(age).await;
        why.status()
    };
    let closed = async {
        match bounds.closing {
            Some(closing) => closing.cancelled_owned().await,
            None => pending().await,
        }
        going_away()
    };
    let end = tokio::select! {
        _ = gone => return,
        end = old => end,
        end = closed => end,
        end = unread(&state, bounds.patience) => end,
    };
    let Some(state) = state.upgrade() else {
        return;
    };
    let mut state = state.lock();
    let Some(kept) = state.kept.take() else {
        return;
    };
    state.end = Some(end);
    let waker = state.waker.take();
    drop(state);
    drop(kept);
    if let Some(waker) = waker {
        waker.wake();
    }
}

/// Resolves when the client has read nothing for too long.
async fn unread<P>(state: &Weak<Mutex<State<P>>>, patience: Duration) -> Status {
    let mut wait = patience;
    loop {
        sleep(wait).await;
        let since = state.upgrade().and_then(|state| state.lock().unread_since);
        wait = since.map_or(patience, |since| patience.saturating_sub(since.elapsed()));
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
    fn endless(parts: usize, bounds: Bounds) -> (Body, Weak<()>) {
        let parts = (0..parts).map(|_| Ok::<_, Status>(Frame::data(Bytes::from_static(b"part"))));
        let stream = futures_util::StreamExt::chain(stream::iter(parts), stream::pending());
        let place = Arc::new(());
        let left = Arc::downgrade(&place);
        (
            held(Body::new(StreamBody::new(stream)), place, bounds),
            left,
        )
    }

    fn patient() -> Bounds {
        Bounds {
            age: None,
            patience: LONG,
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
    async fn a_body_that_ends_gives_its_place_back() {
        let parts = [Frame::data(Bytes::from_static(b"part"))].map(Ok::<_, Status>);
        let whole = Body::new(StreamBody::new(stream::iter(parts)));
        let place = Arc::new(());
        let left = Arc::downgrade(&place);
        let mut body = held(whole, place, patient());
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
        let hasty = || Bounds {
            patience: SHORT,
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
            (Old::Late, Code::DeadlineExceeded),
            (Old::Renewable, Code::Unavailable),
        ] {
            let age = Some((SHORT, why));
            let (body, left) = endless(2, Bounds { age, ..patient() });
            assert_eq!(ended(body).await, code);
            assert_eq!(left.strong_count(), 0);
        }
        let closing = CancellationToken::new();
        let (body, left) = endless(
            2,
            Bounds {
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
