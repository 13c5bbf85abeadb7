//! A connection to a server. Calls have a deadline, and are retried if that is safe.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_proto::Codec as MessageCodec;
use tonic::client::Grpc;
use tonic::codec::Codec;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::metadata::MetadataValue;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_types::StatusExt;

use crate::args::Globals;
use crate::contract::Call;
use crate::failure::Failure;
use crate::output::notice;
use crate::trace::Trace;

/// Maximum size of a response: enough for a full list of legal actions or a record with all states.
const MAX_ANSWER: usize = 64 << 20;

/// The delay before the first retry; it doubles with every further one.
const FIRST_WAIT: Duration = Duration::from_millis(250);

/// The delay before a stream that ended as planned is opened again.
const PLANNED_WAIT: Duration = Duration::from_millis(50);

/// Maximum delay between two attempts.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// A connection to a server, opened on first use.
#[derive(Clone)]
pub struct Connection {
    channel: Channel,
    server: String,
    timeout: Duration,
    retries: u32,
    trace: Trace,
}

impl Connection {
    /// Prepares a connection; nothing is sent yet.
    ///
    /// # Errors
    /// If the address or a TLS file cannot be used.
    pub fn new(globals: &Globals) -> Result<Self, Failure> {
        let wrong = |error| Failure::Usage(format!("--server {}: {error}", globals.server()));
        let mut endpoint = Endpoint::from_shared(globals.server().to_owned())
            .map_err(|error| wrong(error.to_string()))?
            .user_agent(concat!("gamekeeper/", env!("CARGO_PKG_VERSION")))
            .map_err(|error| wrong(error.to_string()))?
            .connect_timeout(globals.timeout)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(20))
            .keep_alive_timeout(Duration::from_secs(10));
        match endpoint.uri().scheme_str() {
            Some("https") => {
                endpoint = endpoint
                    .tls_config(tls(globals)?)
                    .map_err(|error| Failure::Usage(format!("TLS: {}", last_cause(&error))))?;
            }
            Some("http") => {}
            _ => return Err(wrong("must begin with http:// or https://".to_owned())),
        }
        let channel = endpoint.connect_lazy();
        Ok(Self {
            channel,
            server: globals.server().to_owned(),
            timeout: globals.timeout,
            retries: globals.retries,
            trace: Trace::of_environment(),
        })
    }

    /// Returns the channel, for clients that are built elsewhere, such as those for health checks and load tests.
    #[must_use]
    pub fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Returns the deadline of a call.
    pub(crate) fn timeout(&self) -> Duration {
        self.timeout
    }

    /// Returns the maximum number of retries of a call.
    pub(crate) fn retries(&self) -> u32 {
        self.retries
    }

    /// Returns a copy of this connection that does not retry calls.
    pub(crate) fn without_retries(&self) -> Self {
        Self {
            retries: 0,
            ..self.clone()
        }
    }

    /// Returns a copy of this connection that retries calls for as long as the server does not respond.
    pub(crate) fn patient(&self) -> Self {
        Self {
            retries: u32::MAX,
            ..self.clone()
        }
    }

    /// Calls a unary method, and retries it while the server does not respond. Retries are safe: reads change nothing,
    /// and every change carries a request id (**idempotency key**).
    pub(crate) async fn call<C: Call>(
        &self,
        request: &C,
        token: Option<&str>,
    ) -> Result<C::Response, Failure> {
        let mut retry = Retry::new(self.retries);
        loop {
            match self.call_once(request, token).await {
                Ok(response) => return Ok(response),
                Err(status) => retry.wait_or_give_up(status).await?,
            }
        }
    }

    async fn call_once<C: Call>(
        &self,
        request: &C,
        token: Option<&str>,
    ) -> Result<C::Response, Status> {
        let request = self.request(request.clone(), token)?;
        self.unary(request, path::<C>(), codec::<C>()).await
    }

    /// Makes one attempt of a call, with a deadline.
    pub(crate) async fn unary<C>(
        &self,
        mut request: Request<C::Encode>,
        path: PathAndQuery,
        codec: C,
    ) -> Result<C::Decode, Status>
    where
        C: Codec<Encode: Send + Sync + 'static, Decode: Send + Sync + 'static>,
    {
        let mut client = self.client();
        request.set_timeout(self.timeout);
        let work = async {
            ready(&mut client).await?;
            client.unary(request, path, codec).await
        };
        // The server enforces the deadline too. The margin leaves it time to report that.
        self.within(self.timeout + Duration::from_millis(500), work)
            .await
    }

    /// Calls a method that returns a stream. The stream is opened once; its reader resumes it.
    pub(crate) async fn stream<C: Call>(
        &self,
        request: C,
        token: Option<&str>,
    ) -> Result<Streaming<C::Response>, Status> {
        let mut client = self.client();
        let request = self.request(request, token)?;
        let work = async {
            ready(&mut client).await?;
            client
                .server_streaming(request, path::<C>(), codec::<C>())
                .await
        };
        self.within(self.timeout, work).await
    }

    /// Calls a method that reads a stream of messages, and retries it like [`Self::call`].
    pub(crate) async fn upload<C: Call>(
        &self,
        messages: &[C],
        token: Option<&str>,
    ) -> Result<C::Response, Failure> {
        let mut retry = Retry::new(self.retries);
        loop {
            match self.upload_once(messages.to_vec(), token).await {
                Ok(response) => return Ok(response),
                Err(status) => retry.wait_or_give_up(status).await?,
            }
        }
    }

    async fn upload_once<C: Call>(
        &self,
        messages: Vec<C>,
        token: Option<&str>,
    ) -> Result<C::Response, Status> {
        let messages = tokio_stream::iter(messages);
        let mut responses = self.bidi_stream(messages, token).await?;
        let response = responses.message().await?;
        response.ok_or_else(|| Status::internal("the server has not answered"))
    }

    /// Calls a bidirectional streaming method.
    pub(crate) async fn bidi_stream<C: Call>(
        &self,
        questions: impl tokio_stream::Stream<Item = C> + Send + 'static,
        token: Option<&str>,
    ) -> Result<Streaming<C::Response>, Status> {
        let mut client = self.client();
        let request = self.request(questions, token)?;
        ready(&mut client).await?;
        let response = client.streaming(request, path::<C>(), codec::<C>()).await;
        self.read_response(response)
    }

    /// Waits for a response up to this time.
    pub(crate) async fn within<A>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<Response<A>, Status>>,
    ) -> Result<A, Status> {
        match tokio::time::timeout(limit, work).await {
            Ok(response) => self.read_response(response),
            Err(_) => Err(self.too_slow()),
        }
    }

    /// Returns the message of a response, or the status that explains why there is none.
    fn read_response<A>(&self, response: Result<Response<A>, Status>) -> Result<A, Status> {
        response
            .map(Response::into_inner)
            .map_err(|status| self.explain(status))
    }

    /// Adds the server's address to a status that the client made because the connection broke.
    pub(crate) fn explain(&self, status: Status) -> Status {
        if std::error::Error::source(&status).is_none() {
            return status;
        }
        if is_timeout(&status) {
            return self.too_slow();
        }
        let message = format!("cannot connect to {}: {}", self.server, last_cause(&status));
        let mut explained = Status::unavailable(message);
        explained.set_source(Arc::new(status));
        explained
    }

    /// Returns the status of a call that exceeded its deadline.
    pub(crate) fn too_slow(&self) -> Status {
        let time = humantime::format_duration(self.timeout);
        Status::deadline_exceeded(format!("no answer from {} within {time}", self.server))
    }

    /// Builds a request with this token, if there is one, and with the trace of the command.
    pub(crate) fn request<T>(&self, message: T, token: Option<&str>) -> Result<Request<T>, Status> {
        let mut request = bearer(message, token)?;
        self.trace.add_trace_id(&mut request);
        Ok(request)
    }

    /// Returns a client for any service.
    pub(crate) fn client(&self) -> Grpc<Channel> {
        Grpc::new(self.channel.clone()).max_decoding_message_size(MAX_ANSWER)
    }
}

