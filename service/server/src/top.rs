//! `GET /top` on the admin port: the usage of accounts, the largest first. It names tenants, games, users and
//! addresses, but never a token.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use gamekeeper_games::authz::Account;
use gamekeeper_games::scheduling::Principal;
use serde::Serialize;
use tokio::time::timeout;

use crate::accounts::{Accounts, InUse, UsageOrder, UsageReport};
use crate::admin::json;
use crate::hosts::require_trusted_host;

/// The default number of tenants, and of callers.
const DEFAULT_LIMIT: usize = 20;

/// The maximum number of tenants, and of callers.
const MAX_LIMIT: usize = 1_000;

/// The timeout of looking up the original games of forks in the store.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(1);

/// The parameters of a request.
#[derive(Debug, PartialEq, Eq)]
struct TopQuery {
    /// The maximum number of tenants, and of callers.
    limit: usize,
    by: UsageOrder,
    /// The only tenant to report, with its callers.
    tenant: Option<Account>,
}

impl TopQuery {
    fn parse(query: &str) -> Result<Self, String> {
        let mut parsed = Self {
            limit: DEFAULT_LIMIT,
            by: UsageOrder::Cost,
            tenant: None,
        };
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match &*name {
                "limit" => {
                    let limit = value
                        .parse()
                        .ok()
                        .filter(|limit| (1..=MAX_LIMIT).contains(limit));
                    parsed.limit = limit.ok_or_else(|| format!("limit is not 1 to {MAX_LIMIT}"))?;
                }
                "by" => {
                    let by = UsageOrder::parse(&value);
                    parsed.by =
                        by.ok_or_else(|| format!("by is none of {}", UsageOrder::names()))?;
                }
                "tenant" => parsed.tenant = Some(Account::of_tenant(&value)),
                other => return Err(format!("{other} is none of limit, by and tenant")),
            }
        }
        Ok(parsed)
    }
}

/// The response.
#[derive(Debug, Serialize)]
struct Top {
    tenants: Vec<Row>,
    callers: Vec<Row>,
    /// Is `None` in the report of one tenant.
    #[serde(skip_serializing_if = "Option::is_none")]
    service: Option<ServiceRow>,
}

/// The usage of the service itself in the response: the work between the turns of accounts.
#[derive(Debug, Serialize)]
struct ServiceRow {
    cpu_seconds: f64,
}

/// The usage of an account in the response.
#[derive(Debug, Serialize)]
struct Row {
    /// The account, in the form that `POST /cut` takes as `caller`.
    account: String,
    role: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tenant: Option<String>,
    /// The original game: tokens of its forks use the same account.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    cost_per_second: f64,
    bytes_per_second: f64,
    cpu_seconds: f64,
    longest_turn_ms: f64,
    calls: u64,
    calls_refused: u64,
    bytes_answered: u64,
    bytes_stored: u64,
    /// The bytes that the tenant stores now. Is `None` if the store does not say, and for accounts within a tenant.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_kept: Option<u64>,
    #[serde(flatten)]
    in_use: InUse,
}

/// Returns the route of the admin port.
pub(crate) fn router(accounts: Arc<Accounts>) -> Router {
    let route = get(top).layer(from_fn(require_trusted_host));
    Router::new().route("/top", route).with_state(accounts)
}

