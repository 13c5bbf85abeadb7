//! **Histories**: the answers that many concurrent clients got, and the check whether they are possible.
//!
//! [`Load`] lets clients play and watch on a fleet of servers while a test injects faults, and records every call with
//! its start, its end and its answer. [`check`] then compares the calls with the final logs: no answered change is
//! lost, nothing happened twice, and nobody saw time run backwards.
//!
//! To cover a new method of the contract, add a row to `operations`.

mod caller;
mod check;
mod check_table;
mod check_tags;
mod check_tokens;
mod desk;
mod feeds;
mod flaw;
mod lists;
mod load;
mod logs;
mod many;
mod operations;
mod patience;
mod player;
mod record;
mod rotator;
mod shared;
mod story;
mod watcher;

pub use self::check::{Break, check};
pub use self::flaw::{Breach, Flaw};
pub use self::load::{History, Load};
pub use self::logs::{Logs, read_logs};
pub use self::record::{Proposed, Record, RecordedVersion, Records, TableChange};
pub use self::shared::Memory;
pub use self::story::story;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The users of each game's seats at creation, in seat order. The user of the last seat changes later.
const USERS: [&str; 3] = ["ada", "bob", "cyd"];

/// The alternative user of the last seat.
const OTHER_USER: &str = "dan";

/// A call, or a request that was sent several times, from the view of its caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The id of the game.
    pub game: String,
    /// The time at which it was sent first, since the beginning of the history.
    pub begun: Duration,
    /// The time at which it was answered.
    pub ended: Duration,
    /// The request and its answer.
    pub what: What,
}

impl Call {
    /// Creates a call about the only game of a test, between these milliseconds.
    #[cfg(test)]
    fn between([begun, ended]: [u64; 2], what: What) -> Self {
        Self {
            game: String::from("game"),
            begun: Duration::from_millis(begun),
            ended: Duration::from_millis(ended),
            what,
        }
    }

    /// Returns the request id and the outcome, if the call is a change.
    #[must_use]
    pub fn change(&self) -> Option<(&str, Outcome)> {
        if let What::Change { request, outcome } = &self.what {
            Some((request, *outcome))
        } else {
            None
        }
    }
}

/// A request and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A read, which returned the game at this version.
    Read(u64),
    /// A change with a request id: the creation of a game (its version 1), or an action.
    Change {
        /// The request id.
        request: String,
        /// The outcome.
        outcome: Outcome,
    },
    /// A watch that began after a version (0: with the table) and delivered the following versions.
    Watched {
        /// The version after which it began.
        after: u64,
        /// The versions that it delivered.
        versions: Vec<u64>,
    },
    /// A token was issued for a seat or for spectators.
    Issued {
        /// The seat, or 0 for spectators.
        seat: u32,
        /// The number of the token, from 1.
        token: u64,
    },
    /// The tokens of a seat or of spectators were requested to be revoked.
    Revoked {
        /// The seat, or 0 for spectators.
        seat: u32,
        /// Whether the request was answered OK. If not, the revocation may happen at any time.
        is_done: bool,
    },
    /// A read with a token.
    Presented {
        /// The seat of the token, or 0 for spectators.
        seat: u32,
        /// The number of the token.
        token: u64,
        /// Whether the token was accepted. If not, it was reported as revoked.
        is_accepted: bool,
    },
    /// A request asked for this entry of the log.
    Wished {
        /// The request id.
        request: String,
        /// The entry.
        table_change: TableChange,
    },
    /// A label that only one client sets was requested to be set.
    Labeled {
        /// The key of the label.
        key: String,
        /// The value of the label; no value is used twice.
        value: u64,
        /// Whether the request was answered OK. If not, the label may be set at any time.
        is_done: bool,
    },
    /// A read returned these labels.
    SawLabels(BTreeMap<String, u64>),
    /// A call failed with a status that no fault excuses.
    Broken(String),
}

/// The outcome of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The change was answered OK.
    Done {
        /// The version that the change produced.
        version: u64,
        /// A hash of the whole response.
        answer: u64,
    },
    /// The change was refused, or certainly never reached the store.
    Refused,
    /// There was no answer, or one that leaves the outcome open.
    Unknown,
}

/// The recorder of calls.
#[derive(Debug)]
pub struct Recorder {
    begin: Instant,
    calls: Mutex<Vec<Call>>,
}

impl Default for Recorder {
    fn default() -> Self {
        Recorder {
            begin: Instant::now(),
            calls: Mutex::default(),
        }
    }
}

impl Recorder {
    /// Returns the time since the beginning of the history.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Records a call that ends now.
    pub fn note(&self, game: &str, begun: Duration, what: What) {
        let call = Call {
            game: game.to_owned(),
            begun,
            ended: self.now(),
            what,
        };
        self.calls.lock().push(call);
    }

    /// Returns the calls recorded up to now.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().clone()
    }
}
