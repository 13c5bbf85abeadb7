//! Conversion of service errors to gRPC statuses: code, message, and always an `ErrorInfo` (AIP-193).

use std::collections::HashMap;
use std::time::Duration;

use gamekeeper_games::errors::{EndCause, OptionRefusal, RulesRefusal, ServiceError};
use gamekeeper_proto::raw;
use gamekeeper_rules::table::{PositionError, Seat};
use gamekeeper_rules::table_life::TableRefusal;
use gamekeeper_store::{StoreError, Version};
use gamekeeper_telemetry::SharedLogRateLimiter;
use gamekeeper_wire::Malformed;
use prost::Message;
use prost_types::Any;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt, pb as google};
use uuid::Uuid;

use super::reasons::{DOMAIN, Reason};

/// The time after which a caller should try again if other callers kept changing the game.
const CONTENTION_PAUSE: Duration = Duration::from_millis(50);

/// Converts a service error to a status. Faults are logged here, with an id that the caller also gets.
#[must_use]
pub fn status_of(problem: &ServiceError) -> Status {
    let message = problem.to_string();
    match problem {
        ServiceError::RefusedByRules(refused) => action_refused(refused),
        ServiceError::RefusedByTable(refusal) => table_refused(*refusal, message),
        ServiceError::OptionsRefused(refused) => option_refused(refused, &message),
        ServiceError::PositionRefused(error) => position_refused(error, &message),
        ServiceError::Malformed(malformed) => malformed_field(malformed, message),
        ServiceError::NoSuchSeat {
            field,
            number,
            seats,
        } => no_such_seat(field, *number, *seats, &message),
        ServiceError::Unreadable(_) => Reason::MALFORMED_MESSAGE.status(message, []),
        ServiceError::TooLarge(what) => too_large(what),
        ServiceError::StaleVersion { expected, current } => {
            Reason::STALE_VERSION.status(message, versions("expected", *expected, *current))
        }
        ServiceError::NoSuchVersion { requested, current } => {
            Reason::NO_SUCH_VERSION.status(message, versions("asked", *requested, *current))
        }
        ServiceError::CursorExpired => Reason::CURSOR_EXPIRED.status(message, []),
        ServiceError::NoRaster => Reason::NO_RASTER.status(message, []),
        ServiceError::NoFeed => Reason::NO_FEED.status(message, []),
        ServiceError::RequestIdReused => Reason::REQUEST_ID_REUSED.status(message, []),
        ServiceError::OutOfBounds { field, limit, max } => {
            out_of_bounds(field, limit, *max, &message)
        }
        ServiceError::NoToken => Reason::NO_TOKEN.status(message, []),
        ServiceError::InvalidToken(_) => Reason::BAD_TOKEN.status(message, []),
        ServiceError::TokenExpired => Reason::TOKEN_EXPIRED.status(message, []),
        ServiceError::TokenReplaced(_) => Reason::TOKEN_REPLACED.status(message, []),
        ServiceError::QuotaUsed => quota_used("max_games_per_tenant", &message),
        ServiceError::BytesUsed => quota_used("max_bytes_per_tenant", &message),
        ServiceError::AnswerFull => Reason::ANSWER_FULL.status(message, []),
        ServiceError::PermissionDenied(_) => Reason::NOT_ALLOWED.status(message, []),
        ServiceError::GameNotOver => Reason::GAME_NOT_OVER.status(message, []),
        ServiceError::GameFull { limit, max, .. } => game_full(limit, *max, message),
        ServiceError::OriginNotOver => Reason::ORIGIN_NOT_OVER.status(message, []),
        ServiceError::RecordRefused { .. } => Reason::RECORD_REFUSED.status(message, []),
        ServiceError::TooManyForks { max } => too_many_forks(*max, message),
        ServiceError::NoSuchGame { game_id } => no_such_game(game_id, message),
        ServiceError::NoSuchRule { id, nearest } => no_such_rule(id, nearest, message),
        ServiceError::LimitReached { limit, what } => exhausted(limit, what),
        ServiceError::RateLimited { retry_after: wait } => {
            exhausted_for("max_rate", &message, *wait)
        }
        ServiceError::Blocked { retry_after: wait } => exhausted_for("cut", &message, *wait),
        ServiceError::TooManyConflicts => retryable(Reason::CONTENDED, message, CONTENTION_PAUSE),
        ServiceError::WrittenByNewerBuild => Reason::SNAPSHOT_TOO_NEW.status(message, []),
        ServiceError::RulesetNotServed { ruleset } => not_served(ruleset, message),
        ServiceError::RulesTooOld => Reason::RULES_TOO_OLD.status(message, []),
        ServiceError::DeadlineExceeded(_) => Reason::DEADLINE.status(message, []),
        ServiceError::GoingAway { cause, version } => going_away(*cause, *version, message),
        ServiceError::SlowConsumer { version } => {
            resumable(Reason::WATCH_TOO_SLOW, message, *version, None)
        }
        ServiceError::Store(error) => store_status(error),
        ServiceError::Damaged(what) => damaged(what),
        ServiceError::Fault(what) => fault(what),
    }
}

