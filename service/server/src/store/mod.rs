//! Where games are kept: bytes and versions, no rules.
//!
//! The log of a game is the truth: one entry per version, from 1, without gaps, never changed. A
//! snapshot is a shortcut. A commit is an atomic compare-and-set on the version. One contract
//! suite (module `contract`, with the feature of that name) runs on every store.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use tokio::sync::watch;
use uuid::Uuid;
use xxhash_rust::xxh3::xxh3_64;

#[cfg(feature = "contract")]
pub mod contract;
mod embedded;
mod kinds;
mod measured;
mod memory;
mod packed;
mod redis;
mod row;
mod wakers;

pub use embedded::{EmbeddedConfig, EmbeddedStore};
pub use measured::MeasuredStore;
pub use memory::MemoryStore;
pub use redis::{
    Eviction, RedisConfig, RedisPassword, RedisStore, RedisTls, RedisTopology, ReplicaWait,
};

/// The id of a game.
pub type GameId = Uuid;

/// The number of an entry in its game's log, from 1.
pub type Version = u64;

/// A cold [`GameStore::load`] also returns the last entries that the snapshot already contains, this
/// many (fewer in a young game): they hold the request ids that may still be sent again.
pub const LOOK_BACK: u64 = 64;

/// A version, and which entry it was. A version alone says how long a log is, not what is in it: when
/// a store comes back without its last entries, or a game was deleted and created again, others may
/// have put other entries in their place. Nothing is ever built on an entry that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the entry.
    pub version: Version,
    /// Made from its bytes.
    pub mark: u32,
}

impl Head {
    /// The head of a log that ends with this entry.
    #[must_use]
    pub fn of(version: Version, entry: &[u8]) -> Head {
        // Half of the hash: short in a key, and rarely equal by chance.
        let [a, b, c, d, ..] = xxh3_64(entry).to_le_bytes();
        let mark = u32::from_le_bytes([a, b, c, d]);
        Head { version, mark }
    }
}

/// One entry of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// Its number.
    pub version: Version,
    /// What the caller stored.
    pub bytes: Bytes,
}

/// The whole state at one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// The last version that it contains.
    pub version: Version,
    /// What the caller stored.
    pub bytes: Bytes,
}

/// What a list needs to know of a game without reading it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexRow {
    /// Whose game it is. Empty without authentication.
    pub tenant: String,
    /// The id of its ruleset.
    pub ruleset: String,
    /// When it was created, in milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// Is it over?
    pub finished: bool,
    /// The lists of its tenant that it is in; nothing: only those of all games, by creation.
    pub lists: Option<Lists>,
}

/// Lists of a tenant that a game is in, besides those of all games. They are ordered by the last
/// change. What their names mean, only the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lists {
    /// When the game was last changed, in milliseconds since the Unix epoch.
    pub changed_ms: u64,
    /// The names of the lists, each once.
    pub names: Vec<String>,
}

impl IndexRow {
    /// The names of the lists that the game is in.
    #[must_use]
    pub fn list_names(&self) -> &[String] {
        self.lists.as_ref().map_or(&[], |lists| &lists.names)
    }
}

/// A game to be kept from now on. Its first entry has version 1. A game that begins with a past has
/// further entries, and is kept with all of them or not at all.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Its id, chosen by the caller.
    pub id: GameId,
    /// Its row in the list.
    pub row: IndexRow,
    /// The first entry of its log.
    pub entry: Bytes,
    /// The entries from version 2 on.
    pub past: Vec<Bytes>,
    /// The state after them all.
    pub snapshot: Bytes,
    /// The access record; empty: none.
    pub access: Bytes,
    /// How many games its tenant may have, this one included; nothing: any number.
    pub most_of_tenant: Option<u64>,
}

impl NewGame {
    /// Its newest version.
    #[must_use]
    pub fn version(&self) -> Version {
        1 + self.past.len() as Version
    }

    /// The newest entry.
    #[must_use]
    pub fn head(&self) -> Head {
        let last = self.past.last().unwrap_or(&self.entry);
        Head::of(self.version(), last)
    }
}

/// The answer to [`GameStore::create`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// The game is kept. Also the answer when it was kept by an earlier try, known by its first
    /// entry; it may have moved on since.
    Done,
    /// There is another game with this id already; nothing was changed.
    Exists,
    /// The tenant has as many games as it may; nothing was changed.
    Full,
}

