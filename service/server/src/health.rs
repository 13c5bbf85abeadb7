//! **Health checks**: liveness (the process answers) and readiness (it can serve calls).
//!
//! Readiness, overall (the empty name) and for every service, follows the store: it is lost after several failed
//! checks in a row, and returns after several good ones, so that a flapping store does not move traffic back and
//! forth. The service name `liveness` reports only that the process answers, because a restart does not repair Redis.
//! It does repair an embedded store that gave up after a failed write, since reopening reads the file again; so with
//! that store liveness is lost too, much later, until a check succeeds again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gamekeeper_store::{GameStore, StoreError};
use gamekeeper_telemetry::LogRateLimiter;
use tokio_util::sync::CancellationToken;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;

/// The service name under which probes ask whether the process is alive.
pub const LIVENESS: &str = "liveness";

/// The interval of store checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// The timeout of a check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(2);

/// The number of failed checks in a row after which readiness is lost. A single one may be a hiccup.
const FAILURE_THRESHOLD: u32 = 3;

/// The number of good checks in a row after which readiness returns.
const SUCCESS_THRESHOLD: u32 = 2;

/// The number of failed checks in a row after which liveness is lost, if a restart repairs the store.
const LIVENESS_THRESHOLD: u32 = 30;

/// How often to log that the store does not answer.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// The remedy for a store that does not work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LivenessPolicy {
    /// Waiting: the store is another process, which others repair.
    Wait,
    /// Restarting this process.
    Restart,
}

/// The results of store checks so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct CheckState {
    ready: bool,
    failed: u32,
    good: u32,
}

impl CheckState {
    /// The state before the first check.
    const NONE: Self = Self {
        ready: false,
        failed: 0,
        good: SUCCESS_THRESHOLD - 1,
    };

    fn after(self, is_good: Result<(), ()>) -> Self {
        match is_good {
            Ok(()) => {
                let good = self.good.saturating_add(1);
                Self {
                    ready: self.ready || good >= SUCCESS_THRESHOLD,
                    failed: 0,
                    good,
                }
            }
            Err(()) => {
                let failed = self.failed.saturating_add(1);
                Self {
                    ready: self.ready && failed < FAILURE_THRESHOLD,
                    failed,
                    good: 0,
                }
            }
        }
    }

    fn is_alive(self, remedy: LivenessPolicy) -> bool {
        match remedy {
            LivenessPolicy::Wait => true,
            LivenessPolicy::Restart => self.failed < LIVENESS_THRESHOLD,
        }
    }
}

/// Follows the store and updates the probes.
pub struct Health {
    reporter: HealthReporter,
    services: Vec<String>,
    store: Arc<dyn GameStore>,
    remedy: LivenessPolicy,
    probes: Probes,
    state: CheckState,
    limiter: LogRateLimiter,
}

/// The answers to probes, kept up to date while health is followed.
#[derive(Clone, Debug, Default)]
pub struct Probes {
    ready: Arc<AtomicBool>,
    alive: Arc<AtomicBool>,
}

impl Probes {
    /// Whether calls may be sent to this process.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    /// Whether the process can recover without a restart.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.alive.load(Ordering::Relaxed)
    }
}

impl Health {
    /// Runs the first check, and publishes its result.
    pub async fn begin(
        reporter: HealthReporter,
        services: Vec<String>,
        store: Arc<dyn GameStore>,
        remedy: LivenessPolicy,
    ) -> Self {
        let mut health = Self {
            reporter,
            services,
            store,
            remedy,
            probes: Probes::default(),
            state: CheckState::NONE,
            limiter: LogRateLimiter::every(LOG_INTERVAL),
        };
        health.publish_liveness(ServingStatus::Serving).await;
        health.publish_readiness(ServingStatus::NotServing).await;
        health.check_store().await;
        health
    }

    /// Returns the answers to probes.
    #[must_use]
    pub fn probes(&self) -> Probes {
        self.probes.clone()
    }

    /// Follows the store until the server stops, then reports that nothing is served anymore.
    pub async fn run(mut self, closing: CancellationToken) {
        loop {
            tokio::select! {
                () = closing.cancelled() => break,
                () = tokio::time::sleep(CHECK_INTERVAL) => {}
            }
            tokio::select! {
                () = closing.cancelled() => break,
                () = self.check_store() => {}
            }
        }
        self.publish_readiness(ServingStatus::NotServing).await;
    }

