//! What goes wrong with Redis, in the words of a store.

use redis::{ErrorKind, RedisError, ServerErrorKind};

use crate::store::StoreError;

/// What Redis says to an entry whose number is not larger than all numbers before.
const NUMBER_IS_TAKEN: &str = "equal or smaller than the target stream top item";

/// An error of something that changes nothing, or of something that Redis refused.
pub(super) fn of_read(error: &RedisError) -> StoreError {
    let text = describe(error);
    match error.kind() {
        ErrorKind::Parse | ErrorKind::UnexpectedReturnType => StoreError::Damaged(text),
        _ => match error.code() {
            Some("OOM") => StoreError::Full(text),
            // The stream had an entry of that number before, which is not there now.
            _ if text.contains(NUMBER_IS_TAKEN) => StoreError::Damaged(text),
            Some("WRONGTYPE") => StoreError::Damaged(text),
            _ => StoreError::Unavailable(text),
        },
    }
}

/// An error at the start, when nothing is known yet that could be damaged. A Redis that does not let us in
/// now will not do so later either.
pub(super) fn of_start(error: &RedisError) -> StoreError {
    if is_shut_out(error) {
        let text = describe(error);
        return StoreError::Setup(format!(
            "Redis does not let this server in: check --redis-user, what it may do, and \
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

/// Is it that Redis does not know us, or does not let us do what we must? The client of a cluster tells it
/// in the text of another error.
pub(super) fn is_shut_out(error: &RedisError) -> bool {
    let text = error.to_string();
    error.kind() == ErrorKind::AuthenticationFailed
        || matches!(error.code(), Some("WRONGPASS" | "NOAUTH" | "NOPERM"))
        || ["WRONGPASS", "NOAUTH", "NoPerm", "authentication failed"]
            .into_iter()
            .any(|mark| text.contains(mark))
}

/// How often a command may have been sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// Once: what Redis refuses has not happened.
    Once,
    /// The client sends again by itself: what is refused now may have happened before.
    Again,
}

/// An error of a change. It distinguishes only what surely did not happen from what may have.
pub(super) fn of_change(error: &RedisError, sent: Sent) -> StoreError {
    let was_refused = sent == Sent::Once && is_answer(error) || error.is_connection_refusal();
    if was_refused {
        of_read(error)
    } else {
        StoreError::OutcomeUnknown(describe(error))
    }
}

/// Did Redis itself answer with this error?
pub(super) fn is_answer(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension)
}

/// Is the server one that may no longer, or not yet, be written to?
pub(super) fn is_wrong_server(error: &RedisError) -> bool {
    matches!(
        error.kind(),
        ErrorKind::Server(ServerErrorKind::ReadOnly | ServerErrorKind::MasterDown)
    )
}

/// Does Redis not know the script yet?
pub(super) fn is_no_script(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

fn describe(error: &RedisError) -> String {
    format!("Redis: {error}")
}

/// An answer that is not what our scripts give.
pub(super) fn damaged(what: &str) -> StoreError {
    StoreError::Damaged(format!("Redis: {what}"))
}
