//! **Admission control**: admits a call once its caller is authenticated, its limits allow it, and its request is
//! complete.

use std::mem;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::future::lazy;
use gamekeeper_games::access::{Account, Caller, Cuts, Share, Shares, UserTokens};
use gamekeeper_games::fair::{Budgets, Meter, Turn, Who, fairly};
use gamekeeper_games::jitter::jittered;
use gamekeeper_games::problem::{EndCause, Problem};
use gamekeeper_telemetry::{CallMetrics, Method, Traces};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::Body as _;
use tonic::codegen::http::{Request, Response};
use tonic::{Code, Status};

use super::authorization;
use super::held::{Bounds, Old, held};
use super::reasons::Reason;
use super::rows::{By, Form, HeldUntil, MethodRow};
use super::services::row_of;
use super::status::{status_of, too_large};
use super::stream_end::noting_end;
use super::streamed::{carrying, in_turns};
use super::unary::HEADER_SIZE;
use crate::auth::Authority;
use crate::doorway::{Busy, Visit};
use crate::settings::EdgeSettings;
use crate::telemetry::Telemetry;

/// The state that all clones of an [`Edge`](super::Edge) share.
pub(super) struct Gate {
    pub(super) settings: EdgeSettings,
    authority: Arc<Authority>,
    /// The state of tokens of users: which are valid and which are revoked.
    user_tokens: Arc<UserTokens>,
    /// The rate limits and usage of callers with a token.
    budgets: Arc<Budgets>,
    /// The rate limits and usage of addresses without a token.
    pub(super) strangers: Arc<Budgets>,
    /// The accounts that operators have stopped.
    cuts: Arc<Cuts>,
    /// The permits of calls whose requests are complete.
    pub(super) in_flight: Arc<Shares>,
    /// The permits of calls with a token whose requests are incomplete.
    incomplete: Arc<Shares>,
    /// The permits of unary calls without a token.
    pub(super) unauthenticated: Arc<Shares>,
    /// The permits of streams without a token. They are separate, so that long streams never block unary calls.
    pub(super) unauthenticated_streams: Arc<Shares>,
    arriving: Arc<AtomicUsize>,
    closing: CancellationToken,
    pub(super) calls: CallMetrics,
    pub(super) traces: Traces,
}

/// The state of access: authentication, rate limits, stopped accounts and revoked tokens.
pub struct Access {
    /// The authentication of callers.
    pub authority: Arc<Authority>,
    /// The rate limits and usage of callers with a token.
    pub budgets: Arc<Budgets>,
    /// The accounts that operators have stopped.
    pub cuts: Arc<Cuts>,
    /// The state of tokens of users: which are valid and which are revoked.
    pub user_tokens: Arc<UserTokens>,
}

/// The resources that a call holds while it is answered, released when it is dropped.
pub(super) struct Pass {
    meter: Arc<Meter>,
    /// The permit of the call. Is `None` for a caller of a server that trusts everybody, while the request is
    /// incomplete: such callers share one account, and one slow client must not use up its permits.
    share: Option<Share>,
    /// Whether the caller has no token. A response that keeps the permit of its call then keeps this one; streams of
    /// callers with a token have separate permits.
    by_stranger: bool,
    busy: Option<Busy>,
}

impl Pass {
    /// Returns the scheduling handle of the call.
    fn turn(&self, gate: &Gate) -> Turn {
        Turn::of_call(Arc::clone(&self.meter), Arc::clone(gate.payer(self)))
    }
}

impl Gate {
    pub(super) fn new(
        settings: EdgeSettings,
        methods: &[String],
        telemetry: &Telemetry,
        Access {
            authority,
            budgets,
            cuts,
            user_tokens,
        }: Access,
        closing: &CancellationToken,
    ) -> Self {
        let in_flight = || Shares::new("max_in_flight", "concurrent calls", settings.max_in_flight);
        let (in_flight, incomplete) = (in_flight(), in_flight());
        let open = |what| Shares::new("max_unauthenticated", what, settings.max_unauthenticated);
        let arriving = Arc::default();
        let metrics = telemetry.metrics();
        let seen = Arc::clone(&in_flight);
        metrics.observe_calls(move || seen.taken());
        metrics.observe_arriving(Arc::clone(&arriving));
        Self {
            authority,
            user_tokens,
            budgets,
            strangers: Arc::new(Budgets::new(settings.rate_of_strangers)),
            cuts,
            in_flight,
            incomplete,
            unauthenticated: open("concurrent calls without a token"),
            unauthenticated_streams: open("streams without a token"),
            arriving,
            closing: closing.clone(),
            calls: metrics.of_calls(methods.iter().cloned()),
            traces: telemetry.traces().clone(),
            settings,
        }
    }

