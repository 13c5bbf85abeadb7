//! The dispatcher of the contract's services: finds the method of a call, decodes its request, and encodes its
//! response.

use std::future::{Future, ready};
use std::sync::Arc;

use futures_util::{FutureExt, Stream, StreamExt};
use gamekeeper_games::access::Caller;
use gamekeeper_games::problem::{EndCause, Problem, shortened};
use gamekeeper_games::{Answers, Registry};
use gamekeeper_proto::{Codec, Pb};
use prost::Message;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::codegen::http;
use tonic::server::Grpc;
use tonic::{Code, Request, Response, Status, Streaming};
use tower::service_fn;
use tower::util::BoxService;

use super::about::About;
use super::status::status_of;
use super::unary::ResponseFuture;
use super::{caller, unary};
use crate::audit::{self, Noted};
use crate::auth::Authority;

/// Answers the calls of all methods of the contract.
#[derive(Clone)]
pub struct Endpoint {
    registry: Arc<Registry>,
    authority: Arc<Authority>,
    /// The maximum size of a request, in bytes.
    max_bytes: usize,
}

impl Endpoint {
    /// Creates the endpoint of these rulesets. Larger requests than `max_bytes` are refused.
    #[must_use]
    pub fn new(registry: Arc<Registry>, authority: Arc<Authority>, max_bytes: usize) -> Self {
        Self {
            registry,
            authority,
            max_bytes,
        }
    }

    /// Answers a unary call of a method that needs no token and is not in the audit log.
    pub(super) fn open<Q, A, F>(
        &self,
        mut http: http::Request<Body>,
        method: impl OpenMethod<Q, F>,
        _audited: Audited,
    ) -> ResponseFuture
    where
        Q: Pb,
        A: Pb,
        F: Future<Output = Result<A, Problem>> + Send + 'static,
    {
        let registry = Arc::clone(&self.registry);
        if let Some(call) = unary::read::<Q>(&mut http) {
            return responded(method(registry, call));
        }
        let mut grpc = grpc::<Q, A>(self.max_bytes);
        let service = BoxService::new(service_fn(move |request: Request<Q>| {
            let answer = method(Arc::clone(&registry), request.into_inner());
            async move {
                let answer = answer.await.map_err(|problem| status_of(&problem))?;
                Ok::<_, Status>(Response::new(answer))
            }
        }));
        Box::pin(async move { Ok(grpc.unary(service, http).await) })
    }

    /// Answers a unary call.
    pub(super) fn one<Q, A, F>(
        &self,
        mut http: http::Request<Body>,
        method: impl Method<Q, F>,
        audited: Audited,
    ) -> ResponseFuture
    where
        Q: Pb + About,
        A: Pb,
        F: Future<Output = Result<A, Problem>> + Send + 'static,
    {
        let method = move |registry, caller, call| noted(audited, method, registry, caller, call);
        let Some(call) = unary::read::<Q>(&mut http) else {
            let mut grpc = grpc::<Q, A>(self.max_bytes);
            let service = self.admitting(method);
            return Box::pin(async move { Ok(grpc.unary(service, http).await) });
        };
        match caller(&self.authority, &Request::from_http(http)) {
            Ok(caller) => responded(method(Arc::clone(&self.registry), caller, call)),
            Err(problem) => Box::pin(ready(Ok(unary::respond::<A>(Err(status_of(&problem)))))),
        }
    }

    /// Answers a server-streaming call.
    pub(super) fn many<Q, A, F>(
        &self,
        http: http::Request<Body>,
        method: impl Method<Q, F>,
        audited: Audited,
    ) -> ResponseFuture
    where
        Q: Pb + About,
        A: Message + 'static,
        F: Future<Output = Result<Answers<A>, Problem>> + Send + 'static,
    {
        let mut grpc = grpc::<Q, A>(self.max_bytes);
        let service = self.admitting(move |registry, caller, call| {
            noted(audited, method, registry, caller, call).map(|answers| answers.map(said))
        });
        Box::pin(async move { Ok(grpc.server_streaming(service, http).await) })
    }

    /// Answers a bidirectional-streaming call.
    pub(super) fn many_to_many<Q, A, F>(
        &self,
        http: http::Request<Body>,
        method: impl Method<Answers<Q>, F>,
        audited: Audited,
    ) -> ResponseFuture
    where
        Q: Pb,
        Answers<Q>: About,
        A: Pb,
        F: Future<Output = Result<Answers<A>, Problem>> + Send + 'static,
    {
        let mut grpc = grpc::<Q, A>(self.max_bytes);
        let service = self.admitting(move |registry, caller, calls: Streaming<Q>| {
            let calls = calls.map(|call| call.map_err(|status| unreadable(&status)));
            let calls: Answers<Q> = Box::pin(calls);
            let answers = noted(audited, method, registry, caller, calls);
            answers.map(|answers| answers.map(said))
        });
        Box::pin(async move { Ok(grpc.streaming(service, http).await) })
    }

