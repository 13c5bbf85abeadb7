//! Routes a call to its service by its path.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::service::Routes;
use tower::Service;

/// The future response to a call.
pub(super) type ResponseFuture =
    Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// The service of a ruleset, without the types of the ruleset.
pub(super) trait ErasedService: Send + Sync {
    /// The full name of the service.
    fn name(&self) -> &'static str;

    /// Answers a call of one of its methods.
    fn answer(&self, request: Request<Body>) -> ResponseFuture;
}

/// All services. Those of rulesets get nearly all calls and are found by their names. The others are found by
/// the library's router, which allocates about ten times for each call.
#[derive(Clone)]
pub struct Services {
    of_rulesets: Arc<[Arc<dyn ErasedService>]>,
    others: Routes,
}

impl Services {
    pub(super) fn new(of_rulesets: Arc<[Arc<dyn ErasedService>]>, others: Routes) -> Self {
        Self {
            of_rulesets,
            others: others.prepare(),
        }
    }

    /// The service of the ruleset that a path names.
    fn of_ruleset(&self, path: &str) -> Option<&dyn ErasedService> {
        let (service, _method) = path.strip_prefix('/')?.split_once('/')?;
        let mut services = self.of_rulesets.iter();
        let found = services.find(|hosted| hosted.name() == service);
        found.map(|hosted| &**hosted)
    }
}

impl Service<Request<Body>> for Services {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = ResponseFuture;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The library's router is always ready too.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> ResponseFuture {
        match self.of_ruleset(request.uri().path()) {
            Some(hosted) => hosted.answer(request),
            None => Box::pin(self.others.call(request)),
        }
    }
}
