//! The size of futures: a future is moved into the future that awaits it, so every call pays for a large one.

use std::sync::Arc;

use bytes::Bytes;
use clap::Parser;
use gamekeeper_games::{AppContext, Registry};
use gamekeeper_store::MemoryStore;
use http_body_util::Full;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::http::Request;
use tonic::service::Routes;
use tower::{Layer, Service};

use super::unary::HEADER_SIZE;
use super::{AdmissionDeps, Edge, Endpoint, Services};
use crate::auth::{AuthConfig, Authenticator};
use crate::config::Config;
use crate::telemetry::Telemetry;

/// The maximum size of a future on the path of a common call, in bytes.
const MAX: usize = 1_080;

#[tokio::test]
async fn futures_of_usual_calls_are_small() {
    let config = Config::parse_from(["gamekeeperd"]);
    let telemetry = Telemetry::silent().unwrap();
    let authenticator = Arc::new(Authenticator::load(&AuthConfig::Open).unwrap());
    let shared = AppContext::new(
        Arc::new(MemoryStore::new()),
        Arc::<Authenticator>::clone(&authenticator),
        config.settings(),
        CancellationToken::new(),
        Arc::clone(telemetry.metrics()),
    );
    let access = AdmissionDeps {
        authenticator: Arc::clone(&authenticator),
        budgets: Arc::clone(&shared.rate_limiter),
        blocklist: Arc::clone(&shared.blocklist),
        user_tokens: Arc::clone(&shared.user_tokens),
    };
    let registry = Arc::new(Registry::all(shared));
    let contract = Endpoint::new(registry, authenticator, 1_000);
    let mut services = Services::new(contract, Routes::default());
    let edge = Edge::new(
        config.limits.edge(),
        &Services::methods(),
        &telemetry,
        access,
        &CancellationToken::new(),
    );
    for method in ["ApplyAction", "GetGame"] {
        let path = format!("/gamekeeper.v1.GameService/{method}");
        let request = || {
            let request = Request::builder().uri(&path);
            let empty = Bytes::from_static(&[0; HEADER_SIZE]);
            request.body(Body::new(Full::new(empty))).unwrap()
        };
        let within = services.call(request());
        let around = edge.layer(services.clone()).call(request());
        for (what, future) in [("service", within), ("edge", around)] {
            let size = size_of_val(&*future);
            assert!(size <= MAX, "{path}, {what}: {size}");
        }
    }
}