    /// Wraps `method` so that it is called only for authenticated callers. The call counts as in flight until the
    /// method has answered.
    fn admitting<Q, A, F>(
        &self,
        method: impl Method<Q, F>,
    ) -> BoxService<Request<Q>, Response<A>, Status>
    where
        Q: Send + 'static,
        A: 'static,
        F: Future<Output = Result<A, Problem>> + Send + 'static,
    {
        let Self {
            registry,
            authority,
            ..
        } = self.clone();
        BoxService::new(service_fn(move |request: Request<Q>| {
            let (registry, caller) = (Arc::clone(&registry), caller(&authority, &request));
            async move {
                let answered = async { method(registry, caller?, request.into_inner()).await };
                let answer = answered.await.map_err(|problem| status_of(&problem))?;
                Ok(Response::new(answer))
            }
        }))
    }
}

/// The calls of a method that the audit log records, and the name of the method there.
pub(super) type Audited = (Noted, &'static str);

/// Calls a method, and records the call in the audit log. Not an async function: its future would store the request
/// twice.
fn noted<Q: About, A, F: Future<Output = Result<A, Problem>>>(
    (noted, name): Audited,
    method: impl Method<Q, F>,
    registry: Arc<Registry>,
    caller: Caller,
    call: Q,
) -> impl Future<Output = Result<A, Problem>> {
    let who = noted.has(&caller.role).then(|| {
        let game = shortened(call.game_id().to_owned());
        Box::new((caller.role.clone(), game))
    });
    method(registry, caller, call).inspect(move |answer| {
        if let Some(who) = who {
            let (who, game) = *who;
            audit::note(&who, name, &game, answer);
        }
    })
}

/// Converts the problems in a stream of answers into statuses.
fn said<A: 'static>(answers: Answers<A>) -> impl Stream<Item = Result<A, Status>> {
    answers.map(|answer| answer.map_err(|problem| status_of(&problem)))
}

fn responded<A: Pb>(
    ended: impl Future<Output = Result<A, Problem>> + Send + 'static,
) -> ResponseFuture {
    let answered =
        |ended: Result<A, Problem>| unary::respond(ended.map_err(|problem| status_of(&problem)));
    Box::pin(ended.map(move |ended| Ok(answered(ended))))
}

/// Creates the library's codec. It decodes requests of at most this many bytes, and encodes responses.
fn grpc<Q: Pb, A: Message + 'static>(max_bytes: usize) -> Grpc<Codec<A, Q>> {
    Grpc::new(Codec::default())
        .accept_compressed(CompressionEncoding::Gzip)
        .accept_compressed(CompressionEncoding::Zstd)
        .max_decoding_message_size(max_bytes)
}

/// The handler of a method that needs an authenticated caller.
pub(super) trait Method<Q, F>:
    Fn(Arc<Registry>, Caller, Q) -> F + Copy + Send + Sync + 'static
{
}
impl<Q, F, M> Method<Q, F> for M where
    M: Fn(Arc<Registry>, Caller, Q) -> F + Copy + Send + Sync + 'static
{
}

/// The handler of a method that needs no caller.
pub(super) trait OpenMethod<Q, F>:
    Fn(Arc<Registry>, Q) -> F + Copy + Send + Sync + 'static
{
}
impl<Q, F, M> OpenMethod<Q, F> for M where
    M: Fn(Arc<Registry>, Q) -> F + Copy + Send + Sync + 'static
{
}

/// Converts the library's error about an unreadable message.
fn unreadable(status: &Status) -> Problem {
    let message = status.message().to_owned();
    match status.code() {
        Code::OutOfRange | Code::ResourceExhausted => Problem::TooLarge(message),
        // The client has disconnected, so nobody receives the answer.
        Code::Cancelled | Code::DeadlineExceeded | Code::Unavailable => {
            let cause = EndCause::ClientGone;
            Problem::GoingAway { cause, version: 0 }
        }
        Code::Ok
        | Code::Unknown
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::Unimplemented
        | Code::Internal
        | Code::DataLoss
        | Code::Unauthenticated => Problem::Unreadable(message),
    }
}
