//! The **errors** of calls, before they are mapped to a gRPC status.

use std::borrow::Cow;
use std::time::Duration;

use gamekeeper_rules::table::PositionError;
use gamekeeper_rules::table_life::TableRefusal;
use gamekeeper_store::{StoreError, TenantLimit, Version};
use gamekeeper_wire::record::RecordFault;
use gamekeeper_wire::{Malformed, PositionFault};
pub use gamekeeper_wire::{OptionRefusal, RulesRefusal};

/// An error that made a call fail. Nothing was changed, unless a variant says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The rules refuse an action.
    #[error("{}", .0.message)]
    RefusedByRules(RulesRefusal),
    /// The rules of table life refuse the request, regardless of the ruleset.
    #[error(transparent)]
    RefusedByTable(TableRefusal),
    /// The rules refuse the options of a new game.
    #[error(transparent)]
    OptionsRefused(#[from] OptionRefusal),
    /// No game can begin on the described table. A contradiction between its parts breaks no rule by itself.
    #[error("{}", PositionFault::Refused(.0.clone()))]
    PositionRefused(PositionError),
    /// A field of the request is malformed.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The table has no such seat.
    #[error("there is no seat {number}; {}", seat_numbers_text(*.seats))]
    NoSuchSeat {
        /// The path of the field from the request.
        field: Cow<'static, str>,
        /// The number that the caller sent.
        number: u32,
        /// The number of seats of the table, if known.
        seats: Option<usize>,
    },
    /// The log of the game has reached a limit. Its owner may still end it.
    #[error("the game has reached its limit of {max} {unit}; its owner can still end it")]
    GameFull {
        /// The name of the setting that limits it.
        limit: &'static str,
        /// The unit of the limit, in the plural.
        unit: &'static str,
        /// The limit.
        max: u64,
    },
    /// A message of a stream could not be decoded.
    #[error("{0}")]
    Unreadable(String),
    /// A message of a stream exceeds the size limit of the server.
    #[error("{0}")]
    TooLarge(String),
    /// The caller expected another version.
    #[error("the game is at version {current}, not {expected}")]
    StaleVersion {
        /// The version that the caller expected.
        expected: Version,
        /// The newest version.
        current: Version,
    },
    /// The game has not reached this version, or no longer has it after a failover.
    #[error("the game has no version {requested}; the newest is {current}")]
    NoSuchVersion {
        /// The version that the caller requested.
        requested: Version,
        /// The newest version.
        current: Version,
    },
    /// The feed no longer holds everything after the cursor, or the cursor is of another store.
    #[error(
        "what follows this cursor is no longer known as a whole; begin without a cursor, then read the games themselves, as \
         with ListGames"
    )]
    CursorExpired,
    /// The operator has turned feeds off.
    #[error("this server keeps no feeds")]
    NoFeed,
    /// The server sends no drawings as PNG.
    #[error("this server sends drawings as SVG only")]
    NoRaster,
    /// The request id was already used with another body.
    #[error("the request id was already used with another body; use a new id")]
    RequestIdReused,
    /// A number exceeds a limit that the operator has set. Waiting does not help.
    #[error("{field} exceeds the limit of {max}")]
    OutOfBounds {
        /// The field of the request.
        field: &'static str,
        /// The name of the limit's setting.
        limit: &'static str,
        /// The maximum.
        max: usize,
    },
    /// The call has no token.
    #[error("the call has no bearer token; send it as `authorization: Bearer ...`")]
    NoToken,
    /// The token was never valid, or is not valid for this game or server.
    #[error("{0}")]
    InvalidToken(&'static str),
    /// The token has expired.
    #[error("the token has expired")]
    TokenExpired,
    /// The token was revoked or replaced by a newer one.
    #[error("{0}")]
    TokenReplaced(&'static str),
    /// The token does not permit this.
    #[error("{0}")]
    PermissionDenied(&'static str),
    /// The game does not exist, or the caller must not know that it does.
    #[error("there is no game {game_id}")]
    NoSuchGame {
        /// The id that the caller sent.
        game_id: String,
    },
    /// No rule matches this id, name or search text.
    #[error("there is no rule {id}{}", nearest_rules_text(.nearest))]
    NoSuchRule {
        /// The id or text that the caller looked up.
        id: String,
        /// The ids of similar rules.
        nearest: Vec<String>,
    },
    /// The record is only available to operators until the game and its origins are over.
    #[error(
        "the full record stays secret until the game and every game it was forked from are over"
    )]
    GameNotOver,
    /// The game shares hidden information with one that is still being played.
    #[error("the game was forked from one that is not over yet; until then players get no tokens")]
    OriginNotOver,
    /// The record of an import is not that of a game as these rules play it.
    #[error("the record does not verify: {what}")]
    RecordRefused {
        /// The first difference.
        what: String,
    },
    /// The chain of forks has reached its maximum length.
    #[error("the game already has {max} forks before it; fork an earlier game")]
    TooManyForks {
        /// The maximum length of the chain.
        max: usize,
    },
    /// The quota of games is reached, for the tenant or for the forks of one of its games. Waiting does not help.
    #[error(
        "the limit of games is reached, of this tenant or of the forks of this game; delete some"
    )]
    QuotaUsed,
    /// The quota of bytes of the tenant is reached. Waiting does not help.
    #[error("this tenant stores as many bytes as it may; delete some games")]
    BytesUsed,
    /// The games before this one fill the answer. The game can be read by another call.
    #[error("the games before this one fill the answer; ask for it in another call")]
    AnswerFull,
    /// A limit on concurrent use is reached. A retry after a while helps.
    #[error("{what}")]
    LimitReached {
        /// The name of the limit's setting.
        limit: &'static str,
        /// A sentence on the resource that is exhausted.
        what: String,
    },
    /// The caller exceeds its rate limit.
    #[error("this caller exceeds its rate limit; wait before the next call")]
    RateLimited {
        /// The time until another call is allowed.
        retry_after: Duration,
    },
    /// An operator has blocked the account for a while.
    #[error("an operator has stopped the calls of this account for a while")]
    Blocked {
        /// The time until calls are allowed again.
        retry_after: Duration,
    },
    /// A newer build wrote this game.
    #[error("a newer version of the service wrote this game")]
    WrittenByNewerBuild,
    /// The game is stored, but this process does not serve its ruleset.
    #[error("this server does not serve {ruleset}, the ruleset of the game")]
    RulesetNotServed {
        /// The id of the ruleset.
        ruleset: String,
    },
    /// The build does not support rules of such an old revision any longer.
    #[error(
        "the game was played under an old revision of the rules, which this version of the service does not support"
    )]
    RulesTooOld,
    /// The stored data cannot be decoded, or contradicts the rules. Holds the details for the log.
    #[error("the record of the game is damaged")]
    Damaged(String),
    /// Concurrent writers won repeatedly.
    #[error("other actions came first, repeatedly; send the same request again")]
    TooManyConflicts,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The client of a stream did not send something in time.
    #[error("{0}")]
    DeadlineExceeded(&'static str),
    /// The stream ended as planned. The client can resume it.
    #[error("{cause}")]
    GoingAway {
        /// The cause of the end.
        cause: EndCause,
        /// The last version that was sent on the stream.
        version: Version,
    },
    /// The client of a watch did not read for too long.
    #[error("the client read nothing for too long; resume the watch after version {version}")]
    SlowConsumer {
        /// The last version that was sent on the stream.
        version: Version,
    },
    /// An internal fault of the service. Holds the details for the log.
    #[error("internal fault")]
    Fault(String),
}

