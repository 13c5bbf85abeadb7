//! Waits for what happens sooner or later.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use crate::http::ask;
use crate::server::Gamekeeperd;

/// Maximum time for every wait, which is generous for busy machines.
const PATIENCE: Duration = Duration::from_secs(60);

/// Repeats a question until it has an answer.
///
/// # Panics
/// If there is no answer in time.
pub async fn eventually<T>(what: &str, mut once: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = once().await {
                return answer;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    let answer = timeout(PATIENCE, asking).await;
    answer.unwrap_or_else(|_| panic!("not in time: {what}"))
}

/// Waits until something holds.
///
/// # Panics
/// If it does not in time.
pub async fn until(what: &str, holds: impl AsyncFn() -> bool) {
    eventually(what, async || holds().await.then_some(())).await;
}

/// Waits until the metrics of a server contain this line.
///
/// # Panics
/// If they do not in time.
pub async fn until_metric(server: &Gamekeeperd, wanted: &str) {
    let has_line = async || {
        let (_, metrics) = ask(server.admin(), "GET", "/metrics", "").await;
        metrics.lines().any(|line| line == wanted)
    };
    until(wanted, has_line).await;
}
