//! Calls as no command makes them: any bytes, to any path.

use bytes::Bytes;
use gamekeeper_proto::BytesCodec;
use tokio::time::{Instant, timeout_at};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Request, Status, Streaming};

use crate::connection::{Connection, Retry, ready};
use crate::failure::Failure;

/// A call as it is sent.
pub struct Raw<'a> {
    /// The service and the method: `/service/method`.
    pub path: String,
    /// The encoded request.
    pub message: Bytes,
    /// The token of the caller.
    pub token: Option<&'a str>,
    /// The compression that the headers declare.
    pub compression: Option<&'a str>,
}

impl Raw<'_> {
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
pub struct Messages {
    stream: Streaming<Bytes>,
    connection: Connection,
    until: Instant,
}

impl Messages {
    /// The next one, or `None` at the end.
    ///
    /// # Errors
    /// When the server refuses, or does not send it in the time that a call has.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        let next = match timeout_at(self.until, self.stream.message()).await {
            Ok(next) => next.map_err(|status| self.connection.explain(status)),
            Err(_) => Err(self.connection.too_slow()),
        };
        next.map_err(Failure::from)
    }
}

impl Connection {
    /// Sends any bytes to any path. Retries only while there is no connection to the server.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub async fn send(&self, raw: &Raw<'_>) -> Result<Bytes, Failure> {
        let once = async || {
            let (request, path) = (raw.request(self)?, raw.path()?);
            self.unary(request, path, BytesCodec).await
        };
        self.until_connected(once).await
    }

    /// The same, for methods that answer with a stream. All that is read of it comes in the time that a call has.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub async fn open(&self, raw: &Raw<'_>) -> Result<Messages, Failure> {
        let once = async || {
            let (request, path) = (raw.request(self)?, raw.path()?);
            let mut client = self.client();
            let work = async {
                ready(&mut client).await?;
                client.server_streaming(request, path, BytesCodec).await
            };
            self.within(self.timeout(), work).await
        };
        Ok(Messages {
            stream: self.until_connected(once).await?,
            connection: self.clone(),
            until: Instant::now() + self.timeout(),
        })
    }

    async fn until_connected<A>(
        &self,
        once: impl AsyncFn() -> Result<A, Status>,
    ) -> Result<A, Failure> {
        let mut retry = Retry::new(self.retries());
        loop {
            match once().await {
                Ok(answer) => return Ok(answer),
                Err(status) if std::error::Error::source(&status).is_some() => {
                    retry.wait_or_give_up(status).await?;
                }
                Err(status) => return Err(status.into()),
            }
        }
    }
}
