//! What is around every call: a log line, numbers and a trace, the way in (token, whole request, limits), a deadline,
//! a net for panics, and an `ErrorInfo` for statuses that the library makes itself.

use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tonic::body::Body;
use tonic::codegen::Body as _;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tonic::{Code, Status};
use tower::{Layer, Service};
use tracing::{Instrument, Span};

use super::authorization;
use super::status::{
    DEADLINE, INTERNAL, MALFORMED_MESSAGE, Reason, UNKNOWN_COMPRESSION, UNKNOWN_METHOD, exhausted,
    fault, status_of, too_large, with,
};
use crate::auth::{Authority, Guest};
use crate::doorway::Visit;
use crate::settings::EdgeSettings;
use crate::telemetry::{CallMetrics, Method, Telemetry, Traces, finish};

/// The layer around all services.
#[derive(Clone)]
pub struct Edge(Arc<Gate>);

/// What clones of an [`Edge`] share.
struct Gate {
    settings: EdgeSettings,
    authority: Arc<Authority>,
    in_flight: Arc<Semaphore>,
    unauthenticated: Arc<Semaphore>,
    arriving: Arc<AtomicUsize>,
    calls: CallMetrics,
    traces: Traces,
}

impl Edge {
    /// The layer with these settings, around these methods (full names and rulesets). Clones share
    /// their limits.
    #[must_use]
    pub fn new(
        settings: EdgeSettings,
        methods: &[(String, String)],
        telemetry: &Telemetry,
        authority: Arc<Authority>,
    ) -> Self {
        let semaphore = |most: usize| Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS)));
        let in_flight = semaphore(settings.most_in_flight);
        let arriving = Arc::default();
        let metrics = telemetry.metrics();
        metrics.observe_calls(Arc::clone(&in_flight), settings.most_in_flight);
        metrics.observe_arriving(Arc::clone(&arriving));
        Self(Arc::new(Gate {
            authority,
            in_flight,
            unauthenticated: semaphore(settings.most_unauthenticated),
            arriving,
            calls: metrics.of_calls(methods.iter().cloned()),
            traces: telemetry.traces().clone(),
            settings,
        }))
    }
}

impl<S> Layer<S> for Edge {
    type Service = EdgeService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        EdgeService {
            inner,
            gate: Arc::clone(&self.0),
        }
    }
}

/// A service inside the [`Edge`].
#[derive(Clone)]
pub struct EdgeService<S> {
    inner: S,
    gate: Arc<Gate>,
}

type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

impl<S> Service<Request<Body>> for EdgeService<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Error: std::fmt::Display + Send,
    S::Future: Send,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Answer;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The router is always ready; a limit that made callers wait would hide overload.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Answer {
        let gate = Arc::clone(&self.gate);
        let method = gate.calls.method(request.uri().path());
        let span = gate
            .traces
            .begin(gate.calls.name(method), request.headers());
        let begun = Instant::now();
        let most = gate.settings.deadline;
        let deadline = deadline_of(request.headers()).map_or(most, |asked| asked.min(most));
        let mut inner = self.inner.clone();
        let answer = async move {
            let call = async {
                match gate.admit(method, request).await {
                    // The pass is held until there is an answer.
                    Ok((request, _pass)) => inner.call(request).await,
                    Err(status) => Ok(status.into_http()),
                }
            };
            let mut response = guarded(deadline, call).await;
            answered(&gate.calls, method, &mut response, begun.elapsed());
            Ok(response)
        };
        if span.is_none() {
            return Box::pin(answer);
        }
        Box::pin(answer.instrument(span))
    }
}

/// What a call takes while it is answered.
struct Pass {
    _guest: Option<Guest>,
    _permit: OwnedSemaphorePermit,
}

