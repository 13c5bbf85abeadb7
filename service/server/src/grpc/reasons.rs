//! The error reasons of the service itself: stable names that clients match on (AIP-193).

use std::collections::HashMap;

use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The domain of every reason.
pub(super) const DOMAIN: &str = "gamekeeper";

/// A reason code of the service itself. The rules have their own, one per refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The stable name in `ErrorInfo.reason`.
    pub name: &'static str,
    /// The status code that carries the reason.
    pub code: Code,
    /// When the error occurs, and what a client may do.
    pub when: &'static str,
}

macro_rules! reasons {
    ($($name:ident, $code:ident, $when:literal;)*) => {
        impl Reason {
            $(pub(super) const $name: Self =
                Self { name: stringify!($name), code: Code::$code, when: $when };)*
        }

        /// All reasons of the service itself.
        pub const REASONS: &[Reason] = &[$(Reason::$name),*];
    };
}

reasons! {
    MALFORMED, InvalidArgument, "A field of the request is malformed; BadRequest names it.";
    MALFORMED_MESSAGE, InvalidArgument, "The bytes are not a message of the type that the method takes.";
    INVALID_POSITION, InvalidArgument, "No game can begin on the described table; BadRequest names the field; metadata `found`, `allowed`, and `rule` unless parts of the table contradict each other.";
    NO_SUCH_SEAT, InvalidArgument, "The table has no such seat; metadata `seat`, `seats`.";
    REQUEST_ID_REUSED, InvalidArgument, "The seat, or the owner of the game, used the request id before with another body. Use a new id.";
    STALE_VERSION, Aborted, "The game has moved on; metadata `expected`, `current`. Fetch the table again.";
    CONTENDED, Aborted, "Other actions came first, repeatedly. Send the same request again.";
    NO_SUCH_VERSION, OutOfRange, "The game has no such version (yet), or a different one with that number; metadata `asked`, `current`.";
    CURSOR_EXPIRED, OutOfRange, "What follows the cursor of a feed is no longer known as a whole: it is too old, or the store is another one. Begin without a cursor, then read the games themselves, as with ListGames.";
    NO_FEED, FailedPrecondition, "The operator keeps no feeds. Follow a user, or games by their ids.";
    NO_RASTER, FailedPrecondition, "The server sends drawings as SVG only: its operator lets it paint none as PNG, or it was built without a painter.";
    OUT_OF_BOUNDS, InvalidArgument, "A number exceeds a limit of this server; BadRequest names the field; metadata `limit`, `max`.";
    NO_TOKEN, Unauthenticated, "The call has no bearer token.";
    BAD_TOKEN, Unauthenticated, "The token is not valid on this server, or not for this game.";
    TOKEN_EXPIRED, Unauthenticated, "The token has expired. Get a new one.";
    TOKEN_REPLACED, Unauthenticated, "A newer token has replaced this one, or all tokens of its holder were revoked.";
    NOT_ALLOWED, PermissionDenied, "The token does not allow this call.";
    GAME_NOT_OVER, FailedPrecondition, "The full record stays secret until the game and every game it was forked from are over.";
    ORIGIN_NOT_OVER, FailedPrecondition, "A game that this one was forked from is not over: until then players get no tokens for the fork.";
    RECORD_REFUSED, InvalidArgument, "The record contradicts the rules, a commitment, or itself; the message says where, as `gamekeeper verify` does.";
    TOO_MANY_FORKS, FailedPrecondition, "The chain of forks has reached its maximum length; metadata `max`. Fork an earlier game.";
    GAME_OVER, FailedPrecondition, "The game is over, whatever ended it; nothing more happens in it. Metadata `rule` where its rules refuse an action.";
    HAS_LEFT, FailedPrecondition, "The player of the seat has left the game; metadata `seat`.";
    HAS_NOT_LEFT, FailedPrecondition, "The player of the seat is still in the game; metadata `seat`.";
    NO_CLOCK, FailedPrecondition, "The game was created without a clock.";
    PAUSED, FailedPrecondition, "The game is paused.";
    NOT_PAUSED, FailedPrecondition, "The game is not paused.";
    OWES_NOTHING, FailedPrecondition, "The seat owes no decision; metadata `seat`.";
    NOT_DUE, FailedPrecondition, "The seat has time left; metadata `seat`. Try again after RetryInfo.";
    NO_TAKE_BACK, FailedPrecondition, "The game was created without take-backs, or with the other kind only.";
    NOT_BY_AGREEMENT, FailedPrecondition, "The game was created without this: its players cannot agree to it.";
    NOTHING_TO_TAKE_BACK, FailedPrecondition, "The seat cannot go back to this version.";
    NOT_ASKED, FailedPrecondition, "There is nothing for the seat to agree to; metadata `seat`.";
    TOO_MANY_ENTRIES, FailedPrecondition, "The game has reached its limit of 1,000 pauses, returns, take-backs, proposals and additions of time, or a seat its share of `max` take-backs and proposals; metadata `seat` and `max` then.";
    GAME_FULL, FailedPrecondition, "The game has reached its limit of versions or bytes; metadata `limit`, `max`. Its owner can still end it with EndGame.";
    NO_SUCH_GAME, NotFound, "There is no such game, or none that the caller may know of.";
    NO_SUCH_RULE, NotFound, "Nothing in the rule documents fits this id, name or words; metadata `id`, and `nearest`: the ids of rules that are like it, separated by commas.";
    NO_SUCH_SERVICE, NotFound, "The server has no service with the name that a health check asks for.";
    LIMIT_EXCEEDED, ResourceExhausted, "Too many calls at once or in a short time; metadata `limit`. Retry after the delay in RetryInfo.";
    QUOTA_EXCEEDED, ResourceExhausted, "The tenant has reached its limit of games or stored bytes; metadata `limit`. Delete some games.";
    MESSAGE_TOO_LARGE, ResourceExhausted, "The request exceeds the size limit of the server; metadata `limit`.";
    ANSWER_FULL, ResourceExhausted, "The games before this one fill the answer, which has at most 3 MiB of tables. Ask for the game in another call.";
    STORE_UNAVAILABLE, Unavailable, "The store cannot be reached; nothing was changed. Retry.";
    OUTCOME_UNKNOWN, Unavailable, "The store did not answer. Send the request again with the same request id: it is played once.";
    STORE_FULL, ResourceExhausted, "The store is full; nothing was changed.";
    GOING_AWAY, Unavailable, "The stream has ended as planned; metadata `cause`: `SHUTDOWN` (of the server), `MAX_AGE` (of the stream), `CUT` (by an operator) or `CLIENT_GONE` (which the client no longer receives), and `version`. Resume the watch or the export at once after that version; this is no failure.";
    WATCH_TOO_SLOW, Unavailable, "The client read nothing for too long; metadata `version`. Resume the watch after that version.";
    DEADLINE, DeadlineExceeded, "The deadline passed, or the client read nothing for too long. The change may have been made: send it again with the same request id.";
    SNAPSHOT_TOO_NEW, FailedPrecondition, "A newer build wrote this game.";
    RULESET_NOT_SERVED, FailedPrecondition, "The game is stored, but this server does not serve its ruleset; metadata `ruleset`.";
    RULES_TOO_OLD, FailedPrecondition, "The game was played under an old revision of the rules, which this build does not support.";
    DAMAGED_RECORD, DataLoss, "The stored record of the game is damaged.";
    UNKNOWN_COMPRESSION, Unimplemented, "The server does not support the compression of the request.";
    UNKNOWN_METHOD, Unimplemented, "There is no such method.";
    INTERNAL, Internal, "A bug of the service; metadata `fault_id` finds it in the log.";
}

impl Reason {
    /// Returns a status with this reason and its metadata.
    pub(super) fn status<const N: usize>(
        self,
        message: impl Into<String>,
        metadata: [(&str, String); N],
    ) -> Status {
        Status::with_error_details(self.code, message, self.info(metadata))
    }

    /// Returns the details of a status with this reason: an `ErrorInfo` with this metadata.
    pub(super) fn info<'a>(
        self,
        metadata: impl IntoIterator<Item = (&'a str, String)>,
    ) -> ErrorDetails {
        let metadata: HashMap<String, String> = metadata
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
        ErrorDetails::with_error_info(self.name, DOMAIN, metadata)
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_games::errors::EndCause;

    use super::*;

    #[test]
    fn every_planned_end_of_a_stream_is_explained() {
        for cause in EndCause::ALL {
            let name = format!("`{}`", cause.name());
            assert!(Reason::GOING_AWAY.when.contains(&name), "{name}");
        }
    }

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
}
