//! **Admission control**: admits a call once its caller is authenticated, its limits allow it, and its request is
//! complete.

use std::mem;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::lazy;
use gamekeeper_games::admission::{Blocklist, ConcurrencyLimiter, ConcurrencyPermit};
use gamekeeper_games::authz::{Account, Caller, UserTokens};
use gamekeeper_games::errors::{EndCause, ServiceError};
use gamekeeper_games::jitter::jittered;
use gamekeeper_games::scheduling::{
    FairTask, LowBudget, Meter, Principal, RateLimiter, record_caller, schedule,
};
use gamekeeper_telemetry::{CallMetrics, Method, Traces};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::Body as _;
use tonic::codegen::http::{HeaderMap, Request, Response};
use tonic::metadata::MetadataMap;
use tonic::{Code, Status};

use super::authorization;
use super::compression::{Encoding, compressed};
use super::guarded_body::{BodyLimits, ExpiryReason, guard_body};
use super::method_specs::{AuthRequirement, MethodSpec, PermitRelease, Streaming};
use super::rate_limit_headers::add_rate_limit;
use super::reasons::Reason;
use super::services::spec_of;
use super::status::{status_of, too_large};
use super::stream_body::{carrying, scheduled_body};
use super::stream_end::noting_end;
use super::unary::HEADER_SIZE;
use super::web::Payer;
use crate::auth::Authenticator;
use crate::connection_limiter::{ActiveStreamGuard, ConnectionGuard};
use crate::settings::EdgeSettings;
use crate::telemetry::Telemetry;

/// The state that all clones of an [`Edge`](super::Edge) share.
pub(super) struct AdmissionControl {
    pub(super) settings: EdgeSettings,
    authenticator: Arc<Authenticator>,
    /// The state of tokens of users: which are valid and which are revoked.
    user_tokens: Arc<UserTokens>,
    /// The rate limits and usage of callers with a token.
    budgets: Arc<RateLimiter>,
    /// The rate limits and usage of addresses without a token.
    pub(super) anonymous_budgets: Arc<RateLimiter>,
    /// The accounts that operators have stopped.
    blocklist: Arc<Blocklist>,
    /// The permits of calls whose requests are complete.
    pub(super) in_flight: Arc<ConcurrencyLimiter>,
    /// The permits of calls with a token whose requests are incomplete.
    incomplete: Arc<ConcurrencyLimiter>,
    /// The permits of unary calls without a token.
    pub(super) unauthenticated: Arc<ConcurrencyLimiter>,
    /// The permits of streams without a token. They are separate, so that long streams never block unary calls.
    pub(super) unauthenticated_streams: Arc<ConcurrencyLimiter>,
    pending_bodies: Arc<AtomicUsize>,
    closing: CancellationToken,
    pub(super) calls: CallMetrics,
    pub(super) traces: Traces,
}

/// The state of access: authentication, rate limits, stopped accounts and revoked tokens.
pub struct AdmissionDeps {
    /// The authentication of callers.
    pub authenticator: Arc<Authenticator>,
    /// The rate limits and usage of callers with a token.
    pub budgets: Arc<RateLimiter>,
    /// The accounts that operators have stopped.
    pub blocklist: Arc<Blocklist>,
    /// The state of tokens of users: which are valid and which are revoked.
    pub user_tokens: Arc<UserTokens>,
}

/// The resources that a call holds while it is answered, released when it is dropped.
pub(super) struct AdmissionPermit {
    meter: Arc<Meter>,
    /// The permit of the call. Is `None` for a caller of a server that trusts everybody, while the request is
    /// incomplete: such callers share one account, and one slow client must not use up its permits.
    concurrency_permit: Option<ConcurrencyPermit>,
    /// Whether the caller has no token. A response that keeps the permit of its call then keeps this one; streams of
    /// callers with a token have separate permits.
    is_anonymous: bool,
    active_stream: Option<ActiveStreamGuard>,
    /// The rest of the budget when the call was admitted, if that is little.
    low_budget: Option<LowBudget>,
}

