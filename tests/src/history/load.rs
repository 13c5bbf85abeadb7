//! Clients that play and watch until they are stopped.

use rand::RngExt;
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use gamekeeper_proto::gamekeeper::v1::{
    GameInfo, GameStatus, GetGameRequest, ListEventsRequest, LogEntry,
};
use prost::Message;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tonic::Status;

use super::caller::logged_facts;
use super::desk::Desk;
use super::many::Backend;
use super::player::Player;
use super::record::{Kinds, Records, read_record};
use super::rotator::Rotator;
use super::watcher::Watcher;
use super::{Call, Deed, Logs, Recorder, What, lists, player};
use crate::dominion::{facts, reason_of};
use crate::fleet::Fleet;

/// The number of games played at once.
const TABLES: u32 = 3;

/// The number of clients of each game; each plays for any seat that has to act.
const PLAYERS: u32 = 3;

/// A system that makes no progress for this long is broken.
const STUCK: Duration = Duration::from_secs(90);

/// What the store guarantees under faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// It keeps every answered change.
    Keeps,
    /// It may lose the last answered changes: games may be missing, and nobody watches.
    Forgets,
}

/// Clients at work.
pub struct Load {
    fleet: Arc<Fleet>,
    shared: Arc<Shared>,
    tables: Vec<Arc<Table>>,
    players: Vec<JoinHandle<()>>,
    followers: Vec<JoinHandle<()>>,
}

/// The calls recorded.
pub struct History {
    /// Every call.
    pub calls: Vec<Call>,
    shared: Arc<Shared>,
}

/// What all clients of a load share.
pub(super) struct Shared {
    pub(super) recorder: Arc<Recorder>,
    /// Distinguishes this load's requests from all others.
    pub(super) run: u64,
    pub(super) memory: Memory,
    /// The tenant's key; empty: none.
    pub(super) key: &'static str,
    /// Players stop.
    pub(super) is_over: AtomicBool,
    /// Nothing happens any more, so those who follow can reach the end.
    is_at_rest: AtomicBool,
    /// Players hold back their next action, so that clocks run out.
    is_quiet: AtomicBool,
    /// The number of changes answered OK.
    pub(super) done: AtomicU64,
    /// Hashes of contents that must be the same in every answer, by subject and version.
    contents: Mutex<HashMap<(String, u64), u64>>,
    /// The kinds of entries answered OK.
    kinds: Mutex<Kinds>,
    /// The number of label values used.
    values: AtomicU64,
}

/// The game that is being played at a table.
#[derive(Default)]
pub(super) struct Table {
    pub(super) number: u32,
    current: Mutex<Current>,
}

#[derive(Clone, Default)]
pub(super) struct Current {
    /// The number of games played here before.
    pub(super) round: u32,
    /// `None` until it is created.
    pub(super) game: Option<String>,
}

impl Table {
    pub(super) fn current(&self) -> Current {
        self.lock().clone()
    }

    /// The game of a round was created.
    pub(super) fn begin(&self, round: u32, game: &str) {
        let mut current = self.lock();
        if current.round == round {
            current.game = Some(game.to_owned());
        }
    }

