//! Stores of games. A store handles bytes and versions and knows no rules.
//!
//! The log of a game is the truth: one entry per version, from 1, without gaps, never changed. A
//! snapshot is a shortcut. A commit is an atomic compare-and-set on the newest entry. Every store
//! passes one conformance suite (the module and feature `conformance`).

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use feed::{FeedFrom, FeedRead};
use tokio::sync::watch;
use uuid::Uuid;
use xxhash_rust::xxh3::xxh3_64;

pub mod clock;
#[cfg(feature = "conformance")]
pub mod conformance;
pub mod feed;
mod kv;
pub mod lists;
pub mod long_work;
mod memory;
pub mod metering;
pub mod notifier;
pub mod packed;
pub mod row;
pub mod sizes;
mod storage_format;

pub use kv::KvRecord;
pub use memory::MemoryStore;
pub use storage_format::StorageFormat;

/// The id of a game.
pub type GameId = Uuid;

/// The number of an entry in its game's log, from 1.
pub type Version = u64;

/// A cold [`GameStore::load`] also returns this many of the last entries that the snapshot already
/// contains (fewer in a young game): they hold the request ids that clients may still retry.
pub const IDEMPOTENCY_LOOKBACK: u64 = 64;

/// A version and the identity of its entry. A version alone says how long a log is, not what it holds:
/// after a store loses its last entries, or a game is deleted and created again, the same version may
/// name a different entry. The hash reveals this, so no commit ever follows an entry that is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the entry.
    pub version: Version,
    /// Half of the hash of its bytes.
    pub entry_hash: u32,
}

impl Head {
    /// The head of a log that ends with this entry.
    #[must_use]
    pub fn of(version: Version, entry: &[u8]) -> Head {
        // Half of the hash keeps keys short, and collisions are still rare.
        let [a, b, c, d, ..] = xxh3_64(entry).to_le_bytes();
        let entry_hash = u32::from_le_bytes([a, b, c, d]);
        Head {
            version,
            entry_hash,
        }
    }
}

/// One entry of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredEntry {
    /// The number of the entry in the log.
    pub version: Version,
    /// The encoded entry, opaque to the store.
    pub bytes: Bytes,
}

/// The whole state at one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// The last version whose entry the state includes.
    pub version: Version,
    /// The encoded state, opaque to the store.
    pub bytes: Bytes,
}

/// The index row of a game: its properties that lists are filtered and ordered by, readable without loading the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexRow {
    /// The tenant that owns the game. Empty without authentication.
    pub tenant: String,
    /// The id of its ruleset.
    pub ruleset: String,
    /// When it was created, in milliseconds since the Unix epoch.
    pub created_ms: u64,
    /// Whether the game is over.
    pub finished: bool,
    /// The named lists of its tenant that contain the game. Is `None` if the game is only in the lists by creation.
    pub lists: Option<Lists>,
}

/// The named lists of a tenant that contain a game. Named lists are ordered by the last change, timed ones by a time of
/// their own. Their names mean something only to the caller. A list whose name begins with [`lists::GLOBAL_PREFIX`]
/// contains games of all tenants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    /// When the game was last changed, in milliseconds since the Unix epoch.
    pub changed_ms: u64,
    /// The names of the lists, without duplicates.
    pub names: Vec<String>,
    /// The names of the timed lists, without duplicates, each with the game's time there.
    pub timed: Vec<(String, u64)>,
}

impl IndexRow {
    /// Returns the time of the game in this timed list, or `None` if the list does not contain it.
    #[must_use]
    pub fn time_in(&self, list: &str) -> Option<u64> {
        let mut timed = self.lists.as_ref()?.timed.iter();
        timed.find_map(|(name, ms)| (name == list).then_some(*ms))
    }

    /// The names of the lists that contain the game.
    #[must_use]
    pub fn list_names(&self) -> &[String] {
        self.lists.as_ref().map_or(&[], |lists| &lists.names)
    }
}

