//! Problems as gRPC statuses: code, message, and always an `ErrorInfo` (AIP-193).

use std::collections::HashMap;
use std::time::Duration;

use gamekeeper_rules::life::No;
use gamekeeper_rules::table::Seat;
use prost::Message;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt, pb as google};
use uuid::Uuid;

use crate::problem::{OptionRefused, Problem, Refused};
use crate::store::{StoreError, Version};
use crate::telemetry::SharedSeldom;

/// The domain of every reason.
pub(super) const DOMAIN: &str = "gamekeeper";

/// A reason code of the service itself. The rules have their own, one per refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The stable name in `ErrorInfo.reason`.
    pub name: &'static str,
    /// The status that it comes with.
    pub code: Code,
    /// When it happens, and what a client may do.
    pub when: &'static str,
}

macro_rules! reasons {
    ($($name:ident, $code:ident, $when:literal;)*) => {
        $(pub(super) const $name: Reason =
            Reason { name: stringify!($name), code: Code::$code, when: $when };)*

        /// All reasons of the service itself.
        pub const REASONS: &[Reason] = &[$($name),*];
    };
}

reasons! {
    MALFORMED, InvalidArgument, "A field of the request is malformed; BadRequest names it.";
    MALFORMED_MESSAGE, InvalidArgument, "The bytes are not a message of the type that the method takes.";
    NO_SUCH_SEAT, InvalidArgument, "The table has no such seat; metadata `seat`, `seats`.";
    REQUEST_ID_REUSED, InvalidArgument, "The request id was used before with another body. Use a new id.";
    STALE_VERSION, Aborted, "The game has moved on; metadata `expected`, `current`. Fetch the table again.";
    CONTENDED, Aborted, "Other actions came first, repeatedly. Send the same request again.";
    NO_SUCH_VERSION, OutOfRange, "The game has no such version (yet), or a different one with that number; metadata `asked`, `current`.";
    OUT_OF_BOUNDS, InvalidArgument, "A number exceeds a limit of this server; BadRequest names the field; metadata `limit`, `most`.";
    NO_TOKEN, Unauthenticated, "The call has no bearer token.";
    BAD_TOKEN, Unauthenticated, "The token is not valid on this server, or not for this game.";
    TOKEN_EXPIRED, Unauthenticated, "The token has expired. Get a new one.";
    TOKEN_REPLACED, Unauthenticated, "A newer token has replaced this one.";
    NOT_ALLOWED, PermissionDenied, "The token does not allow this call.";
    GAME_NOT_OVER, FailedPrecondition, "The full record of a game is secret until it is over, and any game that it was forked from.";
    ORIGIN_NOT_OVER, FailedPrecondition, "A game that this one was forked from is not over: until then players get no tokens for the fork.";
    TOO_MANY_FORKS, FailedPrecondition, "The chain of forks has reached its maximum length; metadata `most`. Fork an earlier game.";
    GAME_IS_OVER, FailedPrecondition, "The game is over; nothing more happens in it.";
    HAS_LEFT, FailedPrecondition, "The player of the seat has left the game; metadata `seat`.";
    HAS_NOT_LEFT, FailedPrecondition, "The player of the seat is still in the game; metadata `seat`.";
    NO_CLOCK, FailedPrecondition, "The game was created without a clock.";
    PAUSED, FailedPrecondition, "The clocks of the game stand still.";
    NOT_PAUSED, FailedPrecondition, "The clocks of the game run.";
    OWES_NOTHING, FailedPrecondition, "The seat owes no decision; metadata `seat`.";
    NOT_DUE, FailedPrecondition, "The seat has time left; metadata `seat`. Try again after RetryInfo.";
    NO_TAKE_BACK, FailedPrecondition, "The game was created without take-backs, or with the other kind only.";
    NOTHING_TO_TAKE_BACK, FailedPrecondition, "The seat cannot go back to this version.";
    NOT_ASKED, FailedPrecondition, "There is nothing for the seat to agree to; metadata `seat`.";
    TOO_MANY_ENTRIES, FailedPrecondition, "The game has reached its limit of 1,000 pauses, returns and take-backs.";
    NO_SUCH_GAME, NotFound, "There is no such game, or none that the caller may know of.";
    NO_SUCH_RULE, NotFound, "No rule document has a rule with this id; metadata `id`.";
    LIMIT_EXCEEDED, ResourceExhausted, "Too many calls at once or in a short time; metadata `limit`. Retry after the delay in RetryInfo.";
    QUOTA_EXCEEDED, ResourceExhausted, "The tenant has reached its limit of games; metadata `limit`. Delete some.";
    MESSAGE_TOO_LARGE, ResourceExhausted, "The request exceeds the size limit of the server.";
    STORE_UNAVAILABLE, Unavailable, "The store cannot be reached; nothing was changed. Retry.";
    OUTCOME_UNKNOWN, Unavailable, "The store did not answer. Send the request again with the same request id: it is played once.";
    STORE_FULL, ResourceExhausted, "The store is full; nothing was changed.";
    GOING_AWAY, Unavailable, "The server is shutting down; metadata `version`. Resume the watch on another.";
    WATCH_TOO_SLOW, Unavailable, "The client read nothing for too long; metadata `version`. Resume the watch after that version.";
    DEADLINE, DeadlineExceeded, "The deadline passed. The change may have been made: send it again with the same request id.";
    SNAPSHOT_TOO_NEW, FailedPrecondition, "A newer build wrote this game.";
    RULES_TOO_OLD, FailedPrecondition, "The game was played under an old revision of the rules, which this build does not support.";
    DAMAGED_RECORD, DataLoss, "The stored record of the game is damaged.";
    UNKNOWN_COMPRESSION, Unimplemented, "The server does not support the compression of the request.";
    UNKNOWN_METHOD, Unimplemented, "There is no such method.";
    INTERNAL, Internal, "A bug of the service; metadata `fault_id` finds it in the log.";
}

