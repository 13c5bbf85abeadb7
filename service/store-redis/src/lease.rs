//! **Leases**: locks that expire, for work that only one process does at a time.

use std::time::Duration;

use gamekeeper_store::StoreError;
use gamekeeper_store::clock::millis;
use redis::Value;

use super::errors::of_read;
use super::link::Link;

/// Takes a lease for this time. Returns false if another process holds it.
pub(super) async fn take_lease(link: &Link, key: &str, time: Duration) -> Result<bool, StoreError> {
    let mut command = redis::cmd("SET");
    command
        .arg(key)
        .arg("")
        .arg("NX")
        .arg("PX")
        .arg(at_least_1_ms(time));
    let reply = link.ask(&command).await.map_err(|error| of_read(&error))?;
    Ok(reply != Value::Nil)
}

/// Converts a duration to milliseconds, at least 1, because 0 means no limit.
pub(super) fn at_least_1_ms(time: Duration) -> u64 {
    millis(time).max(1)
}
