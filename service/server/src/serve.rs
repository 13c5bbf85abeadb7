//! Runs the server: what tests and `main` both call.

use std::future::Future;
use std::path::Path;
use std::sync::Arc;

use gamekeeper_proto::DESCRIPTORS;
use gamekeeper_proto::gamekeeper::v1::games_service_server::GamesServiceServer;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_util::sync::CancellationToken;
use tonic::codegen::http::{HeaderName, HeaderValue};
use tonic::service::Routes;
use tonic::transport::{Certificate, Identity, Server, ServerTlsConfig};
use tonic_web::GrpcWebLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::auth::{AuthError, Authority};
use crate::config::{Config, ConfigError, TlsArgs};
use crate::games::{House, Registry};
use crate::grpc::{Edge, GamesEndpoint, Rulesets};
use crate::health;
use crate::store::{GameStore, StoreError};

/// Why the server could not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Settings do not fit together.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A key file cannot be used.
    #[error(transparent)]
    Auth(#[from] AuthError),
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
    /// An origin is not one.
    #[error("--cors-origins: {0:?} is not an origin")]
    Origin(String),
}

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
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let authority = Arc::new(Authority::load(&config.auth_config()?)?);
    let closing = CancellationToken::new();
    let house = House::new(
        Arc::clone(&store),
        Arc::clone(&authority),
        config.settings(),
        closing.clone(),
    );

    let (reporter, health_service) = tonic_health::server::health_reporter();
    let rulesets = Rulesets::new(&house);
    let mut services = rulesets.service_names();
    services.push(String::from("gamekeeper.v1.GamesService"));
    let health = tokio::spawn(health::follow(
        reporter,
        services,
        Arc::clone(&store),
        closing.clone(),
    ));
    let admin = admin.map(|listener| {
        let closing = closing.clone();
        let routes = Routes::new(health_service.clone());
        tokio::spawn(
            Server::builder()
                .add_routes(routes)
                .serve_with_incoming_shutdown(TcpListenerStream::new(listener), async move {
                    closing.cancelled().await;
                }),
        )
    });

    let registry = Registry::new(house, rulesets.keepers());
    let endpoint = GamesServiceServer::new(GamesEndpoint::new(registry, Arc::clone(&authority)))
        .max_decoding_message_size(config.limits.max_request_bytes);
    let routes = rulesets
        .routes(&authority, config.limits.max_request_bytes)
        .add_service(endpoint)
        .add_service(health_service)
        .add_service(reflection()?.build_v1()?)
        .add_service(reflection()?.build_v1alpha()?);

    let drain = config.limits.drain;
    let stop = closing.clone();
    let mut server = Server::builder().tcp_nodelay(true).accept_http1(true);
    if let Some(tls) = tls(&config.tls)? {
        server = server.tls_config(tls)?;
    }
    let serving = server
        .layer(cors(&config.cors_origins)?)
        .layer(GrpcWebLayer::new())
        .layer(Edge::new(&config.edge_settings()))
        .add_routes(routes)
        .serve_with_incoming_shutdown(TcpListenerStream::new(listener), async move {
            shutdown.await;
            tracing::info!("stopping");
            stop.cancel();
        });
    let hurry = async {
        closing.cancelled().await;
        tokio::time::sleep(drain).await;
    };
    let served = tokio::select! {
        served = serving => served,
        () = hurry => {
            tracing::warn!(?drain, "calls were cut off");
            Ok(())
        }
    };
    closing.cancel();
    let _ended = health.await;
    if let Some(admin) = admin {
        admin.abort();
    }
    store.close().await?;
    served.map_err(ServeError::from)
}

fn reflection() -> Result<tonic_reflection::server::Builder<'static>, ServeError> {
    Ok(tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET))
}

fn tls(args: &TlsArgs) -> Result<Option<ServerTlsConfig>, ServeError> {
    let (Some(cert), Some(key)) = (&args.tls_cert_file, &args.tls_key_file) else {
        return Ok(None);
    };
    let mut tls = ServerTlsConfig::new().identity(Identity::from_pem(read(cert)?, read(key)?));
    if let Some(file) = &args.tls_client_ca_file {
        tls = tls.client_ca_root(Certificate::from_pem(read(file)?));
    }
    Ok(Some(tls))
}

fn read(file: &Path) -> Result<Vec<u8>, ServeError> {
    std::fs::read(file).map_err(|error| ServeError::Tls {
        file: file.display().to_string(),
        error,
    })
}

/// Web pages may call from these origins, and may read how a call ended.
fn cors(origins: &[String]) -> Result<CorsLayer, ServeError> {
    let header = HeaderName::from_static;
    let layer = CorsLayer::new()
        .allow_methods([tonic::codegen::http::Method::POST])
        .allow_headers([
            header("authorization"),
            header("content-type"),
            header("grpc-timeout"),
            header("traceparent"),
            header("tracestate"),
            header("x-grpc-web"),
            header("x-user-agent"),
        ])
        .expose_headers([
            header("grpc-status"),
            header("grpc-message"),
            header("grpc-status-details-bin"),
        ])
        .max_age(std::time::Duration::from_secs(24 * 3600));
    if origins.iter().any(|origin| origin == "*") {
        return Ok(layer.allow_origin(AllowOrigin::any()));
    }
    let origin = |text: &String| {
        text.parse::<HeaderValue>()
            .map_err(|_| ServeError::Origin(text.clone()))
    };
    let origins = origins.iter().map(origin).collect::<Result<Vec<_>, _>>()?;
    Ok(layer.allow_origin(origins))
}
