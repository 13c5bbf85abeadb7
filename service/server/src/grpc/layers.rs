//! The middleware around every call: a log line, metrics and a trace, admission (token, complete request, limits), a
//! deadline, a handler for panics, and an `ErrorInfo` for statuses that the library creates itself.

use std::convert::Infallible;
use std::future::Future;
use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use futures_util::{FutureExt, TryFutureExt};
use gamekeeper_games::authz::Account;
use gamekeeper_games::scheduling::{RateLimiter, schedule};
use gamekeeper_store::clock::now_ms;
use gamekeeper_telemetry::{CallMetrics, Method, finish};
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use tonic::{Code, Status};
use tower::{Layer, Service};
use tracing::{Instrument, Span};

use super::NO_SUCH_METHOD;
use super::admission::{AdmissionControl, AdmissionDeps};
use super::compression::Encoding;
use super::reasons::Reason;
use super::status::{fault, too_large};
use super::unary::ResponseFuture;
use crate::audit;
use crate::connection_limiter::ConnectionGuard;
use crate::settings::EdgeSettings;
use crate::telemetry::Telemetry;

/// The response header with the time of the server, in milliseconds since the Unix epoch.
pub(crate) const TIME: HeaderName = HeaderName::from_static("gamekeeper-time");

/// The layer around all services.
#[derive(Clone)]
pub struct Edge(Arc<AdmissionControl>);

impl Edge {
    /// Creates the layer for these methods (full names). Clones share their limits. Streams that would not end by
    /// themselves end when the server closes.
    #[must_use]
    pub fn new(
        settings: EdgeSettings,
        methods: &[String],
        telemetry: &Telemetry,
        access: AdmissionDeps,
        closing: &CancellationToken,
    ) -> Self {
        let admission = AdmissionControl::new(settings, methods, telemetry, access, closing);
        Self(Arc::new(admission))
    }

    /// Returns the rate limits and usage of callers without a token.
    pub(crate) fn anonymous_budgets(&self) -> &Arc<RateLimiter> {
        &self.0.anonymous_budgets
    }

    /// Returns the number of calls in flight of this account.
    pub(crate) fn in_flight(&self, account: Account) -> usize {
        self.0.in_flight.in_use_by(account)
    }

    /// Returns the numbers of calls and of streams without a token of this network, or of this address.
    pub(crate) fn anonymous_in_use(&self, account: Account) -> [usize; 2] {
        let admission = &self.0;
        [
            &admission.unauthenticated,
            &admission.unauthenticated_streams,
        ]
        .map(|limiter| limiter.in_use_by(account))
    }
}

impl<S> Layer<S> for Edge {
    type Service = EdgeService<S>;

    fn layer(&self, inner: S) -> Self::Service {
        EdgeService {
            inner,
            admission: Arc::clone(&self.0),
        }
    }
}

/// A service inside of the [`Edge`].
#[derive(Clone)]
pub struct EdgeService<S> {
    inner: S,
    admission: Arc<AdmissionControl>,
}

impl<S> Service<Request<Body>> for EdgeService<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Error: std::fmt::Display + Send,
    S::Future: Send + Unpin,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The router is always ready. Waiting here for a limit would hide overload; excess calls are refused instead
        // (**load shedding**).
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<Body>) -> ResponseFuture {
        let admission = Arc::clone(&self.admission);
        let method = admission.calls.method(request.uri().path());
        let span = admission
            .traces
            .begin(admission.calls.name(method), request.headers());
        let begun = Instant::now();
        let max = admission.settings.deadline;
        let requested = deadline_of(request.headers());
        let deadline = requested.map_or(max, |requested| requested.min(max));
        let encoding =
            Encoding::accepted(request.headers()).filter(|_| admission.compresses(method));
        let guard = request.extensions().get::<Arc<ConnectionGuard>>();
        let address = guard.map(|guard| guard.address());
        let mut inner = self.inner.clone();
        let mut admitted = admission.on_headers(method, &mut request);
        let call = async move {
            let task = match admission.admit(method, &mut admitted, &mut request).await {
                Ok(task) => task,
                Err(status) => return Ok(status.into_http()),
            };
            let respond = inner.call(request).map_ok(|response| match encoding {
                Some(encoding) => admission.compress(method, response, encoding),
                None => response,
            });
            let outcome = schedule(task, respond).await;
            // The permits are held until there is an answer.
            outcome.map(|outcome| match admitted {
                Ok(Some(permit)) => {
                    let left = requested.map(|requested| requested.saturating_sub(begun.elapsed()));
                    admission.end(method, permit, outcome, left)
                }
                Ok(None) | Err(_) => outcome,
            })
        };
        let admission = Arc::clone(&self.admission);
        let outcome = with_timeout_and_catch(deadline, call).map(move |mut response| {
            let call = (method, address);
            record_call(&admission.calls, call, &mut response, begun.elapsed());
            Ok(response)
        });
        if span.is_none() {
            return Box::pin(outcome);
        }
        Box::pin(outcome.instrument(span))
    }
}

