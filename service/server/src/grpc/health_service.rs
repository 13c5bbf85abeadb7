//! Health checks over gRPC. Watches end when the server stops, since a graceful shutdown would otherwise wait for
//! them.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt, stream};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tonic_health::server::{HealthReporter, HealthService};

/// Answers health checks.
pub struct HealthEndpoint {
    health: Arc<HealthService>,
    closing: CancellationToken,
}

impl HealthEndpoint {
    /// Creates the service for the reported health. Its watches end when the server closes.
    #[must_use]
    pub fn new(reporter: HealthReporter, closing: CancellationToken) -> HealthServer<Self> {
        HealthServer::new(Self {
            health: Arc::new(HealthService::from_health_reporter(reporter)),
            closing,
        })
    }
}

#[tonic::async_trait]
impl Health for HealthEndpoint {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        self.health.check(request).await
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let health_request = request.get_ref().clone();
        let updates = self.health.watch(request).await?.into_inner();
        let health = Arc::clone(&self.health);
        let last = async move { health.check(Request::new(health_request)).await };
        let last = stream::once(last).map(|response| response.map(Response::into_inner));
        let closed = self.closing.clone().cancelled_owned();
        Ok(Response::new(Box::pin(
            updates.take_until(closed).chain(last),
        )))
    }
}