impl Gate {
    /// Lets a call in when its caller is known and its request is whole, in this order: who has no
    /// token is told so before anything is read or counted, and a request that does not arrive takes
    /// from nobody but its own caller.
    async fn admit(
        &self,
        method: Method,
        mut request: Request<Body>,
    ) -> Result<(Request<Body>, Pass), Status> {
        let name = self.calls.name(method);
        if !wants_token(name) {
            let what = "the server answers as many calls without a token as it may";
            let permit = free(&self.unauthenticated, "max_unauthenticated", what)?;
            let request = self.whole(name, request).await?;
            let _guest = None;
            return Ok((
                request,
                Pass {
                    _guest,
                    _permit: permit,
                },
            ));
        }
        let guest = authorization(request.headers())
            .and_then(|header| self.authority.admit(header))
            .map_err(|problem| status_of(&problem))?;
        request.extensions_mut().insert(guest.clone());
        let request = self.whole(name, request).await?;
        if let Some(visit) = request.extensions().get::<Arc<Visit>>() {
            visit.know();
        }
        let what = "the server answers as many calls as it may";
        let pass = Pass {
            _guest: Some(guest),
            _permit: free(&self.in_flight, "max_in_flight", what)?,
        };
        Ok((request, pass))
    }

    /// Waits for the end of a request, unless it is a stream.
    async fn whole(&self, name: &str, request: Request<Body>) -> Result<Request<Body>, Status> {
        if is_streamed(name) || request.body().is_end_stream() {
            return Ok(request);
        }
        let (head, body) = request.into_parts();
        let most = self.settings.most_bytes;
        let arriving = Arriving::count(&self.arriving);
        let read = Limited::new(body, most.saturating_add(FRAME_HEADER)).collect();
        let read = timeout(self.settings.arrival, read).await;
        drop(arriving);
        match read {
            Ok(Ok(body)) => {
                let body = Body::new(Full::new(body.to_bytes()));
                Ok(Request::from_parts(head, body))
            }
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(&format!(
                "the request is larger than {most} bytes"
            ))),
            Ok(Err(_)) => Err(with(MALFORMED_MESSAGE, "the request broke off", [])),
            Err(_) => Err(with(DEADLINE, "the request did not arrive in time", [])),
        }
    }
}

/// Before each message there are a flag and its length.
const FRAME_HEADER: usize = 5;

/// Only the methods of the contract want a token; health and reflection do not.
fn wants_token(method: &str) -> bool {
    method.starts_with("gamekeeper.")
}

/// Does the client send a stream of messages?
fn is_streamed(method: &str) -> bool {
    method.ends_with("/SelfPlay") || method.ends_with("/ServerReflectionInfo")
}

fn free(
    semaphore: &Arc<Semaphore>,
    limit: &str,
    what: &str,
) -> Result<OwnedSemaphorePermit, Status> {
    Arc::clone(semaphore)
        .try_acquire_owned()
        .map_err(|_| exhausted(limit, what))
}

/// A call that is not whole yet, counted as long as this lives.
struct Arriving<'a>(&'a AtomicUsize);

impl<'a> Arriving<'a> {
    fn count(arriving: &'a AtomicUsize) -> Self {
        arriving.fetch_add(1, Ordering::Relaxed);
        Self(arriving)
    }
}

impl Drop for Arriving<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Ends a call at its deadline, catches its panics, and completes its status.
async fn guarded<F, E>(deadline: Duration, call: F) -> Response<Body>
where
    F: Future<Output = Result<Response<Body>, E>>,
    E: std::fmt::Display,
{
    let call = tokio::time::timeout(deadline, call);
    match AssertUnwindSafe(call).catch_unwind().await {
        Ok(Ok(Ok(response))) => completed(response),
        Ok(Ok(Err(error))) => fault(&error.to_string()).into_http(),
        Ok(Err(_)) => with(DEADLINE, "the deadline passed", []).into_http(),
        Err(panic) => fault(panic_message(&*panic)).into_http(),
    }
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
}

/// Counts a call, ends its span, and logs it.
fn answered(calls: &CallMetrics, method: Method, response: &mut Response<Body>, took: Duration) {
    // A status in the headers is a failed call; a call that went well has it in the trailers.
    let code = Status::from_header_map(response.headers()).map_or(Code::Ok, |status| status.code());
    calls.answered(method, code, took);
    finish(&Span::current(), code, response.headers_mut());
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    tracing::debug!(method = calls.name(method), code = ?code, micros, "answered");
}