fn not_served(ruleset: &str, message: String) -> Status {
    Reason::RULESET_NOT_SERVED.status(message, [("ruleset", ruleset.to_owned())])
}

fn game_full(limit: &str, max: u64, message: String) -> Status {
    let metadata = [("limit", limit.to_owned()), ("max", max.to_string())];
    Reason::GAME_FULL.status(message, metadata)
}

/// Converts a service error to a part of an answer, equivalent to the status of a call that fails with it.
pub(super) fn in_answer(problem: &ServiceError) -> raw::Problem {
    let status = status_of(problem);
    let details = status.get_error_details();
    let info = details.error_info();
    let metadata = info.map_or_else(HashMap::new, |info| info.metadata.clone());
    let refused = if let ServiceError::RefusedByRules(refused) = problem {
        refused.detail.as_ref()
    } else {
        None
    };
    raw::Problem {
        code: status.code().into(),
        reason: info.map_or_else(String::new, |info| info.reason.clone()),
        message: status.message().to_owned(),
        metadata: metadata.into_iter().collect(),
        detail: refused.map(|detail| detail.message.clone()),
    }
}

/// The interval of log lines about a failing store, which affects every call: each kind of failure is logged at most
/// once in this time, with the number of occurrences.
const LOG_INTERVAL: Duration = Duration::from_secs(10);
static UNAVAILABLE_LOG: SharedLogRateLimiter = SharedLogRateLimiter::every(LOG_INTERVAL);
static OUTCOME_UNKNOWN_LOG: SharedLogRateLimiter = SharedLogRateLimiter::every(LOG_INTERVAL);
static STORE_FULL_LOG: SharedLogRateLimiter = SharedLogRateLimiter::every(LOG_INTERVAL);

fn store_status(error: &StoreError) -> Status {
    match error {
        StoreError::Unavailable(_) => {
            if let Some(times) = UNAVAILABLE_LOG.should_log() {
                tracing::warn!(%error, times, "store unavailable");
            }
            let message = "the store is unavailable; nothing was changed; try again";
            retryable(
                Reason::STORE_UNAVAILABLE,
                message,
                Duration::from_millis(250),
            )
        }
        StoreError::OutcomeUnknown(_) => {
            if let Some(times) = OUTCOME_UNKNOWN_LOG.should_log() {
                tracing::warn!(%error, times, "store did not answer");
            }
            let message = "the store did not answer; send the request again with the same id";
            retryable(Reason::OUTCOME_UNKNOWN, message, Duration::from_millis(250))
        }
        StoreError::Full(_) => {
            if let Some(times) = STORE_FULL_LOG.should_log() {
                tracing::error!(%error, times, "store full");
            }
            Reason::STORE_FULL.status("the store is full; nothing was changed", [])
        }
        StoreError::Damaged(what) => damaged(what),
        StoreError::Setup(what) => fault(what),
    }
}

fn too_many_forks(max: usize, message: String) -> Status {
    Reason::TOO_MANY_FORKS.status(message, [("max", max.to_string())])
}

/// Returns the status for a described table on which no game can begin. Its details name the field, what was found there,
/// what is allowed there, and the rule unless the parts of the table contradict each other.
fn position_refused(error: &PositionError, message: &str) -> Status {
    let PositionError {
        rule,
        path,
        found,
        allowed,
    } = error;
    let rule = (!rule.is_empty()).then(|| ("rule", (*rule).to_owned()));
    let values = [("found", found.clone()), ("allowed", allowed.clone())];
    let more = values.into_iter().chain(rule);
    of_field(Reason::INVALID_POSITION, path, message, more)
}

/// Returns the status for a malformed request. Its details name the field.
fn malformed_field(malformed: &Malformed, message: String) -> Status {
    let mut details = Reason::MALFORMED.info([("field", malformed.field.clone())]);
    details.add_bad_request_violation(&malformed.field, &malformed.description);
    Status::with_error_details(Reason::MALFORMED.code, message, details)
}

/// Returns the status for a seat that the table does not have. Its details have the number of seats, if known.
fn no_such_seat(field: &str, number: u32, seats: Option<usize>, message: &str) -> Status {
    let seats = seats.map(|seats| ("seats", seats.to_string()));
    let more = [("seat", number.to_string())].into_iter().chain(seats);
    of_field(Reason::NO_SUCH_SEAT, field, message, more)
}

