//! A stream that is reopened when it breaks.

use std::time::Duration;

use tonic::{Status, Streaming};

use crate::connection::{Connection, Retry};
use crate::failure::Failure;

/// A watch sends something at least every 15 seconds; one that is silent for longer than this is dead, even if no error
/// was reported.
const MAX_SILENCE: Duration = Duration::from_secs(45);

/// Messages of one stream after another.
pub(crate) struct Reopened<A> {
    connection: Connection,
    retry: Retry,
    stream: Option<Streaming<A>>,
}

impl<A> Reopened<A> {
    /// Nothing is opened yet.
    pub(crate) fn new(connection: Connection) -> Self {
        Self {
            retry: Retry::new(connection.retries()),
            connection,
            stream: None,
        }
    }

    /// The next message; `None`: the server has ended the stream. `open` opens it where it was left.
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
                Err(status) => self.broke(status).await?,
            }
        }
    }

    /// The next message of a stream that has no end while it is wanted.
    pub(crate) async fn endless(
        &mut self,
        open: impl AsyncFn() -> Result<Streaming<A>, Status>,
    ) -> Result<A, Failure> {
        loop {
            if let Some(message) = self.next(&open).await? {
                return Ok(message);
            }
            self.broke(Status::unavailable("the server ended the stream"))
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

    async fn broke(&mut self, status: Status) -> Result<(), Failure> {
        self.stream = None;
        let status = self.connection.explain(status);
        self.retry.wait_or_give_up(status).await
    }
}