/// A game to create. Its first entry has version 1. A game that begins with a past (a fork) has further entries; it is
/// stored with all of them or not at all.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// The id of the game, chosen by the caller.
    pub id: GameId,
    /// The index row of the game.
    pub row: IndexRow,
    /// The first entry of its log.
    pub entry: Bytes,
    /// The entries from version 2 on.
    pub history: Vec<Bytes>,
    /// The state after the newest entry.
    pub snapshot: Bytes,
    /// The access record. Empty: none.
    pub access: Bytes,
    /// The maximum number of games of its tenant, including this one. Is `None` if there is no limit.
    pub tenant_limit: Option<u64>,
    /// The maximum number of bytes that its tenant stores, including this game ([`sizes`]). Is `None` if there is no limit.
    pub tenant_bytes: Option<u64>,
}

impl NewGame {
    /// Returns the newest version of the game.
    #[must_use]
    pub fn version(&self) -> Version {
        1 + self.history.len() as Version
    }

    /// Returns the newest entry of the game.
    #[must_use]
    pub fn head(&self) -> Head {
        let last = self.history.last().unwrap_or(&self.entry);
        Head::of(self.version(), last)
    }
}

/// The answer to [`GameStore::create`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// The game is stored. Also the answer to a retry, which is recognized by the first entry; the game
    /// may have moved on since.
    Done,
    /// Another game already has this id. Nothing was changed.
    Exists,
    /// The tenant has reached this limit. Nothing was changed.
    Full(TenantLimit),
}

/// A limit of what a tenant stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TenantLimit {
    /// The number of its games.
    Games,
    /// The bytes of its games and its feed.
    Bytes,
}

/// One more entry for a game.
#[derive(Clone, Debug)]
pub struct Commit {
    /// The game.
    pub id: GameId,
    /// The tenant that owns the game, as its row says. The feed record of the entry goes into this tenant's feed.
    pub tenant: String,
    /// The entry that this one follows: the last one that the caller knew when it judged the action.
    pub expected: Head,
    /// The entry. It must differ from every other entry of the game so that a retried commit can be
    /// recognized. Callers ensure this with a request id or a random fingerprint.
    pub entry: Bytes,
    /// The lengths of all entries of the game up to this one, together: a store need not read its log to know its size.
    pub log_bytes: u64,
    /// The state after the entry, if a snapshot is due.
    pub snapshot: Option<Bytes>,
    /// The new row, if this entry changes it: when the game ends, and always when the game is in
    /// [`Lists`]. Tenant, ruleset and creation time must not change.
    pub row: Option<IndexRow>,
    /// The access record that the commit requires (empty: never set). Is `None` if any record will do.
    pub access: Option<Bytes>,
}

/// The answer to [`GameStore::commit`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// The entry is stored, as durably as the store promises. Also the answer to a retry of a commit
    /// that was stored.
    Done,
    /// The expected entry is not the newest: the game has moved on or, after a failover, back. Nothing
    /// was changed.
    Conflict {
        /// The entries after the expected one. Empty if the log does not have that entry.
        newer: Vec<StoredEntry>,
    },
    /// The access record differs. Nothing was changed.
    AccessChanged,
    /// The game does not exist.
    Missing,
}

/// The result of [`GameStore::load`].
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Loaded {
    /// The newest snapshot, if the load was cold: the caller knew no entry, or one that the log does not
    /// have. A missing or damaged snapshot is returned empty, at the version of the last entry; the caller
    /// then replays the log.
    pub snapshot: Option<StoredSnapshot>,
    /// Warm: the entries after the known version. Cold: the last [`IDEMPOTENCY_LOOKBACK`] entries that the
    /// snapshot contains, and all later ones. In order, without gaps.
    pub entries: Vec<StoredEntry>,
    /// The access record. Empty if none was ever set.
    pub access: Bytes,
}

impl Commit {
    /// Whether the game ends with this entry.
    #[must_use]
    pub fn ends(&self) -> bool {
        self.row.as_ref().is_some_and(|row| row.finished)
    }
}

/// A period, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The start of the period, inclusive.
    pub from_ms: u64,
    /// The end of the period, exclusive.
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
    /// Whether the period contains this moment.
    #[must_use]
    pub fn has(&self, ms: u64) -> bool {
        (self.from_ms..self.until_ms).contains(&ms)
    }
}

