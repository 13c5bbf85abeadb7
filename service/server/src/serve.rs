//! Runs the server, for tests and for `main`.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::Router;
use futures_util::StreamExt;
use gamekeeper_games::access::Limits;
use gamekeeper_games::{Registry, Shared};
use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_store::{GameStore, StoreError};
use gamekeeper_telemetry::{MeasuredStore, Metrics};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic_health::server::HealthReporter;
use tonic_web::GrpcWebLayer;
use tower::ServiceBuilder;
use tower::util::option_layer;
use tower_http::cors::CorsLayer;

use crate::accounts::Accounts;
use crate::auth::{AuthConfig, Authority};
use crate::backup::Backups;
use crate::certificates::CertificateEnds;
use crate::config::Config;
use crate::connection::Lines;
use crate::doorway::Doorway;
use crate::grpc::{Access, Edge, Endpoint, HealthEndpoint, Json, Services};
use crate::health::{Health, Probes};
use crate::hosts::ByAddress;
use crate::playground::Facts;
use crate::reload::Files;
pub use crate::serve_error::ServeError;
use crate::telemetry::Telemetry;
use crate::tenant_metrics::TenantMetrics;
use crate::transport::{SharedTls, cors, guard, tls};
use crate::workers::{Connections, Serve};
use crate::{admin, cut, descriptors, playground, stores, telemetry, tenant_limits, top, workers};

/// Reads everything that a server with this configuration would read: settings, keys and certificates. The store is
/// not opened.
///
/// # Errors
/// The first setting or file that is wrong.
pub fn check(config: &Config) -> Result<(), ServeError> {
    config.validate()?;
    authority(config)?;
    tls(&config.tls)?;
    cors(&config.cors_origins).map(drop)?;
    tenant_limits::read(config.limits.tenant_limits_file.as_deref())?;
    telemetry::check(config)?;
    Ok(stores::check(&config.store_config())?)
}

/// Loads the keys that authenticate callers, and the key that signs records.
fn authority(config: &Config) -> Result<Authority, ServeError> {
    let authority = Authority::load(&config.auth_config()?)?;
    Ok(authority.signing(config.auth.record_signing_key_file.as_deref())?)
}

/// Creates the rulesets of a server: [`Registry::all`], or others for tests.
pub type Choice = fn(Arc<Shared>) -> Registry;

/// Serves until `shutdown` resolves (**graceful shutdown**). Then readiness is withdrawn, streams end, calls in flight
/// finish, and the store is closed. Calls that take longer than the drain time are aborted.
///
/// # Errors
/// When the server cannot start, and when the transport or the store fails.
pub async fn run(
    listener: TcpListener,
    admin: Option<TcpListener>,
    store: Arc<dyn GameStore>,
    config: &Config,
    telemetry: &Arc<Telemetry>,
    rulesets: Choice,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let limits = &config.limits;
    let authority = Arc::new(authority(config)?);
    let [stopping, closing, closed] = std::array::from_fn(|_| CancellationToken::new());
    let metrics = telemetry.metrics();
    let store = measured(store, config, metrics);
    let shared = Shared::new(
        Arc::clone(&store),
        Arc::<Authority>::clone(&authority),
        config.settings(),
        closing.clone(),
        Arc::clone(metrics),
    );
    let tls = followed_files(config, &authority, &shared.limits, (metrics, &closing))?;
    let reporter = HealthReporter::new();
    let health = HealthEndpoint::new(reporter.clone(), closing.clone());
    let accounts = accounts(shared, &authority, rulesets, (config, telemetry), &closing);
    let (edge, doorway) = (accounts.edge.clone(), Arc::clone(&accounts.doorway));
    let registry = Arc::clone(&accounts.registry);
    let strangers = Arc::clone(edge.strangers());
    let lines = Lines::new(&limits.connections(), tls, strangers, closing.clone());
    let pages = (guard(config)?, cors(&config.cors_origins)?);
    let (probes, followed) = follow_health(reporter, &store, config, telemetry, &stopping).await;

    let max_bytes = limits.max_request_bytes;
    let due = tokio::spawn(Arc::clone(&registry).keep_doing());
    let contract = Endpoint::new(registry, Arc::clone(&authority), max_bytes);
    let services = |others| Services::new(contract.clone(), others);
    let mut router = admin::router(Routes::new(health.clone()), probes, Arc::clone(telemetry));
    router = router.merge(operated(accounts, &store, config, telemetry)?);
    if config.listening.playground {
        let facts = Facts::of(config, &listener)?;
        let calls = services(Routes::default());
        router = router.merge(playground::router(calls, &edge, facts));
    }
    let admin = admin.map(|listener| admin::start(listener, router, closed.clone()));

    // Readiness is withdrawn first, so that load balancers choose other servers; then the listener closes.
    let shutdown = async move {
        shutdown.await;
        tracing::info!("stopping");
        stopping.cancel();
        let _told = followed.await;
    };
    let door = Door {
        services: services(reflected(Routes::new(health), max_bytes)?),
        pages,
        json: Json(max_bytes),
        edge,
        lines,
        drain: limits.drain,
        closing: closing.clone(),
    };
    let served = open(listener, door, doorway, config, shutdown).await;
    closing.cancel();
    closed.cancel();
    let _done = due.await;
    if let Some(admin) = admin {
        admin.abort();
    }
    ended(served, store.close().await)
}

