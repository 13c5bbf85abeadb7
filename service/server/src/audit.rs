//! The audit log: who did what with which game, in log lines of the target `audit`. They contain no token,
//! key or seed. What players do in games is in the games' own logs.

use std::net::IpAddr;
use std::time::Duration;

use gamekeeper_games::access::Role;
use gamekeeper_games::problem::Problem;
use gamekeeper_telemetry::SharedSeldom;

/// Rejected tokens are reported at most once in this time, with their number, so that a flood of
/// them does not flood the log.
static BAD_TOKENS: SharedSeldom = SharedSeldom::every(Duration::from_secs(1));

/// Logs what a caller did, or tried to do.
pub(crate) fn note<T>(who: &Role, what: &str, game: &str, result: &Result<T, Problem>) {
    let who = name(who);
    match result {
        Ok(_) => tracing::info!(target: "audit", who, what, game, outcome = "done"),
        Err(problem) => tracing::info!(target: "audit", who, what, game, outcome = %problem),
    }
}

/// Whose calls of a method are noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noted {
    /// Nobody's: the log of the game has what players do.
    OfNobody,
    /// Those of operators, who may see what players cannot.
    OfOperators,
    /// Everybody's.
    OfAll,
    /// The method notes its calls itself: its answer names the games.
    ByItself,
}

impl Noted {
    /// Is a call of this caller noted?
    pub(crate) fn has(self, who: &Role) -> bool {
        match self {
            Self::OfNobody | Self::ByItself => false,
            Self::OfOperators => *who == Role::Operator,
            Self::OfAll => true,
        }
    }
}

/// Logs a call without a valid token.
pub(crate) fn note_bad_token(address: Option<IpAddr>, method: &str, why: &str) {
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

/// Logs what an operator ended on the admin port, which knows no callers: of whom, a tenant, a game or an account; for how
/// many seconds they are kept out; and how many streams and connections ended.
pub(crate) fn note_cut(
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
        Role::Open => String::from("anybody"),
        Role::Operator => String::from("operator"),
        Role::Tenant(tenant) => format!("tenant {tenant}"),
        Role::Seat { seat, .. } => format!("seat {}", seat.number()),
        Role::Spectator { .. } => String::from("spectator"),
        // The id may be an e-mail address, so the log does not have it.
        Role::User { tenant, .. } => format!("user of tenant {tenant}"),
    }
}