impl From<PositionFault> for ServiceError {
    fn from(fault: PositionFault) -> Self {
        match fault {
            PositionFault::Malformed(malformed) => Self::Malformed(malformed),
            PositionFault::Refused(error) => Self::PositionRefused(error),
        }
    }
}

/// The cause of the planned end of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EndCause {
    /// The server shuts down.
    #[error("the server is shutting down; resume on another")]
    Shutdown,
    /// The stream has reached its maximum age.
    #[error("the stream has reached its maximum age; resume it")]
    MaxAge,
    /// An operator ended the stream, and the account may reconnect at once.
    #[error("an operator has ended the stream; resume it")]
    Cut,
    /// The client has disconnected or canceled the call, so it does not receive this.
    #[error("the client is gone")]
    ClientGone,
}

impl EndCause {
    /// All causes.
    pub const ALL: [Self; 4] = [Self::Shutdown, Self::MaxAge, Self::Cut, Self::ClientGone];

    /// Returns the stable name, as in the metadata of the error, in logs and in metrics.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shutdown => "SHUTDOWN",
            Self::MaxAge => "MAX_AGE",
            Self::Cut => "CUT",
            Self::ClientGone => "CLIENT_GONE",
        }
    }
}

/// Formats the ids of similar rules.
fn nearest_rules_text(ids: &[String]) -> String {
    match ids.split_last() {
        None => String::new(),
        Some((only, [])) => format!("; the nearest is {only}"),
        Some((last, first)) => format!("; the nearest are {} and {last}", first.join(", ")),
    }
}

