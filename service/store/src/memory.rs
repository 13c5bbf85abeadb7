//! The store in memory, for tests and self-play. Its contents are lost when the process ends.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use parking_lot::Mutex;

use super::clock::{millis, now_ms};
use super::feed::{
    FeedFrom, FeedPage, FeedPlace, FeedRead, Marker, Told, USUAL_FEED, feed_topic, life_of, oldest,
};
use super::lists::{ListKey, Merged, lists_of, places};
use super::notes::Notes;
use super::wakers::Wakers;
use super::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, LOOK_BACK, LOOKED_AT,
    ListFilter, ListPage, ListedGame, Loaded, NewGame, Note, Place, StoreError, StoredEntry,
    StoredSnapshot, Version, WakeUps, row,
};

/// A store in memory.
pub struct MemoryStore {
    games: Mutex<Games>,
    notes: Mutex<Notes>,
    wakers: Wakers,
    /// The retention period of feeds, in milliseconds. Is `None` if the store keeps no feeds.
    feed_ms: Option<u64>,
    /// Distinguishes this store from earlier ones, so that their cursors are not mistaken for its own.
    identity: u64,
}

#[derive(Default)]
struct Games {
    by_id: HashMap<GameId, Game>,
    /// The places of all games in all lists.
    places: BTreeSet<(ListKey, Place)>,
    by_tenant: HashMap<String, u64>,
    /// The feeds of tenants, by their topics.
    feeds: HashMap<GameId, VecDeque<Marker>>,
}

struct Game {
    /// The entries, from version 1 on.
    log: Vec<Bytes>,
    snapshot: StoredSnapshot,
    access: Bytes,
    row: IndexRow,
}

impl MemoryStore {
    /// Creates an empty store.
    #[must_use]
    pub fn new() -> MemoryStore {
        MemoryStore::with_feed(USUAL_FEED)
    }

    /// Creates an empty store with this retention period of feeds. It keeps no feeds if the period is zero.
    #[must_use]
    pub fn with_feed(kept: Duration) -> MemoryStore {
        let kept = millis(kept);
        MemoryStore {
            games: Mutex::default(),
            notes: Mutex::default(),
            wakers: Wakers::default(),
            feed_ms: (kept > 0).then_some(kept),
            identity: rand::random(),
        }
    }

    /// Adds a marker to the feed of a tenant and wakes the watchers of that feed.
    fn tell(&self, games: &mut Games, tenant: &str, (id, told, head): (GameId, Told, Head)) {
        let Some(kept_ms) = self.feed_ms else {
            return;
        };
        let (topic, now_ms) = (feed_topic(tenant), now_ms());
        let feed = games.feeds.entry(topic).or_default();
        let last = feed.back().map_or(FeedPlace::default(), |last| last.place);
        feed.push_back(Marker::new(last.next(now_ms), id, told, head));
        let oldest = oldest(now_ms, kept_ms);
        while feed.front().is_some_and(|first| first.place.ms < oldest) {
            feed.pop_front();
        }
        self.wakers.poke(topic);
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

    /// Whether the log contains this entry.
    fn has(&self, head: Head) -> bool {
        let place = usize::try_from(head.version.wrapping_sub(1)).unwrap_or(usize::MAX);
        let entry = self.log.get(place);
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
    /// Adds a game to its lists.
    fn enlist(&mut self, id: GameId, row: &IndexRow) {
        let places = places(id, row).map(|(list, place)| (list.key(), place));
        self.places.extend(places);
    }

    /// Removes a game from its lists.
    fn delist(&mut self, id: GameId, row: &IndexRow) {
        for (list, place) in places(id, row) {
            self.places.remove(&(list.key(), place));
        }
    }

    /// Replaces the row of a game and updates its lists.
    fn relist(&mut self, id: GameId, row: &IndexRow) {
        let Some(game) = self.by_id.get_mut(&id) else {
            return;
        };
        let before = std::mem::replace(&mut game.row, row.clone());
        self.delist(id, &before);
        self.enlist(id, row);
    }
}

#[async_trait]
impl GameStore for MemoryStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let mut games = self.games.lock();
        if let Some(kept) = games.by_id.get(&game.id) {
            return Ok(if kept.log[0] == game.entry {
                Created::Done
            } else {
                Created::Exists
            });
        }
        let tenant = game.row.tenant.clone();
        let count = games.by_tenant.get(&tenant).copied().unwrap_or(0);
        if game.max_of_tenant.is_some_and(|max| count >= max) {
            return Ok(Created::Full);
        }
        games.by_tenant.insert(tenant.clone(), count + 1);
        games.enlist(game.id, &game.row);
        let head = game.head();
        let version = head.version;
        let snapshot = StoredSnapshot {
            version,
            bytes: game.snapshot,
        };
        let kept = Game {
            log: std::iter::once(game.entry).chain(game.past).collect(),
            snapshot,
            access: game.access,
            row: game.row,
        };
        games.by_id.insert(game.id, kept);
        self.tell(&mut games, &tenant, (game.id, Told::Created, head));
        drop(games);
        self.wakers.reached(game.id, version);
        Ok(Created::Done)
    }