    /// The game of a round is over.
    pub(super) fn end(&self, round: u32) {
        let mut current = self.lock();
        if current.round == round {
            *current = Current {
                round: round + 1,
                game: None,
            };
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shared {
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(super) fn is_at_rest(&self) -> bool {
        self.is_at_rest.load(Ordering::Relaxed)
    }

    pub(super) fn is_quiet(&self) -> bool {
        self.is_quiet.load(Ordering::Relaxed)
    }

    /// All callers must get the same contents of a version.
    pub(super) fn compare(&self, game: &str, entry: &LogEntry) {
        self.same(game, ("", entry.version), entry);
    }

    /// All callers must get the same contents of a game at a version, unless the store forgets.
    pub(super) fn same(&self, game: &str, (what, version): (&str, u64), told: &impl Message) {
        if self.memory == Memory::Forgets {
            return;
        }
        let found = hash(told);
        let mut contents = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (format!("{game} {what}"), version);
        let is_same = *contents.entry(key).or_insert(found) == found;
        drop(contents);
        if !is_same {
            self.broken(game, format!("version {version} has two contents {what}"));
        }
    }

    /// All callers must get the same public facts of a game at a version.
    pub(super) fn facts(&self, info: &GameInfo) {
        let facts = logged_facts(info.clone());
        self.same(&facts.game_id, ("in its facts", facts.version), &facts);
    }

    /// Notes that an entry was requested and answered OK.
    pub(super) fn came_about(&self, deed: Deed) {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        kinds.insert(deed.kind());
    }

    /// The kinds of entries that were not yet answered OK.
    fn missing(&self) -> BTreeSet<&'static str> {
        let kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        let missing = Deed::KINDS.iter().filter(|kind| !kinds.contains(*kind));
        missing.copied().collect()
    }

    /// A value for a label that none had before.
    pub(super) fn new_value(&self) -> u64 {
        self.values.fetch_add(1, Ordering::Relaxed)
    }

    /// Notes an event that must not happen.
    pub(super) fn broken(&self, game: &str, what: String) {
        let now = self.recorder.now();
        self.recorder.note(game, now, What::Broken(what));
    }
}

/// A hash of a message, to compare answers by.
pub(super) fn hash(message: &impl Message) -> u64 {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    hasher.write(&message.encode_to_vec());
    hasher.finish()
}

impl Load {
    /// Lets clients of a tenant play and watch on these servers. With a key, seats and spectators have
    /// tokens, which are revoked throughout the load; an empty key means no tokens.
    #[must_use]
    pub fn start(
        fleet: &Arc<Fleet>,
        recorder: &Arc<Recorder>,
        memory: Memory,
        key: &'static str,
    ) -> Load {
        let shared = Arc::new(Shared {
            recorder: Arc::clone(recorder),
            run: crate::chance::rng().random(),
            memory,
            key,
            is_over: AtomicBool::new(false),
            is_at_rest: AtomicBool::new(false),
            is_quiet: AtomicBool::new(false),
            done: AtomicU64::new(0),
            contents: Mutex::default(),
            kinds: Mutex::default(),
            values: AtomicU64::new(0),
        });
        let (mut players, mut followers, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..TABLES {
            let table = Arc::new(Table {
                number,
                ..Table::default()
            });
            for name in 0..PLAYERS {
                let name = format!("{number}.{name}");
                let player = Player::new(name, Desk::all(fleet, key), &table, &shared);
                players.push(tokio::spawn(player.play()));
            }
            if memory == Memory::Keeps {
                let watcher = Watcher::new(Desk::all(fleet, key), &table, &shared);
                followers.push(tokio::spawn(watcher.watch()));
            }
            if !key.is_empty() {
                let rotator = Rotator::new(Desk::all(fleet, key), &table, &shared);
                players.push(tokio::spawn(rotator.rotate()));
            }
            tables.push(table);
        }
        if memory == Memory::Keeps {
            for follows_user in [true, false] {
                let desks = Desk::all(fleet, key);
                let backend = Backend::new(desks, tables.clone(), &shared, follows_user);
                followers.push(tokio::spawn(backend.watch()));
            }
        }
        Load {
            fleet: Arc::clone(fleet),
            shared,
            tables,
            players,
            followers,
        }
    }

    /// Waits until this many more changes have been answered OK.
    ///
    /// # Panics
    /// When there is no progress.
    pub async fn progress(&self, changes: u64) {
        let done = || self.shared.done.load(Ordering::Relaxed);
        let enough = done() + changes;
        let mut last = (done(), Instant::now());
        while done() < enough {
            sleep(Duration::from_millis(5)).await;
            if done() > last.0 {
                last = (done(), Instant::now());
            }
            assert!(last.1.elapsed() < STUCK, "no progress after {}", last.0);
        }
    }

    /// Waits until every kind of entry has been requested and answered OK. Players who act at once never time
    /// out, so from time to time they pause for longer than their clocks allow.
    ///
    /// # Panics
    /// When a kind does not occur in time.
    pub async fn everything(&self) {
        let begun = Instant::now();
        loop {
            let missing = self.shared.missing();
            if missing.is_empty() {
                break;
            }
            assert!(begun.elapsed() < STUCK, "nobody came to {missing:?}");
            let is_quiet = begun.elapsed().as_secs() % 4 > 1;
            self.shared.is_quiet.store(is_quiet, Ordering::Relaxed);
            sleep(Duration::from_millis(20)).await;
        }
        self.shared.is_quiet.store(false, Ordering::Relaxed);
    }

    /// Stops the load and waits for all clients.
    ///
    /// # Panics
    /// When a client does not end.
    pub async fn finish(self) -> History {
        self.progress(10).await;
        self.shared.is_over.store(true, Ordering::Relaxed);
        join(self.players).await;
        for table in &self.tables {
            let desks = Desk::all(&self.fleet, self.shared.key);
            player::bring_to_rest(table, desks, &self.shared).await;
        }
        self.shared.is_at_rest.store(true, Ordering::Relaxed);
        join(self.followers).await;
        drop(self.fleet);
        History {
            calls: self.shared.recorder.calls(),
            shared: self.shared,
        }
    }
}

async fn join(clients: Vec<JoinHandle<()>>) {
    for client in clients {
        let ended = timeout(STUCK, client).await.expect("an end");
        ended.expect("no panic");
    }
}

impl History {
    /// Reads every game again on a process that has never seen it: the rules replay its log and
    /// compare every state, watchers saw what is logged, and lists have the games that belong there.
    /// Returns the calls with what was found, and the records of the games.
    ///
    /// # Panics
    /// When a game cannot be read.
    pub async fn replay(&self, fleet: &Fleet, logs: &Logs) -> (Vec<Call>, Records) {
        let mut desks = Desk::all(fleet, self.shared.key);
        let desk = &mut desks[0];
        let (mut records, mut infos) = (Records::new(), Vec::new());
        for (game, log) in logs.iter().filter(|(_, log)| !log.is_empty()) {
            let ask = GetGameRequest {
                game_id: game.clone(),
                at_version: log.len() as u64,
                ..Default::default()
            };
            let ask = desk.ask(ask);
            let found = desk.games.get_game(ask).await.expect("the log replays");
            let info = facts(found.into_inner().table);
            self.shared.facts(&info);
            let is_over = info.status() == GameStatus::Finished;
            infos.push(info);
            self.events(desk, game).await;
            // Tenants read the records of games that are over; without tokens everybody reads all.
            if self.shared.key.is_empty() || is_over {
                let record = read_record(desk, game).await.expect("the record");
                records.insert(game.clone(), record);
            }
        }
        if self.shared.memory == Memory::Keeps {
            lists::check(desk, &self.shared, &infos).await;
        }
        (self.shared.recorder.calls(), records)
    }

    /// The log must be what watchers saw.
    async fn events(&self, desk: &mut Desk, game: &str) {
        let mut ask = ListEventsRequest {
            game_id: game.to_owned(),
            ..Default::default()
        };
        loop {
            let asked = desk.ask(ask.clone());
            let page = desk.games.list_events(asked).await.expect("events");
            let page = page.into_inner();
            for entry in &page.entries {
                self.shared.compare(game, entry);
            }
            if page.next_page_token.is_empty() {
                break;
            }
            ask.page_token = page.next_page_token;
        }
    }
}

/// What a failed call means for its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It was judged and refused.
    Refused,
    /// Nothing was changed by this call.
    Unchanged,
    /// The outcome is unknown.
    Unknown,
    /// There is no such game.
    Missing,
    /// It must not happen.
    Broken,
}

impl Shared {
    /// The verdict of a failed call of a player.
    pub(super) fn verdict(&self, status: &Status) -> Verdict {
        match (verdict(status), self.memory) {
            (Verdict::Missing, Memory::Keeps) => Verdict::Broken,
            // The version that was read earlier is lost.
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
        // The client's own message for a broken connection.
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
