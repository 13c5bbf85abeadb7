//! The audit log: who did what with which game, in log lines of the target `audit`. They contain no token,
//! key or seed. What players do in games is in the games' own logs.

use std::net::IpAddr;
use std::time::Duration;

use gamekeeper_telemetry::SharedSeldom;

use crate::heart::access::Caller;
use crate::heart::problem::Problem;

/// Rejected tokens are reported at most once in this time, with their number, so that a flood of
/// them does not flood the log.
static BAD_TOKENS: SharedSeldom = SharedSeldom::every(Duration::from_secs(1));

/// Logs what a caller did, or tried to do.
pub fn note<T>(who: &Caller, what: &str, game: &str, result: &Result<T, Problem>) {
    let who = name(who);
    match result {
        Ok(_) => tracing::info!(target: "audit", who, what, game, outcome = "done"),
        Err(problem) => tracing::info!(target: "audit", who, what, game, outcome = %problem),
    }
}

/// The same, for operators only: they may see what players cannot.
pub fn note_operator<T>(who: &Caller, what: &str, game: &str, result: &Result<T, Problem>) {
    if *who == Caller::Operator {
        note(who, what, game, result);
    }
}

/// Logs a call without a valid token.
pub fn note_bad_token(address: Option<IpAddr>, method: &str, why: &str) {
    let Some(times) = BAD_TOKENS.now() else {
        return;
    };
    let address = address.map(|address| address.to_string());
    tracing::info!(
        target: "audit",
        who = "unknown",
        what = method,
        address,
        times,
        outcome = why
    );
}

fn name(who: &Caller) -> String {
    match who {
        Caller::Open => String::from("anybody"),
        Caller::Operator => String::from("operator"),
        Caller::Tenant(tenant) => format!("tenant {tenant}"),
        Caller::Seat { seat, .. } => format!("seat {}", seat.number()),
        Caller::Spectator { .. } => String::from("spectator"),
    }
}
