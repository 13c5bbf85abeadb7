//! A stream that is reopened after a disconnect.

use std::time::Duration;

use tonic::{Status, Streaming};

use crate::connection::{Connection, Retry};
use crate::failure::Failure;

/// Maximum time without a message. A watch sends something at least every 15 seconds; a stream that is silent for
/// longer than this is dead, even if no error was reported.
const MAX_SILENCE: Duration = Duration::from_secs(45);

/// The messages of a stream, across disconnects.
pub(crate) struct ReconnectingStream<A> {
    connection: Connection,
    retry: Retry,
    stream: Option<Streaming<A>>,
}

impl<A> ReconnectingStream<A> {
    /// Creates the stream without opening it.
    pub(crate) fn new(connection: Connection) -> Self {
        Self {
            retry: Retry::new(connection.retries()),
            connection,
            stream: None,
        }
    }

    /// Returns the next message, or `None` when the server has ended the stream. After a disconnect, `open` must resume
    /// the stream where it broke.
    pub(crate) async fn next(
        &mut self,
        open: impl AsyncFn() -> Result<Streaming<A>, Status>,
    ) -> Result<Option<A>, Failure> {
        loop {
            match self.step(&open).await {
                Ok(message) => {
                    if message.is_some() {
                        self.retry.reset();
                    }
                    return Ok(message);
                }
                Err(status) => self.wait_for_retry(status).await?,
            }
        }
    }

    /// Returns the next message of a stream that never ends by itself: if the server ends it, it is reopened.
    pub(crate) async fn next_or_reconnect(
        &mut self,
        open: impl AsyncFn() -> Result<Streaming<A>, Status>,
    ) -> Result<A, Failure> {
        loop {
            if let Some(message) = self.next(&open).await? {
                return Ok(message);
            }
            self.wait_for_retry(Status::unavailable("the server ended the stream"))
                .await?;
        }
    }

    async fn step(
        &mut self,
        open: &impl AsyncFn() -> Result<Streaming<A>, Status>,
    ) -> Result<Option<A>, Status> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => self.stream.insert(open().await?),
        };
        let next = tokio::time::timeout(MAX_SILENCE, stream.message()).await;
        next.unwrap_or_else(|_| Err(Status::unavailable("the stream has fallen silent")))
    }

    async fn wait_for_retry(&mut self, status: Status) -> Result<(), Failure> {
        self.stream = None;
        let status = self.connection.explain(status);
        self.retry.wait_or_give_up(status).await
    }
}
