//! The **lifetime of a stream**: it ends when it is too old, its token expires or is revoked, the server shuts down, an
//! operator ends it, or its client reads nothing for too long.

use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream;
use gamekeeper_store::Version;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep_until};
use tracing::Instrument;

use crate::heart::access::{Caller, Open, UserTokens};
use crate::heart::fair::{Budgets, Turn, fairly};
use crate::heart::games::Answers;
use crate::heart::jitter::jittered;
use crate::heart::problem::{EndCause, Problem};
use crate::heart::shared::Shared;

/// The maximum number of unread items that are buffered for a reader (backpressure).
pub(crate) const UNREAD: usize = 1;

/// The limits on the lifetime of a stream.
pub(crate) struct Bounds {
    caller: Caller,
    budgets: Arc<Budgets>,
    open: Open,
    user_tokens: Arc<UserTokens>,
    patience: Duration,
    old_at: Option<Instant>,
}

impl Bounds {
    /// Creates the limits of a stream that this caller opens now, without a maximum age.
    pub(crate) fn new(shared: &Shared, caller: &Caller) -> Self {
        Self {
            caller: caller.clone(),
            budgets: Arc::clone(&shared.budgets),
            open: shared.cuts.open(caller.account, &shared.closing),
            user_tokens: Arc::clone(&shared.user_tokens),
            patience: shared.settings.watch_patience,
            old_at: None,
        }
    }

    /// Adds the maximum age of watches, after which a client resumes, perhaps on another server.
    pub(crate) fn aging(self, shared: &Shared) -> Self {
        let age = shared.settings.watch_age.map(jittered);
        let old_at = age.map(|age| Instant::now() + age);
        Self { old_at, ..self }
    }

    /// Checks that the stream may continue. `sent` is the version after which its client resumes.
    ///
    /// # Errors
    /// The reason for the end of the stream.
    pub(crate) fn check(&self, sent: Version) -> Result<(), Problem> {
        if self.open.ended().is_cancelled() {
            return Err(self.over(sent));
        }
        if self.old_at.is_some_and(|old_at| Instant::now() >= old_at) {
            return Err(too_old(sent));
        }
        self.caller.holds()
    }

    /// Returns the reason why the stream was ended by the server or by an operator.
    fn over(&self, sent: Version) -> Problem {
        self.open.barred().unwrap_or_else(|| Problem::GoingAway {
            cause: self.open.cause(),
            version: sent,
        })
    }

    /// Waits for the next item, unless the stream ends before. An item that is ready is still delivered when the stream
    /// is too old.
    ///
    /// # Errors
    /// The error of `next`, or the reason for the end of the stream.
    pub(crate) async fn within<T>(
        &self,
        sent: Version,
        next: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        let old = async {
            match self.old_at {
                Some(old_at) => sleep_until(old_at).await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.open.ended().cancelled() => Err(self.over(sent)),
            () = self.caller.ended() => Err(Problem::TokenExpired),
            problem = self.user_tokens.revoked(&self.caller) => Err(problem),
            next = next => {
                let next = next?;
                self.user_tokens.still_valid(&self.caller).await?;
                Ok(next)
            }
            () = old => Err(too_old(sent)),
        }
    }
}

/// Creates the error at the end of a stream that has reached its maximum age.
fn too_old(sent: Version) -> Problem {
    Problem::GoingAway {
        cause: EndCause::MaxAge,
        version: sent,
    }
}

/// A source of the items of a stream.
pub(crate) trait Source: Send + 'static {
    /// An item of the stream.
    type Item: Send + 'static;

    /// Waits for the next item. The future may be dropped at any time; the stream then ends.
    ///
    /// # Errors
    /// The reason for the end of the stream.
    fn next(&mut self) -> impl Future<Output = Result<Self::Item, Problem>> + Send;

    /// Returns the version after which a client resumes once it has read the last item. Returns 0 if it starts over.
    fn version(&self) -> Version;
}

/// Streams the items of a source from a task of its own, which ends when the client disconnects or reads nothing for
/// too long. `sent` is the version that the client has already.
pub(crate) fn follow<S: Source>(source: S, bounds: Bounds, sent: Version) -> Answers<S::Item> {
    let (answers, read) = mpsc::channel(UNREAD);
    let (ending, ended) = oneshot::channel();
    let turn = Turn::of_stream(bounds.caller.account, Arc::clone(&bounds.budgets));
    let run = async move {
        if let Some(problem) = run(source, &bounds, sent, &answers).await {
            // A client that has disconnected needs no reason.
            let _gone = ending.send(problem);
        }
    };
    tokio::spawn(fairly(turn, Box::pin(run)).in_current_span());
    Box::pin(stream::unfold(
        (read, Some(ended)),
        |(mut read, mut ended)| async move {
            if let Some(item) = read.recv().await {
                return Some((Ok(item), (read, ended)));
            }
            let problem = ended.take()?.await.ok()?;
            Some((Err(problem), (read, None)))
        },
    ))
}

/// Sends items until the stream ends, and returns the reason. Returns `None` if the client has disconnected.
async fn run<S: Source>(
    mut source: S,
    bounds: &Bounds,
    mut sent: Version,
    answers: &mpsc::Sender<S::Item>,
) -> Option<Problem> {
    loop {
        let next = tokio::select! {
            biased;
            () = answers.closed() => return None,
            next = bounds.within(sent, source.next()) => next,
        };
        let item = match next {
            Ok(item) => item,
            Err(problem) => return Some(problem),
        };
        let sending = tokio::select! {
            biased;
            sending = answers.send_timeout(item, bounds.patience) => sending,
            () = bounds.open.ended().cancelled() => return Some(bounds.over(sent)),
        };
        match sending {
            Ok(()) => sent = source.version(),
            Err(SendTimeoutError::Closed(_)) => return None,
            Err(SendTimeoutError::Timeout(_)) => {
                return Some(Problem::WatchTooSlow { version: sent });
            }
        }
    }
}