    /// Admits a call whose headers have arrived. Returns `None` if its token must be verified first.
    ///
    /// The library calls this within the connection's slot, so the connection pays for refused calls.
    pub(super) fn arrived(
        &self,
        method: Method,
        request: &mut Request<Body>,
    ) -> Result<Option<Pass>, Status> {
        let row = row_of(self.calls.name(method));
        if row.by == By::Anybody {
            return self.begun_by_stranger(row, request).map(Some);
        }
        let known = self.found(request, |header| self.authority.known(header))?;
        known
            .map(|caller| self.begun_by(caller, request))
            .transpose()
    }

    /// Admits a call once its caller is known and its request is complete, in this order: a call without its token is
    /// refused before anything is read or counted, and a request that never arrives uses up only its own caller's
    /// limits. The permits are passed as `arrived` by reference, so that they are not stored a second time in this
    /// future (smaller futures).
    pub(super) async fn admit(
        &self,
        method: Method,
        arrived: &mut Result<Option<Pass>, Status>,
        request: &mut Request<Body>,
    ) -> Result<Turn, Status> {
        let row = row_of(self.calls.name(method));
        let held = match arrived {
            Ok(held) => held,
            Err(status) => return Err(mem::replace(status, Status::ok(""))),
        };
        // Boxed where it awaits: the future of every call contains this one.
        let pass = match held {
            Some(pass) => pass,
            None => held.insert(Box::pin(self.verified(request)).await?),
        };
        self.whole(row, request).await?;
        self.complete(pass, request)?;
        let caller = request.extensions().get::<Caller>();
        if let Some(check) = caller.and_then(|caller| self.user_tokens.check(caller)) {
            check.await.map_err(|problem| status_of(&problem))?;
        }
        Ok(pass.turn(self))
    }

