//! TLS on the port of the service.

use std::path::PathBuf;

/// Settings of TLS.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "TLS")]
pub struct TlsArgs {
    /// Certificate chain of the server, in PEM. Unset: plain text.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_CERT_FILE",
        value_name = "FILE",
        requires = "tls_key_file"
    )]
    pub tls_cert_file: Option<PathBuf>,

    /// Private key of the server, in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_KEY_FILE",
        value_name = "FILE",
        requires = "tls_cert_file"
    )]
    pub tls_key_file: Option<PathBuf>,

    /// Certificate authorities of client certificates, in PEM; every client must have one. Unset: none.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_CLIENT_CA_FILE",
        value_name = "FILE",
        requires = "tls_cert_file"
    )]
    pub tls_client_ca_file: Option<PathBuf>,
}
