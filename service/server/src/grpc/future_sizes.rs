//! The size of futures: a future is moved into the future that awaits it, so every call pays for a large one.

use std::sync::Arc;

use bytes::Bytes;
use clap::Parser;
use gamekeeper_games::{Registry, Shared};
use gamekeeper_store::MemoryStore;
use http_body_util::Full;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::http::Request;
use tonic::service::Routes;
use tower::{Layer, Service};

use super::unary::HEADER_SIZE;
use super::{Access, Edge, Endpoint, Services};
use crate::auth::{AuthConfig, Authority};
use crate::config::Config;
use crate::telemetry::Telemetry;

/// The maximum size of a future on the path of a common call, in bytes.
const MAX: usize = 1_024;

#[tokio::test]
async fn futures_of_usual_calls_are_small() {
    let config = Config::parse_from(["gamekeeperd"]);
    let telemetry = Telemetry::silent().unwrap();
    let authority = Arc::new(Authority::load(&AuthConfig::Open).unwrap());
    let shared = Shared::new(
        Arc::new(MemoryStore::new()),
        Arc::<Authority>::clone(&authority),
        config.settings(),
        CancellationToken::new(),
        Arc::clone(telemetry.metrics()),
    );
    let access = Access {
        authority: Arc::clone(&authority),
        budgets: Arc::clone(&shared.budgets),
        cuts: Arc::clone(&shared.cuts),
        user_tokens: Arc::clone(&shared.user_tokens),
    };
    let registry = Arc::new(Registry::all(shared));
    let contract = Endpoint::new(registry, authority, 1_000);
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