    /// Admits a call without a token.
    fn begun_by_stranger(&self, row: &MethodRow, request: &Request<Body>) -> Result<Pass, Status> {
        let visit = request.extensions().get::<Arc<Visit>>();
        let places = if row.form == Form::One {
            &self.unauthenticated
        } else {
            &self.unauthenticated_streams
        };
        let address = visit.map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |visit| visit.address());
        let usage = self.strangers.usage();
        let meter = usage.met(stranger_of(request), || Who::Stranger(address));
        meter.called();
        let share = Some(self.admitted(&self.strangers, places, &meter)?);
        Ok(Pass {
            meter,
            share,
            by_stranger: true,
            busy: busy(request),
        })
    }

    /// Admits a call of an authenticated caller, with a permit until its request is complete.
    fn begun_by(&self, caller: Caller, request: &mut Request<Body>) -> Result<Pass, Status> {
        let account = caller.account;
        let usage = self.budgets.usage();
        let meter = usage.met(account, || Who::from(&caller.role));
        meter.called();
        request.extensions_mut().insert(caller);
        // A server that trusts everybody cannot tell callers apart, so incomplete requests take no permit.
        let is_trusted = account == Account::EVERYBODY;
        let incomplete =
            (!is_trusted).then(|| self.admitted(&self.budgets, &self.incomplete, &meter));
        Ok(Pass {
            share: incomplete.transpose()?,
            meter,
            by_stranger: false,
            busy: busy(request),
        })
    }

    /// Verifies the token of a call and admits it, see [`Self::begun_by`]. Verification takes long, so it waits for a
    /// slot of the connection.
    async fn verified(&self, request: &mut Request<Body>) -> Result<Pass, Status> {
        let visit = request.extensions().get::<Arc<Visit>>();
        let account = visit.map_or(Account::EVERYBODY, |visit| visit.account());
        let stranger = stranger_of(request);
        let verify = lazy(|_| {
            let may_verify = || self.strangers.check(stranger);
            let caller = self.found(request, |header| self.authority.caller(header, may_verify))?;
            self.begun_by(caller, request)
        });
        fairly(Turn::of_line(account), verify).await
    }

    /// Takes a permit for a call, unless an operator has stopped its account or its rate limit is used up.
    fn admitted(
        &self,
        budgets: &Budgets,
        places: &Arc<Shares>,
        meter: &Meter,
    ) -> Result<Share, Status> {
        let account = meter.account();
        let share = self
            .cuts
            .check(account)
            .and_then(|()| budgets.admit(account))
            .and_then(|()| places.take(account));
        share.map_err(|problem| {
            meter.refused();
            status_of(&problem)
        })
    }

    /// Replaces the permit of an incomplete request by one of a call in flight. The connection now belongs to the
    /// caller's account.
    fn complete(&self, pass: &mut Pass, request: &Request<Body>) -> Result<(), Status> {
        if pass.by_stranger {
            return Ok(());
        }
        let account = pass.meter.account();
        if let Some(visit) = request.extensions().get::<Arc<Visit>>() {
            visit.know(account);
        }
        let share = self.in_flight.take(account).map_err(|problem| {
            pass.meter.refused();
            status_of(&problem)
        });
        pass.share = Some(share?);
        Ok(())
    }

    /// Authenticates the token of this request. An address that sends invalid tokens is charged for each.
    fn found<A>(
        &self,
        request: &Request<Body>,
        find: impl FnOnce(Option<&str>) -> Result<A, Problem>,
    ) -> Result<A, Status> {
        let found = authorization(request.headers()).and_then(find);
        if matches!(found, Err(Problem::BadToken(_))) {
            self.strangers.pay_for_token(stranger_of(request));
        }
        found.map_err(|problem| status_of(&problem))
    }

    /// Ends a call with this response. Some responses keep the permit of their call until they end.
    pub(super) fn end(
        self: &Arc<Self>,
        method: Method,
        pass: Pass,
        answer: Response<Body>,
    ) -> Response<Body> {
        let row = row_of(self.calls.name(method));
        if code_of(&answer) == Code::ResourceExhausted {
            pass.meter.refused();
        }
        let answer = if row.form == Form::One {
            answer
        } else {
            let turn = Turn::of_stream(pass.meter.account(), Arc::clone(self.payer(&pass)));
            answer.map(|body| in_turns(body, turn))
        };
        let Pass {
            share,
            by_stranger,
            busy,
            ..
        } = pass;
        let share = share.filter(|_| by_stranger);
        let answer = match self.bounds(row) {
            Some(bounds) => answer.map(|body| held(body, (share, busy), bounds)),
            None if row.form == Form::One => answer,
            None => answer.map(|body| carrying(body, busy)),
        };
        if row.form == Form::One {
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

    fn payer(&self, pass: &Pass) -> &Arc<Budgets> {
        if pass.by_stranger {
            &self.strangers
        } else {
            &self.budgets
        }
    }

    /// Returns the bounds of a response that keeps the permit of its call, or `None` if the response gives it up at
    /// once.
    fn bounds(&self, row: &MethodRow) -> Option<Bounds> {
        let of_connection = self.settings.age.unwrap_or(HEALTH_WATCH_AGE);
        let (age, closing) = match row.held_until {
            HeldUntil::Begun => return None,
            HeldUntil::Ended => (None, None),
            HeldUntil::Old => (Some((jittered(of_connection), Old::Renewable)), None),
            HeldUntil::Late => {
                let age = Some((self.settings.deadline, Old::Late));
                (age, Some(self.closing.clone()))
            }
        };
        Some(Bounds {
            age,
            patience: self.settings.patience,
            closing,
        })
    }

    /// Whether responses of this method are compressed. Responses to a stream of requests go to programs nearby that
    /// wait for them: compressing these costs more than it saves.
    pub(super) fn compresses(&self, method: Method) -> bool {
        row_of(self.calls.name(method)).form != Form::ManyToMany
    }

    /// Waits for the complete request, unless it is a stream.
    async fn whole(&self, row: &MethodRow, request: &mut Request<Body>) -> Result<(), Status> {
        if row.form == Form::ManyToMany || request.body().is_end_stream() {
            return Ok(());
        }
        let body = mem::take(request.body_mut());
        let max = self.settings.max_bytes;
        let arriving = Arriving::count(&self.arriving);
        let read = Limited::new(body, max.saturating_add(HEADER_SIZE)).collect();
        let read = timeout(self.settings.arrival, read).await;
        drop(arriving);
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
fn stranger_of(request: &Request<Body>) -> Account {
    let visit = request.extensions().get::<Arc<Visit>>();
    visit.map_or(Account::EVERYBODY, |visit| visit.stranger())
}

/// Marks the connection of a request as busy until the guard is dropped.
fn busy(request: &Request<Body>) -> Option<Busy> {
    let visit = request.extensions().get::<Arc<Visit>>();
    visit.map(|visit| visit.busy())
}

/// The maximum age of a health watch if connections have none. The client then watches again, which is so rare that it
/// costs nothing, and a watch that its client has forgotten does not keep its permit for long.
const HEALTH_WATCH_AGE: Duration = Duration::from_mins(10);

/// Returns the code of a response that is only a status. The code of any other response follows in its trailers.
fn code_of(answer: &Response<Body>) -> Code {
    let code = answer.headers().get(Status::GRPC_STATUS);
    code.map_or(Code::Ok, |code| Code::from_bytes(code.as_bytes()))
}

/// A guard that counts a call whose request is incomplete.
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
