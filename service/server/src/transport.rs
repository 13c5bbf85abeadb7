//! TLS, and which web pages may call.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;
use tonic::codegen::http::{HeaderName, HeaderValue, Method};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::config::TlsArgs;
use crate::serve_error::ServeError;

/// The TLS settings of the operator; `None`: plain text.
pub(crate) fn tls(args: &TlsArgs) -> Result<Option<TlsAcceptor>, ServeError> {
    let (Some(cert_file), Some(key_file)) = (&args.tls_cert_file, &args.tls_key_file) else {
        return Ok(None);
    };
    let certs = certificates(cert_file)?;
    let key = PrivateKeyDer::from_pem_slice(&read(key_file)?).map_err(|_| {
        wrong(
            key_file,
            "holds no private key in PEM (PKCS #8, PKCS #1 or SEC1)",
        )
    })?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| wrong(cert_file, error))?;
    let config = match &args.tls_client_ca_file {
        None => config.with_no_client_auth(),
        Some(file) => {
            let mut roots = RootCertStore::empty();
            for cert in certificates(file)? {
                roots.add(cert).map_err(|error| wrong(file, error))?;
            }
            let verifier = WebPkiClientVerifier::builder_with_provider(roots.into(), provider)
                .build()
                .map_err(|error| wrong(file, error))?;
            config.with_client_cert_verifier(verifier)
        }
    };
    let mut config = config.with_single_cert(certs, key).map_err(|error| {
        if !matches!(error, rustls::Error::InconsistentKeys(_)) {
            return wrong(cert_file, error);
        }
        let cert = cert_file.display();
        wrong(
            key_file,
            format!("is not the key of the certificate in {cert}"),
        )
    })?;
    config.alpn_protocols.push(b"h2".to_vec());
    Ok(Some(TlsAcceptor::from(Arc::new(config))))
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, ServeError> {
    let certs = CertificateDer::pem_slice_iter(&read(file)?).collect::<Result<Vec<_>, _>>();
    let certs = certs.map_err(|error| wrong(file, error))?;
    if certs.is_empty() {
        return Err(wrong(file, "holds no certificate in PEM"));
    }
    Ok(certs)
}

fn read(file: &Path) -> Result<Vec<u8>, ServeError> {
    std::fs::read(file).map_err(|error| wrong(file, error))
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it stands where errors are mapped, which gives them away"
)]
fn wrong(file: &Path, what: impl ToString) -> ServeError {
    ServeError::Tls {
        file: file.display().to_string(),
        wrong: what.to_string(),
    }
}

/// Web pages of these origins may call, and may read the status of a call. Without origins no
/// header is sent, and browsers let no page of another origin call.
pub(crate) fn cors(origins: &[String]) -> Result<Option<CorsLayer>, ServeError> {
    if origins.is_empty() {
        return Ok(None);
    }
    let header = HeaderName::from_static;
    let layer = CorsLayer::new()
        .allow_methods([Method::POST])
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
        return Ok(Some(layer.allow_origin(AllowOrigin::any())));
    }
    let origin = |text: &String| {
        text.parse::<HeaderValue>()
            .map_err(|_| ServeError::Origin(text.clone()))
    };
    let origins = origins.iter().map(origin).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(layer.allow_origin(origins)))
}