/// The status of a problem. Faults are logged here, with an id that the caller also gets.
#[must_use]
pub fn status_of(problem: &Problem) -> Status {
    let message = problem.to_string();
    match problem {
        Problem::Refused(refused) => action_refused(refused),
        Problem::Table(no) => table_refused(*no, message),
        Problem::OptionsRefused(refused) => option_refused(refused, &message),
        Problem::Malformed(malformed) => {
            let mut details = info(MALFORMED, [("field", malformed.field.clone())]);
            details.add_bad_request_violation(&malformed.field, &malformed.description);
            Status::with_error_details(MALFORMED.code, message, details)
        }
        Problem::NoSuchSeat {
            field,
            number,
            seats,
        } => {
            let seats = seats.map(|seats| ("seats", seats.to_string()));
            let more = [("seat", number.to_string())].into_iter().chain(seats);
            of_field(NO_SUCH_SEAT, field, &message, more)
        }
        Problem::Unreadable(_) => with(MALFORMED_MESSAGE, message, []),
        Problem::TooLarge(_) => with(MESSAGE_TOO_LARGE, message, []),
        Problem::StaleVersion { expected, current } => {
            of_version(STALE_VERSION, message, ("expected", *expected), *current)
        }
        Problem::NoSuchVersion { asked, current } => {
            of_version(NO_SUCH_VERSION, message, ("asked", *asked), *current)
        }
        Problem::RequestIdReused => with(REQUEST_ID_REUSED, message, []),
        Problem::OutOfBounds { field, limit, most } => {
            let more = [("limit", (*limit).to_owned()), ("most", most.to_string())];
            of_field(OUT_OF_BOUNDS, field, &message, more)
        }
        Problem::NoToken => with(NO_TOKEN, message, []),
        Problem::BadToken(_) => with(BAD_TOKEN, message, []),
        Problem::TokenExpired => with(TOKEN_EXPIRED, message, []),
        Problem::TokenReplaced(_) => with(TOKEN_REPLACED, message, []),
        Problem::QuotaUsed => quota_used(&message),
        Problem::PermissionDenied(_) => with(NOT_ALLOWED, message, []),
        Problem::GameNotOver => with(GAME_NOT_OVER, message, []),
        Problem::OriginNotOver => with(ORIGIN_NOT_OVER, message, []),
        Problem::TooManyForks { most } => {
            with(TOO_MANY_FORKS, message, [("most", most.to_string())])
        }
        Problem::NoSuchGame { game_id } => {
            let mut details = info(NO_SUCH_GAME, [("game_id", game_id.clone())]);
            details.set_resource_info("gamekeeper.v1.Game", game_id, "", "");
            Status::with_error_details(NO_SUCH_GAME.code, message, details)
        }
        Problem::NoSuchRule { id } => with(NO_SUCH_RULE, message, [("id", id.clone())]),
        Problem::Exhausted { limit, what } => exhausted(limit, what),
        Problem::TooFast { wait } => exhausted_for("max_rate", &message, *wait),
        Problem::Contended => retryable(CONTENDED, message, Duration::from_millis(50)),
        Problem::SnapshotTooNew => with(SNAPSHOT_TOO_NEW, message, []),
        Problem::RulesTooOld => with(RULES_TOO_OLD, message, []),
        Problem::GoingAway { version } => resumable(GOING_AWAY, message, *version),
        Problem::WatchTooSlow { version } => resumable(WATCH_TOO_SLOW, message, *version),
        Problem::Store(error) => store_status(error),
        Problem::Damaged(what) => damaged(what),
        Problem::Fault(what) => fault(what),
    }
}

