//! Raw calls with arbitrary bytes and paths, which no command makes.

use bytes::Bytes;
use gamekeeper_proto::BytesCodec;
use tokio::time::{Instant, timeout_at};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Request, Status, Streaming};

use crate::connection::{Connection, Retry, ready};
use crate::failure::Failure;

/// A raw call.
pub struct RawCall<'a> {
    /// The service and the method: `/service/method`.
    pub path: String,
    /// The encoded request.
    pub message: Bytes,
    /// The token of the caller.
    pub token: Option<&'a str>,
    /// The compression that the headers declare.
    pub compression: Option<&'a str>,
}

impl RawCall<'_> {
    fn path(&self) -> Result<PathAndQuery, Status> {
        let path = self.path.parse();
        path.map_err(|error| Status::internal(format!("{error}")))
    }

    fn request(&self, connection: &Connection) -> Result<Request<Bytes>, Status> {
        let mut request = connection.request(self.message.clone(), self.token)?;
        if let Some(compression) = self.compression {
            let compression = compression.parse();
            let compression = compression.map_err(|error| Status::internal(format!("{error}")))?;
            request.metadata_mut().insert("grpc-encoding", compression);
        }
        Ok(request)
    }
}

/// The encoded answers of a streaming method.
pub struct RawStream {
    stream: Streaming<Bytes>,
    connection: Connection,
    until: Instant,
}

impl RawStream {
    /// Returns the next message, or `None` at the end.
    ///
    /// # Errors
    /// If the server refuses, or does not send a message before the deadline of the call.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let next = match timeout_at(self.until, self.stream.message()).await {
            Ok(next) => next.map_err(|status| self.connection.explain(status)),
            Err(_) => Err(self.connection.too_slow()),
        };
        next.map_err(Failure::from)
    }
}

impl Connection {
    /// Calls a unary method with arbitrary bytes. Retries only if there was no connection to the server.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses.
    pub async fn send(&self, call: &RawCall<'_>) -> Result<Bytes, Failure> {
        let once = async || {
            let (request, path) = (call.request(self)?, call.path()?);
            self.unary(request, path, BytesCodec).await
        };
        self.until_connected(once).await
    }

    /// Calls a method that returns a stream, with arbitrary bytes. Retries only if there was no connection to the
    /// server. The whole stream must be read within the deadline of one call.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses.
    pub async fn open(&self, call: &RawCall<'_>) -> Result<RawStream, Failure> {
        let once = async || {
            let (request, path) = (call.request(self)?, call.path()?);
            let mut client = self.client();
            let work = async {
                ready(&mut client).await?;
                client.server_streaming(request, path, BytesCodec).await
            };
            self.within(self.timeout(), work).await
        };
        Ok(RawStream {
            stream: self.until_connected(once).await?,
            connection: self.clone(),
            until: Instant::now() + self.timeout(),
        })
    }

    /// Calls a method that reads a stream of messages, with arbitrary bytes: that of the call, and then these. Retries only
    /// if there was no connection to the server.
    ///
    /// # Errors
    /// If the server cannot be reached or refuses.
    pub async fn send_all(&self, call: &RawCall<'_>, further: &[Bytes]) -> Result<Bytes, Failure> {
        let once = async || {
            let (request, path) = (call.request(self)?, call.path()?);
            let messages: Vec<Bytes> = [&call.message]
                .into_iter()
                .chain(further)
                .cloned()
                .collect();
            let mut client = self.client();
            let work = async {
                ready(&mut client).await?;
                let request = request.map(|_| tokio_stream::iter(messages));
                client.client_streaming(request, path, BytesCodec).await
            };
            self.within(self.timeout(), work).await
        };
        self.until_connected(once).await
    }

    async fn until_connected<A>(
        &self,
        once: impl AsyncFn() -> Result<A, Status>,
    ) -> Result<A, Failure> {
        let mut retry = Retry::new(self.retries());
        loop {
            match once().await {
                Ok(response) => return Ok(response),
                Err(status) if std::error::Error::source(&status).is_some() => {
                    retry.wait_or_give_up(status).await?;
                }
                Err(status) => return Err(status.into()),
            }
        }
    }
}
