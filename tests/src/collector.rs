//! A small collector that receives traces and metrics over OTLP and stores them.

use std::collections::BTreeMap;
use std::sync::Arc;

use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::{Metric, number_data_point};
use opentelemetry_proto::tonic::trace::v1::Span;
use parking_lot::Mutex;
use tokio::net::TcpListener;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// Labels or attributes in text form.
pub type Labels = BTreeMap<String, String>;

/// A collector that runs as long as its test.
#[derive(Clone, Debug, Default)]
pub struct Collector {
    address: String,
    received: Arc<Mutex<Received>>,
}

#[derive(Debug, Default)]
struct Received {
    spans: Vec<Span>,
    /// The newest report is enough, because reports are cumulative.
    metrics: Vec<Metric>,
    resources: Vec<Labels>,
    keys: Vec<String>,
}

/// One data point of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The labels of the data point.
    pub labels: Labels,
    /// The value, or the number of values in a histogram.
    pub value: f64,
}

impl Collector {
    /// Starts a collector on a free port.
    ///
    /// # Panics
    /// If there is no free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let collector = Self {
            address,
            received: Arc::default(),
        };
        let serving = Server::builder()
            .add_service(TraceServiceServer::new(collector.clone()))
            .add_service(MetricsServiceServer::new(collector.clone()))
            .serve_with_incoming(TcpIncoming::from(listener));
        tokio::spawn(serving);
        collector
    }

    /// Returns the URL for traces and metrics.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the spans received for a trace, or for all traces if `None`.
    #[must_use]
    pub fn spans(&self, trace: Option<&str>) -> Vec<Span> {
        let received = self.received.lock();
        let wanted =
            |span: &&Span| trace.is_none_or(|trace| const_hex::encode(&span.trace_id) == trace);
        received.spans.iter().filter(wanted).cloned().collect()
    }

    /// Returns the unit and the newest data points of each metric, by name.
    #[must_use]
    pub fn metrics(&self) -> BTreeMap<String, (String, Vec<Point>)> {
        let received = self.received.lock();
        let metrics = received.metrics.iter();
        metrics
            .map(|metric| (metric.name.clone(), (metric.unit.clone(), points(metric))))
            .collect()
    }

    /// Returns the resource attributes of the senders.
    #[must_use]
    pub fn resources(&self) -> Vec<Labels> {
        self.received.lock().resources.clone()
    }

    /// Returns the values of the header `x-key` that were sent along.
    #[must_use]
    pub fn keys(&self) -> Vec<String> {
        self.received.lock().keys.clone()
    }

    /// Returns everything that was received, as text.
    #[must_use]
    pub fn everything(&self) -> String {
        let received = self.received.lock();
        format!(
            "{:?} {:?} {:?}",
            received.spans, received.metrics, received.resources
        )
    }

    fn note_key<T>(&self, request: &Request<T>) {
        let key = request.metadata().get("x-key");
        let key = key.and_then(|key| key.to_str().ok()).unwrap_or_default();
        self.received.lock().keys.push(key.to_owned());
    }
}

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.note_key(&request);
        let mut received = self.received.lock();
        for group in request.into_inner().resource_spans {
            let resource = group.resource.unwrap_or_default();
            received.resources.push(labels(&resource.attributes));
            let spans = group.scope_spans.into_iter();
            received.spans.extend(spans.flat_map(|scope| scope.spans));
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Collector {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        self.note_key(&request);
        let groups = request.into_inner().resource_metrics.into_iter();
        let scopes = groups.flat_map(|group| group.scope_metrics);
        self.received.lock().metrics = scopes.flat_map(|scope| scope.metrics).collect();
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}

/// Converts attributes to text.
#[must_use]
pub fn labels(attributes: &[KeyValue]) -> Labels {
    let text = |attribute: &KeyValue| {
        let value = attribute.value.as_ref()?.value.as_ref()?;
        Some(if let Value::StringValue(text) = value {
            text.clone()
        } else {
            format!("{value:?}")
        })
    };
    attributes
        .iter()
        .map(|attribute| (attribute.key.clone(), text(attribute).unwrap_or_default()))
        .collect()
}

fn points(metric: &Metric) -> Vec<Point> {
    let number = |point: &opentelemetry_proto::tonic::metrics::v1::NumberDataPoint| Point {
        labels: labels(&point.attributes),
        value: match point.value {
            Some(number_data_point::Value::AsDouble(value)) => value,
            #[expect(clippy::cast_precision_loss, reason = "tests count to small numbers")]
            Some(number_data_point::Value::AsInt(value)) => value as f64,
            None => 0.0,
        },
    };
    match &metric.data {
        Some(Data::Sum(sum)) => sum.data_points.iter().map(number).collect(),
        Some(Data::Gauge(gauge)) => gauge.data_points.iter().map(number).collect(),
        Some(Data::Histogram(histogram)) => {
            let rows = histogram.data_points.iter();
            rows.map(|row| Point {
                labels: labels(&row.attributes),
                #[expect(clippy::cast_precision_loss, reason = "tests count to small numbers")]
                value: row.count as f64,
            })
            .collect()
        }
        Some(Data::ExponentialHistogram(_) | Data::Summary(_)) | None => Vec::new(),
    }
}
