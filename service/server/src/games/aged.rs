//! A watch that ends when it is old, so that its connection can end: whoever watches goes on
//! elsewhere, with the version that they have.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use gamekeeper_proto::envelope::watch_game_response::Update;
use gamekeeper_proto::envelope::{Messages, WatchGameResponse};
use tokio::time::Sleep;

use super::Answers;
use crate::problem::Problem;
use crate::store::Version;

/// A watch that ends with [`Problem::GoingAway`] when it is old and has nothing to say.
pub(super) struct Aged<M: Messages> {
    watch: Option<Answers<WatchGameResponse<M>>>,
    old: Pin<Box<Sleep>>,
    /// The last version that was sent.
    version: Version,
}

impl<M: Messages> Aged<M> {
    /// Lets a watch, which has sent all up to a version, grow this old.
    pub(super) fn new(
        watch: Answers<WatchGameResponse<M>>,
        age: Duration,
        version: Version,
    ) -> Self {
        Self {
            watch: Some(watch),
            old: Box::pin(tokio::time::sleep(age)),
            version,
        }
    }
}

impl<M: Messages> Stream for Aged<M> {
    type Item = Result<WatchGameResponse<M>, Problem>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(watch) = &mut self.watch else {
            return Poll::Ready(None);
        };
        if let Poll::Ready(next) = watch.as_mut().poll_next(context) {
            if let Some(Ok(watch)) = &next {
                self.version = version_of(watch).unwrap_or(self.version);
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

fn version_of<M: Messages>(watch: &WatchGameResponse<M>) -> Option<Version> {
    let version = match watch.update.as_ref()? {
        Update::Start(start) => start.game.as_ref()?.version,
        Update::Version(version) => version.logged.as_ref()?.version,
        Update::Bookmark(bookmark) => bookmark.version,
    };
    Some(version)
}
