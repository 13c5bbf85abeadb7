//! How the port of the service is encrypted.

use std::path::PathBuf;

/// Settings of TLS.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "TLS")]
pub struct TlsArgs {
    /// The server's certificate chain in PEM. Not given: plain text.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_CERT_FILE",
        value_name = "FILE",
        requires = "tls_key_file"
    )]
    pub tls_cert_file: Option<PathBuf>,

    /// The server's private key in PEM.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_KEY_FILE",
        value_name = "FILE",
        requires = "tls_cert_file"
    )]
    pub tls_key_file: Option<PathBuf>,

    /// Certificates that sign clients': every client must have one.
    #[arg(
        long,
        env = "GAMEKEEPER_TLS_CLIENT_CA_FILE",
        value_name = "FILE",
        requires = "tls_cert_file"
    )]
    pub tls_client_ca_file: Option<PathBuf>,
}
