//! Routes a call to its service by its path.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use tonic::body::Body;
use tonic::codegen::http::{Request, Response};
use tonic::service::Routes;
use tower::Service;

use super::endpoint::Endpoint;
use super::method_specs::{LIBRARY_METHODS, MethodSpec, UNKNOWN_METHOD};
use super::methods::{self, METHODS, SERVICES};
use super::unary::ResponseFuture;

/// All services. The methods of the contract get nearly all calls and are dispatched directly. Only the services of
/// libraries use the library's router, which allocates about ten times for each call. Clones share the services, since
/// each call has one.
#[derive(Clone)]
pub struct Services(Arc<Routing>);

struct Routing {
    contract: Endpoint,
    others: Routes,
}

impl Services {
    /// Combines the services of the contract with others.
    #[must_use]
    pub fn new(contract: Endpoint, others: Routes) -> Self {
        Self(Arc::new(Routing {
            contract,
            others: others.prepare(),
        }))
    }

    /// Returns the full names of the services of the contract.
    pub fn names() -> impl Iterator<Item = String> {
        SERVICES.iter().map(|name| (*name).to_owned())
    }

    /// Returns the full names of all methods that are served.
    #[must_use]
    pub fn methods() -> Vec<String> {
        let specs = METHODS.iter().chain(&LIBRARY_METHODS);
        specs.map(|spec| spec.name.to_owned()).collect()
    }
}

/// Returns the row of the method with this full name.
pub(super) fn spec_of(name: &str) -> &'static MethodSpec {
    let specs = METHODS.iter().chain(&LIBRARY_METHODS);
    let mut specs = specs.filter(|spec| spec.name == name);
    specs.next().unwrap_or(&UNKNOWN_METHOD)
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
        match methods::dispatch(&self.0.contract, request) {
            Ok(response) => response,
            Err(request) => Box::pin(self.0.others.clone().call(request)),
        }
    }
}
