//! The **audit log**: log lines of the target `audit` that say who did what with which game. They contain no token,
//! key or seed. The actions of players are in the logs of the games instead.

use std::net::IpAddr;
use std::time::Duration;

use gamekeeper_games::authz::Role;
use gamekeeper_games::errors::ServiceError;
use gamekeeper_telemetry::SharedLogRateLimiter;

/// Rejected tokens are reported at most once in this time, with their number, so that a flood of
/// them does not flood the log.
static BAD_TOKEN_LOG: SharedLogRateLimiter = SharedLogRateLimiter::every(Duration::from_secs(1));

/// Logs what a caller did, or tried to do.
pub(crate) fn record<T>(who: &Role, what: &str, game: &str, result: &Result<T, ServiceError>) {
    let who = name(who);
    match result {
        Ok(_) => tracing::info!(target: "audit", who, what, game, outcome = "done"),
        Err(problem) => tracing::info!(target: "audit", who, what, game, outcome = %problem),
    }
}

/// The calls of a method that are recorded in the audit log, by caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditPolicy {
    /// No calls: the log of the game records the actions of players.
    Never,
    /// Calls of operators, who may see what players cannot.
    Operators,
    /// All calls.
    All,
    /// The method records its calls itself, because only its answer names the games.
    Manual,
}

impl AuditPolicy {
    /// Whether a call of this caller is recorded.
    pub(crate) fn applies_to(self, who: &Role) -> bool {
        match self {
            Self::Never | Self::Manual => false,
            Self::Operators => *who == Role::Operator,
            Self::All => true,
        }
    }
}

/// Logs a call without a valid token.
pub(crate) fn record_bad_token(address: Option<IpAddr>, method: &str, why: &str) {
    let Some(times) = BAD_TOKEN_LOG.should_log() else {
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

/// Logs that an operator stopped an account on the admin port, where callers are not authenticated: the tenant, game
/// or account; for how many seconds its calls are refused; and how many streams and connections ended.
pub(crate) fn record_disconnect(
    what: &str,
    [tenant, game, account]: [Option<&str>; 3],
    seconds: u64,
    (streams, connections): (usize, usize),
) {
    tracing::info!(
        target: "audit",
        who = "operator",
        what,
        tenant,
        game,
        account,
        seconds,
        streams,
        connections,
        outcome = "done"
    );
}

fn name(who: &Role) -> String {
    match who {
        Role::AuthDisabled => String::from("anybody"),
        Role::Operator => String::from("operator"),
        Role::Tenant(tenant) => format!("tenant {tenant}"),
        Role::Seat { seat, .. } => format!("seat {}", seat.number()),
        Role::Spectator { .. } => String::from("spectator"),
        // The id may be an e-mail address, so it is left out of the log.
        Role::User { tenant, .. } => format!("user of tenant {tenant}"),
    }
}
