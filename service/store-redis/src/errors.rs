//! Conversion of Redis errors to store errors.

use gamekeeper_store::StoreError;
use redis::{ErrorKind, RedisError, ServerErrorKind};

/// Redis reports this text for a stream id that is not greater than all earlier ids of the stream.
const NUMBER_IS_TAKEN: &str = "equal or smaller than the target stream top item";

/// Converts the error of a command that changed nothing: a read, or a change that Redis refused.
pub(super) fn of_read(error: &RedisError) -> StoreError {
    let text = describe(error);
    match error.kind() {
        ErrorKind::Parse | ErrorKind::UnexpectedReturnType => StoreError::Damaged(text),
        _ => match error.code() {
            Some("OOM") => StoreError::Full(text),
            // The stream once had an entry with this id or a greater one, and has lost it.
            _ if text.contains(NUMBER_IS_TAKEN) => StoreError::Damaged(text),
            Some("WRONGTYPE") => StoreError::Damaged(text),
            _ => StoreError::Unavailable(text),
        },
    }
}

/// Converts an error at startup. No game has been read yet, so nothing counts as damaged. A Redis that
/// denies access now would also deny it later.
pub(super) fn at_startup(error: &RedisError) -> StoreError {
    if is_access_denied(error) {
        let text = describe(error);
        if text.contains(OF_SENTINEL) {
            return StoreError::Setup(format!(
                "the sentinels of Redis denied access: check --redis-sentinel-user, its permissions, and \
                 --redis-sentinel-password-file ({text})"
            ));
        }
        return StoreError::Setup(format!(
            "Redis denied access: check --redis-user, the permissions of that user, and \
             --redis-password-file ({text})"
        ));
    }
    match of_read(error) {
        StoreError::Damaged(why) => StoreError::Setup(why),
        error @ (StoreError::Unavailable(_)
        | StoreError::OutcomeUnknown(_)
        | StoreError::Full(_)
        | StoreError::Setup(_)) => error,
    }
}

/// Converts an error of a connection that could not be opened, after one could be at startup: nothing was sent.
pub(super) fn not_sent(error: &RedisError) -> StoreError {
    StoreError::Unavailable(describe(error))
}

/// The text of an error that says who denied access.
const OF_SENTINEL: &str = "the sentinels denied access";

/// Returns the error for sentinels that denied access.
pub(super) fn denied_by_sentinel(error: &RedisError) -> RedisError {
    let kind = ErrorKind::AuthenticationFailed;
    RedisError::from((kind, OF_SENTINEL, error.to_string()))
}

/// Whether Redis denied login or permission. The cluster client reports this only in the text of another
/// error.
pub(super) fn is_access_denied(error: &RedisError) -> bool {
    let text = error.to_string();
    error.kind() == ErrorKind::AuthenticationFailed
        || matches!(error.code(), Some("WRONGPASS" | "NOAUTH" | "NOPERM"))
        || ["WRONGPASS", "NOAUTH", "NoPerm", "authentication failed"]
            .into_iter()
            .any(|phrase| text.contains(phrase))
}

/// Whether Redis denied login. A denied permission stays denied on another connection.
pub(super) fn is_login_denied(error: &RedisError) -> bool {
    is_access_denied(error)
        && error.code() != Some("NOPERM")
        && !error.to_string().contains("NoPerm")
}

/// How many times a command may have been sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// Once: a change that Redis refuses was not made.
    Once,
    /// The client retries by itself: a change that Redis refuses may have been made by an earlier attempt.
    Retried,
}

/// Converts the error of a change: either it was certainly not made, or its outcome is unknown.
pub(super) fn of_change(error: &RedisError, sent: Sent) -> StoreError {
    let was_refused = sent == Sent::Once && is_refusal(error) || error.is_connection_refusal();
    if was_refused {
        of_read(error)
    } else {
        StoreError::OutcomeUnknown(describe(error))
    }
}

/// Codes of errors with which Redis refuses a script, or the first write of one. Scripts read everything that they
/// need before their first write.
const REFUSALS: &[&str] = &[
    "OOM",
    "MISCONF",
    "NOREPLICAS",
    "READONLY",
    "MASTERDOWN",
    "LOADING",
    "BUSY",
    "NOSCRIPT",
    "NOPERM",
    "NOAUTH",
    "WRONGPASS",
    "WRONGTYPE",
    "MOVED",
    "ASK",
    "TRYAGAIN",
    "CLUSTERDOWN",
    "CROSSSLOT",
];

/// Whether Redis answered with an error that proves that nothing was changed. Any other error may come from the middle
/// of a script; a retry then finds what the script did.
fn is_refusal(error: &RedisError) -> bool {
    let is_known = |code| REFUSALS.contains(&code);
    error.code().is_some_and(is_known) || error.to_string().contains(NUMBER_IS_TAKEN)
}

/// Whether the server does not accept writes: it is a replica, or it has lost its primary.
pub(super) fn is_wrong_server(error: &RedisError) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Server(ServerErrorKind::ReadOnly | ServerErrorKind::MasterDown)
    )
}

/// Whether Redis does not have the script yet.
pub(super) fn is_no_script(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

fn describe(error: &RedisError) -> String {
    format!("Redis: {error}")
}

/// Returns the error for a reply that none of our commands or scripts should get.
pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("Redis: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: ErrorKind, text: &str) -> RedisError {
        RedisError::from((kind, "an error", text.to_owned()))
    }

    fn server_error(code: &str) -> RedisError {
        redis::make_extension_error(code.to_owned(), Some(String::from("said Redis")))
    }

    /// Operators then read which settings to check, whichever form the client reports the denial in.
    #[test]
    fn a_denied_login_is_known_by_its_kind_its_code_or_its_text() {
        assert!(is_access_denied(&error(
            ErrorKind::AuthenticationFailed,
            "no"
        )));
        for code in ["WRONGPASS", "NOAUTH", "NOPERM"] {
            assert!(is_access_denied(&server_error(code)), "{code}");
        }
        for text in [
            "it said WRONGPASS",
            "NOAUTH",
            "NoPerm",
            "an authentication failed",
        ] {
            assert!(is_access_denied(&error(ErrorKind::Io, text)), "{text}");
        }
        for other in [
            server_error("OOM"),
            server_error("LOADING"),
            error(ErrorKind::Io, "it is gone"),
        ] {
            assert!(!is_access_denied(&other), "{other}");
        }
    }
}
