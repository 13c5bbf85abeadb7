//! Runs the server, for tests and for `main`.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use axum::Router;
use futures_util::StreamExt;
use gamekeeper_games::admission::TenantLimitTable;
use gamekeeper_games::scheduling::FairStore;
use gamekeeper_games::{AppContext, Registry, Settings};
use gamekeeper_policies::PolicyLibrary;
use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_store::{GameStore, StoreError};
use gamekeeper_telemetry::{MeasuredStore, Metrics};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic_health::server::HealthReporter;
use tower::ServiceBuilder;
use tower::util::option_layer;
use tower_http::cors::CorsLayer;

use crate::accounts::Accounts;
use crate::auth::{AuthConfig, Authenticator};
use crate::backup::Backups;
use crate::certificates::CertificateExpiry;
use crate::config::{Config, StoreKind};
use crate::connection::ConnectionServer;
use crate::connection_limiter::ConnectionLimiter;
use crate::grpc::{AdmissionDeps, Edge, Endpoint, HealthEndpoint, Services, Web};
use crate::health::{Health, Probes};
use crate::hosts::HostGuard;
use crate::hot_reload::{HotReload, skipped_key};
use crate::playground::Facts;
pub use crate::serve_error::ServeError;
use crate::telemetry::Telemetry;
use crate::tenant_metrics::TenantMetrics;
use crate::transport::{SharedTls, cors, host_guard, tls};
use crate::workers::{ConnectionStream, Serve};
use crate::{
    admin, disconnect, fd_limit, playground, stores, telemetry, tenant_limits, top, workers,
};

/// Reads everything that a server with this configuration would read: settings, keys, certificates and learned policies.
/// The store is not opened. Returns warnings: keys of tenants that verify no tokens, and policies that cannot be played.
///
/// # Errors
/// The first setting or file that is wrong.
pub fn check(config: &Config) -> Result<Vec<String>, ServeError> {
    config.validate()?;
    let skipped = authority(config)?.skipped_keys();
    tls(&config.tls)?;
    cors(&config.cors_origins).map(drop)?;
    tenant_limits::read(config.limits.tenant_limits_file.as_deref())?;
    telemetry::check(config)?;
    stores::check(&config.store_config())?;
    let skipped = skipped.iter().map(skipped_key);
    let policies = policies(config)?;
    let refused =
        (policies.refused()).map(|(id, reason)| format!("{id} cannot be played: {reason}"));
    Ok(skipped.chain(refused).collect())
}

/// Loads the learned policies of a server.
fn policies(config: &Config) -> Result<PolicyLibrary, ServeError> {
    Ok(match &config.policies {
        Some(folder) => PolicyLibrary::load(folder)?,
        None => PolicyLibrary::default(),
    })
}

/// Loads the keys that authenticate callers, and the key that signs records.
fn authority(config: &Config) -> Result<Authenticator, ServeError> {
    let authenticator = Authenticator::load(&config.auth_config()?)?;
    Ok(authenticator.with_record_key(config.auth.record_signing_key_file.as_deref())?)
}

/// Creates the rulesets of a server: [`Registry::all`], or others for tests.
pub type RegistryFactory = fn(Arc<AppContext>) -> Registry;

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
    rulesets: RegistryFactory,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let limits = &config.limits;
    let authenticator = Arc::new(authority(config)?);
    let [stopping, closing, closed] = std::array::from_fn(|_| CancellationToken::new());
    let metrics = telemetry.metrics();
    let store = measured(store, config, metrics);
    let shared = context(config, &store, &authenticator, (metrics, &closing))?;
    let tls = watch_files(
        config,
        &authenticator,
        &shared.tenant_limits,
        (metrics, &closing),
    )?;
    let reporter = HealthReporter::new();
    let health = HealthEndpoint::new(reporter.clone(), closing.clone());
    let settings = (config, &**telemetry);
    let accounts = accounts(shared, &authenticator, rulesets, settings, &closing);
    follow_blocks(&accounts).await;
    let (edge, limiter) = (accounts.edge.clone(), Arc::clone(&accounts.limiter));
    let registry = Arc::clone(&accounts.registry);
    let connection_server = ConnectionServer::new(
        limits.connections(),
        tls,
        accounts.budgets(),
        closing.clone(),
    );
    let pages = (host_guard(config)?, cors(&config.cors_origins)?);
    let (probes, health_task) = watch_health(reporter, &store, config, telemetry, &stopping).await;

    let max_bytes = limits.max_request_bytes;
    let web = Web::new(max_bytes);
    let background = tokio::spawn(Arc::clone(&registry).run_background_tasks());
    let contract = Endpoint::new(registry, Arc::clone(&authenticator), max_bytes);
    let services = |others| Services::new(contract.clone(), others);
    let mut router = admin::router(Routes::new(health.clone()), probes, Arc::clone(telemetry));
    router = router.merge(admin_routes(accounts, &store, config, telemetry)?);
    if config.listening.playground {
        let facts = Facts::of(config, &listener)?;
        let calls = services(Routes::default());
        router = router.merge(playground::router(calls, (&web, &edge), facts));
    }
    let admin = admin.map(|listener| admin::start(listener, router, closed.clone()));

    let shutdown = withdraw_readiness(shutdown, stopping, health_task);
    let service = WorkerService {
        services: services(reflected(Routes::new(health), max_bytes)?),
        pages,
        web,
        edge,
        connection_server,
        drain: limits.drain,
        closing: closing.clone(),
    };
    let served = serve_until(listener, service, limiter, config, shutdown).await;
    closing.cancel();
    closed.cancel();
    let _done = background.await;
    if let Some(admin) = admin {
        admin.abort();
    }
    first_error(served, store.close().await)
}