impl AdmissionPermit {
    /// Returns the scheduling handle of the call.
    fn task(&self, admission: &AdmissionControl) -> FairTask {
        FairTask::for_call(
            Arc::clone(&self.meter),
            Arc::clone(admission.budgets_of(self)),
        )
    }
}

impl AdmissionControl {
    pub(super) fn new(
        settings: EdgeSettings,
        methods: &[String],
        telemetry: &Telemetry,
        AdmissionDeps {
            authenticator,
            budgets,
            blocklist,
            user_tokens,
        }: AdmissionDeps,
        closing: &CancellationToken,
    ) -> Self {
        let in_flight =
            || ConcurrencyLimiter::new("max_in_flight", "concurrent calls", settings.max_in_flight);
        let (in_flight, incomplete) = (in_flight(), in_flight());
        let open = |what| {
            ConcurrencyLimiter::new("max_unauthenticated", what, settings.max_unauthenticated)
        };
        let pending_bodies = Arc::default();
        let metrics = telemetry.metrics();
        let seen = Arc::clone(&in_flight);
        metrics.observe_calls(move || seen.in_use());
        metrics.observe_pending_bodies(Arc::clone(&pending_bodies));
        Self {
            authenticator,
            user_tokens,
            budgets,
            anonymous_budgets: Arc::new(RateLimiter::new(settings.anonymous_rate)),
            blocklist,
            in_flight,
            incomplete,
            unauthenticated: open("concurrent calls without a token"),
            unauthenticated_streams: open("streams without a token"),
            pending_bodies,
            closing: closing.clone(),
            calls: metrics.of_calls(methods.iter().cloned()),
            traces: telemetry.traces().clone(),
            settings,
        }
    }

    /// Admits a call whose headers have arrived. Returns `None` if its token must be verified first.
    ///
    /// The library calls this within the connection's slot, so the connection pays for refused calls.
    pub(super) fn on_headers(
        &self,
        method: Method,
        request: &mut Request<Body>,
    ) -> Result<Option<AdmissionPermit>, Status> {
        let spec = spec_of(self.calls.name(method));
        if spec.auth == AuthRequirement::Public {
            return self.admit_anonymous(spec, request).map(Some);
        }
        let cached =
            self.authenticate(request, |header| self.authenticator.lookup_cached(header))?;
        cached
            .map(|caller| self.admit_caller(caller, request))
            .transpose()
    }

    /// Admits a call once its caller is known and its request is complete, in this order: a call without its token is
    /// refused before anything is read or counted, and a request that never arrives uses up only its own caller's
    /// limits. The permits are passed as `headers_result` by reference, so that they are not stored a second time in
    /// this future (smaller futures).
    pub(super) async fn admit(
        &self,
        method: Method,
        headers_result: &mut Result<Option<AdmissionPermit>, Status>,
        request: &mut Request<Body>,
    ) -> Result<FairTask, Status> {
        let spec = spec_of(self.calls.name(method));
        let admitted = match headers_result {
            Ok(admitted) => admitted,
            Err(status) => return Err(mem::replace(status, Status::ok(""))),
        };
        // Boxed where it awaits: the future of every call contains this one.
        let permit = match admitted {
            Some(permit) => permit,
            None => admitted.insert(Box::pin(self.verify_and_admit(request)).await?),
        };
        if let Some(payer) = request.extensions().get::<Payer>() {
            payer.admit(permit.meter.account(), self.budgets_of(permit));
        }
        self.read_body(spec, request).await?;
        self.on_body(permit, request)?;
        let caller = request.extensions().get::<Caller>();
        if let Some(check) = caller.and_then(|caller| self.user_tokens.check(caller)) {
            check.await.map_err(|problem| status_of(&problem))?;
        }
        Ok(permit.task(self))
    }