/// Sets up TLS, keys of callers and limits of tenants, and follows their files: each is replaced when its file
/// changes.
fn followed_files(
    config: &Config,
    authority: &Arc<Authority>,
    limits: &Arc<Limits>,
    (metrics, closing): (&Metrics, &CancellationToken),
) -> Result<Option<SharedTls>, ServeError> {
    limits.replace(&tenant_limits::read(
        config.limits.tenant_limits_file.as_deref(),
    )?);
    let tls = tls(&config.tls)?.map(|tls| Arc::new(ArcSwap::from_pointee(tls)));
    let ends = Arc::new(CertificateEnds::read(config));
    let seen = Arc::clone(&ends);
    metrics.observe_certificates(move || seen.all());
    let files = Files {
        config: config.clone(),
        authority: Arc::clone(authority),
        limits: Arc::clone(limits),
        tls: tls.clone(),
        ends,
    };
    tokio::spawn(files.follow(closing.clone()));
    Ok(tls)
}

/// Wraps the store with metrics of its operations.
fn measured(store: Arc<dyn GameStore>, config: &Config, metrics: &Metrics) -> Arc<dyn GameStore> {
    let metrics = metrics.of_store(config.store.kind.system());
    Arc::new(MeasuredStore::new(store, metrics))
}

/// Returns the first of two errors. The second is only logged.
fn ended(served: Result<(), ServeError>, closed: Result<(), StoreError>) -> Result<(), ServeError> {
    if let (Err(_), Err(error)) = (&served, &closed) {
        tracing::error!(%error, "the store did not close");
    }
    served.and(closed.map_err(ServeError::from))
}

/// Creates the state of callers: authentication, limits, and the resources that they hold.
fn accounts(
    shared: Arc<Shared>,
    authority: &Arc<Authority>,
    rulesets: Choice,
    (config, telemetry): (&Config, &Telemetry),
    closing: &CancellationToken,
) -> Accounts {
    let limits = &config.limits;
    let access = Access {
        authority: Arc::clone(authority),
        budgets: Arc::clone(&shared.budgets),
        cuts: Arc::clone(&shared.cuts),
        user_tokens: Arc::clone(&shared.user_tokens),
    };
    let methods = Services::methods();
    Accounts {
        registry: Arc::new(rulesets(Arc::clone(&shared))),
        edge: Edge::new(limits.edge(), &methods, telemetry, access, closing),
        doorway: doorway(limits.max_connections, telemetry.metrics()),
        shared,
    }
}

/// Creates the routes of the admin port for operators, beyond probes: usage of accounts, stopping accounts, backups.
fn operated(
    accounts: Accounts,
    store: &Arc<dyn GameStore>,
    config: &Config,
    telemetry: &Telemetry,
) -> Result<Router, ServeError> {
    let accounts = Arc::new(accounts);
    telemetry.register(TenantMetrics::new(Arc::clone(&accounts))?)?;
    let is_open = matches!(config.auth_config()?, AuthConfig::Open);
    let directory = config.store.backup_dir.clone();
    let backups = Backups::new(Arc::clone(store), directory, telemetry.metrics());
    Ok(backups
        .router()
        .merge(top::router(Arc::clone(&accounts)))
        .merge(cut::router(accounts, is_open)))
}

