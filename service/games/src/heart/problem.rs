//! Every way in which a call can fail, before it becomes a gRPC status.

use std::time::Duration;

use gamekeeper_proto::Opaque;
use gamekeeper_rules::life::No;
use gamekeeper_rules::ruleset::{RefusedBy, RefusedOptionBy};
use gamekeeper_rules::table::RefusedOption;
use gamekeeper_store::{StoreError, Version};
use gamekeeper_wire::{Detail, Malformed, Unknown, Wire, allowed, allowed_beside, detail};

/// A refusal of the rules, independent of its ruleset.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    /// The stable code, such as `CARD_NOT_IN_HAND`.
    pub code: &'static str,
    /// The id of the rule, such as `DOM-6.5`.
    pub rule: &'static str,
    /// What is wrong, in plain English.
    pub message: String,
    /// The values that the message names.
    pub detail: Option<Box<Detail>>,
}

impl Refused {
    /// The refusal of any ruleset.
    pub fn of<W: Wire>(refusal: &RefusedBy<W>) -> Self {
        Self {
            code: refusal.code(),
            rule: refusal.rule,
            message: refusal.to_string(),
            detail: detail::<W>(&refusal.why).map(Box::new),
        }
    }
}

impl Refused {
    /// Says of a name that names nothing where it is in this action.
    pub fn locate<W: Wire>(&mut self, action: &Opaque) {
        let detail = self.detail.as_deref_mut();
        let Some(found) = detail.and_then(|detail| detail.locate::<W>(action)) else {
            return;
        };
        let Unknown { path, value } = found;
        self.message = match &*value {
            "" => format!("`{path}` is missing."),
            _ => format!("`{path}` is {value}, which names nothing in this game."),
        };
    }
}

/// A refusal of the requested options.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}. Allowed for {field}: {allowed}.", .refused.message.trim_end_matches('.'))]
pub struct OptionRefused {
    /// The refusal.
    pub refused: Refused,
    /// The path of the field from the request, such as `options.kingsburg.colors[1]`.
    pub field: String,
    /// What the field takes.
    pub allowed: String,
}

impl OptionRefused {
    /// The refusal of options for this many players.
    #[must_use]
    pub fn of<W: Wire>(refusal: &RefusedOptionBy<W>, players: usize) -> Self {
        let RefusedOption { field, refused } = refusal;
        Self {
            refused: Refused::of::<W>(refused),
            field: of_ruleset(&field.to_string(), W::SHEET.id),
            allowed: allowed::<W>(*field, players),
        }
    }

    /// The same, with the values that the field takes beside the others that were sent.
    #[must_use]
    pub fn beside<W: Wire>(
        refusal: &RefusedOptionBy<W>,
        players: &[String],
        sent: Option<&W::PbOptions>,
    ) -> Self {
        let refused = Self::of::<W>(refusal, players.len());
        let fitting = sent.and_then(|sent| allowed_beside::<W>(refusal.field, players, sent));
        match fitting {
            Some(allowed) => Self { allowed, ..refused },
            None => refused,
        }
    }
}

/// The path of an option from the request: options are joined with those of other rulesets.
fn of_ruleset(field: &str, id: &str) -> String {
    match field.strip_prefix("options.") {
        Some(path) => format!("options.{id}.{path}"),
        None => field.to_owned(),
    }
}

