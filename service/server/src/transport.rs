//! TLS, and the web pages that may call (**CORS**).

use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwap;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use tokio_rustls::TlsAcceptor;
use tonic::codegen::http::{HeaderName, HeaderValue, Method, Uri};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::auth::AuthConfig;
use crate::config::{Config, TlsArgs};
use crate::grpc::{RATE_LIMIT, RATE_LIMIT_POLICY, TIME};
use crate::hosts::HostGuard;
use crate::serve_error::ServeError;

/// The current TLS settings, replaced when their files change.
pub(crate) type SharedTls = Arc<ArcSwap<TlsAcceptor>>;

/// Returns the TLS settings of the operator. Returns `None` for plain text.
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
    config.alpn_protocols = [&b"h2"[..], b"http/1.1"].map(<[u8]>::to_vec).into();
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
    reason = "used in `map_err`, which passes errors by value"
)]
fn wrong(file: &Path, what: impl ToString) -> ServeError {
    ServeError::Tls {
        file: file.display().to_string(),
        wrong: what.to_string(),
    }
}

/// Lets web pages of these origins call, and read the status of a call. Without origins no header is sent, so browsers
/// block pages of other origins.
pub(crate) fn cors(origins: &[String]) -> Result<Option<CorsLayer>, ServeError> {
    if origins.is_empty() {
        return Ok(None);
    }
    let header = HeaderName::from_static;
    let layer = CorsLayer::new()
        .allow_methods([Method::POST])
        .allow_headers([
            header("authorization"),
            header("baggage"),
            header("connect-protocol-version"),
            header("connect-timeout-ms"),
            header("content-type"),
            header("grpc-timeout"),
            header("traceparent"),
            header("tracestate"),
            header("x-grpc-web"),
            header("x-requested-with"),
            header("x-user-agent"),
        ])
        .expose_headers([
            header("grpc-status"),
            header("grpc-message"),
            header("grpc-status-details-bin"),
            TIME,
            RATE_LIMIT,
            RATE_LIMIT_POLICY,
        ])
        .max_age(std::time::Duration::from_secs(24 * 3600));
    if is_any(origins) {
        return Ok(Some(layer.allow_origin(AllowOrigin::any())));
    }
    Ok(Some(layer.allow_origin(listed(origins)?)))
}

/// Returns the guard for a server that trusts every caller. It needs none with TLS, whose certificate names the host,
/// or if pages of all origins may call.
pub(crate) fn host_guard(config: &Config) -> Result<Option<HostGuard>, ServeError> {
    let is_open = matches!(config.auth_config()?, AuthConfig::Open);
    if !is_open || config.tls.tls_cert_file.is_some() || is_any(&config.cors_origins) {
        return Ok(None);
    }
    let allowed = listed(&config.cors_origins)?;
    Ok(Some(HostGuard::new(allowed)))
}

fn is_any(origins: &[String]) -> bool {
    origins.iter().any(|origin| origin.trim() == "*")
}

fn listed(origins: &[String]) -> Result<Vec<HeaderValue>, ServeError> {
    origins.iter().map(|text| origin(text)).collect()
}

/// Parses an origin exactly as browsers write it. Any other text would match none.
fn origin(text: &str) -> Result<HeaderValue, ServeError> {
    let wrong = || ServeError::Origin(text.to_owned());
    let origin = text.trim();
    let uri: Uri = origin.parse().map_err(|_| wrong())?;
    let (scheme, authority) = uri.scheme_str().zip(uri.authority()).ok_or_else(wrong)?;
    let is_usual_port = matches!(
        (scheme, authority.port_u16()),
        ("http", Some(80)) | ("https", Some(443))
    );
    let written = format!("{scheme}://{authority}").to_ascii_lowercase();
    if origin != written || is_usual_port || origin.contains('@') {
        return Err(wrong());
    }
    HeaderValue::from_str(origin).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_taken_as_browsers_write_them() {
        for text in [
            "https://example.org",
            " http://localhost:8080",
            "http://[::1]:8080",
        ] {
            assert_eq!(origin(text).unwrap(), text.trim());
        }
        for text in [
            "",
            "example.org",
            "https://example.org/",
            "https://example.org/page",
            "https://Example.org",
            "https://ann@example.org",
            "https://example.org:443",
            "null",
        ] {
            assert!(matches!(origin(text), Err(ServeError::Origin(_))), "{text}");
        }
    }
}