    /// Admits a call without a token.
    fn admit_anonymous(
        &self,
        spec: &MethodSpec,
        request: &Request<Body>,
    ) -> Result<AdmissionPermit, Status> {
        let guard = request.extensions().get::<Arc<ConnectionGuard>>();
        let limiter = if spec.streaming == Streaming::Unary {
            &self.unauthenticated
        } else {
            &self.unauthenticated_streams
        };
        let address = guard.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |guard| guard.address());
        let usage = self.anonymous_budgets.usage();
        let meter = usage.meter_for(anonymous_account(request), || Principal::Anonymous(address));
        meter.count_call();
        record_caller(&meter);
        let (permit, low_budget) = self.acquire(&self.anonymous_budgets, limiter, &meter)?;
        Ok(AdmissionPermit {
            meter,
            concurrency_permit: Some(permit),
            is_anonymous: true,
            active_stream: track_stream(request),
            low_budget,
        })
    }

    /// Admits a call of an authenticated caller, with a permit until its request is complete.
    fn admit_caller(
        &self,
        caller: Caller,
        request: &mut Request<Body>,
    ) -> Result<AdmissionPermit, Status> {
        let account = caller.account;
        let usage = self.budgets.usage();
        let meter = usage.meter_for(account, || Principal::from(&caller.role));
        meter.count_call();
        record_caller(&meter);
        request.extensions_mut().insert(caller);
        // A server that trusts everybody cannot tell callers apart, so incomplete requests take no permit.
        let is_trusted = account == Account::EVERYBODY;
        let incomplete =
            (!is_trusted).then(|| self.acquire(&self.budgets, &self.incomplete, &meter));
        let (concurrency_permit, low_budget) = incomplete.transpose()?.unzip();
        Ok(AdmissionPermit {
            concurrency_permit,
            meter,
            is_anonymous: false,
            active_stream: track_stream(request),
            low_budget: low_budget.flatten(),
        })
    }

    /// Verifies the token of a call and admits it, see [`Self::admit_caller`]. Verification takes long, so it waits for
    /// a slot of the connection.
    async fn verify_and_admit(
        &self,
        request: &mut Request<Body>,
    ) -> Result<AdmissionPermit, Status> {
        let guard = request.extensions().get::<Arc<ConnectionGuard>>();
        let account = guard.map_or(Account::EVERYBODY, |guard| guard.scheduling_account());
        let anonymous = anonymous_account(request);
        let verify = lazy(|_| {
            let may_verify = || self.anonymous_budgets.ensure_within_limit(anonymous);
            let caller = self.authenticate(request, |header| {
                self.authenticator.caller(header, may_verify)
            })?;
            self.admit_caller(caller, request)
        });
        schedule(FairTask::for_connection(account), verify).await
    }

    /// Takes a permit for a call, unless an operator has stopped its account or its rate limit is used up. Also returns
    /// what is left of the budget, if that is little.
    fn acquire(
        &self,
        budgets: &RateLimiter,
        limiter: &Arc<ConcurrencyLimiter>,
        meter: &Meter,
    ) -> Result<(ConcurrencyPermit, Option<LowBudget>), Status> {
        let account = meter.account();
        let admitted = self.blocklist.check(account).and_then(|()| {
            let low_budget = budgets.admit(account)?;
            Ok((limiter.try_acquire(account)?, low_budget))
        });
        admitted.map_err(|problem| {
            meter.count_refusal();
            let mut headers = HeaderMap::new();
            add_rate_limit(&mut headers, budgets.low_budget(account));
            let mut status = status_of(&problem);
            *status.metadata_mut() = MetadataMap::from_headers(headers);
            status
        })
    }

    /// Replaces the permit of an incomplete request by one of a call in flight. The connection now belongs to the
    /// caller's account.
    fn on_body(&self, permit: &mut AdmissionPermit, request: &Request<Body>) -> Result<(), Status> {
        if permit.is_anonymous {
            return Ok(());
        }
        let account = permit.meter.account();
        if let Some(guard) = request.extensions().get::<Arc<ConnectionGuard>>() {
            guard.attribute_to(account);
        }
        let concurrency_permit = self.in_flight.try_acquire(account).map_err(|problem| {
            permit.meter.count_refusal();
            status_of(&problem)
        });
        permit.concurrency_permit = Some(concurrency_permit?);
        Ok(())
    }

    /// Authenticates the token of this request. An address that sends invalid tokens is charged for each.
    fn authenticate<A>(
        &self,
        request: &Request<Body>,
        find: impl FnOnce(Option<&str>) -> Result<A, ServiceError>,
    ) -> Result<A, Status> {
        let outcome = authorization(request.headers()).and_then(find);
        if matches!(outcome, Err(ServiceError::InvalidToken(_))) {
            self.anonymous_budgets
                .charge_bad_token(anonymous_account(request));
        }
        outcome.map_err(|problem| status_of(&problem))
    }

    /// Ends a call with this response. Some responses keep the permit of their call until they end. A stream ends after
    /// `left`, the rest of the deadline that its caller has set.
    pub(super) fn end(
        self: &Arc<Self>,
        method: Method,
        pass: AdmissionPermit,
        mut answer: Response<Body>,
        left: Option<Duration>,
    ) -> Response<Body> {
        add_rate_limit(answer.headers_mut(), pass.low_budget);
        let spec = spec_of(self.calls.name(method));
        if code_of(&answer) == Code::ResourceExhausted {
            pass.meter.count_refusal();
        }
        let response = if spec.streaming == Streaming::Unary {
            answer
        } else {
            let task =
                FairTask::for_stream(pass.meter.account(), Arc::clone(self.budgets_of(&pass)));
            answer.map(|body| scheduled_body(body, task))
        };
        let AdmissionPermit {
            concurrency_permit,
            is_anonymous,
            active_stream,
            ..
        } = pass;
        let concurrency_permit = concurrency_permit.filter(|_| is_anonymous);
        let answer = match self.body_limits(spec, left) {
            Some(limits) => {
                response.map(|body| guard_body(body, (concurrency_permit, active_stream), limits))
            }
            None if spec.streaming == Streaming::Unary => response,
            None => response.map(|body| carrying(body, active_stream)),
        };
        if spec.streaming == Streaming::Unary {
            return answer;
        }
        let gate = Arc::clone(self);
        let note = move |cause, open| gate.stream_ended(method, cause, open);
        answer.map(|body| noting_end(body, note))
    }

    /// Counts and logs the end of a stream. The cause is `None` if the stream was dropped before its status was sent.
    fn stream_ended(&self, method: Method, cause: Option<&'static str>, open: Duration) {
        // A server that is shutting down drops what it could not finish in time.
        let dropped = match self.closing.is_cancelled() {
            true => EndCause::Shutdown,
            false => EndCause::ClientGone,
        };
        let cause = cause.unwrap_or_else(|| dropped.name());
        self.calls.stream_ended(method, cause);
        let millis = u64::try_from(open.as_millis()).unwrap_or(u64::MAX);
        let method = self.calls.name(method);
        tracing::debug!(method, cause, millis, "stream ended");
    }

    fn budgets_of(&self, permit: &AdmissionPermit) -> &Arc<RateLimiter> {
        if permit.is_anonymous {
            &self.anonymous_budgets
        } else {
            &self.budgets
        }
    }

    /// Returns the bounds of a response that keeps the permit of its call, or that is a stream whose caller has set a
    /// deadline. Returns `None` for any other.
    fn body_limits(&self, spec: &MethodSpec, left: Option<Duration>) -> Option<BodyLimits> {
        let limits = self.permit_limits(spec);
        let Some(left) = left.filter(|_| spec.streaming != Streaming::Unary) else {
            return limits;
        };
        let limits = limits.unwrap_or(BodyLimits {
            max_age: None,
            slow_consumer_timeout: Duration::MAX,
            closing: None,
        });
        Some(match limits.max_age {
            Some((age, _)) if age <= left => limits,
            Some(_) | None => BodyLimits {
                max_age: Some((left, ExpiryReason::Deadline)),
                ..limits
            },
        })
    }

    /// Returns the bounds of a response that keeps the permit of its call, or `None` if the response gives it up at
    /// once.
    fn permit_limits(&self, spec: &MethodSpec) -> Option<BodyLimits> {
        let of_connection = self.settings.max_connection_age.unwrap_or(HEALTH_WATCH_AGE);
        let (age, closing) = match spec.permit_release {
            PermitRelease::Response => return None,
            PermitRelease::End => (None, None),
            PermitRelease::MaxAge => (Some((jittered(of_connection), ExpiryReason::MaxAge)), None),
            PermitRelease::Deadline => {
                let age = Some((self.settings.deadline, ExpiryReason::Deadline));
                (age, Some(self.closing.clone()))
            }
        };
        Some(BodyLimits {
            max_age: age,
            slow_consumer_timeout: self.settings.slow_consumer_timeout,
            closing,
        })
    }

    /// Whether responses of this method are compressed. Responses to a stream of requests go to programs nearby that
    /// wait for them: compressing these costs more than it saves.
    pub(super) fn compresses(&self, method: Method) -> bool {
        !spec_of(self.calls.name(method)).streaming.reads_stream()
    }

    /// Compresses a response of this method.
    pub(super) fn compress(
        &self,
        method: Method,
        response: Response<Body>,
        encoding: Encoding,
    ) -> Response<Body> {
        let spec = spec_of(self.calls.name(method));
        compressed(response, encoding, spec.streaming == Streaming::Unary)
    }

    /// Waits for the complete request, unless it is a stream.
    async fn read_body(
        &self,
        spec: &MethodSpec,
        request: &mut Request<Body>,
    ) -> Result<(), Status> {
        if spec.streaming.reads_stream() || request.body().is_end_stream() {
            return Ok(());
        }
        let body = mem::take(request.body_mut());
        let max = self.settings.max_bytes;
        let pending = PendingBody::count(&self.pending_bodies);
        let read = Limited::new(body, max.saturating_add(HEADER_SIZE)).collect();
        let read = timeout(self.settings.request_timeout, read).await;
        drop(pending);
        match read {
            Ok(Ok(body)) => {
                *request.body_mut() = Body::new(Full::new(body.to_bytes()));
                Ok(())
            }
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(&format!(
                "the request is larger than {max} bytes"
            ))),
            Ok(Err(error)) => Err(match error.downcast::<Status>() {
                // A layer outside of this one has read the request, and its status says what is wrong.
                Ok(status) if !status.details().is_empty() => *status,
                Ok(_) | Err(_) => Reason::MALFORMED_MESSAGE.status("the request broke off", []),
            }),
            Err(_) => Err(Reason::DEADLINE.status("the request did not arrive in time", [])),
        }
    }
}

