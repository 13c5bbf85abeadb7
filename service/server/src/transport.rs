//! TLS, and which web pages may call.

use std::path::Path;

use tonic::codegen::http::{HeaderName, HeaderValue, Method};
use tonic::transport::{Certificate, Identity, ServerTlsConfig};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::config::TlsArgs;
use crate::serve_error::ServeError;

/// What the operator has set about TLS; nothing: plain text.
pub(crate) fn tls(args: &TlsArgs) -> Result<Option<ServerTlsConfig>, ServeError> {
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

/// Web pages may call from these origins, and may read how a call ended. Without origins nothing is
/// said of them, and browsers let no page of elsewhere call.
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
