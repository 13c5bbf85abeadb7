//! How long the work of a tenant held a thread, while others waited for it.

use std::time::Duration;

use serde_json::Value;

use crate::http::ask;
use crate::server::Gamekeeperd;

/// The longest time for which a turn may hold its thread. The longest take 3 ms without optimization, as the server
/// is built for tests.
pub const LONGEST_TURN: Duration = Duration::from_millis(15);

/// Returns the longest time for which work of a tenant has held a thread of the server. It needs an admin port.
///
/// # Panics
/// If the tenant has not called, or the admin port does not answer.
pub async fn longest_turn(server: &Gamekeeperd, tenant: &str) -> Duration {
    let path = format!("/top?tenant={tenant}");
    let (status, text) = ask(server.admin(), "GET", &path, "").await;
    assert_eq!(status, 200, "{text}");
    let top: Value = serde_json::from_str(&text).expect("JSON");
    let millis = top["tenants"][0]["longest_turn_ms"].as_f64();
    Duration::from_secs_f64(millis.expect("a number") / 1_000.0)
}
