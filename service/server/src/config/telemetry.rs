//! Telemetry: what operators see of the server, and where it is sent.

use std::path::PathBuf;

use clap::{ArgAction, ValueEnum};
use tonic::codegen::http::Uri;

use super::ConfigError;

/// Settings of telemetry. `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER` and the timing of
/// exports (`OTEL_BSP_*`, `OTEL_METRIC_EXPORT_INTERVAL`) are read as the standard says.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Telemetry")]
pub struct TelemetryArgs {
    /// Collector of traces and metrics over OTLP/gRPC, such as http://collector:4317. Unset: none.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,

    /// Certificate authorities to trust for an https:// collector, in PEM.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_CERTIFICATE", value_name = "FILE")]
    pub otlp_ca_file: Option<PathBuf>,

    /// File with one line per header sent to the collector, such as its key, as `name: value`.
    #[arg(long, env = "GAMEKEEPER_OTLP_HEADERS_FILE", value_name = "FILE")]
    pub otlp_headers_file: Option<PathBuf>,

    /// Send neither traces nor metrics to the collector: true or false.
    #[arg(
        long,
        env = "OTEL_SDK_DISABLED",
        action = ArgAction::Set,
        default_value = "false",
        value_parser = parse_bool,
        value_name = "BOOL"
    )]
    pub otlp_disabled: bool,

    /// Use of traces: otlp sends them to the collector, none does nothing.
    #[arg(
        long,
        env = "OTEL_TRACES_EXPORTER",
        default_value = "otlp",
        value_parser = parse_exporter,
        value_name = "EXPORTER"
    )]
    pub traces_exporter: Exporter,

    /// Use of metrics beside /metrics: otlp sends them to the collector, none and prometheus do nothing.
    #[arg(
        long,
        env = "OTEL_METRICS_EXPORTER",
        default_value = "otlp",
        value_parser = parse_exporter,
        value_name = "EXPORTER"
    )]
    pub metrics_exporter: Exporter,

    /// Share of calls that are traced when the caller does not decide it, from 0 to 1.
    #[arg(
        long,
        env = "OTEL_TRACES_SAMPLER_ARG",
        default_value_t = 1.0,
        value_name = "RATIO"
    )]
    pub trace_ratio: f64,
}

/// Where traces or metrics are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exporter {
    /// To the collector.
    Otlp,
    /// Nowhere.
    None,
}

/// Parses a list of exporters. The standard lets several be named.
fn parse_exporter(text: &str) -> Result<Exporter, String> {
    let mut exporter = Exporter::None;
    for name in text.split(',') {
        match name.trim() {
            "otlp" => exporter = Exporter::Otlp,
            "none" | "prometheus" => {}
            other => return Err(format!("{other} is neither otlp nor none")),
        }
    }
    Ok(exporter)
}

/// Parses a truth value as the standard of OpenTelemetry writes it.
fn parse_bool(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(String::from("is neither true nor false")),
    }
}

impl TelemetryArgs {
    /// Returns the address of the collector, unless nothing is sent to it.
    #[must_use]
    pub fn collector(&self) -> Option<&str> {
        let exporters = [self.traces_exporter, self.metrics_exporter];
        let sends = !self.otlp_disabled && exporters.contains(&Exporter::Otlp);
        self.otlp_endpoint.as_deref().filter(|_| sends)
    }

    /// Refuses addresses that are no URLs, and ratios outside 0 to 1.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        let is_url = |text: &String| {
            text.parse::<Uri>().is_ok_and(|url| {
                matches!(url.scheme_str(), Some("http" | "https")) && url.host().is_some()
            })
        };
        if !self.otlp_endpoint.as_ref().is_none_or(is_url) {
            return Err(ConfigError::NotUrl("otlp-endpoint"));
        }
        if (0.0..=1.0).contains(&self.trace_ratio) {
            Ok(())
        } else {
            Err(ConfigError::Ratio)
        }
    }
}

/// Settings of the log.
#[derive(Clone, Debug, clap::Args)]
pub struct LogArgs {
    /// Filter of log lines in the syntax of tracing, such as info or gamekeeper=debug.
    #[arg(
        long = "log",
        env = "GAMEKEEPER_LOG",
        default_value = "info",
        value_name = "FILTER"
    )]
    pub filter: String,

    /// Format of log lines.
    #[arg(long = "log-format", env = "GAMEKEEPER_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, value_name = "LOG_FORMAT")]
    pub format: LogFormat,
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}
