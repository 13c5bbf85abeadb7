//! The store in memory, for tests and self-play. Its contents are lost when the process ends.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::Mutex;

use super::clock::{millis, now_ms};
use super::feed::{
    ChangeKind, DEFAULT_FEED_RETENTION, FeedFrom, FeedOffset, FeedPage, FeedRead, FeedRecord,
    feed_epoch, feed_topic, retention_cutoff_ms,
};
use super::kv::KvTable;
use super::lists::{ListKey, Merged, index_entries, lists_to_scan};
use super::notifier::ChangeNotifier;
use super::sizes::{FEED_RECORD_LEN, GAME_KEY_LEN, len_of_row};
use super::{
    ChangeReceiver, Commit, Committed, Created, GameId, GameStore, Head, IDEMPOTENCY_LOOKBACK,
    IndexRow, KvRecord, ListFilter, ListPage, ListPosition, ListedGame, Loaded, NewGame,
    SCAN_LIMIT, StoreError, StoredEntry, StoredSnapshot, TenantLimit, Version, row, sizes,
};

/// A store in memory.
pub struct MemoryStore {
    games: Mutex<Games>,
    kv: Mutex<KvTable>,
    notifier: ChangeNotifier,
    /// The retention period of feeds, in milliseconds. Is `None` if the store keeps no feeds.
    feed_retention_ms: Option<u64>,
    /// Distinguishes this store from earlier ones, so that their cursors are not mistaken for its own.
    identity: u64,
}

#[derive(Default)]
struct Games {
    by_id: HashMap<GameId, Game>,
    /// The positions of all games in all lists.
    list_index: BTreeSet<(ListKey, ListPosition)>,
    by_tenant: HashMap<String, Holdings>,
    /// The feeds of tenants, by their topics.
    feeds: HashMap<GameId, VecDeque<FeedRecord>>,
}

/// The games of a tenant, and the bytes that it stores.
#[derive(Default)]
struct Holdings {
    games: u64,
    bytes: u64,
}

struct Game {
    /// The entries, from version 1 on.
    log: Vec<Bytes>,
    snapshot: StoredSnapshot,
    /// The size of the entries up to the snapshot.
    settled: usize,
    access: Bytes,
    row: IndexRow,
}

impl MemoryStore {
    /// Creates an empty store.
    #[must_use]
    pub fn new() -> MemoryStore {
        MemoryStore::with_feed(DEFAULT_FEED_RETENTION)
    }

    /// Creates an empty store with this retention period of feeds. It keeps no feeds if the period is zero.
    #[must_use]
    pub fn with_feed(retention: Duration) -> MemoryStore {
        let retention_ms = millis(retention);
        MemoryStore {
            games: Mutex::default(),
            kv: Mutex::default(),
            notifier: ChangeNotifier::default(),
            feed_retention_ms: (retention_ms > 0).then_some(retention_ms),
            identity: rand::random(),
        }
    }

    /// Adds a record to the feed of a tenant and wakes the watchers of that feed.
    fn append_to_feed(
        &self,
        games: &mut Games,
        tenant: &str,
        (id, kind, head): (GameId, ChangeKind, Head),
    ) {
        let Some(retention_ms) = self.feed_retention_ms else {
            return;
        };
        let (topic, now_ms) = (feed_topic(tenant), now_ms());
        let feed = games.feeds.entry(topic).or_default();
        let last = feed
            .back()
            .map_or(FeedOffset::default(), |last| last.offset);
        let before = feed.len();
        feed.push_back(FeedRecord::new(last.next(now_ms), id, kind, head));
        let cutoff_ms = retention_cutoff_ms(now_ms, retention_ms);
        while feed
            .front()
            .is_some_and(|first| first.offset.ms < cutoff_ms)
        {
            feed.pop_front();
        }
        let records = sizes::growth(before, feed.len());
        games.count(tenant, 0, records * sizes::growth(0, FEED_RECORD_LEN));
        self.notifier.notify(topic);
    }
}

impl Default for MemoryStore {
    fn default() -> MemoryStore {
        MemoryStore::new()
    }
}