/// One more entry for a game.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The game.
    pub id: GameId,
    /// What the caller judged on; the entry becomes the next.
    pub expected: Head,
    /// The entry. It must differ from every other entry of the game, so that a commit which was
    /// sent twice can be recognized: it carries a request id or a random mark.
    pub entry: Bytes,
    /// The state after the entry, when it is time for a snapshot.
    pub snapshot: Option<Bytes>,
    /// The row from now on, if this entry changes it: when the game ends, and always when the game
    /// is in [`Lists`]. Tenant, ruleset and creation stay as they were.
    pub row: Option<IndexRow>,
    /// If given, the access record must still be this one (empty: never set).
    pub access: Option<Bytes>,
}

/// The answer to [`GameStore::commit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// Stored, as durably as the store promises. Also the answer when this very entry was stored
    /// by an earlier try of the same commit.
    Done,
    /// The game has moved on (or, after a failover, back). Nothing was changed.
    Conflict {
        /// The entries after the expected one; none if that is not in the log.
        newer: Vec<StoredEntry>,
    },
    /// The access record is another one. Nothing was changed.
    AccessChanged,
    /// There is no such game.
    Missing,
}

/// What [`GameStore::load`] found.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Loaded {
    /// The newest snapshot; only when the caller knew nothing, or nothing that still holds. One that is
    /// missing or damaged comes empty, at the version of the last entry: the log tells all.
    pub snapshot: Option<StoredSnapshot>,
    /// Warm: the entries after the known version. Cold: the last [`LOOK_BACK`] entries that the
    /// snapshot contains and all that follow. In order, without gaps.
    pub entries: Vec<StoredEntry>,
    /// The access record; empty if none was ever set.
    pub access: Bytes,
}

impl Commit {
    /// Does the game end with this entry?
    #[must_use]
    pub fn ends(&self) -> bool {
        self.row.as_ref().is_some_and(|row| row.finished)
    }
}

/// A new row for a game that goes on as it is.
#[derive(Clone, Debug)]
pub struct Relisted {
    /// The newest entry of the game; the row was made from what it left.
    pub head: Head,
    /// The row from now on. Tenant, ruleset, creation and end stay as they were.
    pub row: IndexRow,
}

/// A part of time, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first moment of it.
    pub from_ms: u64,
    /// The first moment after it.
    pub until_ms: u64,
}

impl Default for Period {
    /// All time.
    fn default() -> Self {
        Period {
            from_ms: 0,
            until_ms: u64::MAX,
        }
    }
}

impl Period {
    /// Is this moment in it?
    #[must_use]
    pub fn has(&self, ms: u64) -> bool {
        (self.from_ms..self.until_ms).contains(&ms)
    }
}

/// Which games to list.
#[derive(Clone, Debug, Default)]
pub struct ListFilter {
    /// Only games that are in all of these lists of the tenant, which must be given. The games come by
    /// their last change then, from the first of the lists.
    pub lists: Vec<String>,
    /// Only games that were created then.
    pub created: Period,
    /// Only games that were last changed then, as far as it is known: of games that are in no list it
    /// is not.
    pub changed: Period,
    /// Only this tenant's games; `None` for all tenants.
    pub tenant: Option<String>,
    /// Only games of this ruleset.
    pub ruleset: Option<String>,
    /// Only games that are over, or only games that are not.
    pub finished: Option<bool>,
}

/// One row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// The game.
    pub id: GameId,
    /// Its row.
    pub row: IndexRow,
}

/// The place of a game in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// When it was created, or last changed, in milliseconds since the Unix epoch.
    pub ms: u64,
    /// The game.
    pub id: GameId,
}

/// A part of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListPage {
    /// The games.
    pub games: Vec<ListedGame>,
    /// Where to go on; nothing: the list ends here.
    pub next: Option<Place>,
}

/// A page looks at no more games than this, so that a rare one does not hold up the call.
pub const LOOKED_AT: usize = 2_048;

/// Why a store could not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached or refuses to work; nothing was changed.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// No answer came. A change may have been made or not; sending it again is safe.
    #[error("the store did not answer: {0}")]
    OutcomeUnknown(String),
    /// The store has no room left; nothing was changed.
    #[error("the store is full: {0}")]
    Full(String),
    /// What is kept is not what was stored.
    #[error("the store holds damaged data: {0}")]
    Damaged(String),
    /// The store cannot be opened as it is configured.
    #[error("the store cannot be opened: {0}")]
    Setup(String),
}

/// Tells that a game may have changed since it was last read. It holds the newest version that was
/// heard of since the watch began, 0 if none; it also wakes, without a newer version, when the game
/// is deleted and when wake-ups may have been missed. A wake-up may be lost, so a watcher also looks
/// from time to time.
pub type WakeUps = watch::Receiver<Version>;

