//! Exporters whose threads hand over their processor time: sending telemetry is work of the service itself.

use std::time::Duration;

use gamekeeper_store::metering::{record_service_time, take_thread_time};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::metrics::Temporality;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

/// An exporter that the library calls on a thread of its own, where it also collects what is exported.
#[derive(Debug)]
pub(super) struct Accounted<E>(pub(super) E);

async fn accounted(export: impl Future<Output = OTelSdkResult> + Send) -> OTelSdkResult {
    let result = export.await;
    record_service_time(take_thread_time());
    result
}

impl<E: PushMetricExporter> PushMetricExporter for Accounted<E> {
    fn export(&self, metrics: &ResourceMetrics) -> impl Future<Output = OTelSdkResult> + Send {
        accounted(self.0.export(metrics))
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn temporality(&self) -> Temporality {
        self.0.temporality()
    }
}

impl<E: SpanExporter> SpanExporter for Accounted<E> {
    fn export(&self, batch: Vec<SpanData>) -> impl Future<Output = OTelSdkResult> + Send {
        accounted(self.0.export(batch))
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}
