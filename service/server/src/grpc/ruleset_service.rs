//! The service of a ruleset, the same for all rulesets: each method is one of [`Games`].

use std::future::{Future, ready};
use std::sync::Arc;

use futures_util::{FutureExt, StreamExt, TryStreamExt};
use gamekeeper_proto::Codec;
use gamekeeper_proto::envelope::{AnyRuleset, Package, Pb, WatchGameResponse};
use gamekeeper_wire::Wire;
use prost::Message;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::codegen::http;
use tonic::server::Grpc;
use tonic::{Code, Request, Response, Status, Streaming};
use tower::service_fn;
use tower::util::BoxService;

use super::services::{ErasedService, ResponseFuture};
use super::{NO_SUCH_METHOD, caller, sent, unary};
use crate::auth::{Authority, Guest};
use crate::games::{Answers, Games};
use crate::problem::Problem;

/// The methods that every ruleset has.
pub(super) const METHODS: [&str; 9] = [
    "CreateGame",
    "ApplyAction",
    "GetGame",
    "ListLegalActions",
    "ListEvents",
    "WatchGame",
    "ExportGame",
    "GetCatalogue",
    "SelfPlay",
];

/// Answers the calls of one ruleset.
pub(super) struct RulesetService<W: Wire> {
    pub(super) games: Arc<Games<W>>,
    pub(super) authority: Arc<Authority>,
    /// The maximum size of a request, in bytes.
    pub(super) most_bytes: usize,
}

impl<W: Wire> Clone for RulesetService<W> {
    fn clone(&self) -> Self {
        Self {
            games: Arc::clone(&self.games),
            authority: Arc::clone(&self.authority),
            most_bytes: self.most_bytes,
        }
    }
}

impl<W: Wire> ErasedService for RulesetService<W> {
    fn name(&self) -> &'static str {
        <W::Messages as Package>::SERVICE
    }

    fn answer(&self, http: http::Request<Body>) -> ResponseFuture {
        // The path is `/service/method`.
        let method = http.uri().path().get(self.name().len() + 2..);
        match method.unwrap_or_default() {
            "CreateGame" => self.one(http, |games, caller, call| async move {
                games.create(&caller, call).await
            }),
            "ApplyAction" => self.one(http, |games, caller, call: Box<_>| async move {
                games.apply(&caller, call).await
            }),
            "GetGame" => self.one(http, |games, caller, call| async move {
                games.look(&caller, call).await
            }),
            "ListLegalActions" => self.one(http, |games, caller, call| async move {
                games.legal(&caller, call).await
            }),
            "ListEvents" => self.one(http, |games, caller, call| async move {
                games.events(&caller, call).await
            }),
            "WatchGame" => self.many(http, |games, caller, call| async move {
                let messages = games.watch(&caller, call).await?;
                Ok(sent::<WatchGameResponse<AnyRuleset>>(messages))
            }),
            "ExportGame" => self.many(http, |games, caller, call| async move {
                games.export(&caller, call).await
            }),
            // The answer is the same for everybody, but the call needs a token.
            "GetCatalogue" => self.one(http, |games, _anybody, call| async move {
                Ok(games.catalogue(call))
            }),
            "SelfPlay" => self.many_to_many(http, |games, caller, calls| async move {
                games.self_play(&caller, calls).await
            }),
            _ => Box::pin(async { Ok(Status::unimplemented(NO_SUCH_METHOD).into_http()) }),
        }
    }
}

impl<W: Wire> RulesetService<W> {
    /// One answer to one request.
    fn one<Q, A, F>(
        &self,
        mut http: http::Request<Body>,
        method: impl Method<W, Q, F>,
    ) -> ResponseFuture
    where
        Q: Pb,
        A: Pb,
        F: Future<Output = Result<A, Problem>> + Send + 'static,
    {
        let Some(call) = unary::read::<Q>(&mut http) else {
            let mut grpc = grpc::<Q, A>(self.most_bytes);
            let service = self.admitting(method);
            return Box::pin(async move { Ok(grpc.unary(service, http).await) });
        };
        match caller(&self.authority, &Request::from_http(http)) {
            Ok(caller) => {
                let ended = method(Arc::clone(&self.games), caller, call);
                Box::pin(ended.map(|ended| Ok(unary::respond(ended.map_err(Status::from)))))
            }
            Err(problem) => Box::pin(ready(Ok(unary::respond::<A>(Err(problem.into()))))),
        }
    }

