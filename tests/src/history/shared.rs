//! The state that all clients of a load share: the contents they have seen, and the meaning of failed calls.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use gamekeeper_proto::gamekeeper::v1::{GameInfo, LogEntry};
use parking_lot::Mutex;
use prost::Message;
use rand::RngExt;
use tonic::Status;

use super::record::Kinds;
use super::{Recorder, TableChange, What};
use crate::dominion::reason_of;

/// The guarantees of the store under faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// The store keeps every answered change.
    Keeps,
    /// The store may lose the last answered changes. Games may then be missing, and there are no watchers.
    Forgets,
}

/// The state that all clients of a load share.
pub(super) struct Shared {
    pub(super) recorder: Arc<Recorder>,
    /// A random number that distinguishes the requests of this load from all others.
    pub(super) run: u64,
    pub(super) memory: Memory,
    /// The tenant's key; empty if there are no tokens.
    pub(super) key: &'static str,
    /// Whether players stop.
    pub(super) is_over: AtomicBool,
    /// Whether nothing changes any more, so that followers can reach the end.
    pub(super) is_at_rest: AtomicBool,
    /// Whether players delay their next action, so that clocks run out.
    is_quiet: AtomicBool,
    /// The number of changes answered OK.
    pub(super) change_count: AtomicU64,
    /// The contents that must be the same in every response, by subject and version.
    contents: Mutex<HashMap<(String, u64), Vec<u8>>>,
    /// The kinds of entries that were answered OK.
    kinds: Mutex<Kinds>,
    /// The number of label values used.
    values: AtomicU64,
}

/// The game that is being played at a table.
pub(super) struct Table {
    pub(super) number: u32,
    current: Mutex<Current>,
}

#[derive(Clone, Default)]
pub(super) struct Current {
    /// The number of games that were played here before.
    pub(super) round: u32,
    /// The id of the game. `None` until it is created.
    pub(super) game: Option<String>,
}

impl Table {
    pub(super) fn new(number: u32) -> Self {
        Self {
            number,
            current: Mutex::default(),
        }
    }

    pub(super) fn current(&self) -> Current {
        self.current.lock().clone()
    }

    /// Sets the game of a round after its creation.
    pub(super) fn begin(&self, round: u32, game: &str) {
        let mut current = self.current.lock();
        if current.round == round {
            current.game = Some(game.to_owned());
        }
    }

    /// Begins the next round, because the game of this one is over.
    pub(super) fn end(&self, round: u32) {
        let mut current = self.current.lock();
        if current.round == round {
            *current = Current {
                round: round + 1,
                game: None,
            };
        }
    }
}

