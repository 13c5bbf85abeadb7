//! The receiver of webhooks: one POST for each, signed, without redirects, with a time limit.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER, USER_AGENT};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use rustls::RootCertStore;
use rustls_pki_types::CertificateDer;
use rustls_pki_types::pem::PemObject;
use tokio::time::timeout;

use super::dispatcher::Setback;
use super::signature::Secrets;
use super::webhook::Webhook;
use crate::connection::last_cause;
use crate::failure::Failure;

/// The time within which a receiver must answer.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The time for the body of an answer, which nobody reads: only so that the connection can be used again.
const DRAIN: Duration = Duration::from_secs(1);

/// Maximum size of the body of an answer whose connection is used again, in bytes.
const MAX_DRAINED: usize = 64 << 10;

/// The answer to a webhook.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    /// The receiver took it (2xx).
    Delivered,
    /// The receiver wants nothing any more (410).
    Gone,
    /// The receiver did not take the webhook, which is sent again.
    Failed {
        /// For logs and dead letters.
        why: String,
        setback: Setback,
    },
}

impl Outcome {
    /// Returns the label of the outcome in metrics.
    pub(super) fn label(&self) -> &'static str {
        match self {
            Self::Delivered => "delivered",
            Self::Gone => "gone",
            Self::Failed { .. } => "failed",
        }
    }
}

/// The receiver.
pub(super) struct Receiver {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    url: Uri,
    secrets: Secrets,
}

impl Receiver {
    /// Prepares the receiver at a URL; nothing is sent yet. `authority` has the certificates to trust instead of those
    /// of the system.
    ///
    /// # Errors
    /// If the URL is not https, unless its host is this machine, or the certificates cannot be used.
    pub(super) fn new(
        url: &str,
        authority: Option<&Path>,
        secrets: Secrets,
    ) -> Result<Self, Failure> {
        let url = checked_url(url).map_err(|why| Failure::Usage(format!("--to {url}: {why}")))?;
        let roots = match authority {
            Some(file) => roots_of(file)?,
            None if url.scheme_str() == Some("http") => RootCertStore::empty(),
            None => roots_of_system()?,
        };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Failure::Usage(format!("TLS: {error}")))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(config)
            .https_or_http()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(30))
            .build(connector);
        Ok(Self {
            client,
            url,
            secrets,
        })
    }

    /// Returns the whole URL. It may have a secret in its query.
    pub(super) fn url(&self) -> String {
        self.url.to_string()
    }

    /// Returns scheme, host and port, which logs may show.
    pub(super) fn origin(&self) -> String {
        let scheme = self.url.scheme_str().unwrap_or_default();
        let authority = self
            .url
            .authority()
            .map_or("", |authority| authority.as_str());
        format!("{scheme}://{authority}")
    }

    /// Sends a webhook once.
    pub(super) async fn send(&self, webhook: &Webhook) -> Outcome {
        match timeout(TIMEOUT, self.post(webhook)).await {
            Ok(Ok((status, headers))) => outcome(status, &headers),
            Ok(Err(setback)) => setback,
            Err(_) => failed(format!("no answer within {} s", TIMEOUT.as_secs())),
        }
    }

    async fn post(&self, webhook: &Webhook) -> Result<(StatusCode, HeaderMap), Outcome> {
        let body = webhook.body().map_err(|error| failed(error.to_string()))?;
        let (id, timestamp) = (webhook.id(), unix_seconds());
        let request = Request::builder()
            .method(Method::POST)
            .uri(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(
                USER_AGENT,
                concat!("gamekeeper/", env!("CARGO_PKG_VERSION")),
            )
            .header("webhook-id", &id)
            .header("webhook-timestamp", timestamp)
            .header(
                "webhook-signature",
                self.secrets.signature(&id, timestamp, &body),
            )
            .body(Full::new(Bytes::from(body)))
            .map_err(|error| failed(error.to_string()))?;
        let response = self
            .client
            .request(request)
            .await
            .map_err(|error| Outcome::Failed {
                why: last_cause(&error),
                setback: Setback {
                    is_unreachable: error.is_connect(),
                    ..Setback::default()
                },
            })?;
        let (head, body) = response.into_parts();
        // The status says everything.
        let _unread = timeout(DRAIN, Limited::new(body, MAX_DRAINED).collect()).await;
        Ok((head.status, head.headers))
    }
}