fn out_of_bounds(field: &str, limit: &str, max: usize, message: &str) -> Status {
    let more = [("limit", limit.to_owned()), ("max", max.to_string())];
    of_field(Reason::OUT_OF_BOUNDS, field, message, more)
}

/// Names the rules whose ids are nearest to the one that was asked for.
fn no_such_rule(id: &str, nearest: &[String], message: String) -> Status {
    let metadata = [("id", id.to_owned()), ("nearest", nearest.join(","))];
    Reason::NO_SUCH_RULE.status(message, metadata)
}

fn no_such_game(game_id: &str, message: String) -> Status {
    let mut details = Reason::NO_SUCH_GAME.info([("game_id", game_id.to_owned())]);
    details.set_resource_info("gamekeeper.v1.Game", game_id, "", "");
    Status::with_error_details(Reason::NO_SUCH_GAME.code, message, details)
}

/// Returns the status for a limit that was reached. A retry after a while helps.
pub(super) fn exhausted(limit: &str, what: &str) -> Status {
    exhausted_for(limit, what, Duration::from_secs(1))
}

fn exhausted_for(limit: &str, what: &str, wait: Duration) -> Status {
    let mut details = Reason::LIMIT_EXCEEDED.info([("limit", limit.to_owned())]);
    details.add_quota_failure_violation(limit, what);
    details.set_retry_info(Some(wait));
    Status::with_error_details(Reason::LIMIT_EXCEEDED.code, what, details)
}

/// Returns the status for a request that is too large. A retry does not help, so there is no `RetryInfo`.
pub(super) fn too_large(what: &str) -> Status {
    let limit = "max_request_bytes";
    let mut details = Reason::MESSAGE_TOO_LARGE.info([("limit", limit.to_owned())]);
    details.add_quota_failure_violation(limit, what);
    Status::with_error_details(Reason::MESSAGE_TOO_LARGE.code, what, details)
}

/// Returns the status for a fault of the service. Only the log has its cause.
pub(super) fn fault(what: &str) -> Status {
    let id = Uuid::now_v7().to_string();
    tracing::error!(fault_id = id, what, "internal fault");
    Reason::INTERNAL.status(format!("internal fault {id}"), [("fault_id", id)])
}

fn damaged(what: &str) -> Status {
    tracing::error!(what, "damaged record");
    Reason::DAMAGED_RECORD.status("the record of the game is damaged", [])
}

fn action_refused(refused: &RulesRefusal) -> Status {
    let mut details = refusal_info(refused, []);
    details.add_precondition_failure_violation("RULE", refused.rule, &refused.message);
    let status = Status::with_error_details(Code::FailedPrecondition, &refused.message, details);
    with_values(status, refused)
}

/// Returns the status for a refusal by table life.
fn table_refused(refusal: TableRefusal, message: String) -> Status {
    let of_seat = |reason: Reason, message, seat: Seat| {
        reason.status(message, [("seat", seat.number().to_string())])
    };
    match refusal {
        TableRefusal::GameOver => Reason::GAME_OVER.status(message, []),
        TableRefusal::NoSeat => Reason::NO_SUCH_SEAT.status(message, []),
        TableRefusal::HasLeft(seat) => of_seat(Reason::HAS_LEFT, message, seat),
        TableRefusal::HasNotLeft(seat) => of_seat(Reason::HAS_NOT_LEFT, message, seat),
        TableRefusal::NoClock => Reason::NO_CLOCK.status(message, []),
        TableRefusal::Paused => Reason::PAUSED.status(message, []),
        TableRefusal::NotPaused => Reason::NOT_PAUSED.status(message, []),
        TableRefusal::NoPendingDecision(seat) => of_seat(Reason::OWES_NOTHING, message, seat),
        TableRefusal::NotOverdue { seat, left_ms } => {
            let mut details = Reason::NOT_DUE.info([("seat", seat.number().to_string())]);
            details.set_retry_info(Some(Duration::from_millis(left_ms)));
            Status::with_error_details(Reason::NOT_DUE.code, message, details)
        }
        TableRefusal::NoTakeBack => Reason::NO_TAKE_BACK.status(message, []),
        TableRefusal::NothingToTakeBack => Reason::NOTHING_TO_TAKE_BACK.status(message, []),
        TableRefusal::EntryLimitReached => Reason::TOO_MANY_ENTRIES.status(message, []),
        TableRefusal::QuotaUsed { seat, max } => {
            let metadata = [
                ("seat", seat.number().to_string()),
                ("max", max.to_string()),
            ];
            Reason::TOO_MANY_ENTRIES.status(message, metadata)
        }
        TableRefusal::NotByAgreement => Reason::NOT_BY_AGREEMENT.status(message, []),
        TableRefusal::NoOpenProposal(seat) => of_seat(Reason::NOT_ASKED, message, seat),
    }
}