/// Creates the context that the games of all rulesets share.
///
/// # Errors
/// If the learned policies cannot be read.
fn context(
    config: &Config,
    store: &Arc<dyn GameStore>,
    authenticator: &Arc<Authenticator>,
    (metrics, closing): (&Arc<Metrics>, &CancellationToken),
) -> Result<Arc<AppContext>, ServeError> {
    let settings = Settings {
        policies: policies(config)?,
        ..config.settings()
    };
    Ok(AppContext::new(
        Arc::clone(store),
        Arc::<Authenticator>::clone(authenticator),
        settings,
        closing.clone(),
        Arc::clone(metrics),
    ))
}

/// Reads which accounts operators have stopped in all processes, and ends the connections of those that they stop from
/// now on. The background worker goes on reading.
async fn follow_blocks(accounts: &Accounts) {
    let (shared, limiter) = (&accounts.shared, Arc::clone(&accounts.limiter));
    shared.blocklist.on_shared_block(move |account| {
        limiter.evict_all(account);
    });
    if let Err(problem) = shared.refresh_blocks().await {
        tracing::warn!(%problem, "cannot read which accounts are stopped");
    }
}

/// Waits for `shutdown`, and then until readiness is withdrawn. This comes before the listener closes, so that load
/// balancers choose other servers.
async fn withdraw_readiness(
    shutdown: impl Future<Output = ()> + Send + 'static,
    stopping: CancellationToken,
    health_task: JoinHandle<()>,
) {
    shutdown.await;
    tracing::info!("stopping");
    stopping.cancel();
    let _told = health_task.await;
}

/// Sets up TLS, keys of callers and limits of tenants, and follows their files: each is replaced when its file
/// changes.
fn watch_files(
    config: &Config,
    authenticator: &Arc<Authenticator>,
    limits: &Arc<TenantLimitTable>,
    (metrics, closing): (&Metrics, &CancellationToken),
) -> Result<Option<SharedTls>, ServeError> {
    limits.replace(&tenant_limits::read(
        config.limits.tenant_limits_file.as_deref(),
    )?);
    let tls = tls(&config.tls)?.map(|tls| Arc::new(ArcSwap::from_pointee(tls)));
    let certificate_expiry = Arc::new(CertificateExpiry::read(config));
    let seen = Arc::clone(&certificate_expiry);
    metrics.observe_certificates(move || seen.all());
    let files = HotReload {
        config: config.clone(),
        authenticator: Arc::clone(authenticator),
        limits: Arc::clone(limits),
        tls: tls.clone(),
        certificate_expiry,
        is_current: metrics.of_reloads(),
    };
    tokio::spawn(files.watch(closing.clone()));
    Ok(tls)
}

/// Wraps the store with metrics of its operations, and lets changes that wait for a disk take fair turns.
fn measured(store: Arc<dyn GameStore>, config: &Config, metrics: &Metrics) -> Arc<dyn GameStore> {
    let kind = config.store.kind;
    let metrics = metrics.of_store(kind.system());
    let measured = Arc::new(MeasuredStore::new(store, metrics));
    match kind {
        StoreKind::Memory => measured,
        StoreKind::Embedded | StoreKind::Redis => Arc::new(FairStore::new(measured)),
    }
}