fn outcome(status: StatusCode, headers: &HeaderMap) -> Outcome {
    match status {
        StatusCode::GONE => Outcome::Gone,
        status if status.is_success() => Outcome::Delivered,
        status => Outcome::Failed {
            why: status.to_string(),
            setback: Setback {
                retry_after: retry_after(headers, SystemTime::now()),
                is_unreachable: false,
            },
        },
    }
}

fn failed(why: String) -> Outcome {
    Outcome::Failed {
        why,
        setback: Setback::default(),
    }
}

/// Reads the header `retry-after`: seconds, or a date.
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    match text.parse() {
        Ok(seconds) => Some(Duration::from_secs(seconds)),
        Err(_) => httpdate::parse_http_date(text)
            .ok()?
            .duration_since(now)
            .ok(),
    }
}

/// Returns the URL if webhooks may be sent there.
fn checked_url(url: &str) -> Result<Uri, String> {
    let uri: Uri = url.parse().map_err(|error| format!("{error}"))?;
    let host = uri.host().ok_or("a host is missing")?;
    if uri
        .authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
    {
        return Err(String::from(
            "a user or a password cannot be sent; the signature tells who calls",
        ));
    }
    match uri.scheme_str() {
        Some("https") => Ok(uri),
        Some("http") if is_loopback(host) => Ok(uri),
        Some("http") => Err(String::from(
            "must begin with https:// unless the host is this machine",
        )),
        Some(_) | None => Err(String::from("must begin with https://")),
    }
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let address = address.parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// Returns the certificate authorities of the system.
fn roots_of_system() -> Result<RootCertStore, Failure> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        return Err(Failure::Usage(String::from(
            "this system has no certificate authorities; name a file with --receiver-ca",
        )));
    }
    Ok(roots)
}

/// Returns the certificate authorities in a file.
fn roots_of(file: &Path) -> Result<RootCertStore, Failure> {
    let wrong =
        |error: &dyn Error| Failure::Usage(format!("--receiver-ca {}: {error}", file.display()));
    let mut roots = RootCertStore::empty();
    for certificate in CertificateDer::pem_file_iter(file).map_err(|error| wrong(&error))? {
        let certificate = certificate.map_err(|error| wrong(&error))?;
        roots.add(certificate).map_err(|error| wrong(&error))?;
    }
    if roots.is_empty() {
        let file = file.display();
        return Err(Failure::Usage(format!(
            "--receiver-ca {file}: holds no certificate"
        )));
    }
    Ok(roots)
}

fn unix_seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn webhooks_go_over_tls_or_stay_on_this_machine() {
        for url in [
            "https://example.org/hooks?x=1",
            "https://[2001:db8::1]:8443/",
            "http://127.0.0.1:8080/hooks",
            "http://[::1]:1/",
            "http://localhost/",
        ] {
            assert!(checked_url(url).is_ok(), "{url}");
        }
        for url in [
            "http://example.org/",
            "http://127.0.0.1.example.org/",
            "http://10.0.0.1/",
            "ftp://localhost/",
            "https://ada:secret@example.org/",
            "example.org",
            "/hooks",
            "",
        ] {
            assert!(checked_url(url).is_err(), "{url}");
        }
    }

    #[test]
    fn only_success_is_a_delivery() {
        let of =
            |status: u16| outcome(StatusCode::from_u16(status).unwrap(), &HeaderMap::new()).label();
        for (status, label) in [(200, "delivered"), (204, "delivered"), (410, "gone")] {
            assert_eq!(of(status), label);
        }
        for status in [301, 302, 307, 308, 304, 400, 401, 404, 429, 500, 503] {
            assert_eq!(of(status), "failed", "{status}");
        }
    }

    #[test]
    fn a_receiver_may_say_when_to_come_back() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_000);
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, text.parse().unwrap());
            retry_after(&headers, now).map(|wait| wait.as_secs())
        };
        assert_eq!(of("120"), Some(120));
        assert_eq!(of("Sun, 06 Nov 1994 08:49:37 GMT"), Some(777));
        assert_eq!(of("Sun, 06 Nov 1994 08:00:00 GMT"), None);
        assert_eq!(of("soon"), None);
        assert_eq!(of("-1"), None);
        assert_eq!(retry_after(&HeaderMap::new(), now), None);
    }
}