/// Waits until a client is connected.
pub(crate) async fn ready(client: &mut Grpc<Channel>) -> Result<(), Status> {
    client
        .ready()
        .await
        .map_err(|error| Status::from_error(Box::new(error)))
}

fn path<C: Call>() -> PathAndQuery {
    PathAndQuery::from_static(C::PATH)
}

fn codec<C: Call>() -> MessageCodec<C, C::Response> {
    MessageCodec::default()
}

/// Builds a request with this token, if there is one.
///
/// # Errors
/// If the token contains characters that are not allowed in a header.
pub fn bearer<T>(message: T, token: Option<&str>) -> Result<Request<T>, Status> {
    let mut request = Request::new(message);
    if let Some(token) = token {
        let mut value: MetadataValue<_> = format!("Bearer {token}")
            .parse()
            .map_err(|_| Status::unauthenticated("the token holds characters that no token has"))?;
        value.set_sensitive(true);
        request.metadata_mut().insert("authorization", value);
    }
    Ok(request)
}

fn tls(globals: &Globals) -> Result<ClientTlsConfig, Failure> {
    let read = |file: &std::path::Path| {
        std::fs::read(file).map_err(|error| Failure::io(file.display(), &error))
    };
    let mut config = match &globals.ca {
        Some(file) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(read(file)?)),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    if let Some(name) = &globals.tls_name {
        config = config.domain_name(name);
    }
    if let (Some(cert), Some(key)) = (&globals.cert, &globals.key) {
        config = config.identity(Identity::from_pem(read(cert)?, read(key)?));
    }
    Ok(config)
}

