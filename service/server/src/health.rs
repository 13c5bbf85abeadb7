//! Health: is the process alive, and can it work?
//!
//! The overall status and that of every service follow the store: a few failed looks in a row turn
//! them to `NOT_SERVING`, one good look turns them back.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

use crate::store::GameStore;

/// How often the store is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// So many failed looks in a row mean that the store is gone. One alone may be a hiccup.
const PATIENCE: u32 = 3;

/// Follows the store until the server stops, then says that nothing is served any more.
pub async fn follow(
    reporter: HealthReporter,
    services: Vec<String>,
    store: Arc<dyn GameStore>,
    closing: CancellationToken,
) {
    let mut failures = 0;
    report(&reporter, &services, ServingStatus::Serving).await;
    loop {
        tokio::select! {
            () = closing.cancelled() => break,
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
        match store.ping().await {
            Ok(()) => {
                if failures >= PATIENCE {
                    tracing::info!("the store is back");
                    report(&reporter, &services, ServingStatus::Serving).await;
                }
                failures = 0;
            }
            Err(error) => {
                failures += 1;
                tracing::warn!(%error, failures, "the store does not answer");
                if failures == PATIENCE {
                    report(&reporter, &services, ServingStatus::NotServing).await;
                }
            }
        }
    }
    report(&reporter, &services, ServingStatus::NotServing).await;
}

async fn report(reporter: &HealthReporter, services: &[String], status: ServingStatus) {
    for service in services {
        reporter.set_service_status(service, status).await;
    }
    reporter.set_service_status("", status).await;
}