    async fn check_store(&mut self) {
        let ping = tokio::time::timeout(CHECK_TIMEOUT, self.store.ping()).await;
        let outcome = match ping {
            // A full store still serves reads, and refuses writes with a clear error.
            Ok(Ok(()) | Err(StoreError::Full(_))) => Ok(()),
            Ok(Err(error)) => {
                if let Some(times) = self.limiter.should_log() {
                    tracing::warn!(%error, times, "the store does not answer");
                }
                Err(())
            }
            Err(_) => {
                if let Some(times) = self.limiter.should_log() {
                    tracing::warn!(waited = ?CHECK_TIMEOUT, times, "the store does not answer");
                }
                Err(())
            }
        };
        let before = self.state;
        self.state = before.after(outcome);
        if self.state.ready != before.ready {
            let status = if self.state.ready {
                tracing::info!("ready");
                ServingStatus::Serving
            } else {
                tracing::error!("not ready: the store is unavailable");
                ServingStatus::NotServing
            };
            self.publish_readiness(status).await;
        }
        let is_alive = self.state.is_alive(self.remedy);
        if is_alive != before.is_alive(self.remedy) {
            let status = if is_alive {
                tracing::info!("the store has recovered");
                ServingStatus::Serving
            } else {
                tracing::error!("the store does not recover: restart this process");
                ServingStatus::NotServing
            };
            self.publish_liveness(status).await;
        }
    }

    async fn publish_readiness(&self, status: ServingStatus) {
        let is_ready = matches!(status, ServingStatus::Serving);
        self.probes.ready.store(is_ready, Ordering::Relaxed);
        for service in &self.services {
            self.reporter.set_service_status(service, status).await;
        }
        self.reporter.set_service_status("", status).await;
    }

    async fn publish_liveness(&self, status: ServingStatus) {
        let is_alive = matches!(status, ServingStatus::Serving);
        self.probes.alive.store(is_alive, Ordering::Relaxed);
        self.reporter.set_service_status(LIVENESS, status).await;
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::MemoryStore;

    use super::*;

    /// Readiness after each check: `+` a good one, `-` a failed one.
    fn ready_after(looks: &str) -> String {
        let mut outcome = CheckState::NONE;
        looks
            .chars()
            .map(|look| {
                outcome = outcome.after(if look == '+' { Ok(()) } else { Err(()) });
                if outcome.ready { 'R' } else { '.' }
            })
            .collect()
    }

    #[test]
    fn readiness_needs_one_good_look_at_first() {
        assert_eq!(ready_after("+"), "R");
        assert_eq!(ready_after("-+"), "..");
        assert_eq!(ready_after("-++"), "..R");
    }

    #[test]
    fn readiness_goes_after_three_failed_looks_and_returns_after_two_good_ones() {
        assert_eq!(ready_after("+--+"), "RRRR");
        assert_eq!(ready_after("+--+--+"), "RRRRRRR");
        assert_eq!(ready_after("+---+-++"), "RRR....R");
    }

    #[test]
    fn only_a_store_that_a_restart_mends_ends_liveness() {
        let mut outcome = CheckState::NONE.after(Ok(()));
        for _ in 0..LIVENESS_THRESHOLD {
            assert!(outcome.is_alive(LivenessPolicy::Restart));
            outcome = outcome.after(Err(()));
        }
        assert!(!outcome.is_alive(LivenessPolicy::Restart));
        assert!(outcome.is_alive(LivenessPolicy::Wait));
    }

    #[tokio::test]
    async fn liveness_returns_with_the_store() {
        let store = Arc::new(MemoryStore::new());
        let reporter = HealthReporter::new();
        let mut health = Health::begin(reporter, Vec::new(), store, LivenessPolicy::Restart).await;
        let probes = health.probes();
        health.state.failed = LIVENESS_THRESHOLD;
        health.publish_liveness(ServingStatus::NotServing).await;
        assert!(!probes.is_alive());
        health.check_store().await;
        assert!(probes.is_alive());
    }
}