/// The selection and the order of the games in a list.
#[derive(Clone, Debug, Default)]
pub struct ListFilter {
    /// Only games that are in all of these lists of the tenant, which must be set unless the first list is one of all
    /// tenants. The first list is then read, so games are ordered by their last change.
    pub lists: Vec<String>,
    /// Only games that are in this timed list of the tenant, which must be set. It is then read, so games are ordered
    /// by their time there, the greatest first.
    pub timed: Option<String>,
    /// Only games that were created in this period.
    pub created: Period,
    /// Only games that were last changed in this period or, in a timed list, have such a time there. Games without
    /// [`Lists`] have no known time of change and always match.
    pub changed: Period,
    /// Only games of this tenant. Is `None` to list the games of all tenants.
    pub tenant: Option<String>,
    /// Only games of this ruleset.
    pub ruleset: Option<String>,
    /// Only finished games (true) or only active games (false). Is `None` to list both.
    pub finished: Option<bool>,
}

/// One row of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedGame {
    /// The game.
    pub id: GameId,
    /// The index row of the game.
    pub row: IndexRow,
}

/// The position of a game in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListPosition {
    /// When the game was created or, in a named list, last changed, in milliseconds since the Unix epoch; in a timed
    /// list, its time there.
    pub ms: u64,
    /// The game.
    pub id: GameId,
}

/// A part of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListPage {
    /// The games.
    pub games: Vec<ListedGame>,
    /// The **pagination** cursor where the next page continues. Is `None` on the last page.
    pub next: Option<ListPosition>,
}

/// A page scans about this many games at most, so a filter that few games match does not delay the call.
pub const SCAN_LIMIT: usize = 2_048;

/// The reason why a store could not carry out a call.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The store cannot be reached or refuses calls. Nothing was changed.
    #[error("the store is not available: {0}")]
    Unavailable(String),
    /// The store did not answer. A change may or may not have been made; retrying it is safe.
    #[error("the store did not answer: {0}")]
    OutcomeUnknown(String),
    /// The store has no room left. Nothing was changed.
    #[error("the store is full: {0}")]
    Full(String),
    /// Stored data is missing or differs from what was written.
    #[error("the store holds damaged data: {0}")]
    Damaged(String),
    /// The store cannot be opened with this configuration.
    #[error("the store cannot be opened: {0}")]
    Setup(String),
}

/// Signals that a game may have changed. It holds the newest version reported since the watch began
/// (0: none). It also wakes without a newer version: when the game is deleted or its row changes, after
/// [`GameStore::wake`], and when wake-ups may have been missed. A wake-up may be lost, so watchers also
/// poll periodically.
pub type ChangeReceiver = watch::Receiver<Version>;

