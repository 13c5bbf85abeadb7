//! `gamekeeper doctor`

use std::time::Instant;

use gamekeeper_proto::gamekeeper::v1::{
    ListGamesRequest, ListRulesetsRequest, ListRulesetsResponse, Ruleset as Kept,
};
use gamekeeper_rules::ruleset::{Ruleset, RulesetInfo};
use gamekeeper_rules::table::text::{BOLD, Columns, styled};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::connection::bearer;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

/// The descriptions of the rulesets in this program.
const SHEETS: &[RulesetInfo] = &gamekeeper_rules::of_each_ruleset!(R => R::INFO);

/// The result of one check.
struct Finding {
    check: &'static str,
    result: Result<String, Failure>,
}

pub(crate) async fn run(session: &Session, output: Output) -> Result<(), Failure> {
    let mut findings = vec![
        finding(
            "program",
            Ok(format!("gamekeeper {}", env!("CARGO_PKG_VERSION"))),
        ),
        finding("server", server(session).await),
        finding("version", version(session).await),
        finding("encryption", Ok(encryption(session))),
        finding("health", health(session).await),
        finding("access", access(session).await),
        finding("tokens", tokens(session)),
    ];
    findings.extend(rulesets(session).await.unwrap_or_default());
    print(output, &findings)?;
    findings
        .into_iter()
        .try_for_each(|finding| finding.result.map(|_| ()))
}

fn finding(check: &'static str, result: Result<String, Failure>) -> Finding {
    Finding { check, result }
}

async fn list_rulesets(session: &Session) -> Result<ListRulesetsResponse, Failure> {
    let request = ListRulesetsRequest::default();
    session.call(&request).await
}

/// Checks that the server can be reached, and measures its latency.
async fn server(session: &Session) -> Result<String, Failure> {
    list_rulesets(session).await?;
    let start = Instant::now();
    list_rulesets(session).await?;
    let ms = start.elapsed().as_secs_f64() * 1_000.0;
    Ok(format!("{} answers in {ms:.1} ms", session.server))
}

/// Reports the version of the server.
async fn version(session: &Session) -> Result<String, Failure> {
    let response = list_rulesets(session).await?;
    Ok(match response.server_version.as_str() {
        "" => String::from("the server does not say its version"),
        version => format!("gamekeeperd {version}"),
    })
}

fn encryption(session: &Session) -> String {
    if session.server.starts_with("https://") {
        return "TLS; the certificate of the server is trusted".to_owned();
    }
    let local = ["//127.", "//localhost", "//[::1]"]
        .iter()
        .any(|host| session.server.contains(host));
    let text = if local {
        "none; the server is on this machine"
    } else {
        "none: tokens travel in clear text"
    };
    text.to_owned()
}

async fn health(session: &Session) -> Result<String, Failure> {
    let mut client = HealthClient::new(session.connection.channel());
    let request = bearer(HealthCheckRequest::default(), session.token())?;
    let response = client.check(request).await?.into_inner();
    match response.status() {
        ServingStatus::Serving => Ok("serving".to_owned()),
        ServingStatus::NotServing | ServingStatus::Unknown | ServingStatus::ServiceUnknown => {
            let text =
                "the server is up, but does not serve: it may be stopping, or without its store";
            Err(tonic::Status::unavailable(text).into())
        }
    }
}

/// Checks that the caller may list games.
async fn access(session: &Session) -> Result<String, Failure> {
    let request = ListGamesRequest {
        page_size: 1,
        ..ListGamesRequest::default()
    };
    session.call(&request).await?;
    let token = if session.token().is_some() {
        "with the token"
    } else {
        "without a token"
    };
    Ok(format!("games can be listed {token}"))
}

fn tokens(session: &Session) -> Result<String, Failure> {
    let games = session.tokens.count()?;
    Ok(format!(
        "{games} games in {}",
        session.tokens.file().display()
    ))
}

/// Compares the rules in this program with those of the server. Only if they are the same can this program verify
/// records.
async fn rulesets(session: &Session) -> Result<Vec<Finding>, Failure> {
    let response = list_rulesets(session).await?;
    Ok(response
        .rulesets
        .iter()
        .map(|ruleset| finding("rules", Ok(compare_revisions(ruleset))))
        .collect())
}

fn compare_revisions(
    Kept {
        id, rules_revision, ..
    }: &Kept,
) -> String {
    match SHEETS.iter().find(|sheet| sheet.id == id) {
        Some(sheet) if sheet.revision == *rules_revision => {
            format!("{id}: client and server both have rules revision {rules_revision}")
        }
        Some(sheet) => {
            format!(
                "{id}: the server has rules revision {rules_revision}, this client {}; it cannot verify",
                sheet.revision
            )
        }
        None => format!("{id}: unknown to this program"),
    }
}

fn print(output: Output, findings: &[Finding]) -> Result<(), Failure> {
    if output.is_json() {
        return findings.iter().try_for_each(|Finding { check, result }| {
            let text = result
                .as_ref()
                .map_or_else(ToString::to_string, Clone::clone);
            output.line(serde_json::json!({"check": check, "ok": result.is_ok(), "text": text}))
        });
    }
    let mut columns = Columns::plain();
    for Finding { check, result } in findings {
        let (status_mark, text) = match result {
            Ok(text) => ("ok", text.clone()),
            Err(failure) => ("BAD", failure.to_string()),
        };
        columns.row([styled(BOLD, status_mark), (*check).to_owned(), text]);
    }
    output.line(columns)
}
