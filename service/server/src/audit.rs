//! Who did what with which game, for the record: log lines of the target `audit`. No token, key or seed is
//! in them. What players do in games is in the games' own logs.

use std::net::IpAddr;
use std::time::Duration;

use crate::auth::Caller;
use crate::problem::Problem;
use crate::telemetry::SharedSeldom;

/// Rejected tokens are reported once in this time, with their number: a flood of them must not
/// become a flood of lines.
static BAD_TOKENS: SharedSeldom = SharedSeldom::every(Duration::from_secs(1));

/// Somebody did something, or tried to.
pub(crate) fn note<T>(who: &Caller, what: &str, game: &str, result: &Result<T, Problem>) {
    let who = name(who);
    match result {
        Ok(_) => tracing::info!(target: "audit", who, what, game, outcome = "done"),
        Err(problem) => tracing::info!(target: "audit", who, what, game, outcome = %problem),
    }
}

/// The same, of operators alone: they may see what players cannot.
pub(crate) fn note_operator<T>(who: &Caller, what: &str, game: &str, result: &Result<T, Problem>) {
    if *who == Caller::Operator {
        note(who, what, game, result);
    }
}

/// Somebody called with a token that does not hold, or with none.
pub(crate) fn note_bad_token(address: Option<IpAddr>, method: &str, problem: &Problem) {
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
        outcome = %problem
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
