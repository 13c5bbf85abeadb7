//! `POST /cut` on the admin port: an operator ends the streams and connections of an account on this server
//! (**blocking** an abusive caller), and may refuse its calls for a while, on every server of the store. Bots and clocks of
//! its games rest meanwhile.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use gamekeeper_games::authz::Account;
use gamekeeper_games::errors::ServiceError;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::accounts::{Accounts, Disconnected};
use crate::admin::json;
use crate::audit;
use crate::hosts::require_trusted_host;

/// The maximum length of a request, in bytes.
const MAX_LEN: usize = 4_096;

/// The maximum time for which an account is stopped, in seconds: a day. A longer stop needs other limits, or a revoked
/// key.
const MAX_SECONDS: u64 = 86_400;

/// A request to stop an account. It names exactly one of tenant, game and caller.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct DisconnectRequest {
    /// A tenant, with its users and all tokens of its games.
    tenant: Option<String>,
    /// The tokens of a game and of its forks.
    game: Option<Uuid>,
    /// An account, in the form that `GET /top` shows.
    caller: Option<String>,
    /// The time for which the calls of the account are refused, in seconds.
    for_seconds: u64,
    /// Whether the clocks of the account's games run on meanwhile. Otherwise the time is credited to them.
    clocks_run: bool,
    /// Whether to lift a former stop. Nothing is ended then.
    lift: bool,
}

/// The response.
#[derive(Debug, Default, Serialize)]
struct DisconnectResponse {
    #[serde(flatten)]
    ended: Disconnected,
    /// Whether every server of the store refuses the calls of the account, or accepts them again.
    everywhere: bool,
}

/// Returns the route of the admin port. `is_open` means that the server trusts all callers and cannot tell accounts
/// apart.
pub(crate) fn router(accounts: Arc<Accounts>, is_open: bool) -> Router {
    let handler =
        async move |State(accounts): State<Arc<Accounts>>, headers: HeaderMap, body: String| {
            if is_open {
                let text = "with --auth open all callers have one account";
                return refused(StatusCode::CONFLICT, text);
            }
            if headers.contains_key(header::ORIGIN) {
                // **CSRF**: any web page could send this request from the browser of a person who can reach this port.
                return refused(StatusCode::FORBIDDEN, "web pages may not end connections");
            }
            disconnect(&accounts, &body)
                .await
                .unwrap_or_else(|(status, text)| refused(status, &text))
        };
    let route = post(handler).layer(from_fn(require_trusted_host));
    Router::new()
        .route("/cut", route)
        .layer(DefaultBodyLimit::max(MAX_LEN))
        .with_state(accounts)
}

fn refused(status: StatusCode, text: &str) -> Response {
    (status, format!("{text}\n")).into_response()
}

type Refusal = (StatusCode, String);

fn malformed(text: impl Into<String>) -> Refusal {
    (StatusCode::BAD_REQUEST, text.into())
}

async fn disconnect(accounts: &Accounts, body: &str) -> Result<Response, Refusal> {
    let request: DisconnectRequest =
        serde_json::from_str(body).map_err(|error| malformed(error.to_string()))?;
    if request.for_seconds > MAX_SECONDS {
        let text = format!("for_seconds exceeds {MAX_SECONDS}, a day");
        return Err(malformed(text));
    }
    if request.lift && request.for_seconds > 0 {
        return Err(malformed("lift and for_seconds exclude each other"));
    }
    if request.clocks_run && request.for_seconds == 0 {
        return Err(malformed("clocks_run needs for_seconds"));
    }
    let accounts_named = resolve_accounts(accounts, &request).await?;
    let response = if request.lift {
        lift(accounts, &accounts_named).await?
    } else {
        stop(accounts, &accounts_named, &request).await?
    };
    audit_disconnect(&request, response.ended);
    Ok(json(&response))
}

/// Lifts the stop of these accounts.
async fn lift(accounts: &Accounts, of: &[Account]) -> Result<DisconnectResponse, Refusal> {
    for account in of {
        // Otherwise the other servers would go on to refuse it, and so would this one a second later.
        let lifted = accounts.shared.lift_block(*account).await;
        lifted.map_err(|problem| (StatusCode::SERVICE_UNAVAILABLE, problem.to_string()))?;
    }
    Ok(DisconnectResponse {
        everywhere: true,
        ..DisconnectResponse::default()
    })
}

/// Ends what these accounts have open here, and stops them for a while. A store that does not answer, perhaps because of
/// their flood, leaves the stop to this server alone.
async fn stop(
    accounts: &Accounts,
    of: &[Account],
    request: &DisconnectRequest,
) -> Result<DisconnectResponse, Refusal> {
    let block_for = (request.for_seconds > 0).then(|| Duration::from_secs(request.for_seconds));
    let mut ended = Disconnected::default();
    let mut everywhere = block_for.is_some();
    for account in of {
        let done = accounts.disconnect(*account, block_for);
        let done = done.map_err(|error| (StatusCode::TOO_MANY_REQUESTS, error.to_string()))?;
        ended.streams += done.streams;
        ended.connections += done.connections;
        if let Some(time) = block_for {
            let shared = &accounts.shared;
            let told = shared.share_block(*account, time, request.clocks_run).await;
            if let Err(problem) = told {
                tracing::warn!(%problem, "other servers are not told of a cut");
                everywhere = false;
            }
        }
    }
    Ok(DisconnectResponse { ended, everywhere })
}

/// Returns the accounts that a request names.
async fn resolve_accounts(
    accounts: &Accounts,
    request: &DisconnectRequest,
) -> Result<Vec<Account>, Refusal> {
    match (&request.tenant, request.game, &request.caller) {
        (Some(tenant), None, None) if !tenant.is_empty() => Ok(vec![Account::of_tenant(tenant)]),
        (None, Some(game), None) => {
            let resolved = accounts.accounts_of_game(game).await.map_err(|problem| {
                let status = if matches!(problem, ServiceError::NoSuchGame { .. }) {
                    StatusCode::NOT_FOUND
                } else {
                    StatusCode::SERVICE_UNAVAILABLE
                };
                (status, problem.to_string())
            })?;
            Ok(resolved.to_vec())
        }
        (None, None, Some(caller)) => {
            let account = caller.parse();
            let account = account.map_err(|error| malformed(format!("caller {error}")))?;
            Ok(vec![account])
        }
        _ => Err(malformed(
            "name one of tenant, game and caller, such as {\"tenant\": \"red\", \"for_seconds\": 600}",
        )),
    }
}

fn audit_disconnect(request: &DisconnectRequest, ended: Disconnected) {
    let what = if request.lift { "LiftCut" } else { "Cut" };
    let game = request.game.map(|game| game.to_string());
    audit::record_disconnect(
        what,
        [
            request.tenant.as_deref(),
            game.as_deref(),
            request.caller.as_deref(),
        ],
        request.for_seconds,
        (ended.streams, ended.connections),
    );
}