impl From<Problem> for Status {
    fn from(problem: Problem) -> Self {
        status_of(&problem)
    }
}
/// A failing store affects every call, so each kind of failure is logged at most once in this time, with the
/// number of occurrences.
const SAY_EVERY: Duration = Duration::from_secs(10);
static UNAVAILABLE: SharedSeldom = SharedSeldom::every(SAY_EVERY);
static UNKNOWN: SharedSeldom = SharedSeldom::every(SAY_EVERY);
static FULL: SharedSeldom = SharedSeldom::every(SAY_EVERY);

fn store_status(error: &StoreError) -> Status {
    match error {
        StoreError::Unavailable(_) => {
            if let Some(times) = UNAVAILABLE.now() {
                tracing::warn!(%error, times, "store unavailable");
            }
            let message = "the store is unavailable; nothing was changed; try again";
            retryable(STORE_UNAVAILABLE, message, Duration::from_millis(250))
        }
        StoreError::OutcomeUnknown(_) => {
            if let Some(times) = UNKNOWN.now() {
                tracing::warn!(%error, times, "store did not answer");
            }
            let message = "the store did not answer; send the request again with the same id";
            retryable(OUTCOME_UNKNOWN, message, Duration::from_millis(250))
        }
        StoreError::Full(_) => {
            if let Some(times) = FULL.now() {
                tracing::error!(%error, times, "store full");
            }
            with(STORE_FULL, "the store is full; nothing was changed", [])
        }
        StoreError::Damaged(what) => damaged(what),
        StoreError::Setup(what) => fault(what),
    }
}

/// A limit was reached. A retry after a while helps.
pub(super) fn exhausted(limit: &str, what: &str) -> Status {
    exhausted_for(limit, what, Duration::from_secs(1))
}

fn exhausted_for(limit: &str, what: &str, wait: Duration) -> Status {
    let mut details = info(LIMIT_EXCEEDED, [("limit", limit.to_owned())]);
    details.add_quota_failure_violation(limit, what);
    details.set_retry_info(Some(wait));
    Status::with_error_details(LIMIT_EXCEEDED.code, what, details)
}

/// The request is too large. A retry does not help, so there is no `RetryInfo`.
pub(super) fn too_large(what: &str) -> Status {
    let limit = "max_request_bytes";
    let mut details = info(MESSAGE_TOO_LARGE, [("limit", limit.to_owned())]);
    details.add_quota_failure_violation(limit, what);
    Status::with_error_details(MESSAGE_TOO_LARGE.code, what, details)
}

/// A fault of the service. Its cause goes only to the log.
pub(super) fn fault(what: &str) -> Status {
    let id = Uuid::now_v7().to_string();
    tracing::error!(fault_id = id, what, "internal fault");
    with(INTERNAL, format!("internal fault {id}"), [("fault_id", id)])
}

fn damaged(what: &str) -> Status {
    tracing::error!(what, "damaged record");
    with(DAMAGED_RECORD, "the record of the game is damaged", [])
}

fn action_refused(refused: &Refused) -> Status {
    let mut details = refusal_info(refused, []);
    details.add_precondition_failure_violation("RULE", refused.rule, &refused.message);
    let status = Status::with_error_details(Code::FailedPrecondition, &refused.message, details);
    with_values(status, refused)
}

/// A refusal by table life.
fn table_refused(no: No, message: String) -> Status {
    let of_seat =
        |reason, message, seat: Seat| with(reason, message, [("seat", seat.number().to_string())]);
    match no {
        No::GameOver => with(GAME_IS_OVER, message, []),
        No::NoSeat => with(NO_SUCH_SEAT, message, []),
        No::HasLeft(seat) => of_seat(HAS_LEFT, message, seat),
        No::HasNotLeft(seat) => of_seat(HAS_NOT_LEFT, message, seat),
        No::NoClock => with(NO_CLOCK, message, []),
        No::Paused => with(PAUSED, message, []),
        No::NotPaused => with(NOT_PAUSED, message, []),
        No::OwesNothing(seat) => of_seat(OWES_NOTHING, message, seat),
        No::NotDue { seat, left_ms } => {
            let mut details = info(NOT_DUE, [("seat", seat.number().to_string())]);
            details.set_retry_info(Some(Duration::from_millis(left_ms)));
            Status::with_error_details(NOT_DUE.code, message, details)
        }
        No::NoTakeBack => with(NO_TAKE_BACK, message, []),
        No::NothingToTakeBack => with(NOTHING_TO_TAKE_BACK, message, []),
        No::TooManyEntries => with(TOO_MANY_ENTRIES, message, []),
        No::NotAsked(seat) => of_seat(NOT_ASKED, message, seat),
    }
}