/// Keeps the logs of games.
#[async_trait]
pub trait GameStore: Send + Sync + 'static {
    /// Keeps a new game. Never more games of a tenant than it may have, on however many processes;
    /// a creation that failed may count for ten minutes.
    async fn create(&self, game: NewGame) -> Result<Created, StoreError>;

    /// Reads a game, or what is newer than `known`. `None`: there is no such game. With `known`,
    /// the store makes sure that the game still has that entry; if it has not (a failover lost it,
    /// or the game was deleted and created again), it answers as if nothing were known. One round
    /// trip when something is known.
    async fn load(&self, id: GameId, known: Option<Head>) -> Result<Option<Loaded>, StoreError>;

    /// Adds one entry. One round trip.
    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError>;

    /// The entries after a version, at most `limit`. `None`: there is no such game.
    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError>;

    /// Wakes when the game changes. Does not ask whether there is such a game. Watch first, then
    /// load: what happens between the two then wakes.
    async fn watch(&self, id: GameId) -> Result<WakeUps, StoreError>;

    /// The newest games first (by creation, or by the last change; then by id), those after `after` in
    /// that order, at most `limit`. A page looks at [`LOOKED_AT`] games or a little more: it may have
    /// fewer games than there is room for, even none, and there may still be more.
    ///
    /// A game whose change is about to be answered may be there or not. One that moves while the pages
    /// are read moves to the front, so that no page shows it again.
    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<Place>,
        limit: usize,
    ) -> Result<ListPage, StoreError>;

    /// All games of a list, up to `limit`, page by page.
    async fn list(
        &self,
        filter: &ListFilter,
        after: Option<Place>,
        limit: usize,
    ) -> Result<Vec<ListedGame>, StoreError> {
        let (mut games, mut after) = (Vec::new(), after);
        while games.len() < limit {
            let page = self.page(filter, after, limit - games.len()).await?;
            games.extend(page.games);
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        Ok(games)
    }

    /// Wakes the watchers of `id`, which need not be a game. A watcher may miss it.
    async fn wake(&self, id: GameId) -> Result<(), StoreError>;

    /// Forgets a game: its log, snapshot, access record and row. False: there was none.
    async fn delete(&self, id: GameId) -> Result<bool, StoreError>;

    /// Replaces the access record of a game, if it is still `expected` (empty: never set), and
    /// with `relisted` its row, if the game still has that head; watchers then wake. True: the record is
    /// now `access`, perhaps since an earlier try. False: it is another one, or the game has moved on,
    /// or there is no such game.
    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        relisted: Option<Relisted>,
    ) -> Result<bool, StoreError>;

    /// How full the store is, and what of it is damaged, as far as is known without asking.
    fn capacity(&self) -> Capacity {
        Capacity::default()
    }

    /// Can the store work now?
    async fn ping(&self) -> Result<(), StoreError>;

    /// Finishes what was begun. No call may follow.
    async fn close(&self) -> Result<(), StoreError>;
}

/// How full a store is, and what of it is damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Capacity {
    /// Bytes in use: on the disk, or in the memory of the fullest Redis.
    pub used_bytes: u64,
    /// Bytes that may be in use; 0: there is no limit, or none is known.
    pub limit_bytes: u64,
    /// Games of which something is known to be missing.
    pub damaged_games: u64,
}

/// How long a call to a store may take before it counts as unanswered.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// Which store to open.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one of it, read once")]
pub enum StoreConfig {
    /// In the memory of this process, gone with it: for tests and self-play.
    Memory,
    /// On the disk of this machine, for one process.
    Embedded(EmbeddedConfig),
    /// In a Redis that any number of processes share.
    Redis(RedisConfig),
}

/// Opens a store.
pub async fn open(config: StoreConfig) -> Result<Arc<dyn GameStore>, StoreError> {
    Ok(match config {
        StoreConfig::Memory => Arc::new(MemoryStore::new()),
        StoreConfig::Embedded(config) => Arc::new(EmbeddedStore::open(config).await?),
        StoreConfig::Redis(config) => Arc::new(RedisStore::open(config).await?),
    })
}

/// Reads the files that opening a store reads, and opens nothing.
///
/// # Errors
/// The first file or address that cannot be used.
pub fn check(config: &StoreConfig) -> Result<(), StoreError> {
    match config {
        StoreConfig::Memory | StoreConfig::Embedded(_) => Ok(()),
        StoreConfig::Redis(config) => RedisStore::check(config),
    }
}
