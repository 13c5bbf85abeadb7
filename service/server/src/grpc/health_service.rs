//! Health checks over gRPC. Watches end when the server stops, since a graceful shutdown would otherwise wait for
//! them.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt, stream};
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Response, Status};
use tonic_health::pb::health_check_response::ServingStatus;
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

impl HealthEndpoint {
    /// Returns the watch of a service that does not exist.
    fn unknown(&self) -> Response<<Self as Health>::WatchStream> {
        let status = ServingStatus::ServiceUnknown.into();
        let unknown = stream::iter([Ok(HealthCheckResponse { status })]);
        let closed = self.closing.clone().cancelled_owned();
        Response::new(Box::pin(
            unknown.chain(stream::pending().take_until(closed)),
        ))
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
        let updates: Self::WatchStream = match self.health.watch(request).await {
            Ok(updates) => Box::pin(updates.into_inner()),
            // The protocol has a watch wait for a service that may come.
            Err(status) if status.code() == Code::NotFound => return Ok(self.unknown()),
            Err(status) => return Err(status),
        };
        let health = Arc::clone(&self.health);
        let last = async move { health.check(Request::new(health_request)).await };
        let last = stream::once(last).map(|response| response.map(Response::into_inner));
        let closed = self.closing.clone().cancelled_owned();
        Ok(Response::new(Box::pin(
            updates.take_until(closed).chain(last),
        )))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// The protocol of health checks has a check fail, and a watch wait.
    #[tokio::test]
    async fn a_watch_of_an_unknown_service_says_so_and_waits() {
        let closing = CancellationToken::new();
        let health = HealthEndpoint {
            health: Arc::new(HealthService::from_health_reporter(HealthReporter::new())),
            closing: closing.clone(),
        };
        let ask = |service: &str| {
            Request::new(HealthCheckRequest {
                service: service.to_owned(),
            })
        };
        let failed = health.check(ask("chess")).await.unwrap_err();
        assert_eq!(failed.code(), Code::NotFound);
        let mut watch = health.watch(ask("chess")).await.unwrap().into_inner();
        let first = watch.next().await.unwrap().unwrap();
        assert_eq!(first.status(), ServingStatus::ServiceUnknown);
        assert!(watch.next().now_or_never().is_none(), "it waits");
        closing.cancel();
        assert!(watch.next().await.is_none());
    }
}
