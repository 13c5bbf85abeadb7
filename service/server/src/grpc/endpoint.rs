//! The dispatcher of the contract's services: finds the method of a call, decodes its request, and encodes its
//! response.

use std::future::{Future, ready};
use std::sync::Arc;

use futures_util::{FutureExt, Stream, StreamExt};
use gamekeeper_games::authz::Caller;
use gamekeeper_games::errors::{EndCause, ServiceError, truncated};
use gamekeeper_games::{Registry, ResponseStream};
use gamekeeper_proto::{Codec, Pb};
use prost::Message;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::codegen::http;
use tonic::server::Grpc;
use tonic::{Code, Request, Response, Status, Streaming};
use tower::service_fn;
use tower::util::BoxService;

use super::has_game_id::HasGameId;
use super::status::status_of;
use super::unary::ResponseFuture;
use super::{caller, unary};
use crate::audit::{self, AuditPolicy};
use crate::auth::Authenticator;

/// Answers the calls of all methods of the contract.
#[derive(Clone)]
pub struct Endpoint {
    registry: Arc<Registry>,
    authenticator: Arc<Authenticator>,
    /// The maximum size of a request, in bytes.
    max_bytes: usize,
}

impl Endpoint {
    /// Creates the endpoint of these rulesets. Larger requests than `max_bytes` are refused.
    #[must_use]
    pub fn new(
        registry: Arc<Registry>,
        authenticator: Arc<Authenticator>,
        max_bytes: usize,
    ) -> Self {
        Self {
            registry,
            authenticator,
            max_bytes,
        }
    }

    /// Answers a unary call of a method that needs no token and is not in the audit log.
    pub(super) fn public_unary<Q, A, F>(
        &self,
        mut http: http::Request<Body>,
        method: impl PublicMethod<Q, F>,
        _audited: Audited,
    ) -> ResponseFuture
    where
        Q: Pb,
        A: Pb,
        F: Future<Output = Result<A, ServiceError>> + Send + 'static,
    {
        let registry = Arc::clone(&self.registry);
        if let Some(call) = unary::read::<Q>(&mut http) {
            return respond_to(method(registry, call));
        }
        let mut grpc = grpc::<Q, A>(self.max_bytes);
        let service = BoxService::new(service_fn(move |request: Request<Q>| {
            let response = method(Arc::clone(&registry), request.into_inner());
            async move {
                let response = response.await.map_err(|problem| status_of(&problem))?;
                Ok::<_, Status>(Response::new(response))
            }
        }));
        Box::pin(async move { Ok(grpc.unary(service, http).await) })
    }

    /// Answers a unary call.
    pub(super) fn unary<Q, A, F>(
        &self,
        mut http: http::Request<Body>,
        method: impl Method<Q, F>,
        audited: Audited,
    ) -> ResponseFuture
    where
        Q: Pb + HasGameId,
        A: Pb,
        F: Future<Output = Result<A, ServiceError>> + Send + 'static,
    {
        let method =
            move |registry, caller, call| call_audited(audited, method, registry, caller, call);
        let Some(call) = unary::read::<Q>(&mut http) else {
            let mut grpc = grpc::<Q, A>(self.max_bytes);
            let service = self.authenticated(method);
            return Box::pin(async move { Ok(grpc.unary(service, http).await) });
        };
        match caller(&self.authenticator, &Request::from_http(http)) {
            Ok(caller) => respond_to(method(Arc::clone(&self.registry), caller, call)),
            Err(problem) => Box::pin(ready(Ok(unary::respond::<A>(Err(status_of(&problem)))))),
        }
    }

    /// Answers a server-streaming call.
    pub(super) fn server_stream<Q, A, F>(
        &self,
        http: http::Request<Body>,
        method: impl Method<Q, F>,
        audited: Audited,
    ) -> ResponseFuture
    where
        Q: Pb + HasGameId,
        A: Message + 'static,
        F: Future<Output = Result<ResponseStream<A>, ServiceError>> + Send + 'static,
    {
        let mut grpc = grpc::<Q, A>(self.max_bytes);
        let service = self.authenticated(move |registry, caller, call| {
            call_audited(audited, method, registry, caller, call)
                .map(|responses| responses.map(into_statuses))
        });
        Box::pin(async move { Ok(grpc.server_streaming(service, http).await) })
    }

