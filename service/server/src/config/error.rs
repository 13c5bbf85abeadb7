//! Errors of settings that do not fit together.

use std::net::SocketAddr;

/// Settings that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// No access policy was configured.
    #[error("{0} is not a loopback address: choose --auth tokens or --auth open")]
    AuthModeRequired(SocketAddr),
    /// Tokens need a secret.
    #[error("--auth tokens needs --token-keys-file")]
    NoTokenKeys,
    /// The playground has no port.
    #[error("--playground needs --admin-listen")]
    PlaygroundNeedsAdmin,
    /// No access policy was configured for the playground.
    #[error(
        "--playground on {0}, which is not a loopback address: choose --auth tokens or --auth open"
    )]
    PlaygroundNeedsAuthMode(SocketAddr),
    /// The playground asks for no certificate.
    #[error(
        "--playground cannot be combined with --tls-client-ca-file: it would admit callers without a certificate"
    )]
    PlaygroundWithoutCertificates,
    /// A variable that is no setting, but nearly one that protects games or callers.
    #[error(
        "{variable} is set in the environment, but there is no such setting: is {nearest} meant?"
    )]
    Misspelled {
        /// The variable.
        variable: String,
        /// The variable of the nearest setting.
        nearest: String,
    },
    /// A limit of zero.
    #[error("--{0} must be greater than 0")]
    Zero(&'static str),
    /// Two listeners share one port.
    #[error("--admin-listen {0} is the port of --listen")]
    SamePort(SocketAddr),
    /// An address without a scheme or a host.
    #[error("--{0} is not a URL with http:// or https:// and a host")]
    NotUrl(&'static str),
    /// A ratio outside 0 to 1.
    #[error("--trace-ratio must be between 0 and 1")]
    Ratio,
}