/// Ends a call at its deadline, catches its panics, and completes its status.
fn with_timeout_and_catch<F, E>(deadline: Duration, call: F) -> impl Future<Output = Response<Body>>
where
    F: Future<Output = Result<Response<Body>, E>>,
    E: std::fmt::Display,
{
    let call = AssertUnwindSafe(tokio::time::timeout(deadline, call));
    call.catch_unwind().map(|ended| match ended {
        Ok(Ok(Ok(response))) => normalize_status(response),
        Ok(Ok(Err(error))) => fault(&error.to_string()).into_http(),
        Ok(Err(_)) => Reason::DEADLINE
            .status("the deadline passed", [])
            .into_http(),
        Err(panic) => fault(panic_message(&*panic)).into_http(),
    })
}

fn panic_message(panic: &(dyn std::any::Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic")
}

/// Counts a call, ends its span, and logs it. A rejected token is recorded in the audit log, at whatever layer it was
/// rejected.
fn record_call(
    calls: &CallMetrics,
    (method, address): (Method, Option<IpAddr>),
    response: &mut Response<Body>,
    took: Duration,
) {
    // A call that fails at once has its status in the headers. Any other call has it in the trailers, which follow
    // later.
    let failed = Status::from_header_map(response.headers());
    let code = failed.as_ref().map_or(Code::Ok, Status::code);
    if let Some(failed) = failed.filter(|_| code == Code::Unauthenticated) {
        audit::record_bad_token(address, calls.name(method), failed.message());
    }
    calls.record_call(method, code, took);
    finish(&Span::current(), code, response.headers_mut());
    // In the table of HTTP/2's header compression, values that always differ would displace those that never do.
    let mut time = HeaderValue::from(now_ms());
    time.set_sensitive(true);
    response.headers_mut().insert(TIME, time);
    let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
    tracing::debug!(method = calls.name(method), code = ?code, micros, "answered");
}

/// Completes a status that the library created. Such a status has its cause only in the text, and some have another
/// code than the contract promises, so it gets a reason and the right code.
fn normalize_status(response: Response<Body>) -> Response<Body> {
    let Some(status) = Status::from_header_map(response.headers()) else {
        return response;
    };
    if status.code() == Code::Ok || !status.details().is_empty() {
        return response;
    }
    let message = match status.message() {
        "" if status.code() == Code::Unimplemented => NO_SUCH_METHOD,
        message => message,
    };
    let better = match status.code() {
        Code::OutOfRange if message.contains("message length too large") => too_large(message),
        // A small compressed request that expands to a large one (a **decompression bomb**).
        Code::ResourceExhausted if message.contains("Error decompressing") => too_large(message),
        // Our own faults have details. The library uses these codes for requests that it cannot read.
        Code::Internal | Code::Unknown | Code::DataLoss => {
            Reason::MALFORMED_MESSAGE.status(message, [])
        }
        Code::Unimplemented if message.contains("compressed") => {
            Reason::UNKNOWN_COMPRESSION.status(message, [])
        }
        Code::Unimplemented => Reason::UNKNOWN_METHOD.status(message, []),
        Code::Cancelled | Code::DeadlineExceeded => Reason::DEADLINE.status(message, []),
        // Of the library's services, only health looks up names.
        Code::NotFound => Reason::NO_SUCH_SERVICE.status("there is no such service", []),
        Code::Ok
        | Code::InvalidArgument
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Unavailable
        | Code::Unauthenticated => fault(message),
    };
    better.into_http()
}

/// Returns the deadline that a caller set, slightly shortened: our own answer must be sent before the library ends the
/// call with a status of another meaning.
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
    use tonic_types::StatusExt;

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
    fn statuses_of_the_library_get_a_reason() {
        let code = |status: Status| {
            let response = normalize_status(status.into_http());
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
        let unknown = normalize_status(Status::unimplemented("").into_http());
        let unknown = Status::from_header_map(unknown.headers()).unwrap();
        assert_eq!(unknown.message(), "there is no such method");
        assert_eq!(
            code(Status::not_found("service not registered")),
            Some(Code::NotFound)
        );
        let unexpected = normalize_status(Status::already_exists("a secret").into_http());
        let unexpected = Status::from_header_map(unexpected.headers()).unwrap();
        assert_eq!(unexpected.code(), Code::Internal);
        assert!(!unexpected.message().contains("secret"));
        let details = unexpected.get_error_details();
        let info = details.error_info().unwrap();
        assert!(info.metadata.contains_key("fault_id"), "{info:?}");
    }

    #[tokio::test]
    async fn panics_and_lateness_become_statuses() {
        let late =
            with_timeout_and_catch::<_, Infallible>(Duration::ZERO, std::future::pending()).await;
        let code = |response: &Response<Body>| {
            Status::from_header_map(response.headers()).map(|s| s.code())
        };
        assert_eq!(code(&late), Some(Code::DeadlineExceeded));
        let panics = async { panic!("a secret") };
        let panicked =
            with_timeout_and_catch::<_, Infallible>(Duration::from_secs(1), panics).await;
        assert_eq!(code(&panicked), Some(Code::Internal));
        assert!(!format!("{:?}", panicked.headers()).contains("secret"));
    }
}
