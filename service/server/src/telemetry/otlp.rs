//! Export of traces and metrics to a collector over OTLP.

use std::path::{Path, PathBuf};

use gamekeeper_store::metering::{record_service_time, take_thread_time};
use opentelemetry_otlp::{
    ExporterBuildError, MetricExporter, SpanExporter, WithExportConfig, WithTonicConfig,
};
use opentelemetry_sdk::metrics::PeriodicReader;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio::runtime::{Builder, Runtime};
use tonic::metadata::{MetadataKey, MetadataMap, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig};

use super::accounted::Accounted;
use crate::config::{Exporter, TelemetryArgs};

/// The reason why nothing can be sent to the collector.
#[derive(Debug, thiserror::Error)]
pub enum OtlpError {
    /// A file cannot be read.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        error: std::io::Error,
    },
    /// A line of the headers' file is not `name: value`.
    #[error("{file}: line {line} is not \"name: value\"")]
    Header {
        /// The file.
        file: String,
        /// The number of the line. Its content is secret.
        line: usize,
    },
    /// The headers' file contains no header.
    #[error("--otlp-headers-file: {file} contains no header")]
    NoHeader {
        /// The file.
        file: String,
    },
    /// The address is invalid.
    #[error("--otlp-endpoint: {0}")]
    Endpoint(#[from] ExporterBuildError),
    /// The sending thread cannot be started.
    #[error("telemetry: {0}")]
    Thread(std::io::Error),
}

/// The exporter to the collector. It has a thread of its own, so exports never wait for calls, nor
/// calls for exports.
pub(super) struct Otlp {
    endpoint: String,
    headers: MetadataMap,
    ca: Option<Certificate>,
    /// Whether metrics are sent.
    metrics: bool,
    /// Whether traces are sent.
    traces: bool,
    runtime: Option<Runtime>,
}

impl Otlp {
    /// Creates the configured exporter. Returns `None` if there is no collector.
    pub(super) fn new(args: &TelemetryArgs) -> Result<Option<Self>, OtlpError> {
        let Some(endpoint) = args.collector().map(str::to_owned) else {
            return Ok(None);
        };
        let ca = args
            .otlp_ca_file
            .as_deref()
            .map(ca_certificate)
            .transpose()?;
        Ok(Some(Self {
            endpoint,
            headers: headers(args.otlp_headers_file.as_ref())?,
            ca,
            metrics: args.metrics_exporter == Exporter::Otlp,
            traces: args.traces_exporter == Exporter::Otlp,
            runtime: Some(
                Builder::new_multi_thread()
                    .worker_threads(1)
                    .thread_name("otlp")
                    .on_thread_park(|| record_service_time(take_thread_time()))
                    .enable_all()
                    .build()
                    .map_err(OtlpError::Thread)?,
            ),
        }))
    }

    /// Returns the exporter of spans. Returns `None` if traces are not sent.
    pub(super) fn span_exporter(&self) -> Result<Option<Accounted<SpanExporter>>, OtlpError> {
        if !self.traces {
            return Ok(None);
        }
        let _entered = self.runtime.as_ref().map(Runtime::enter);
        let mut builder = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(&self.endpoint)
            .with_metadata(self.headers.clone());
        if let Some(tls) = self.tls() {
            builder = builder.with_tls_config(tls);
        }
        Ok(Some(Accounted(builder.build()?)))
    }

    /// Returns the reader of metrics. Returns `None` if metrics are not sent.
    pub(super) fn metric_reader(
        &self,
    ) -> Result<Option<PeriodicReader<Accounted<MetricExporter>>>, OtlpError> {
        if !self.metrics {
            return Ok(None);
        }
        let _entered = self.runtime.as_ref().map(Runtime::enter);
        let mut builder = MetricExporter::builder()
            .with_tonic()
            .with_endpoint(&self.endpoint)
            .with_metadata(self.headers.clone());
        if let Some(tls) = self.tls() {
            builder = builder.with_tls_config(tls);
        }
        Ok(Some(
            PeriodicReader::builder(Accounted(builder.build()?)).build(),
        ))
    }

    fn tls(&self) -> Option<ClientTlsConfig> {
        let tls = ClientTlsConfig::new();
        let ca = self.ca.clone()?;
        Some(tls.ca_certificate(ca))
    }
}

/// Reads the files for the collector, if there is one.
pub(super) fn check(args: &TelemetryArgs) -> Result<(), OtlpError> {
    if args.collector().is_none() {
        return Ok(());
    }
    args.otlp_ca_file
        .as_deref()
        .map(ca_certificate)
        .transpose()?;
    headers(args.otlp_headers_file.as_ref()).map(drop)
}

impl Drop for Otlp {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// Reads the certificates of a file. The library would report errors later, without naming the file.
fn ca_certificate(file: &Path) -> Result<Certificate, OtlpError> {
    let text = read(file)?;
    let certs = CertificateDer::pem_slice_iter(text.as_bytes()).collect::<Result<Vec<_>, _>>();
    if certs.is_ok_and(|certs| !certs.is_empty()) {
        return Ok(Certificate::from_pem(text));
    }
    let wrong = std::io::Error::other("holds no certificate in PEM, or a broken one");
    Err(OtlpError::File {
        file: file.display().to_string(),
        error: wrong,
    })
}

fn read(file: impl AsRef<Path>) -> Result<String, OtlpError> {
    let file = file.as_ref();
    std::fs::read_to_string(file).map_err(|error| OtlpError::File {
        file: file.display().to_string(),
        error,
    })
}

/// Reads the headers from a file.
fn headers(file: Option<&PathBuf>) -> Result<MetadataMap, OtlpError> {
    let mut headers = MetadataMap::new();
    let Some(file) = file else {
        return Ok(headers);
    };
    let lines = read(file)?;
    let lines = lines.lines().zip(1..);
    for (text, line) in lines.filter(|(text, _)| !text.trim().is_empty()) {
        let header = || {
            let (name, value) = text.split_once(':')?;
            let name = MetadataKey::from_bytes(name.trim().to_ascii_lowercase().as_bytes()).ok()?;
            let value = Some(value.trim()).filter(|value| !value.is_empty())?;
            let mut value = MetadataValue::try_from(value).ok()?;
            value.set_sensitive(true);
            Some((name, value))
        };
        let (name, value) = header().ok_or_else(|| OtlpError::Header {
            file: file.display().to_string(),
            line,
        })?;
        headers.insert(name, value);
    }
    if headers.is_empty() {
        return Err(OtlpError::NoHeader {
            file: file.display().to_string(),
        });
    }
    Ok(headers)
}