impl Shared {
    pub(super) fn new(recorder: &Arc<Recorder>, memory: Memory, key: &'static str) -> Self {
        Self {
            recorder: Arc::clone(recorder),
            run: crate::chance::rng().random(),
            memory,
            key,
            is_over: AtomicBool::new(false),
            is_at_rest: AtomicBool::new(false),
            is_quiet: AtomicBool::new(false),
            change_count: AtomicU64::new(0),
            contents: Mutex::default(),
            kinds: Mutex::default(),
            values: AtomicU64::new(0),
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Makes players delay their next action, or continue.
    pub(super) fn keep_quiet(&self, is_quiet: bool) {
        self.is_quiet.store(is_quiet, Ordering::Relaxed);
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.is_at_rest.load(Ordering::Relaxed)
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.is_quiet.load(Ordering::Relaxed)
    }

    /// Checks that all callers get the same contents of a version.
    pub(super) fn compare(&self, game: &str, entry: &LogEntry) {
        self.same(game, ("", entry.version), entry);
    }

    /// Checks that all callers get the same contents of a game at a version, unless the store forgets.
    pub(super) fn same<M>(&self, game: &str, (what, version): (&str, u64), message: &M)
    where
        M: Message + Default + Debug,
    {
        if self.memory == Memory::Forgets {
            return;
        }
        let encoded = message.encode_to_vec();
        let mut contents = self.contents.lock();
        let key = (format!("{game} {what}"), version);
        let first = contents.entry(key).or_insert_with(|| encoded.clone());
        let other = (*first != encoded).then(|| M::decode(&**first));
        drop(contents);
        if let Some(first) = other {
            let contents = format!("two contents {what}: {first:?} and {message:?}");
            self.broken(game, format!("version {version} has {contents}"));
        }
    }

    /// Checks that all callers get the same public facts of a game at a version.
    pub(super) fn facts(&self, info: &GameInfo) {
        let facts = logged_facts(erasable(info.clone()));
        self.same(&facts.game_id, ("in its facts", facts.version), &facts);
    }

    /// Records that an entry was requested and answered OK.
    pub(super) fn came_about(&self, table_change: TableChange) {
        let mut kinds = self.kinds.lock();
        kinds.insert(table_change.kind());
    }

    /// Returns the kinds of entries that were not answered OK yet.
    pub(super) fn missing(&self) -> BTreeSet<&'static str> {
        let kinds = self.kinds.lock();
        let missing = TableChange::KINDS
            .iter()
            .filter(|kind| !kinds.contains(*kind));
        missing.copied().collect()
    }

    /// Returns a label value that was never used before.
    pub(super) fn new_value(&self) -> u64 {
        self.values.fetch_add(1, Ordering::Relaxed)
    }

    /// Records an event that must not happen, with its game and the time since the load began, so that it can be found
    /// in the logs of a long run.
    pub(super) fn broken(&self, game: &str, what: String) {
        let now = self.recorder.now();
        let text = what + &format!("; game {game:?}, {now:.1?} after the start");
        self.recorder.note(game, now, What::Broken(text));
    }
}

/// Returns a hash of a message, to compare responses by.
pub(super) fn hash(message: &impl Message) -> u64 {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    hasher.write(&message.encode_to_vec());
    hasher.finish()
}

/// The prefix of users that are erased, together with their names in all versions.
pub(super) const GUEST: &str = "guest ";

/// Removes the names that are or may be erased from the public facts.
fn erasable(mut game: GameInfo) -> GameInfo {
    for player in &mut game.players {
        let erased = format!("Player {}", player.seat);
        if player.user.starts_with(GUEST) || player.name == erased {
            player.name.clear();
        }
    }
    game
}

/// Removes users and labels, which are not in the log, from the public facts.
pub(super) fn logged_facts(mut game: GameInfo) -> GameInfo {
    game.labels.clear();
    for player in &mut game.players {
        player.user.clear();
    }
    game
}

/// The meaning of a failed call for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The request was refused.
    Refused,
    /// The call changed nothing.
    Unchanged,
    /// The outcome is unknown.
    Unknown,
    /// The game does not exist.
    Missing,
    /// The failure must not happen.
    Broken,
}

impl Shared {
    /// Judges a failed call of a player.
    pub(super) fn verdict(&self, status: &Status) -> Verdict {
        match (verdict(status), self.memory) {
            (Verdict::Missing, Memory::Keeps) => Verdict::Broken,
            // The version that was read earlier was lost by the store.
            (Verdict::Broken, Memory::Forgets)
                if reason_of(status).as_deref() == Some("NO_SUCH_VERSION") =>
            {
                Verdict::Unchanged
            }
            (verdict, Memory::Keeps | Memory::Forgets) => verdict,
        }
    }
}

pub(super) fn verdict(status: &Status) -> Verdict {
    let Some(reason) = reason_of(status) else {
        // An error without a reason comes from the client itself: the connection broke.
        return Verdict::Unknown;
    };
    match &*reason {
        "STALE_VERSION" => Verdict::Refused,
        _ if status.code() == tonic::Code::FailedPrecondition => Verdict::Refused,
        "STORE_UNAVAILABLE" | "CONTENDED" => Verdict::Unchanged,
        "OUTCOME_UNKNOWN" | "DEADLINE" | "GOING_AWAY" | "WATCH_TOO_SLOW" => Verdict::Unknown,
        "NO_SUCH_GAME" => Verdict::Missing,
        _ => Verdict::Broken,
    }
}
