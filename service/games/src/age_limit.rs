//! Limits the age of a watch, so that its connection can be closed: the client resumes elsewhere, after the
//! last version that it received.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use gamekeeper_store::Version;
use tokio::time::Sleep;

use super::Answers;
use super::news::Message;
use crate::problem::Problem;

/// A watch that ends with [`Problem::GoingAway`] once it has reached its maximum age and has no message ready.
pub(super) struct AgeLimited {
    watch: Option<Answers<Message>>,
    old: Pin<Box<Sleep>>,
    /// The last version that was sent.
    version: Version,
}

impl AgeLimited {
    /// Limits a watch to this age. `version` is the last one that its client already has.
    pub(super) fn new(watch: Answers<Message>, age: Duration, version: Version) -> Self {
        Self {
            watch: Some(watch),
            old: Box::pin(tokio::time::sleep(age)),
            version,
        }
    }
}

impl Stream for AgeLimited {
    type Item = Result<Message, Problem>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(watch) = &mut self.watch else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(next) = watch.as_mut().poll_next(context) {
            if let Some(Ok(message)) = &next {
                self.version = message.version;
            }
            return Poll::Ready(next);
        }
        if self.old.as_mut().poll(context).is_pending() {
            return Poll::Pending;
        }
        self.watch = None;
        let version = self.version;
        Poll::Ready(Some(Err(Problem::GoingAway { version })))
    }
}