/// A store of games.
#[async_trait]
pub trait GameStore: Send + Sync + 'static {
    /// Creates a game. No tenant ever has more games than its limit, however many processes share the store; a failed
    /// creation may count against it for about ten minutes. No creation exceeds the limit of bytes, as far as they are
    /// counted ([`Self::stored_bytes`]).
    async fn create(&self, game: NewGame) -> Result<Created, StoreError>;

    /// Reads a game, or only what is newer than `known_head`. Returns `None` if the game does not exist. The store
    /// checks that the log has the entry `known_head`; if not (a failover lost it, or the game was deleted and created
    /// again), it answers as if `known_head` were `None`. One round trip.
    async fn load(
        &self,
        id: GameId,
        known_head: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError>;

    /// Adds one entry. One round trip, unless the commit changes the row.
    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError>;

    /// Returns the entries after a version, at most `limit`. Returns `None` if the game does not exist.
    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError>;

    /// Watches a game for changes. Does not check that the game exists. Watch first, then load: a
    /// change between the two then wakes the watcher.
    async fn watch(&self, id: GameId) -> Result<ChangeReceiver, StoreError>;

    /// Returns a page of a list: at most `limit` games that follow `after`, newest first (by creation, by last change
    /// in a named list, or by their time in a timed one; then by id). A page scans [`SCAN_LIMIT`] games or a few more,
    /// so it may return fewer than `limit` games, even none, although more pages follow.
    ///
    /// A game with a change in progress may or may not be included. After a change that was refused or abandoned, a
    /// game may for a while have the time in a timed list that the change would have given it. A game that changes
    /// while a client pages through a named list moves to the front, so no later page repeats it.
    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<ListPage, StoreError>;

    /// The games of a list, at most `limit`, read page by page.
    async fn list(
        &self,
        filter: &ListFilter,
        after: Option<ListPosition>,
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

    /// Returns a page of the feed of a tenant: at most `limit` records. A [`Self::watch`] of its [`feed::feed_topic`]
    /// wakes when there are new records. Unless it continues at a cursor, the first read begins the feed, before it
    /// answers: every later change has its record. The feed ends if it is not read for [`feed::feed_lifetime_ms`].
    async fn feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError>;

    /// Wakes the watchers of `id`, whether or not such a game exists. The wake-up may be lost.
    async fn wake(&self, id: GameId) -> Result<(), StoreError>;

    /// Deletes a game: its log, snapshot, access record and row. Returns false if the game did not exist.
    async fn delete(&self, id: GameId) -> Result<bool, StoreError>;

    /// Replaces the access record of a game (**compare-and-set**): only if it is still `expected` (empty: never set)
    /// and, with `head`, only if that is still the newest entry. With `row`, also replaces the row, of which tenant,
    /// ruleset, creation time and `finished` must not change, and wakes watchers. Returns false if the record differs,
    /// the game has moved on, or it does not exist. A retry after a success also returns false: if the record is
    /// `access` by now, another caller may have set it, and the game may have moved on since.
    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError>;

    /// Returns how many bytes a tenant stores, as [`sizes`] defines it, without key-value records. Processes that share a
    /// store may count late, by about a second; what expires there is counted until the next hourly sweep, or until its
    /// tenant reaches its limit.
    async fn stored_bytes(&self, tenant: &str) -> Result<u64, StoreError>;

    /// Returns the bytes of the key-value record with this id, empty if there is none. One round trip.
    async fn kv_get(&self, id: GameId) -> Result<Bytes, StoreError>;

    /// Replaces a key-value record if its bytes are still `expected` (empty: no record; **compare-and-set**), and wakes
    /// the watchers of its id. Returns false if the record differs; so does a retry after a success. One round trip.
    async fn kv_compare_and_set(
        &self,
        id: GameId,
        expected: Bytes,
        record: KvRecord,
    ) -> Result<bool, StoreError>;

    /// Returns how full the store is and how many games are damaged, as far as is known without a round trip.
    fn capacity(&self) -> Capacity {
        Capacity::default()
    }

    /// Writes a consistent copy of the store into a directory while calls go on. The default refuses: not every store
    /// can write one.
    async fn backup(&self, directory: &Path) -> Result<Backup, StoreError> {
        let directory = directory.display();
        Err(StoreError::Setup(format!(
            "this store writes no backup into {directory}: deploy/BACKUP.md says how it is backed up"
        )))
    }

    /// Checks that the store can serve calls.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Finishes pending changes and closes the store. No call may follow.
    async fn close(&self) -> Result<(), StoreError>;
}

/// A backup that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// The file of the backup.
    pub path: PathBuf,
    /// The size of the file, in bytes.
    pub bytes: u64,
}

/// How full a store is, whether it takes changes, how many games are damaged, and how its clock differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Capacity {
    /// Bytes in use: on the disk, or in the memory of the fullest Redis server.
    pub used_bytes: u64,
    /// The limit of `used_bytes`. 0 if there is no limit or none is known.
    pub limit_bytes: u64,
    /// The number of games that are known to lack data.
    pub damaged_games: u64,
    /// Whether the store, or a part of it, can be read but refuses changes for another reason than that it is full.
    pub is_read_only: bool,
    /// How many times this process found that the store had gone back to an earlier state.
    pub rollbacks: u64,
    /// A lower bound of how far the clock of the store is ahead of the clock of this process, in milliseconds; negative
    /// if it is behind. 0 if no difference is proven, or if the store has no clock of its own.
    pub clock_ahead_ms: i64,
}

/// The default time after which a call to a store counts as unanswered.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(5);