impl Game {
    /// The newest entry.
    fn head(&self) -> Head {
        let last = self.log.last().map_or(&[][..], |last| last);
        Head::of(self.version(), last)
    }

    fn version(&self) -> Version {
        self.log.len() as Version
    }

    /// Returns the size of the game.
    fn stored_len(&self, id: GameId) -> usize {
        let snapshot = GAME_KEY_LEN + self.snapshot.bytes.len();
        self.settled + snapshot + self.access.len() + len_of_row(id, &self.row)
    }

    /// Replaces the snapshot by one of the newest version.
    fn set_snapshot(&mut self, bytes: Bytes) {
        let version = self.version();
        let newer = self.entries(self.snapshot.version, usize::MAX);
        self.settled += sizes::len_of_entries(newer.iter().map(|entry| entry.bytes.len()));
        self.snapshot = StoredSnapshot { version, bytes };
    }

    /// Whether the log contains this entry.
    fn has(&self, head: Head) -> bool {
        let index = usize::try_from(head.version.wrapping_sub(1)).unwrap_or(usize::MAX);
        let entry = self.log.get(index);
        entry.is_some_and(|entry| Head::of(head.version, entry) == head)
    }

    /// The entries after a version, at most `limit`.
    fn entries(&self, after: Version, limit: usize) -> Vec<StoredEntry> {
        let from = usize::try_from(after)
            .unwrap_or(usize::MAX)
            .min(self.log.len());
        self.log[from..]
            .iter()
            .zip(after.saturating_add(1)..)
            .take(limit)
            .map(|(bytes, version)| StoredEntry {
                version,
                bytes: bytes.clone(),
            })
            .collect()
    }
}

impl Games {
    /// Counts what a tenant stores more or less.
    fn count(&mut self, tenant: &str, games: i64, bytes: i64) {
        if games == 0 && bytes == 0 {
            return;
        }
        let holdings = match self.by_tenant.get_mut(tenant) {
            Some(holdings) => holdings,
            None => self.by_tenant.entry(tenant.to_owned()).or_default(),
        };
        holdings.games = sizes::grown(holdings.games, games);
        holdings.bytes = sizes::grown(holdings.bytes, bytes);
        if holdings.games == 0 && holdings.bytes == 0 {
            self.by_tenant.remove(tenant);
        }
    }

    fn size_of(&self, id: GameId) -> Option<usize> {
        self.by_id.get(&id).map(|game| game.stored_len(id))
    }

    /// Counts the change of a game's size. `before` is `None` if it has none.
    fn count_resized(&mut self, tenant: &str, id: GameId, before: Option<usize>) {
        if let (Some(before), Some(after)) = (before, self.size_of(id)) {
            self.count(tenant, 0, sizes::growth(before, after));
        }
    }

    /// Returns the limit of a tenant that leaves no room for a new game of this size.
    fn full_for(&self, game: &NewGame, size: u64) -> Option<TenantLimit> {
        let (games, bytes) = self
            .by_tenant
            .get(&game.row.tenant)
            .map_or((0, 0), |holdings| (holdings.games, holdings.bytes));
        if game.tenant_limit.is_some_and(|max| games >= max) {
            return Some(TenantLimit::Games);
        }
        let is_full = |max| bytes.saturating_add(size) > max;
        game.tenant_bytes
            .is_some_and(is_full)
            .then_some(TenantLimit::Bytes)
    }

    /// Adds a game to its lists.
    fn index_insert(&mut self, id: GameId, row: &IndexRow) {
        let entries = index_entries(id, row).map(|(list, position)| (list.key(), position));
        self.list_index.extend(entries);
    }

    /// Removes a game from its lists.
    fn index_remove(&mut self, id: GameId, row: &IndexRow) {
        for (list, position) in index_entries(id, row) {
            self.list_index.remove(&(list.key(), position));
        }
    }

    /// Replaces the row of a game and updates its lists.
    fn index_update(&mut self, id: GameId, row: &IndexRow) {
        let Some(game) = self.by_id.get_mut(&id) else {
            return;
        };
        let before = std::mem::replace(&mut game.row, row.clone());
        self.index_remove(id, &before);
        self.index_insert(id, row);
    }
}

