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

use crate::admission::StreamGuard;
use crate::authz::{Caller, UserTokens};
use crate::context::app_context::AppContext;
use crate::errors::{EndCause, ServiceError};
use crate::scheduling::{FairTask, RateLimiter, schedule};
use crate::service::game_service::ResponseStream;
use crate::timing::jitter::jittered;

/// The maximum number of unread items that are buffered for a reader (backpressure).
pub(crate) const BUFFER_SIZE: usize = 1;

/// The limits on the lifetime of a stream.
pub(crate) struct StreamLimits {
    caller: Caller,
    rate_limiter: Arc<RateLimiter>,
    guard: StreamGuard,
    user_tokens: Arc<UserTokens>,
    slow_consumer_timeout: Duration,
    expires_at: Option<Instant>,
}

impl StreamLimits {
    /// Creates the limits of a stream that this caller opens now, without a maximum age.
    pub(crate) fn new(shared: &AppContext, caller: &Caller) -> Self {
        Self {
            caller: caller.clone(),
            rate_limiter: Arc::clone(&shared.rate_limiter),
            guard: shared
                .blocklist
                .register_stream(caller.account, &shared.shutdown),
            user_tokens: Arc::clone(&shared.user_tokens),
            slow_consumer_timeout: shared.settings.slow_consumer_timeout,
            expires_at: None,
        }
    }

    /// Adds the maximum age of watches, after which a client resumes, perhaps on another server.
    pub(crate) fn with_max_age(self, shared: &AppContext) -> Self {
        let max_age = shared.settings.max_watch_age.map(jittered);
        let expires_at = max_age.map(|age| Instant::now() + age);
        Self { expires_at, ..self }
    }

    /// Checks that the stream may continue. `sent_version` is the version after which its client resumes.
    ///
    /// # Errors
    /// The reason for the end of the stream.
    pub(crate) fn ensure_within_limits(&self, sent_version: Version) -> Result<(), ServiceError> {
        if self.guard.cancellation().is_cancelled() {
            return Err(self.end_reason(sent_version));
        }
        if self
            .expires_at
            .is_some_and(|expires_at| Instant::now() >= expires_at)
        {
            return Err(too_old(sent_version));
        }
        self.caller.ensure_not_expired()
    }

    /// Returns the reason why the stream was ended by the server or by an operator.
    fn end_reason(&self, sent_version: Version) -> ServiceError {
        self.guard
            .blocked_reason()
            .unwrap_or_else(|| ServiceError::GoingAway {
                cause: self.guard.cause(),
                version: sent_version,
            })
    }

    /// Waits for the next item, unless the stream ends before. An item that is ready is still delivered when the stream
    /// is too old.
    ///
    /// # Errors
    /// The error of `next`, or the reason for the end of the stream.
    pub(crate) async fn run_until_limit<T>(
        &self,
        sent_version: Version,
        next: impl Future<Output = Result<T, ServiceError>>,
    ) -> Result<T, ServiceError> {
        let max_age_reached = async {
            match self.expires_at {
                Some(expires_at) => sleep_until(expires_at).await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.guard.cancellation().cancelled() => Err(self.end_reason(sent_version)),
            () = self.caller.expired() => Err(ServiceError::TokenExpired),
            problem = self.user_tokens.revoked(&self.caller) => Err(problem),
            next = next => {
                let next = next?;
                self.user_tokens.ensure_not_revoked(&self.caller).await?;
                Ok(next)
            }
            () = max_age_reached => Err(too_old(sent_version)),
        }
    }
}

/// Creates the error at the end of a stream that has reached its maximum age.
fn too_old(sent: Version) -> ServiceError {
    ServiceError::GoingAway {
        cause: EndCause::MaxAge,
        version: sent,
    }
}

/// A source of the items of a stream.
pub(crate) trait StreamSource: Send + 'static {
    /// An item of the stream.
    type Item: Send + 'static;

    /// Waits for the next item. The future may be dropped at any time; the stream then ends.
    ///
    /// # Errors
    /// The reason for the end of the stream.
    fn next(&mut self) -> impl Future<Output = Result<Self::Item, ServiceError>> + Send;

    /// Returns the version after which a client resumes once it has read the last item. Returns 0 if it starts over.
    fn version(&self) -> Version;
}

/// Streams the items of a source from a task of its own, which ends when the client disconnects or reads nothing for
/// too long. `sent_version` is the version that the client has already.
pub(crate) fn spawn_pump<S: StreamSource>(
    source: S,
    limits: StreamLimits,
    sent_version: Version,
) -> ResponseStream<S::Item> {
    let (sender, receiver) = mpsc::channel(BUFFER_SIZE);
    let (reason_sender, reason_receiver) = oneshot::channel();
    let task = FairTask::for_stream(limits.caller.account, Arc::clone(&limits.rate_limiter));
    let pump = async move {
        if let Some(problem) = pump(source, &limits, sent_version, &sender).await {
            // A client that has disconnected needs no reason.
            let _disconnected = reason_sender.send(problem);
        }
    };
    tokio::spawn(schedule(task, Box::pin(pump)).in_current_span());
    Box::pin(stream::unfold(
        (receiver, Some(reason_receiver)),
        |(mut receiver, mut reason)| async move {
            if let Some(item) = receiver.recv().await {
                return Some((Ok(item), (receiver, reason)));
            }
            let problem = reason.take()?.await.ok()?;
            Some((Err(problem), (receiver, None)))
        },
    ))
}

/// Sends items until the stream ends, and returns the reason. Returns `None` if the client has disconnected.
async fn pump<S: StreamSource>(
    mut source: S,
    limits: &StreamLimits,
    mut sent_version: Version,
    sender: &mpsc::Sender<S::Item>,
) -> Option<ServiceError> {
    loop {
        let next = tokio::select! {
            biased;
            () = sender.closed() => return None,
            next = limits.run_until_limit(sent_version, source.next()) => next,
        };
        let item = match next {
            Ok(item) => item,
            Err(problem) => return Some(problem),
        };
        let send_result = tokio::select! {
            biased;
            sending = sender.send_timeout(item, limits.slow_consumer_timeout) => sending,
            () = limits.guard.cancellation().cancelled() => return Some(limits.end_reason(sent_version)),
        };
        match send_result {
            Ok(()) => sent_version = source.version(),
            Err(SendTimeoutError::Closed(_)) => return None,
            Err(SendTimeoutError::Timeout(_)) => {
                return Some(ServiceError::SlowConsumer {
                    version: sent_version,
                });
            }
        }
    }
}
