//! Runs the server: what tests and `main` both call.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::Stream;
use futures_util::future::try_join_all;
use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_proto::gamekeeper::v1::games_service_server::GamesServiceServer;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;
use tonic::transport::{Server, ServerTlsConfig};
use tonic_health::server::HealthReporter;
use tonic_web::GrpcWebLayer;
use tower::util::option_layer;
use tower_http::cors::CorsLayer;

use crate::admin;
use crate::auth::{AuthError, Authority};
use crate::config::{Config, ConfigError};
use crate::games::{House, Registry};
use crate::grpc::{Edge, GamesEndpoint, HealthEndpoint, Rulesets};
use crate::health::Health;
use crate::lanes;
use crate::playground::{self, Facts};
use crate::store::{GameStore, MeasuredStore, StoreError};
use crate::telemetry::{self, Telemetry, TelemetryError};
use crate::transport::{cors, tls};
use crate::workers::{self, Connections, Serve};

/// Why the server could not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Settings do not fit together.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A key file cannot be used.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// Telemetry cannot start.
    #[error(transparent)]
    Telemetry(#[from] TelemetryError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A TLS file cannot be read.
    #[error("{file}: {error}")]
    Tls {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// The contract cannot be shown by reflection.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The network does not let the server listen or serve.
    #[error("transport: {0}")]
    Transport(#[from] tonic::transport::Error),
    /// A thread or its runtime cannot be made.
    #[error("a worker: {0}")]
    Worker(std::io::Error),
    /// A thread ended before its time.
    #[error("a worker ended without a word")]
    WorkerLost,
    /// An origin is not one.
    #[error("--cors-origins: {0:?} is not an origin")]
    Origin(String),
}

/// Reads what a server with this configuration would read, without serving. The store is not opened.
///
/// # Errors
/// The first setting or file that is wrong.
pub fn check(config: &Config) -> Result<(), ServeError> {
    config.validate()?;
    Authority::load(&config.auth_config()?)?;
    tls(&config.tls)?;
    cors(&config.cors_origins).map(drop)?;
    telemetry::check(config)?;
    Ok(())
}

/// Which rulesets a server keeps: [`Rulesets::all`], or others for tests.
pub type Choice = fn(Arc<House>) -> Rulesets;

/// Serves until `shutdown` resolves. Then health turns first, streams end, calls that were begun
/// finish, and the store is closed; what takes longer than the drain time is cut off.
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
    let authority = Authority::load(&config.auth_config()?)?.limited(limits.rate());
    let authority = Arc::new(authority.with_most_in_flight(limits.most_in_flight_per_token()));
    let (stopping, closing) = (CancellationToken::new(), CancellationToken::new());
    let closed = CancellationToken::new();
    let metrics = telemetry.metrics();
    let measured = metrics.of_store(config.store.kind.system());
    let store: Arc<dyn GameStore> = Arc::new(MeasuredStore::new(store, measured));
    let house = House::new(
        Arc::clone(&store),
        Arc::clone(&authority),
        config.settings(),
        closing.clone(),
        Arc::clone(metrics),
    );
    let reporter = HealthReporter::new();
    let health = HealthEndpoint::new(reporter.clone(), closing.clone());
    let rulesets = rulesets(Arc::clone(&house));
    let edge = Edge::new(&config.limits.edge(), &rulesets.methods(), telemetry);
    let followed = follow_health(reporter, &rulesets, &store, config, telemetry, &stopping).await;

    let most_bytes = config.limits.max_request_bytes;
    let registry = Registry::new(house, rulesets.keepers());
    let games = GamesServiceServer::new(GamesEndpoint::new(registry, Arc::clone(&authority)));
    let calls = rulesets
        .routes(&authority, most_bytes)
        .add_service(games.max_decoding_message_size(most_bytes));
    let mut router = admin::router(Routes::new(health.clone()), Arc::clone(telemetry));
    if config.listening.playground {
        let facts = Facts::of(config, &listener)?;
        router = router.merge(playground::router(calls.clone(), &edge, facts));
    }
    let admin = admin.map(|listener| admin::start(listener, router, closed.clone()));
    let routes = calls
        .add_service(health)
        .add_service(reflection().build_v1()?)
        .add_service(reflection().build_v1alpha()?);

    // Readiness turns first: who asks now is told to go elsewhere, and then the door closes.
    let shutdown = async move {
        shutdown.await;
        tracing::info!("stopping");
        stopping.cancel();
        let _told = followed.await;
    };
    let served = serve_routes(listener, routes, edge, config, &closing, shutdown).await;
    closing.cancel();
    closed.cancel();
    if let Some(admin) = admin {
        admin.abort();
    }
    store.close().await?;
    served
}

/// Serves until `shutdown` resolves, and then as long as calls take to finish, but not longer than
/// the drain time.
async fn serve_routes(
    listener: TcpListener,
    routes: Routes,
    edge: Edge,
    config: &Config,
    closing: &CancellationToken,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let door = Door {
        routes,
        tls: tls(&config.tls)?,
        cors: cors(&config.cors_origins)?,
        edge,
        age: config.limits.max_connection_age,
        keepalive: config.limits.keepalive,
        drain: config.limits.drain,
        closing: closing.clone(),
    };
    let stop = closing.clone();
    let stopping = tokio::spawn(async move {
        shutdown.await;
        stop.cancel();
    });
    let served = workers::run(listener, config.listening.workers(), door, closing.clone()).await;
    stopping.abort();
    served
}

/// The way in: what every worker does with its connections.
#[derive(Clone)]
struct Door {
    routes: Routes,
    tls: Option<ServerTlsConfig>,
    cors: Option<CorsLayer>,
    edge: Edge,
    age: Option<Duration>,
    keepalive: Duration,
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
            served = self.until_closed(connections) => served,
            () = hurry => {
                tracing::warn!(?drain, "calls were cut off");
                Ok(())
            }
        }
    }
}

