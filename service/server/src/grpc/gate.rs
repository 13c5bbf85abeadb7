//! Admission: a call is let in once its caller is known and its request is complete.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use gamekeeper_games::access::Taken;
use gamekeeper_games::jitter::jittered;
use gamekeeper_telemetry::{CallMetrics, Method, Traces};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Body as _;
use tonic::codegen::http::{Request, Response};

use super::authorization;
use super::held::{Bounds, Old, held};
use super::reasons::Reason;
use super::rows::{By, Form, HeldUntil, MethodRow};
use super::services::row_of;
use super::status::{exhausted, status_of, too_large};
use super::unary::HEADER_SIZE;
use crate::auth::Authority;
use crate::doorway::Visit;
use crate::settings::EdgeSettings;
use crate::telemetry::Telemetry;

/// What clones of an [`Edge`](super::Edge) share.
pub(super) struct Gate {
    pub(super) settings: EdgeSettings,
    authority: Arc<Authority>,
    in_flight: Arc<Semaphore>,
    unauthenticated: Arc<Semaphore>,
    arriving: Arc<AtomicUsize>,
    closing: CancellationToken,
    pub(super) calls: CallMetrics,
    pub(super) traces: Traces,
}

/// What a call holds while it is answered.
pub(super) struct Pass {
    _call: Option<Taken>,
    _permit: OwnedSemaphorePermit,
    _of_visit: Option<OwnedSemaphorePermit>,
}

impl Gate {
    pub(super) fn new(
        settings: EdgeSettings,
        methods: &[String],
        telemetry: &Telemetry,
        authority: &Arc<Authority>,
        closing: &CancellationToken,
    ) -> Self {
        let semaphore = |max: usize| Arc::new(Semaphore::new(max.min(Semaphore::MAX_PERMITS)));
        let in_flight = semaphore(settings.max_in_flight);
        let arriving = Arc::default();
        let metrics = telemetry.metrics();
        metrics.observe_calls(Arc::clone(&in_flight), settings.max_in_flight);
        metrics.observe_arriving(Arc::clone(&arriving));
        Self {
            authority: Arc::clone(authority),
            in_flight,
            unauthenticated: semaphore(settings.max_unauthenticated),
            arriving,
            closing: closing.clone(),
            calls: metrics.of_calls(methods.iter().cloned()),
            traces: telemetry.traces().clone(),
            settings,
        }
    }

    /// Admits a call once its caller is known and its request is complete, in this order: a call that lacks its
    /// token is refused before anything is read or counted, and a request that never arrives uses up only its
    /// own caller's limits.
    pub(super) async fn admit(
        &self,
        method: Method,
        request: &mut Request<Body>,
    ) -> Result<Pass, Status> {
        let row = row_of(self.calls.name(method));
        if row.by == By::Anybody {
            let what = "this server has reached its limit of concurrent calls without a token; try again later";
            let permit = free(&self.unauthenticated, "max_unauthenticated", what)?;
            let of_visit = of_visit(row, request)?;
            self.whole(row, request).await?;
            return Ok(Pass {
                _call: None,
                _permit: permit,
                _of_visit: of_visit,
            });
        }
        let caller = authorization(request.headers())
            .and_then(|header| self.authority.caller(header))
            .map_err(|problem| status_of(&problem))?;
        let call = self.authority.place(&caller);
        let call = call.map_err(|problem| status_of(&problem))?;
        request.extensions_mut().insert(caller);
        self.whole(row, request).await?;
        if let Some(visit) = request.extensions().get::<Arc<Visit>>() {
            visit.know();
        }
        let what = "this server has reached its limit of concurrent calls; try again later";
        let permit = free(&self.in_flight, "max_in_flight", what)?;
        Ok(Pass {
            _call: call,
            _permit: permit,
            _of_visit: None,
        })
    }

    /// Ends a call with this response. Some responses keep the place of their call until they have ended.
    pub(super) fn end(&self, method: Method, pass: Pass, answer: Response<Body>) -> Response<Body> {
        match self.bounds(row_of(self.calls.name(method))) {
            Some(bounds) => answer.map(|body| held(body, pass, bounds)),
            None => answer,
        }
    }

    /// When a response ends that keeps the place of its call.
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

    /// Are responses of this method compressed? Responses to a stream of requests go to programs nearby that
    /// wait for them: compressing those costs more than it saves.
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
                // A layer outside this one has read the request, and says what is wrong with it.
                Ok(status) if !status.details().is_empty() => *status,
                Ok(_) | Err(_) => Reason::MALFORMED_MESSAGE.status("the request broke off", []),
            }),
            Err(_) => Err(Reason::DEADLINE.status("the request did not arrive in time", [])),
        }
    }
}

/// The age at which a watch of health ends, if connections have none: its client asks again. Clients that have
/// forgotten a watch do not keep its place, and others ask so seldom that it costs nothing.
const HEALTH_WATCH_AGE: Duration = Duration::from_mins(10);

/// Counts a stream without a token against the limit of its connection.
fn of_visit(
    row: &MethodRow,
    request: &Request<Body>,
) -> Result<Option<OwnedSemaphorePermit>, Status> {
    let visit = request.extensions().get::<Arc<Visit>>();
    let Some(visit) = visit.filter(|_| row.form != Form::One) else {
        return Ok(None);
    };
    let what = "this connection has reached its limit of streams without a token; end one";
    free(visit.open_streams(), "max_unauthenticated_streams", what).map(Some)
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

/// A call whose request is not complete yet, counted as long as this lives.
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