/// Creates the connection limit. It is lower than `max` if the process may not open enough files.
fn doorway(max: usize, metrics: &Metrics) -> Arc<Doorway> {
    let max = descriptors::max_connections(max);
    let doorway = Doorway::new(max, metrics.of_connections());
    let seen = Arc::clone(&doorway);
    metrics.observe_connections(move || seen.count());
    doorway
}

/// Serves until `shutdown` resolves, and then as long as calls take to finish, but not longer than the drain time.
async fn open(
    listener: TcpListener,
    door: Door,
    doorway: Arc<Doorway>,
    config: &Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let closing = door.closing.clone();
    let stop = closing.clone();
    let stopping = tokio::spawn(async move {
        shutdown.await;
        stop.cancel();
    });
    let workers = config.listening.workers();
    let served = workers::run(listener, doorway, workers, door, closing).await;
    stopping.abort();
    served
}

/// The service that every worker runs for its connections.
#[derive(Clone)]
struct Door {
    services: Services,
    /// The guards for web pages: by host, and by origin (CORS).
    pages: (Option<ByAddress>, Option<CorsLayer>),
    json: Json,
    edge: Edge,
    lines: Lines,
    drain: Duration,
    closing: CancellationToken,
}

impl Serve for Door {
    async fn serve(self, connections: Connections) -> Result<(), ServeError> {
        let (drain, closing) = (self.drain, self.closing.clone());
        let hurry = async {
            closing.cancelled().await;
            tokio::time::sleep(drain).await;
        };
        tokio::select! {
            () = self.until_closed(connections) => {}
            () = hurry => tracing::warn!(?drain, "calls were aborted at the end of the drain time"),
        }
        Ok(())
    }
}

impl Door {
    /// Serves connections until the server closes.
    async fn until_closed(self, connections: Connections) {
        let (guard, cors) = self.pages;
        let service = ServiceBuilder::new()
            .layer(option_layer(guard))
            .layer(option_layer(cors))
            .layer(self.json)
            .layer(GrpcWebLayer::new())
            .layer(self.edge)
            .service(self.services);
        // Connections that are still open when this set is dropped are aborted.
        let mut open = JoinSet::new();
        let mut connections = pin!(connections.take_until(self.closing.cancelled_owned()));
        while let Some((stream, visit)) = connections.next().await {
            while open.try_join_next().is_some() {}
            open.spawn(self.lines.clone().serve(stream, visit, service.clone()));
        }
        while open.join_next().await.is_some() {}
    }
}

async fn follow_health(
    reporter: HealthReporter,
    store: &Arc<dyn GameStore>,
    config: &Config,
    telemetry: &Telemetry,
    closing: &CancellationToken,
) -> (Probes, JoinHandle<()>) {
    let health = Health::begin(
        reporter,
        Services::names().collect(),
        Arc::clone(store),
        config.store.kind.remedy(),
    )
    .await;
    let probes = health.probes();
    let seen = probes.clone();
    telemetry
        .metrics()
        .observe_readiness(move || seen.is_ready());
    let store = Arc::clone(store);
    telemetry
        .metrics()
        .observe_capacity(move || store.capacity());
    (probes, tokio::spawn(health.follow(closing.clone())))
}

/// Adds reflection to these routes, for requests of at most this many bytes.
fn reflected(routes: Routes, max_bytes: usize) -> Result<Routes, ServeError> {
    let v1 = reflection().build_v1()?;
    let v1alpha = reflection().build_v1alpha()?;
    Ok(routes
        .add_service(v1.max_decoding_message_size(max_bytes))
        .add_service(v1alpha.max_decoding_message_size(max_bytes)))
}

/// Describes the contract, and the other messages that clients get: health, and the details of errors.
fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_reported() {
        let lost = || Err(ServeError::WorkerLost);
        let full = || Err(StoreError::Full(String::from("full")));
        assert!(ended(Ok(()), Ok(())).is_ok());
        for closed in [Ok(()), full()] {
            assert!(matches!(ended(lost(), closed), Err(ServeError::WorkerLost)));
        }
        assert!(matches!(ended(Ok(()), full()), Err(ServeError::Store(_))));
    }
}