/// Returns whether the client's own deadline expired.
fn is_timeout(status: &Status) -> bool {
    let mut cause = std::error::Error::source(status);
    while let Some(error) = cause {
        if error.is::<tonic::TimeoutExpired>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// Returns the root cause, which is the most informative one of the chain.
pub(crate) fn last_cause(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// Returns whether a stream ended as planned, by its age or because its server shuts down. This is no failure: the
/// stream is to be resumed at once.
fn is_planned_end(status: &Status) -> bool {
    let info = status.get_details_error_info();
    info.is_some_and(|info| info.reason == "GOING_AWAY")
}

/// Bounded retries with exponential backoff.
pub(crate) struct Retry {
    attempts: u32,
    max: u32,
}

impl Retry {
    /// Allows this number of retries.
    pub(crate) fn new(max: u32) -> Self {
        Self { attempts: 0, max }
    }

    /// Resets the count after a success.
    pub(crate) fn reset(&mut self) {
        self.attempts = 0;
    }

    /// Waits before the next retry, and prints a notice. Fails after the last retry, and at once if a retry would give
    /// the same result. The planned end of a stream is no failure, so it neither counts nor needs a notice.
    pub(crate) async fn wait_or_give_up(&mut self, status: Status) -> Result<(), Failure> {
        let Some(wait) = self.next_wait(&status) else {
            return Err(status.into());
        };
        if !is_planned_end(&status) {
            let failure = Failure::from(status);
            let wait = humantime::format_duration(wait);
            match self.max {
                u32::MAX => notice(format_args!("{failure}; trying again in {wait}")),
                max => notice(format_args!(
                    "{failure}; trying again in {wait} ({} of {max})",
                    self.attempts
                )),
            }
        }
        tokio::time::sleep(wait).await;
        Ok(())
    }

    fn next_wait(&mut self, status: &Status) -> Option<Duration> {
        if is_planned_end(status) {
            self.reset();
            return Some(PLANNED_WAIT);
        }
        if self.attempts >= self.max {
            return None;
        }
        let retry_delay = status
            .get_details_retry_info()
            .and_then(|info| info.retry_delay);
        let is_transport_error = std::error::Error::source(status).is_some();
        let is_unavailable = matches!(status.code(), Code::Unavailable | Code::DeadlineExceeded);
        if retry_delay.is_none() && !is_transport_error && !is_unavailable {
            return None;
        }
        let backoff = FIRST_WAIT.saturating_mul(1 << self.attempts.min(8));
        self.attempts = self.attempts.saturating_add(1);
        // The server names a minimum delay. Keep the backoff too, or all retries are used up while the server restarts.
        Some(
            retry_delay
                .map_or(backoff, |retry_delay| retry_delay.max(backoff))
                .min(MAX_WAIT),
        )
    }
}

#[cfg(test)]
mod tests {
    use tonic_types::ErrorDetails;

    use super::*;

    #[test]
    fn waits_grow_and_end() {
        let mut retry = Retry::new(3);
        let waits: Vec<_> = (0..4)
            .map(|_| retry.next_wait(&Status::unavailable("")))
            .collect();
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(waits, [ms(250), ms(500), ms(1_000), None]);
        retry.reset();
        assert_eq!(retry.next_wait(&Status::deadline_exceeded("")), ms(250));
    }

    #[test]
    fn the_planned_end_of_a_stream_is_no_failure() {
        let details = ErrorDetails::with_error_info("GOING_AWAY", "gamekeeper", []);
        let planned = Status::with_error_details(Code::Unavailable, "the stream is old", details);
        let mut retry = Retry::new(1);
        for _ in 0..100 {
            assert_eq!(retry.next_wait(&planned), Some(PLANNED_WAIT));
            assert_eq!(retry.next_wait(&planned), Some(PLANNED_WAIT));
            let failed = retry.next_wait(&Status::unavailable(""));
            assert_eq!(failed, Some(FIRST_WAIT));
        }
        assert_eq!(retry.next_wait(&Status::unavailable("")), None);
    }

    #[test]
    fn an_answer_is_not_asked_for_again() {
        let mut retry = Retry::new(3);
        for code in [
            Code::FailedPrecondition,
            Code::InvalidArgument,
            Code::Aborted,
            Code::NotFound,
        ] {
            assert_eq!(retry.next_wait(&Status::new(code, "")), None, "{code:?}");
        }
    }

    #[test]
    fn the_server_says_how_long_to_wait() {
        let details = ErrorDetails::with_retry_info(Some(Duration::from_secs(2)));
        let status = Status::with_error_details(Code::ResourceExhausted, "too fast", details);
        assert_eq!(
            Retry::new(1).next_wait(&status),
            Some(Duration::from_secs(2))
        );
    }
}