/// Statuses that the library makes itself say in their text alone what is wrong, and some have
/// another code than the contract promises: they get a reason, and the right code.
fn completed(response: Response<Body>) -> Response<Body> {
    let Some(status) = Status::from_header_map(response.headers()) else {
        return response;
    };
    if status.code() == Code::Ok || !status.details().is_empty() {
        return response;
    }
    let message = status.message();
    let better = match status.code() {
        Code::OutOfRange if message.contains("message length too large") => too_large(message),
        // Our own faults have details. What the library calls so is a request that it cannot read.
        Code::Internal | Code::Unknown | Code::DataLoss => with(MALFORMED_MESSAGE, message, []),
        Code::Unimplemented if message.contains("compressed") => {
            with(UNKNOWN_COMPRESSION, message, [])
        }
        Code::Unimplemented => with(UNKNOWN_METHOD, message, []),
        Code::Cancelled | Code::DeadlineExceeded => with(DEADLINE, message, []),
        Code::Ok
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Unavailable
        | Code::Unauthenticated => with(
            Reason {
                code: status.code(),
                ..INTERNAL
            },
            message,
            [],
        ),
    };
    better.into_http()
}

/// The deadline that a caller set, a little shortened: our own answer must come before the library
/// cuts the call off with a status that means something else.
fn deadline_of(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let count: u64 = digits.parse().ok().filter(|_| digits.len() <= 8)?;
    let timeout = match unit {
        "H" => Duration::from_secs(count * 3600),
        "M" => Duration::from_secs(count * 60),
        "S" => Duration::from_secs(count),
        "m" => Duration::from_millis(count),
        "u" => Duration::from_micros(count),
        "n" => Duration::from_nanos(count),
        _ => return None,
    };
    Some(timeout.saturating_sub(Duration::from_millis(2)))
}

#[cfg(test)]
mod tests {
    use prost::Message;
    use prost_types::FileDescriptorSet;

    use super::*;

    fn deadline(text: &str) -> Option<Duration> {
        deadline_of(&HeaderMap::from_iter([(
            "grpc-timeout".parse().ok()?,
            text.parse().ok()?,
        )]))
    }

    #[test]
    fn deadlines_are_read_as_the_protocol_writes_them() {
        assert_eq!(deadline("3S"), Some(Duration::from_millis(2_998)));
        assert_eq!(deadline("50m"), Some(Duration::from_millis(48)));
        assert_eq!(deadline("1u"), Some(Duration::ZERO));
        for wrong in ["", "S", "3", "3x", "-1S", "123456789S", "\u{e9}"] {
            assert_eq!(deadline(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn streams_of_clients_are_known() {
        let compiled = FileDescriptorSet::decode(gamekeeper_proto::DESCRIPTORS).unwrap();
        for file in &compiled.file {
            for service in &file.service {
                for method in &service.method {
                    let name = format!("{}.{}/{}", file.package(), service.name(), method.name());
                    assert_eq!(is_streamed(&name), method.client_streaming(), "{name}");
                    assert!(wants_token(&name), "{name}");
                }
            }
        }
    }

    #[test]
    fn statuses_of_the_library_get_a_reason() {
        let code = |status: Status| {
            let response = completed(status.into_http());
            Status::from_header_map(response.headers()).map(|status| status.code())
        };
        let large =
            "Error, decoded message length too large: found 70000 bytes, the limit is: 65536 bytes";
        assert_eq!(
            code(Status::out_of_range(large)),
            Some(Code::ResourceExhausted)
        );
        assert_eq!(
            code(Status::internal("failed to decode Protobuf message")),
            Some(Code::InvalidArgument)
        );
        assert_eq!(
            code(Status::internal("Unexpected EOF decoding stream.")),
            Some(Code::InvalidArgument)
        );
        assert_eq!(code(Status::unimplemented("")), Some(Code::Unimplemented));
    }

    #[tokio::test]
    async fn panics_and_lateness_become_statuses() {
        let late = guarded::<_, Infallible>(Duration::ZERO, std::future::pending()).await;
        let code = |response: &Response<Body>| {
            Status::from_header_map(response.headers()).map(|s| s.code())
        };
        assert_eq!(code(&late), Some(Code::DeadlineExceeded));
        let panics = async { panic!("a secret") };
        let panicked = guarded::<_, Infallible>(Duration::from_secs(1), panics).await;
        assert_eq!(code(&panicked), Some(Code::Internal));
        assert!(!format!("{:?}", panicked.headers()).contains("secret"));
    }
}