/// Returns the first of two errors. The second is only logged.
fn first_error(
    served: Result<(), ServeError>,
    closed: Result<(), StoreError>,
) -> Result<(), ServeError> {
    if let (Err(_), Err(error)) = (&served, &closed) {
        tracing::error!(%error, "the store did not close");
    }
    served.and(closed.map_err(ServeError::from))
}

/// Creates the state of callers: authentication, limits, and the resources that they hold.
fn accounts(
    shared: Arc<AppContext>,
    authenticator: &Arc<Authenticator>,
    rulesets: RegistryFactory,
    (config, telemetry): (&Config, &Telemetry),
    closing: &CancellationToken,
) -> Accounts {
    let limits = &config.limits;
    let access = AdmissionDeps {
        authenticator: Arc::clone(authenticator),
        budgets: Arc::clone(&shared.rate_limiter),
        blocklist: Arc::clone(&shared.blocklist),
        user_tokens: Arc::clone(&shared.user_tokens),
    };
    let methods = Services::methods();
    Accounts {
        registry: Arc::new(rulesets(Arc::clone(&shared))),
        edge: Edge::new(config.edge(), &methods, telemetry, access, closing),
        limiter: connection_limiter(limits.max_connections, telemetry.metrics()),
        shared,
    }
}

/// Creates the routes of the admin port for operators, beyond probes: usage of accounts, stopping accounts, backups.
fn admin_routes(
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
        .merge(disconnect::router(accounts, is_open)))
}

/// Creates the connection limit. It is lower than `max` if the process may not open enough files.
fn connection_limiter(max: usize, metrics: &Metrics) -> Arc<ConnectionLimiter> {
    let max = fd_limit::max_connections(max);
    let limiter = ConnectionLimiter::new(max, metrics.of_connections());
    let seen = Arc::clone(&limiter);
    metrics.observe_connections(move || seen.count());
    limiter
}

/// Serves until `shutdown` resolves, and then as long as calls take to finish, but not longer than the drain time.
async fn serve_until(
    listener: TcpListener,
    service: WorkerService,
    limiter: Arc<ConnectionLimiter>,
    config: &Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let closing = service.closing.clone();
    let stop = closing.clone();
    let stopping = tokio::spawn(async move {
        shutdown.await;
        stop.cancel();
    });
    let workers = config.listening.workers();
    let served = workers::run(listener, limiter, workers, service, closing).await;
    stopping.abort();
    served
}

/// The service that every worker runs for its connections.
#[derive(Clone)]
struct WorkerService {
    services: Services,
    /// The guards for web pages: by host, and by origin (CORS).
    pages: (Option<HostGuard>, Option<CorsLayer>),
    web: Web,
    edge: Edge,
    connection_server: ConnectionServer,
    drain: Duration,
    closing: CancellationToken,
}

impl Serve for WorkerService {
    async fn serve(self, connections: ConnectionStream) -> Result<(), ServeError> {
        let (drain, closing) = (self.drain, self.closing.clone());
        let drain_deadline = async {
            closing.cancelled().await;
            tokio::time::sleep(drain).await;
        };
        tokio::select! {
            () = self.until_closed(connections) => {}
            () = drain_deadline => tracing::warn!(?drain, "calls were aborted at the end of the drain time"),
        }
        Ok(())
    }
}

impl WorkerService {
    /// Serves connections until the server closes.
    async fn until_closed(self, connections: ConnectionStream) {
        let (guard, cors) = self.pages;
        let service = ServiceBuilder::new()
            .layer(option_layer(guard))
            .layer(option_layer(cors))
            .layer(self.web)
            .layer(self.edge)
            .service(self.services);
        // Connections that are still open when this set is dropped are aborted.
        let mut open = JoinSet::new();
        let mut connections = pin!(connections.take_until(self.closing.cancelled_owned()));
        while let Some((stream, connection_guard)) = connections.next().await {
            while open.try_join_next().is_some() {}
            open.spawn(self.connection_server.clone().serve(
                stream,
                connection_guard,
                service.clone(),
            ));
        }
        while open.join_next().await.is_some() {}
    }
}

async fn watch_health(
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
    (probes, tokio::spawn(health.run(closing.clone())))
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
        assert!(first_error(Ok(()), Ok(())).is_ok());
        for closed in [Ok(()), full()] {
            assert!(matches!(
                first_error(lost(), closed),
                Err(ServeError::WorkerLost)
            ));
        }
        assert!(matches!(
            first_error(Ok(()), full()),
            Err(ServeError::Store(_))
        ));
    }
}