/// Formats the range of seats.
fn seat_numbers_text(seats: Option<usize>) -> String {
    seats.map_or_else(
        || String::from("seats are numbered from 1"),
        |seats| format!("this game has seats 1 to {seats}"),
    )
}

/// Cuts off a text that a caller sent, to bound the length of an error message.
#[must_use]
pub fn truncated(mut text: String) -> String {
    const MAX_LEN: usize = 64;
    if let Some((end, _)) = text.char_indices().nth(MAX_LEN) {
        text.truncate(end);
    }
    text
}

impl From<TenantLimit> for ServiceError {
    fn from(limit: TenantLimit) -> Self {
        match limit {
            TenantLimit::Games => Self::QuotaUsed,
            TenantLimit::Bytes => Self::BytesUsed,
        }
    }
}

impl From<RecordFault> for ServiceError {
    fn from(fault: RecordFault) -> Self {
        match fault {
            RecordFault::Difference(what) => Self::RecordRefused { what },
            RecordFault::Malformed(what) => Malformed::new("part", what).into(),
        }
    }
}

impl ServiceError {
    /// Prefixes the path of the field that the error names, if it names one, with the part of the request that contains
    /// the field: `games[2]`. Empty if the request as a whole does.
    #[must_use]
    pub fn within(self, outer: &str) -> Self {
        if outer.is_empty() {
            return self;
        }
        let mut placed = self;
        if let Self::NoSuchSeat { field, .. } = &mut placed {
            *field = format!("{outer}.{field}").into();
        }
        if let Self::Malformed(malformed) = placed {
            return Self::Malformed(malformed.with_prefix(outer));
        }
        placed
    }

    /// Returns whether the error concerns the stored record of one game only.
    #[must_use]
    pub fn is_storage_corruption(&self) -> bool {
        matches!(
            self,
            Self::WrittenByNewerBuild
                | Self::RulesetNotServed { .. }
                | Self::RulesTooOld
                | Self::Damaged(_)
                | Self::Store(StoreError::Damaged(_))
        )
    }

    /// Returns whether the error concerns one game only, so that a stream of several games continues without it.
    #[must_use]
    pub fn is_game_scoped(&self) -> bool {
        self.is_storage_corruption()
            || matches!(
                self,
                Self::NoSuchGame { .. }
                    | Self::NoSuchVersion { .. }
                    | Self::NoSuchSeat { .. }
                    | Self::PermissionDenied(_)
            )
    }

    /// Creates the error for a game that does not exist, as far as this caller may know.
    pub fn no_such_game(game_id: impl Into<String>) -> Self {
        Self::NoSuchGame {
            game_id: truncated(game_id.into()),
        }
    }
}