async fn top(State(accounts): State<Arc<Accounts>>, RawQuery(query): RawQuery) -> Response {
    let top_query = match TopQuery::parse(&query.unwrap_or_default()) {
        Ok(top_query) => top_query,
        Err(wrong) => return (StatusCode::BAD_REQUEST, wrong + "\n").into_response(),
    };
    let TopQuery { limit, by, tenant } = top_query;
    let mut tenants = accounts.roots();
    tenants.retain(|of| tenant.is_none_or(|tenant| of.account == tenant));
    let tenants = by.first(tenants, limit);
    let callers = by.first(accounts.callers(tenant), limit);
    let mut rows: Vec<Row> = tenants.iter().map(|of| row(&accounts, of)).collect();
    // If the store is unavailable, only the names of games and what tenants keep are missing.
    let lookups = async {
        for (of, row) in tenants.iter().zip(&mut rows) {
            if let Some(Principal::Tenant(tenant)) = &of.principal {
                row.bytes_kept = accounts.shared.stored_bytes(tenant).await.ok();
            }
        }
        for caller in &callers {
            if let Some(Principal::TokenHolder { game, .. }) = caller.principal {
                let _unknown = accounts.registry.locate(game).await;
            }
        }
    };
    let _late = timeout(LOOKUP_TIMEOUT, lookups).await;
    let response = Top {
        tenants: rows,
        callers: callers.iter().map(|of| row(&accounts, of)).collect(),
        service: tenant.is_none().then(|| ServiceRow {
            cpu_seconds: accounts.of_service().time.as_secs_f64(),
        }),
    };
    json(&response)
}

fn row(accounts: &Accounts, of: &UsageReport) -> Row {
    let mut row = Row {
        account: of.account.to_string(),
        role: "unknown",
        tenant: None,
        game: None,
        seat: None,
        user: None,
        address: None,
        cost_per_second: rounded(of.pace.cost),
        bytes_per_second: rounded(of.pace.bytes),
        cpu_seconds: of.used.time.as_secs_f64(),
        longest_turn_ms: rounded(of.longest_turn.as_secs_f64() * 1_000.0),
        calls: of.used.calls,
        calls_refused: of.used.refused,
        bytes_answered: of.used.written,
        bytes_stored: of.used.stored,
        bytes_kept: None,
        in_use: of.in_use,
    };
    match &of.principal {
        None => {}
        Some(Principal::Everybody) => row.role = "everybody",
        Some(Principal::Operators) => row.role = "operators",
        Some(Principal::Tenant(tenant)) => {
            row.role = "tenant";
            row.tenant = Some(tenant.clone());
        }
        Some(Principal::User { tenant, user }) => {
            row.role = "user";
            row.tenant = Some(tenant.clone());
            row.user = Some(user.clone());
        }
        Some(Principal::Unattended(tenant)) => {
            row.role = "unattended";
            row.tenant = Some(tenant.clone());
        }
        Some(Principal::Thinking(tenant)) => {
            row.role = "bots";
            row.tenant = Some(tenant.clone());
        }
        Some(Principal::TokenHolder { game, seat }) => {
            row.role = if seat.is_some() { "seat" } else { "spectator" };
            row.seat = seat.map(|seat| seat.number().into());
            let home = accounts.shared.cached_location(*game);
            let first = home.as_ref().map_or(*game, |home| home.root_game);
            row.game = Some(first.to_string());
            row.tenant = home.map(|home| home.tenant.to_string());
        }
        Some(Principal::Anonymous(address)) => {
            row.role = "stranger";
            row.address = Some(address.to_string());
        }
    }
    row
}

/// Rounds to two digits after the decimal point: more are noise.
fn rounded(pace: f64) -> f64 {
    (pace * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_read_and_what_is_wrong_is_named() {
        let read = |query| TopQuery::parse(query);
        let usual = read("").unwrap();
        assert_eq!(
            (usual.limit, usual.by, usual.tenant),
            (DEFAULT_LIMIT, UsageOrder::Cost, None)
        );
        let top_query = read("limit=3&by=connections&tenant=team%3Ared").unwrap();
        let tenant = Some(Account::of_tenant("team:red"));
        assert_eq!(
            (top_query.limit, top_query.by, top_query.tenant),
            (3, UsageOrder::Connections, tenant)
        );
        for (wrong, why) in [
            ("limit=0", "limit is not 1 to 1000"),
            ("limit=many", "limit is not 1 to 1000"),
            (
                "by=luck",
                "by is none of cost, streams, bytes, connections, refused",
            ),
            ("game=1", "game is none of limit, by and tenant"),
        ] {
            assert_eq!(read(wrong).unwrap_err(), why);
        }
    }
}