#[async_trait]
impl GameStore for MemoryStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let mut games = self.games.lock();
        if let Some(existing) = games.by_id.get(&game.id) {
            return Ok(if existing.log[0] == game.entry {
                Created::Done
            } else {
                Created::Exists
            });
        }
        let tenant = game.row.tenant.clone();
        let size = game.stored_len();
        if let Some(full) = games.full_for(&game, sizes::bytes(size)) {
            return Ok(Created::Full(full));
        }
        games.count(&tenant, 1, sizes::growth(0, size));
        games.index_insert(game.id, &game.row);
        let head = game.head();
        let version = head.version;
        let snapshot = StoredSnapshot {
            version,
            bytes: game.snapshot,
        };
        let log: Vec<Bytes> = std::iter::once(game.entry).chain(game.history).collect();
        let stored = Game {
            settled: sizes::len_of_entries(log.iter().map(Bytes::len)),
            log,
            snapshot,
            access: game.access,
            row: game.row,
        };
        games.by_id.insert(game.id, stored);
        self.append_to_feed(&mut games, &tenant, (game.id, ChangeKind::Created, head));
        drop(games);
        self.notifier.notify_version(game.id, version);
        Ok(Created::Done)
    }

    async fn load(
        &self,
        id: GameId,
        known_head: Option<Head>,
    ) -> Result<Option<Loaded>, StoreError> {
        let games = self.games.lock();
        let Some(game) = games.by_id.get(&id) else {
            return Ok(None);
        };
        let access = game.access.clone();
        Ok(Some(match known_head.filter(|head| game.has(*head)) {
            Some(head) => Loaded {
                snapshot: None,
                entries: game.entries(head.version, usize::MAX),
                access,
            },
            None => Loaded {
                snapshot: Some(game.snapshot.clone()),
                entries: game.entries(
                    game.snapshot.version.saturating_sub(IDEMPOTENCY_LOOKBACK),
                    usize::MAX,
                ),
                access,
            },
        }))
    }

    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let mut games = self.games.lock();
        let Some(game) = games.by_id.get_mut(&commit.id) else {
            return Ok(Committed::Missing);
        };
        if !game.has(commit.expected) {
            return Ok(Committed::Conflict { newer: Vec::new() });
        }
        if game.version() != commit.expected.version {
            let newer = game.entries(commit.expected.version, usize::MAX);
            let is_retry = newer
                .first()
                .is_some_and(|entry| entry.bytes == commit.entry);
            return Ok(if is_retry {
                Committed::Done
            } else {
                Committed::Conflict { newer }
            });
        }
        let access = commit.access.as_ref();
        if access.is_some_and(|access| *access != game.access) {
            return Ok(Committed::AccessChanged);
        }
        game.log.push(commit.entry.clone());
        let (version, head) = (game.version(), game.head());
        let is_resized = commit.snapshot.is_some() || commit.row.is_some();
        let before = is_resized.then(|| games.size_of(commit.id)).flatten();
        if let (Some(bytes), Some(game)) =
            (commit.snapshot.clone(), games.by_id.get_mut(&commit.id))
        {
            game.set_snapshot(bytes);
        }
        if let Some(row) = &commit.row {
            games.index_update(commit.id, row);
        }
        games.count_resized(&commit.tenant, commit.id, before);
        let change = (commit.id, ChangeKind::Version, head);
        self.append_to_feed(&mut games, &commit.tenant, change);
        drop(games);
        self.notifier.notify_version(commit.id, version);
        Ok(Committed::Done)
    }

    async fn log(
        &self,
        id: GameId,
        after: Version,
        limit: usize,
    ) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        Ok(self
            .games
            .lock()
            .by_id
            .get(&id)
            .map(|game| game.entries(after, limit)))
    }

    async fn watch(&self, id: GameId) -> Result<ChangeReceiver, StoreError> {
        Ok(self.notifier.watch(id))
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<ListPosition>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        let lists = lists_to_scan(filter);
        let games = self.games.lock();
        let mut page = ListPage::default();
        let (from, until) = row::bounds(filter, after);
        let positions = lists.iter().map(|list| {
            let part = (list.key(), from)..(list.key(), until);
            games
                .list_index
                .range(part)
                .rev()
                .map(|(_, position)| *position)
        });
        for (scanned, position) in Merged::new(positions, |position| *position).enumerate() {
            if page.games.len() >= limit || scanned >= SCAN_LIMIT {
                return Ok(page);
            }
            page.next = Some(position);
            if let Some(game) = games.by_id.get(&position.id)
                && row::matches(filter, &game.row)
            {
                let (id, row) = (position.id, game.row.clone());
                page.games.push(ListedGame { id, row });
            }
        }
        page.next = None;
        Ok(page)
    }

    async fn feed(
        &self,
        tenant: &str,
        from: FeedFrom,
        limit: usize,
    ) -> Result<FeedRead, StoreError> {
        let Some(retention_ms) = self.feed_retention_ms else {
            return Ok(FeedRead::Disabled);
        };
        let (games, now_ms) = (self.games.lock(), now_ms());
        let none = VecDeque::new();
        let feed = games.feeds.get(&feed_topic(tenant)).unwrap_or(&none);
        let last = feed.back().map(|last| last.offset);
        let Some(after) = from.resolve((0, last), now_ms, retention_ms) else {
            return Ok(FeedRead::Expired);
        };
        let read = |from: FeedOffset| {
            let first = feed.partition_point(|record| record.offset < from);
            feed.range(first..).take(limit + 2).copied().collect()
        };
        let mut records: Vec<FeedRecord> = read(after);
        let after = if after.verify(&mut records) {
            after
        } else {
            records = read(after.rewind());
            after.rewind()
        };
        let feed_epoch = feed_epoch(&self.identity.to_be_bytes(), retention_ms, b"");
        let page = FeedPage::of(feed_epoch, now_ms, after, (records, limit));
        Ok(FeedRead::Page(page))
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        let mut games = self.games.lock();
        let Some(game) = games.by_id.remove(&id) else {
            return Ok(false);
        };
        games.index_remove(id, &game.row);
        games.count(&game.row.tenant, -1, sizes::growth(game.stored_len(id), 0));
        let no_head = Head {
            version: 0,
            entry_hash: 0,
        };
        self.append_to_feed(
            &mut games,
            &game.row.tenant,
            (id, ChangeKind::Deleted, no_head),
        );
        drop(games);
        self.notifier.notify(id);
        Ok(true)
    }

    async fn set_access(
        &self,
        id: GameId,
        expected: Bytes,
        access: Bytes,
        head: Option<Head>,
        row: Option<IndexRow>,
    ) -> Result<bool, StoreError> {
        let mut games = self.games.lock();
        let Some(game) = games.by_id.get_mut(&id) else {
            return Ok(false);
        };
        let is_at = |head: Head| game.has(head) && game.version() == head.version;
        if game.access != expected || head.is_some_and(|head| !is_at(head)) {
            return Ok(false);
        }
        let (head, tenant) = (game.head(), game.row.tenant.clone());
        let before = Some(game.stored_len(id));
        game.access = access;
        if let Some(row) = &row {
            games.index_update(id, row);
        }
        games.count_resized(&tenant, id, before);
        if let Some(row) = row {
            self.append_to_feed(&mut games, &row.tenant, (id, ChangeKind::Lists, head));
            drop(games);
            self.notifier.notify(id);
        }
        Ok(true)
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        self.notifier.notify(id);
        Ok(())
    }

    async fn stored_bytes(&self, tenant: &str) -> Result<u64, StoreError> {
        let games = self.games.lock();
        Ok(games.by_tenant.get(tenant).map_or(0, |of| of.bytes))
    }

    async fn kv_get(&self, id: GameId) -> Result<Bytes, StoreError> {
        Ok(self.kv.lock().bytes(id))
    }

    async fn kv_compare_and_set(
        &self,
        id: GameId,
        expected: Bytes,
        record: KvRecord,
    ) -> Result<bool, StoreError> {
        let is_done = self.kv.lock().replace(id, &expected, record);
        if is_done {
            self.notifier.notify(id);
        }
        Ok(is_done)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