fn option_refused(option: &OptionRefusal, message: &str) -> Status {
    let metadata = [("field", &option.field), ("allowed", &option.allowed)];
    let mut details = refusal_info(&option.refusal, metadata);
    details.add_bad_request_violation(&option.field, message);
    let status = Status::with_error_details(Code::InvalidArgument, message, details);
    with_values(status, &option.refusal)
}

/// Returns code and rule of a refusal, and its values as text.
fn refusal_info<const N: usize>(
    refused: &RulesRefusal,
    others: [(&str, &String); N],
) -> ErrorDetails {
    let mut metadata = HashMap::from([(String::from("rule"), refused.rule.to_owned())]);
    if let Some(detail) = &refused.detail {
        metadata.extend(detail.texts.iter().cloned());
    }
    metadata.extend(others.map(|(key, value)| (key.to_owned(), value.clone())));
    ErrorDetails::with_error_info(refused.code, DOMAIN, metadata)
}

/// Adds the typed values of a refusal to the details of a status.
fn with_values(status: Status, refused: &RulesRefusal) -> Status {
    let Some(detail) = &refused.detail else {
        return status;
    };
    let mut details = google::Status::decode(status.details()).unwrap_or_default();
    details.details.push(Any {
        type_url: String::from("type.googleapis.com/gamekeeper.v1.RefusalDetail"),
        value: detail.message.encode_to_vec(),
    });
    let details = details.encode_to_vec().into();
    Status::with_details(status.code(), status.message(), details)
}

/// Returns the status for a tenant that has reached its limit of games or bytes. Waiting does not help, so there is no
/// `RetryInfo`.
fn quota_used(limit: &str, message: &str) -> Status {
    let mut details = Reason::QUOTA_EXCEEDED.info([("limit", limit.to_owned())]);
    details.add_quota_failure_violation(limit, message);
    Status::with_error_details(Reason::QUOTA_EXCEEDED.code, message, details)
}

/// Returns the status for an invalid field of the request. The metadata name the field, with further values.
fn of_field<'a>(
    reason: Reason,
    field: &str,
    message: &str,
    more: impl IntoIterator<Item = (&'a str, String)>,
) -> Status {
    let metadata = more.into_iter().chain([("field", field.to_owned())]);
    let mut details = reason.info(metadata);
    details.add_bad_request_violation(field, message);
    Status::with_error_details(reason.code, message, details)
}

/// Returns the version that the caller named and the version of the game, as metadata.
fn versions(name: &str, version: Version, current: Version) -> [(&str, String); 2] {
    [
        (name, version.to_string()),
        ("current", current.to_string()),
    ]
}

fn retryable(reason: Reason, message: impl Into<String>, after: Duration) -> Status {
    let mut details = reason.info([]);
    details.set_retry_info(Some(after));
    Status::with_error_details(reason.code, message, details)
}

/// Returns the status at the planned end of a stream.
fn going_away(cause: EndCause, version: Version, message: String) -> Status {
    let cause = ("cause", cause.name().to_owned());
    resumable(Reason::GOING_AWAY, message, version, Some(cause))
}

/// Returns the status at the end of a stream that can be resumed elsewhere, after this version.
fn resumable(
    reason: Reason,
    message: String,
    version: Version,
    cause: Option<(&str, String)>,
) -> Status {
    let version = ("version", version.to_string());
    let mut details = reason.info([version].into_iter().chain(cause));
    details.set_retry_info(Some(Duration::ZERO));
    Status::with_error_details(reason.code, message, details)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_carries_code_and_rule() {
        let status = status_of(&ServiceError::RefusedByRules(RulesRefusal {
            code: "PILE_EMPTY",
            rule: "DOM-6.10",
            message: String::from("The pile is empty."),
            detail: None,
        }));
        let details = status.get_error_details();
        let info = details.error_info().unwrap();
        assert_eq!(status.code(), Code::FailedPrecondition);
        assert_eq!(
            (info.reason.as_str(), info.domain.as_str()),
            ("PILE_EMPTY", "gamekeeper")
        );
        assert_eq!(info.metadata["rule"], "DOM-6.10");
    }

    #[test]
    fn a_fault_tells_nothing_but_its_id() {
        let status = status_of(&ServiceError::Fault(String::from("secret detail")));
        assert_eq!(status.code(), Code::Internal);
        assert!(!format!("{status:?}").contains("secret detail"));
        assert!(
            status
                .get_error_details()
                .error_info()
                .unwrap()
                .metadata
                .contains_key("fault_id")
        );
    }
}