    async fn load(&self, id: GameId, known: Option<Head>) -> Result<Option<Loaded>, StoreError> {
        let games = self.games.lock();
        let Some(game) = games.by_id.get(&id) else {
            return Ok(None);
        };
        let access = game.access.clone();
        Ok(Some(match known.filter(|known| game.has(*known)) {
            Some(known) => Loaded {
                snapshot: None,
                entries: game.entries(known.version, usize::MAX),
                access,
            },
            None => Loaded {
                snapshot: Some(game.snapshot.clone()),
                entries: game.entries(game.snapshot.version.saturating_sub(LOOK_BACK), usize::MAX),
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
            let is_ours = newer
                .first()
                .is_some_and(|entry| entry.bytes == commit.entry);
            return Ok(if is_ours {
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
        let version = game.version();
        if let Some(bytes) = commit.snapshot.clone() {
            game.snapshot = StoredSnapshot { version, bytes };
        }
        let head = game.head();
        if let Some(row) = &commit.row {
            games.relist(commit.id, row);
        }
        let told = (commit.id, Told::Version, head);
        self.tell(&mut games, &commit.tenant, told);
        drop(games);
        self.wakers.reached(commit.id, version);
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

    async fn watch(&self, id: GameId) -> Result<WakeUps, StoreError> {
        Ok(self.wakers.watch(id))
    }

    async fn page(
        &self,
        filter: &ListFilter,
        after: Option<Place>,
        limit: usize,
    ) -> Result<ListPage, StoreError> {
        let lists = lists_of(filter);
        let games = self.games.lock();
        let mut page = ListPage::default();
        let (from, until) = row::bounds(filter, after);
        let places = lists.iter().map(|list| {
            let part = (list.key(), from)..(list.key(), until);
            games.places.range(part).rev().map(|(_, place)| *place)
        });
        for (looked_at, place) in Merged::new(places, |place| *place).enumerate() {
            if page.games.len() >= limit || looked_at >= LOOKED_AT {
                return Ok(page);
            }
            page.next = Some(place);
            if let Some(game) = games.by_id.get(&place.id)
                && row::matches(filter, &game.row)
            {
                let (id, row) = (place.id, game.row.clone());
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
        let Some(kept_ms) = self.feed_ms else {
            return Ok(FeedRead::Off);
        };
        let (games, now_ms) = (self.games.lock(), now_ms());
        let none = VecDeque::new();
        let feed = games.feeds.get(&feed_topic(tenant)).unwrap_or(&none);
        let last = feed.back().map(|last| last.place);
        let Some(after) = from.place(last, now_ms, kept_ms) else {
            return Ok(FeedRead::Expired);
        };
        let read = |from: FeedPlace| {
            let first = feed.partition_point(|marker| marker.place < from);
            feed.range(first..).take(limit + 2).copied().collect()
        };
        let mut markers: Vec<Marker> = read(after);
        let after = if after.confirm(&mut markers) {
            after
        } else {
            markers = read(after.back());
            after.back()
        };
        let life = life_of(&self.identity.to_be_bytes(), kept_ms);
        let page = FeedPage::of(life, now_ms, after, (markers, limit));
        Ok(FeedRead::Page(page))
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        let mut games = self.games.lock();
        let Some(game) = games.by_id.remove(&id) else {
            return Ok(false);
        };
        games.delist(id, &game.row);
        let gone = Head {
            version: 0,
            mark: 0,
        };
        self.tell(&mut games, &game.row.tenant, (id, Told::Deleted, gone));
        if let Entry::Occupied(mut count) = games.by_tenant.entry(game.row.tenant) {
            *count.get_mut() -= 1;
            if *count.get() == 0 {
                count.remove();
            }
        }
        drop(games);
        self.wakers.poke(id);
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
        game.access = access;
        let head = game.head();
        if let Some(row) = row {
            games.relist(id, &row);
            self.tell(&mut games, &row.tenant, (id, Told::Lists, head));
            drop(games);
            self.wakers.poke(id);
        }
        Ok(true)
    }

    async fn wake(&self, id: GameId) -> Result<(), StoreError> {
        self.wakers.poke(id);
        Ok(())
    }

    async fn note(&self, id: GameId) -> Result<Bytes, StoreError> {
        Ok(self.notes.lock().bytes(id))
    }

    async fn set_note(&self, id: GameId, expected: Bytes, note: Note) -> Result<bool, StoreError> {
        let is_done = self.notes.lock().replace(id, &expected, note);
        if is_done {
            self.wakers.poke(id);
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