/// Why a call failed. Nothing was changed, unless a variant says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The rules refuse an action.
    #[error("{}", .0.message)]
    Refused(Refused),
    /// The table refuses, regardless of the rules.
    #[error(transparent)]
    Table(No),
    /// The rules refuse the options of a new game.
    #[error(transparent)]
    OptionsRefused(#[from] OptionRefused),
    /// A field of the request is malformed.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The table has no such seat.
    #[error("there is no seat {number}; {}", seats_of(*.seats))]
    NoSuchSeat {
        /// The path of the field from the request.
        field: &'static str,
        /// The number that the caller sent.
        number: u32,
        /// How many seats the table has, if known.
        seats: Option<usize>,
    },
    /// The bytes of a stream are not the message that it takes.
    #[error("{0}")]
    Unreadable(String),
    /// A message of a stream is larger than the server takes.
    #[error("{0}")]
    TooLarge(String),
    /// The caller acted on another version.
    #[error("the game is at version {current}, not {expected}")]
    StaleVersion {
        /// The version that the caller expected.
        expected: Version,
        /// The newest version.
        current: Version,
    },
    /// There is no such version yet, or not the one that the caller has seen.
    #[error("the game has no version {asked}; the newest is {current}")]
    NoSuchVersion {
        /// The version that the caller requested.
        asked: Version,
        /// The newest version.
        current: Version,
    },
    /// What follows the cursor of a feed is no longer kept as a whole, or the store is another one.
    #[error(
        "what follows this cursor is no longer known as a whole; begin without a cursor, then read the games themselves, as \
         with ListGames"
    )]
    CursorExpired,
    /// The operator keeps no feeds.
    #[error("this server keeps no feeds")]
    NoFeed,
    /// This request id was used for something else.
    #[error("the request id was already used with another body; use a new id")]
    RequestIdReused,
    /// A number is above a limit that the operator has set. Waiting does not help.
    #[error("{field} exceeds the limit of {max}")]
    OutOfBounds {
        /// The field of the request.
        field: &'static str,
        /// The name of the limit's setting.
        limit: &'static str,
        /// The maximum.
        max: usize,
    },
    /// No token.
    #[error("the call has no bearer token; send it as `authorization: Bearer ...`")]
    NoToken,
    /// A token that was never valid, or is not valid here.
    #[error("{0}")]
    BadToken(&'static str),
    /// The token has expired.
    #[error("the token has expired")]
    TokenExpired,
    /// The token was replaced by another one.
    #[error("{0}")]
    TokenReplaced(&'static str),
    /// The token does not allow this.
    #[error("{0}")]
    PermissionDenied(&'static str),
    /// There is no such game, or the caller must not know that there is.
    #[error("there is no game {game_id}")]
    NoSuchGame {
        /// The id that the caller sent.
        game_id: String,
    },
    /// Nothing in the rule documents fits this id, name or words.
    #[error("there is no rule {id}{}", or_nearest(.nearest))]
    NoSuchRule {
        /// What the caller looked up.
        id: String,
        /// The ids of rules that are like it.
        nearest: Vec<String>,
    },
    /// The record is only for operators until the game is over.
    #[error(
        "the full record stays secret until the game and every game it was forked from are over"
    )]
    GameNotOver,
    /// The game shares hidden information with one that is still being played.
    #[error("the game was forked from one that is not over yet; until then players get no tokens")]
    OriginNotOver,
    /// The chain of forks is too long.
    #[error("the game already has {max} forks before it; fork an earlier game")]
    TooManyForks {
        /// The maximum length of the chain.
        max: usize,
    },
    /// The tenant, or the players of one of its games with their forks, have reached the limit of games. Waiting does not
    /// help.
    #[error(
        "the limit of games is reached, of this tenant or of the forks of this game; delete some"
    )]
    QuotaUsed,
    /// Too much at once: a retry after a while helps.
    #[error("{what}")]
    Exhausted {
        /// The name of the limit's setting.
        limit: &'static str,
        /// What there are too many of.
        what: String,
    },
    /// The caller exceeds its rate limit.
    #[error("this token exceeds its rate limit; wait before the next call")]
    TooFast {
        /// The time until another call is allowed.
        wait: Duration,
    },
    /// An operator has stopped the caller for a while.
    #[error("an operator has stopped the calls of this account for a while")]
    CutOff {
        /// The time until calls are allowed again.
        wait: Duration,
    },
    /// A newer build wrote this game.
    #[error("a newer version of the service wrote this game")]
    SnapshotTooNew,
    /// This build no longer supports rules that old.
    #[error(
        "the game was played under an old revision of the rules, which this version of the service does not support"
    )]
    RulesTooOld,
    /// The stored data is not a valid game.
    #[error("the record of the game is damaged")]
    Damaged(String),
    /// Others were faster, repeatedly.
    #[error("other actions came first, repeatedly; send the same request again")]
    Contended,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something that the client of a stream must send did not arrive in time.
    #[error("{0}")]
    Late(&'static str),
    /// The server is being stopped.
    #[error("the server is shutting down; resume on another")]
    GoingAway {
        /// The last version that was sent on the stream.
        version: Version,
    },
    /// The client of a watch reads nothing.
    #[error("the client read nothing for too long; resume the watch after version {version}")]
    WatchTooSlow {
        /// The last version that was sent on the stream.
        version: Version,
    },
    /// A fault of the service.
    #[error("internal fault")]
    Fault(String),
}

/// The rules that are like one that does not exist, in words.
fn or_nearest(ids: &[String]) -> String {
    match ids.split_last() {
        None => String::new(),
        Some((only, [])) => format!("; the nearest is {only}"),
        Some((last, first)) => format!("; the nearest are {} and {last}", first.join(", ")),
    }
}

/// The seats of a table, in words.
fn seats_of(seats: Option<usize>) -> String {
    seats.map_or_else(
        || String::from("seats are numbered from 1"),
        |seats| format!("this game has seats 1 to {seats}"),
    )
}

/// The beginning of what a caller sent, to bound the length of the answer.
#[must_use]
pub fn shortened(mut text: String) -> String {
    const MAX_LEN: usize = 64;
    if let Some((end, _)) = text.char_indices().nth(MAX_LEN) {
        text.truncate(end);
    }
    text
}

impl Problem {
    /// Is it about the stored record of one game only?
    #[must_use]
    pub fn is_of_record(&self) -> bool {
        matches!(
            self,
            Self::SnapshotTooNew
                | Self::RulesTooOld
                | Self::Damaged(_)
                | Self::Store(StoreError::Damaged(_))
        )
    }

    /// Is it about one game only, so that a stream of many goes on without it?
    #[must_use]
    pub fn is_of_game(&self) -> bool {
        self.is_of_record()
            || matches!(
                self,
                Self::NoSuchGame { .. }
                    | Self::NoSuchVersion { .. }
                    | Self::NoSuchSeat { .. }
                    | Self::PermissionDenied(_)
            )
    }

    /// A game that does not exist, as far as this caller may know.
    pub fn no_such_game(game_id: impl Into<String>) -> Self {
        Self::NoSuchGame {
            game_id: shortened(game_id.into()),
        }
    }
}
