//! The errors that keep a server from running.

use gamekeeper_policies::PolicyError;
use gamekeeper_store::StoreError;

use crate::auth::AuthError;
use crate::config::ConfigError;
use crate::telemetry::TelemetryError;

/// The reason why the server could not start, or stopped.
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
    /// A TLS file cannot be used.
    #[error("{file}: {wrong}")]
    Tls {
        /// The file.
        file: String,
        /// The reason.
        wrong: String,
    },
    /// The file with limits of tenants cannot be used.
    #[error("{file}: {wrong}")]
    TenantLimits {
        /// The file.
        file: String,
        /// The reason.
        wrong: String,
    },
    /// The folder of learned policies cannot be used.
    #[error("--policies: {0}")]
    Policies(#[from] PolicyError),
    /// The contract cannot be shown by reflection.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// A thread or its runtime cannot be created.
    #[error("a worker thread cannot start: {0}")]
    Worker(std::io::Error),
    /// A thread ended unexpectedly.
    #[error("a worker thread ended unexpectedly")]
    WorkerLost,
    /// An origin is invalid.
    #[error(
        "--cors-origins: {0:?} is not an origin as browsers write it, such as https://example.org"
    )]
    Origin(String),
}