fn option_refused(option: &OptionRefused, message: &str) -> Status {
    let metadata = [("field", &option.field), ("allowed", &option.allowed)];
    let mut details = refusal_info(&option.refused, metadata);
    details.add_bad_request_violation(&option.field, message);
    let status = Status::with_error_details(Code::InvalidArgument, message, details);
    with_values(status, &option.refused)
}

/// Code and rule of a refusal, and its values as text.
fn refusal_info<const N: usize>(refused: &Refused, others: [(&str, &String); N]) -> ErrorDetails {
    let mut metadata = HashMap::from([(String::from("rule"), refused.rule.to_owned())]);
    if let Some(detail) = &refused.detail {
        metadata.extend(detail.texts.iter().cloned());
    }
    metadata.extend(others.map(|(key, value)| (key.to_owned(), value.clone())));
    ErrorDetails::with_error_info(refused.code, DOMAIN, metadata)
}

/// The status with the values of the refusal among its details.
fn with_values(status: Status, refused: &Refused) -> Status {
    let Some(detail) = &refused.detail else {
        return status;
    };
    let mut details = google::Status::decode(status.details()).unwrap_or_default();
    details.details.push(detail.message.clone());
    let details = details.encode_to_vec().into();
    Status::with_details(status.code(), status.message(), details)
}

/// The tenant has reached its limit of games. Waiting does not help, so there is no `RetryInfo`.
fn quota_used(message: &str) -> Status {
    let limit = "max_games_per_tenant";
    let mut details = info(QUOTA_EXCEEDED, [("limit", limit.to_owned())]);
    details.add_quota_failure_violation(limit, message);
    Status::with_error_details(QUOTA_EXCEEDED.code, message, details)
}

/// A field of the request is invalid. The metadata name it, with further values.
fn of_field<'a>(
    reason: Reason,
    field: &str,
    message: &str,
    more: impl IntoIterator<Item = (&'a str, String)>,
) -> Status {
    let metadata = more.into_iter().chain([("field", field.to_owned())]);
    let mut details = info(reason, metadata);
    details.add_bad_request_violation(field, message);
    Status::with_error_details(reason.code, message, details)
}

/// The game is not at the version that the caller names.
fn of_version(
    reason: Reason,
    message: String,
    (name, version): (&str, Version),
    current: Version,
) -> Status {
    let versions = [(name, version), ("current", current)];
    with(
        reason,
        message,
        versions.map(|(name, version)| (name, version.to_string())),
    )
}

fn retryable(reason: Reason, message: impl Into<String>, after: Duration) -> Status {
    let mut details = info(reason, []);
    details.set_retry_info(Some(after));
    Status::with_error_details(reason.code, message, details)
}

/// The end of a stream that can be resumed elsewhere, after this version.
fn resumable(reason: Reason, message: String, version: Version) -> Status {
    let mut details = info(reason, [("version", version.to_string())]);
    details.set_retry_info(Some(Duration::ZERO));
    Status::with_error_details(reason.code, message, details)
}

/// A status with a reason and its metadata.
pub(super) fn with<const N: usize>(
    reason: Reason,
    message: impl Into<String>,
    metadata: [(&str, String); N],
) -> Status {
    Status::with_error_details(reason.code, message, info(reason, metadata))
}

fn info<'a>(reason: Reason, metadata: impl IntoIterator<Item = (&'a str, String)>) -> ErrorDetails {
    let metadata: HashMap<String, String> = metadata
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
    ErrorDetails::with_error_info(reason.name, DOMAIN, metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_unique_and_stable() {
        let names: std::collections::BTreeSet<&str> =
            REASONS.iter().map(|reason| reason.name).collect();
        assert_eq!(names.len(), REASONS.len());
        for name in names {
            let letters = name
                .bytes()
                .all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            assert!(letters && name.len() <= 63, "{name}");
        }
    }

    #[test]
    fn a_refusal_carries_code_and_rule() {
        let status = status_of(&Problem::Refused(Refused {
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
        let status = status_of(&Problem::Fault(String::from("secret detail")));
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
