//! Histories: the answers that many clients got, and whether they are possible.
//!
//! [`Load`] lets clients play and watch on a fleet of servers while a test breaks things, and notes every
//! call with its start, its end and its answer. [`check`] then compares the notes with the final logs:
//! nothing that was answered is lost, nothing happened twice, and nobody saw time run backwards.
//!
//! A new method of the contract is a row of `operations`.

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
pub use self::record::{Deed, Kept, Proposed, Record, Records};
pub use self::shared::Memory;
pub use self::story::story;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The users of the seats of every game, in seat order, when it is created. That of the last seat changes.
const USERS: [&str; 3] = ["ada", "bob", "cyd"];

/// Another user of the last seat.
const OTHER_USER: &str = "dan";

/// One call, or one request that was sent several times, as its caller saw it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The game.
    pub game: String,
    /// When it was sent first, since the beginning of the history.
    pub begun: Duration,
    /// When it was answered.
    pub ended: Duration,
    /// What it was.
    pub what: What,
}

impl Call {
    /// For tests: a call of the only game, between these milliseconds.
    #[cfg(test)]
    fn between([begun, ended]: [u64; 2], what: What) -> Self {
        Self {
            game: String::from("game"),
            begun: Duration::from_millis(begun),
            ended: Duration::from_millis(ended),
            what,
        }
    }

    /// The request id of a change, and what came of it.
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
    /// A read of the game, which was at this version.
    Read(u64),
    /// A change under a request id: a game created (its version 1), or an action.
    Change {
        /// The request id.
        request: String,
        /// Its outcome.
        outcome: Outcome,
    },
    /// A watch began after a version (0: with the table), and brought the versions after it up to
    /// another.
    Watched {
        /// After which version.
        after: u64,
        /// The versions that it brought.
        versions: Vec<u64>,
    },
    /// A token was issued: for this seat, or 0 for spectators.
    Issued {
        /// The seat.
        seat: u32,
        /// Its number, from 1.
        token: u64,
    },
    /// The tokens of this seat were to be revoked, or those of spectators: 0.
    Revoked {
        /// The seat.
        seat: u32,
        /// Was it answered OK? If not, it may happen at any time.
        is_done: bool,
    },
    /// A read with a token.
    Presented {
        /// The seat of the token, or 0.
        seat: u32,
        /// Its number.
        token: u64,
        /// Was it accepted? If not, it was reported as revoked.
        held: bool,
    },
    /// A request asks for this entry of the log.
    Wished {
        /// The request id.
        request: String,
        /// The entry.
        deed: Deed,
    },
    /// A label that only one client sets was set.
    Labeled {
        /// Its key.
        key: String,
        /// Its value; each is used once.
        value: u64,
        /// Was it answered OK? If not, it may happen at any time.
        is_done: bool,
    },
    /// The labels were these.
    SawLabels(BTreeMap<String, u64>),
    /// A status that no fault excuses.
    Broken(String),
}

/// The outcome of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was answered OK.
    Done {
        /// The version that it became.
        version: u64,
        /// A hash of the whole answer.
        answer: u64,
    },
    /// It was judged and refused, or certainly never reached the store.
    Refused,
    /// There was no answer, or one that leaves the outcome open.
    Unknown,
}

/// Where calls are noted.
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
    /// The time since the beginning of the history.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.begin.elapsed()
    }

    /// Notes a call that ends now.
    pub fn note(&self, game: &str, begun: Duration, what: What) {
        let call = Call {
            game: game.to_owned(),
            begun,
            ended: self.now(),
            what,
        };
        self.lock().push(call);
    }

    /// What was noted so far.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.lock().clone()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
