//! `POST /cut` on the admin port: an operator ends the streams and connections of an account on this server
//! (**blocking** an abusive caller), and may refuse its calls for a while.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use gamekeeper_games::access::Account;
use gamekeeper_games::problem::Problem;
use serde::Deserialize;
use uuid::Uuid;

use crate::accounts::{Accounts, Ended};
use crate::admin::json;
use crate::audit;
use crate::hosts::by_address;

/// The maximum length of a request, in bytes.
const MAX_LEN: usize = 4_096;

/// The maximum time for which an account is stopped, in seconds: a day. A longer stop needs other limits, or a revoked
/// key.
const MAX_SECONDS: u64 = 86_400;

/// A request to stop an account. It names exactly one of tenant, game and caller.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Asked {
    /// A tenant, with its users and all tokens of its games.
    tenant: Option<String>,
    /// The tokens of a game and of its forks.
    game: Option<Uuid>,
    /// An account, in the form that `GET /top` shows.
    caller: Option<String>,
    /// The time for which the calls of the account are refused, in seconds.
    for_seconds: u64,
    /// Whether to lift a former stop. Nothing is ended then.
    lift: bool,
}

/// Returns the route of the admin port. `is_open` means that the server trusts all callers and cannot tell accounts
/// apart.
pub(crate) fn router(accounts: Arc<Accounts>, is_open: bool) -> Router {
    let cut =
        async move |State(accounts): State<Arc<Accounts>>, headers: HeaderMap, body: String| {
            if is_open {
                let text = "with --auth open all callers have one account";
                return refused(StatusCode::CONFLICT, text);
            }
            if headers.contains_key(header::ORIGIN) {
                // **CSRF**: any web page could send this request from the browser of a person who can reach this port.
                return refused(StatusCode::FORBIDDEN, "web pages may not end connections");
            }
            cut(&accounts, &body)
                .await
                .unwrap_or_else(|(status, text)| refused(status, &text))
        };
    let route = post(cut).layer(from_fn(by_address));
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

async fn cut(accounts: &Accounts, body: &str) -> Result<Response, Refusal> {
    let asked: Asked = serde_json::from_str(body).map_err(|error| malformed(error.to_string()))?;
    if asked.for_seconds > MAX_SECONDS {
        let text = format!("for_seconds exceeds {MAX_SECONDS}, a day");
        return Err(malformed(text));
    }
    if asked.lift && asked.for_seconds > 0 {
        return Err(malformed("lift and for_seconds exclude each other"));
    }
    let out_for = (asked.for_seconds > 0).then(|| Duration::from_secs(asked.for_seconds));
    let mut ended = Ended::default();
    for account in named(accounts, &asked).await? {
        if asked.lift {
            accounts.shared.cuts.lift(account);
            continue;
        }
        let done = accounts.cut(account, out_for).map_err(|error| {
            let status = StatusCode::TOO_MANY_REQUESTS;
            (status, error.to_string())
        })?;
        ended.streams += done.streams;
        ended.connections += done.connections;
    }
    note(&asked, ended);
    Ok(json(&ended))
}

/// Returns the accounts that a request names.
async fn named(accounts: &Accounts, asked: &Asked) -> Result<Vec<Account>, Refusal> {
    match (&asked.tenant, asked.game, &asked.caller) {
        (Some(tenant), None, None) if !tenant.is_empty() => Ok(vec![Account::of_tenant(tenant)]),
        (None, Some(game), None) => {
            let found = accounts.of_game(game).await.map_err(|problem| {
                let status = if matches!(problem, Problem::NoSuchGame { .. }) {
                    StatusCode::NOT_FOUND
                } else {
                    StatusCode::SERVICE_UNAVAILABLE
                };
                (status, problem.to_string())
            })?;
            Ok(found.to_vec())
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

fn note(asked: &Asked, ended: Ended) {
    let what = if asked.lift { "LiftCut" } else { "Cut" };
    let game = asked.game.map(|game| game.to_string());
    audit::note_cut(
        what,
        [
            asked.tenant.as_deref(),
            game.as_deref(),
            asked.caller.as_deref(),
        ],
        asked.for_seconds,
        (ended.streams, ended.connections),
    );
}