    /// A stream of answers to one request.
    fn many<Q, A, F>(
        &self,
        http: http::Request<Body>,
        method: impl Method<W, Q, F>,
    ) -> ResponseFuture
    where
        Q: Pb,
        A: Message + 'static,
        F: Future<Output = Result<Answers<A>, Problem>> + Send + 'static,
    {
        let mut grpc = grpc::<Q, A>(self.most_bytes);
        let service = self.admitting(move |games, caller, call| {
            method(games, caller, call).map(|answers| Ok(answers?.map_err(Status::from)))
        });
        Box::pin(async move { Ok(grpc.server_streaming(service, http).await) })
    }

    /// A stream of answers to a stream of requests.
    fn many_to_many<Q, A, F>(
        &self,
        http: http::Request<Body>,
        method: impl Method<W, Answers<Q>, F>,
    ) -> ResponseFuture
    where
        Q: Pb,
        A: Pb,
        F: Future<Output = Result<Answers<A>, Problem>> + Send + 'static,
    {
        let mut grpc = grpc::<Q, A>(self.most_bytes);
        let service = self.admitting(move |games, caller, calls: Streaming<Q>| {
            let calls = calls.map(|call| call.map_err(|status| unreadable(&status)));
            method(games, caller, Box::pin(calls)).map(|answers| Ok(answers?.map_err(Status::from)))
        });
        Box::pin(async move { Ok(grpc.streaming(service, http).await) })
    }

    /// Calls `method` for callers that are allowed to call. The call counts as in flight until the method has
    /// answered. Without the types of the ruleset, the library's code for a method is compiled once.
    fn admitting<Q, A, F>(
        &self,
        method: impl Method<W, Q, F>,
    ) -> BoxService<Request<Q>, Response<A>, Status>
    where
        Q: Send + 'static,
        A: 'static,
        F: Future<Output = Result<A, Problem>> + Send + 'static,
    {
        let Self {
            games, authority, ..
        } = self.clone();
        BoxService::new(service_fn(move |request: Request<Q>| {
            let (games, caller) = (Arc::clone(&games), caller(&authority, &request));
            async move {
                let answer = method(games, caller?, request.into_inner()).await?;
                Ok(Response::new(answer))
            }
        }))
    }
}

/// The library's codec: it reads requests of at most this many bytes, and writes responses.
fn grpc<Q: Pb, A: Message + 'static>(most_bytes: usize) -> Grpc<Codec<A, Q>> {
    Grpc::new(Codec::default())
        .accept_compressed(CompressionEncoding::Gzip)
        .accept_compressed(CompressionEncoding::Zstd)
        .max_decoding_message_size(most_bytes)
}

/// What a method does for a caller that is allowed to call.
trait Method<W: Wire, Q, F>: Fn(Arc<Games<W>>, Guest, Q) -> F + Copy + Send + Sync + 'static {}
impl<W: Wire, Q, F, M> Method<W, Q, F> for M where
    M: Fn(Arc<Games<W>>, Guest, Q) -> F + Copy + Send + Sync + 'static
{
}

/// Why the library could not read a message.
fn unreadable(status: &Status) -> Problem {
    let message = status.message().to_owned();
    match status.code() {
        Code::OutOfRange | Code::ResourceExhausted => Problem::TooLarge(message),
        // The client is gone, so nobody receives the answer.
        Code::Cancelled | Code::DeadlineExceeded | Code::Unavailable => {
            Problem::GoingAway { version: 0 }
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
