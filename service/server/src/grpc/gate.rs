//! Admission: a call is let in once its caller is known and its request is complete.

use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::Body as _;
use tonic::codegen::http::{Request, Response};

use super::authorization;
use super::reasons::Reason;
use super::status::{exhausted, status_of, too_large};
use super::unary::HEADER_SIZE;
use crate::audit;
use crate::auth::{Authority, Guest};
use crate::doorway::Visit;
use crate::problem::Problem;
use crate::settings::EdgeSettings;
use crate::telemetry::{CallMetrics, Method, Telemetry, Traces};

/// What clones of an [`Edge`](super::Edge) share.
pub(super) struct Gate {
    pub(super) settings: EdgeSettings,
    authority: Arc<Authority>,
    in_flight: Arc<Semaphore>,
    unauthenticated: Arc<Semaphore>,
    arriving: Arc<AtomicUsize>,
    pub(super) calls: CallMetrics,
    pub(super) traces: Traces,
}

/// What a call holds while it is answered.
pub(super) struct Pass {
    guest: Option<Guest>,
    permit: OwnedSemaphorePermit,
}

impl Pass {
    /// Ends the call with this response. A call without a token keeps its permit until the response has ended,
    /// so that streams that anybody may open are bounded too; streams of known callers have limits of their
    /// own.
    pub(super) fn end(self, answer: Response<Body>) -> Response<Body> {
        let Self { guest, permit } = self;
        if guest.is_some() {
            return answer;
        }
        answer.map(|body| {
            Body::new(body.map_frame(move |frame| {
                let _held = &permit;
                frame
            }))
        })
    }
}

impl Gate {
    pub(super) fn new(
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
        Self {
            authority,
            in_flight,
            unauthenticated: semaphore(settings.most_unauthenticated),
            arriving,
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
        let name = self.calls.name(method);
        if !wants_token(name) {
            let what = "this server has reached its limit of concurrent calls without a token; try again later";
            let permit = free(&self.unauthenticated, "max_unauthenticated", what)?;
            self.whole(name, request).await?;
            let guest = None;
            return Ok(Pass { guest, permit });
        }
        let guest = authorization(request.headers())
            .and_then(|header| self.authority.admit(header))
            .inspect_err(|problem| Self::note(name, request, problem))
            .map_err(|problem| status_of(&problem))?;
        request.extensions_mut().insert(guest.clone());
        self.whole(name, request).await?;
        if let Some(visit) = request.extensions().get::<Arc<Visit>>() {
            visit.know();
        }
        let what = "this server has reached its limit of concurrent calls; try again later";
        let permit = free(&self.in_flight, "max_in_flight", what)?;
        let guest = Some(guest);
        Ok(Pass { guest, permit })
    }

    /// Are responses of this method compressed? Responses to a stream of requests go to programs nearby that
    /// wait for them: compressing those costs more than it saves.
    pub(super) fn compresses(&self, method: Method) -> bool {
        !is_streamed(self.calls.name(method))
    }

    /// Notes a rejected token in the audit log.
    fn note(method: &str, request: &Request<Body>, problem: &Problem) {
        if matches!(
            problem,
            Problem::NoToken | Problem::BadToken(_) | Problem::TokenExpired
        ) {
            let visit = request.extensions().get::<Arc<Visit>>();
            audit::note_bad_token(visit.map(|visit| visit.address()), method, problem);
        }
    }

    /// Waits for the complete request, unless it is a stream.
    async fn whole(&self, name: &str, request: &mut Request<Body>) -> Result<(), Status> {
        if is_streamed(name) || request.body().is_end_stream() {
            return Ok(());
        }
        let body = mem::take(request.body_mut());
        let most = self.settings.most_bytes;
        let arriving = Arriving::count(&self.arriving);
        let read = Limited::new(body, most.saturating_add(HEADER_SIZE)).collect();
        let read = timeout(self.settings.arrival, read).await;
        drop(arriving);
        match read {
            Ok(Ok(body)) => {
                *request.body_mut() = Body::new(Full::new(body.to_bytes()));
                Ok(())
            }
            Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(&format!(
                "the request is larger than {most} bytes"
            ))),
            Ok(Err(_)) => Err(Reason::MALFORMED_MESSAGE.status("the request broke off", [])),
            Err(_) => Err(Reason::DEADLINE.status("the request did not arrive in time", [])),
        }
    }
}

/// Methods that need no token, since clients call them before they know the server. Their answers are the same
/// for everybody, and contain nothing of any game.
const OPEN: [&str; 3] = [
    "gamekeeper.v1.GamesService/GetRule",
    "gamekeeper.v1.GamesService/ListRules",
    "gamekeeper.v1.GamesService/ListRulesets",
];

/// Methods of the contract need a token, except those in `OPEN`. Health and reflection do not.
fn wants_token(method: &str) -> bool {
    method.starts_with("gamekeeper.") && !OPEN.contains(&method)
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

#[cfg(test)]
mod tests {
    use prost::Message;
    use prost_types::FileDescriptorSet;

    use super::*;

    #[test]
    fn streams_of_clients_are_known() {
        let compiled = FileDescriptorSet::decode(gamekeeper_proto::DESCRIPTORS).unwrap();
        for file in &compiled.file {
            for service in &file.service {
                for method in &service.method {
                    let name = format!("{}.{}/{}", file.package(), service.name(), method.name());
                    assert_eq!(is_streamed(&name), method.client_streaming(), "{name}");
                    assert_eq!(wants_token(&name), !OPEN.contains(&&*name), "{name}");
                }
            }
        }
    }
}
