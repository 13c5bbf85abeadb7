//! The **end of a stream**: its cause, whatever ends it, and how long it was open.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use gamekeeper_games::errors::EndCause;
use hyper::body::Frame;
use tonic::body::Body;
use tonic::codegen::Body as HttpBody;
use tonic::{Code, Status};
use tonic_types::StatusExt;

use super::reasons::{REASONS, Reason};

/// The cause of a stream that has sent everything.
const COMPLETED: &str = "COMPLETED";

/// The cause of a stream that ends with a refusal of the rules, which have reason codes of their own.
const REFUSED: &str = "REFUSED";

/// Wraps the body of a stream so that `note` is called once it ends, with the cause and the time that it was open. The
/// cause is `None` if the stream is dropped before its status was sent. A call that fails at once has no stream.
pub(super) fn noting_end<N: Note>(body: Body, note: N) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let begun = Instant::now();
    let note = Some(note);
    Body::new(NotingEnd { body, begun, note })
}

/// The listener for the end of a stream.
pub(super) trait Note:
    FnOnce(Option<&'static str>, Duration) + Send + Unpin + 'static
{
}
impl<N: FnOnce(Option<&'static str>, Duration) + Send + Unpin + 'static> Note for N {}

struct NotingEnd<N: Note> {
    body: Body,
    begun: Instant,
    /// The listener, until the stream ends.
    note: Option<N>,
}

impl<N: Note> NotingEnd<N> {
    fn ended(&mut self, cause: Option<&'static str>) {
        if let Some(note) = self.note.take() {
            note(cause, self.begun.elapsed());
        }
    }
}

impl<N: Note> HttpBody for NotingEnd<N> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.body).poll_frame(context);
        match &polled {
            Poll::Pending => {}
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(trailers) = frame.trailers_ref() {
                    let status = Status::from_header_map(trailers);
                    this.ended(Some(status.as_ref().map_or(COMPLETED, cause_of)));
                }
            }
            Poll::Ready(Some(Err(status))) => this.ended(Some(cause_of(status))),
            Poll::Ready(None) => this.ended(Some(COMPLETED)),
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

impl<N: Note> Drop for NotingEnd<N> {
    fn drop(&mut self) {
        self.ended(None);
    }
}

/// Returns the cause in the status of a stream: the cause of a planned end, or the reason of a failure.
fn cause_of(status: &Status) -> &'static str {
    if status.code() == Code::Ok {
        return COMPLETED;
    }
    let Some(info) = status.get_details_error_info() else {
        // Only the library sends statuses without a reason, when it cannot encode a message.
        return Reason::INTERNAL.name;
    };
    let planned = info.metadata.get("cause");
    let planned = EndCause::ALL
        .into_iter()
        .map(EndCause::name)
        .find(|name| planned.is_some_and(|cause| cause == name));
    let reason = || REASONS.iter().find(|reason| reason.name == info.reason);
    planned.unwrap_or_else(|| reason().map_or(REFUSED, |reason| reason.name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use gamekeeper_games::errors::{RulesRefusal, ServiceError};

    use super::super::status::status_of;
    use super::*;

    #[test]
    fn every_end_has_its_own_cause() {
        let mut ends: Vec<ServiceError> = EndCause::ALL
            .map(|cause| ServiceError::GoingAway { cause, version: 7 })
            .into();
        ends.push(ServiceError::SlowConsumer { version: 7 });
        ends.push(ServiceError::TokenExpired);
        ends.push(ServiceError::RefusedByRules(RulesRefusal {
            code: "PILE_EMPTY",
            rule: "DOM-6.10",
            message: String::from("The pile is empty."),
            detail: None,
        }));
        let statuses = ends.iter().map(status_of).chain([Status::ok("")]);
        let causes: Vec<&str> = statuses.map(|status| cause_of(&status)).collect();
        let expected = ["SHUTDOWN", "MAX_AGE", "CUT", "CLIENT_GONE"];
        assert_eq!(causes[..4], expected);
        let others = ["WATCH_TOO_SLOW", "TOKEN_EXPIRED", REFUSED, COMPLETED];
        assert_eq!(causes[4..], others);
        let sentences: BTreeSet<String> = ends[..4].iter().map(ToString::to_string).collect();
        assert_eq!(sentences.len(), EndCause::ALL.len());
    }
}