    /// Answers a call with a stream of requests. Of a client-streaming method, the stream of answers has one message.
    pub(super) fn bidi_stream<Q, A, F>(
        &self,
        http: http::Request<Body>,
        method: impl Method<ResponseStream<Q>, F>,
        audited: Audited,
    ) -> ResponseFuture
    where
        Q: Pb,
        ResponseStream<Q>: HasGameId,
        A: Pb,
        F: Future<Output = Result<ResponseStream<A>, ServiceError>> + Send + 'static,
    {
        let mut grpc = grpc::<Q, A>(self.max_bytes);
        let service = self.authenticated(move |registry, caller, calls: Streaming<Q>| {
            let calls = calls.map(|call| call.map_err(|status| unreadable(&status)));
            let calls: ResponseStream<Q> = Box::pin(calls);
            let responses = call_audited(audited, method, registry, caller, calls);
            responses.map(|responses| responses.map(into_statuses))
        });
        Box::pin(async move { Ok(grpc.streaming(service, http).await) })
    }

    /// Wraps `method` so that it is called only for authenticated callers. The call counts as in flight until the
    /// method has answered.
    fn authenticated<Q, A, F>(
        &self,
        method: impl Method<Q, F>,
    ) -> BoxService<Request<Q>, Response<A>, Status>
    where
        Q: Send + 'static,
        A: 'static,
        F: Future<Output = Result<A, ServiceError>> + Send + 'static,
    {
        let Self {
            registry,
            authenticator,
            ..
        } = self.clone();
        BoxService::new(service_fn(move |request: Request<Q>| {
            let (registry, caller) = (Arc::clone(&registry), caller(&authenticator, &request));
            async move {
                let answered = async { method(registry, caller?, request.into_inner()).await };
                let response = answered.await.map_err(|problem| status_of(&problem))?;
                Ok(Response::new(response))
            }
        }))
    }
}

/// The calls of a method that the audit log records, and the name of the method there.
pub(super) type Audited = (AuditPolicy, &'static str);

/// Calls a method, and records the call in the audit log. Not an async function: its future would store the request
/// twice.
fn call_audited<Q: HasGameId, A, F: Future<Output = Result<A, ServiceError>>>(
    (policy, name): Audited,
    method: impl Method<Q, F>,
    registry: Arc<Registry>,
    caller: Caller,
    call: Q,
) -> impl Future<Output = Result<A, ServiceError>> {
    let audited_caller = policy.applies_to(&caller.role).then(|| {
        let game = truncated(call.game_id().to_owned());
        Box::new((caller.role.clone(), game))
    });
    method(registry, caller, call).inspect(move |response| {
        if let Some(audited_caller) = audited_caller {
            let (audited_caller, game) = *audited_caller;
            audit::record(&audited_caller, name, &game, response);
        }
    })
}

/// Converts the errors in a stream of answers into statuses.
fn into_statuses<A: 'static>(
    responses: ResponseStream<A>,
) -> impl Stream<Item = Result<A, Status>> {
    responses.map(|response| response.map_err(|problem| status_of(&problem)))
}

fn respond_to<A: Pb>(
    ended: impl Future<Output = Result<A, ServiceError>> + Send + 'static,
) -> ResponseFuture {
    let encode = |ended: Result<A, ServiceError>| {
        unary::respond(ended.map_err(|problem| status_of(&problem)))
    };
    Box::pin(ended.map(move |ended| Ok(encode(ended))))
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
pub(super) trait PublicMethod<Q, F>:
    Fn(Arc<Registry>, Q) -> F + Copy + Send + Sync + 'static
{
}
impl<Q, F, M> PublicMethod<Q, F> for M where
    M: Fn(Arc<Registry>, Q) -> F + Copy + Send + Sync + 'static
{
}

/// Converts the library's error about an unreadable message.
fn unreadable(status: &Status) -> ServiceError {
    let message = status.message().to_owned();
    match status.code() {
        Code::OutOfRange | Code::ResourceExhausted => ServiceError::TooLarge(message),
        // The client has disconnected, so nobody receives the answer.
        Code::Cancelled | Code::DeadlineExceeded | Code::Unavailable => {
            let cause = EndCause::ClientGone;
            ServiceError::GoingAway { cause, version: 0 }
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
        | Code::Unauthenticated => ServiceError::Unreadable(message),
    }
}