impl Door {
    /// Serves connections until the server closes, each for about the age that is set.
    async fn until_closed(self, connections: Connections) -> Result<(), ServeError> {
        let Some(age) = self.age else {
            return self.serve_alike(Server::builder(), connections).await;
        };
        let lanes = lanes::split(connections, age).into_iter().map(|lane| {
            // No grace: with one, this library cuts connections off instead of saying goodbye. Calls
            // end by their deadline, and watches by their age.
            let server = Server::builder().max_connection_age(lane.age);
            self.clone().serve_alike(server, lane.connections)
        });
        try_join_all(lanes).await.map(drop)
    }

    async fn serve_alike(
        self,
        server: Server,
        connections: impl Stream<Item = io::Result<TcpStream>> + Send,
    ) -> Result<(), ServeError> {
        let mut server = server
            .accept_http1(true)
            .http2_keepalive_interval(Some(self.keepalive));
        if let Some(tls) = self.tls {
            server = server.tls_config(tls)?;
        }
        let served = server
            .layer(option_layer(self.cors))
            .layer(GrpcWebLayer::new())
            .layer(self.edge)
            .add_routes(self.routes)
            .serve_with_incoming_shutdown(connections, self.closing.cancelled_owned());
        Ok(served.await?)
    }
}

async fn follow_health(
    reporter: HealthReporter,
    rulesets: &Rulesets,
    store: &Arc<dyn GameStore>,
    config: &Config,
    telemetry: &Telemetry,
    closing: &CancellationToken,
) -> JoinHandle<()> {
    let mut services = rulesets.service_names();
    services.push(String::from("gamekeeper.v1.GamesService"));
    let health = Health::begin(
        reporter,
        services,
        Arc::clone(store),
        config.store.kind.remedy(),
    )
    .await;
    let ready = health.ready();
    telemetry
        .metrics()
        .observe_readiness(move || ready.load(Ordering::Relaxed));
    let store = Arc::clone(store);
    telemetry
        .metrics()
        .observe_capacity(move || store.capacity());
    tokio::spawn(health.follow(closing.clone()))
}

fn reflection() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}