/// Returns the account of the address that a request came from.
fn anonymous_account(request: &Request<Body>) -> Account {
    let guard = request.extensions().get::<Arc<ConnectionGuard>>();
    guard.map_or(Account::EVERYBODY, |guard| guard.anonymous_account())
}

/// Marks the connection of a request as busy until the guard is dropped.
fn track_stream(request: &Request<Body>) -> Option<ActiveStreamGuard> {
    let guard = request.extensions().get::<Arc<ConnectionGuard>>();
    guard.map(|guard| guard.track_stream())
}

/// The maximum age of a health watch if connections have none. The client then watches again, which is so rare that it
/// costs nothing, and a watch that its client has forgotten does not keep its permit for long.
const HEALTH_WATCH_AGE: Duration = Duration::from_mins(10);

/// Returns the code of a response that is only a status. The code of any other response follows in its trailers.
fn code_of(response: &Response<Body>) -> Code {
    let code = response.headers().get(Status::GRPC_STATUS);
    code.map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
}

/// A guard that counts a call whose request is incomplete.
struct PendingBody<'a>(&'a AtomicUsize);

impl<'a> PendingBody<'a> {
    fn count(pending: &'a AtomicUsize) -> Self {
        pending.fetch_add(1, Ordering::Relaxed);
        Self(pending)
    }
}

impl Drop for PendingBody<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
