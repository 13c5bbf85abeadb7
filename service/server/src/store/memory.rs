//! The store in memory: for tests and self-play. It is gone with its process.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;

use super::row::{self, Place};
use super::wakers::Wakers;
use super::{
    Commit, Committed, Created, GameId, GameStore, Head, IndexRow, LOOK_BACK, ListFilter,
    ListedGame, Loaded, NewGame, StoreError, StoredEntry, StoredSnapshot, Version, WakeUps,
};

/// Keeps games in memory.
#[derive(Default)]
pub struct MemoryStore {
    games: Mutex<Games>,
    wakers: Wakers,
}

#[derive(Default)]
struct Games {
    by_id: HashMap<GameId, Game>,
    by_place: BTreeMap<Place, IndexRow>,
    by_tenant: HashMap<String, u64>,
}

struct Game {
    /// The entry of version 1 comes first.
    log: Vec<Bytes>,
    snapshot: StoredSnapshot,
    access: Bytes,
    place: Place,
    tenant: String,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    fn lock(&self) -> MutexGuard<'_, Games> {
        // Every change below is whole before anything could panic.
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Game {
    fn version(&self) -> Version {
        self.log.len() as Version
    }

    /// Is this entry in the log?
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

#[async_trait]
impl GameStore for MemoryStore {
    async fn create(&self, game: NewGame) -> Result<Created, StoreError> {
        let mut games = self.lock();
        if let Some(kept) = games.by_id.get(&game.id) {
            return Ok(if kept.log[0] == game.entry {
                Created::Done
            } else {
                Created::Exists
            });
        }
        let tenant = game.row.tenant.clone();
        let count = games.by_tenant.get(&tenant).copied().unwrap_or(0);
        if game.most_of_tenant.is_some_and(|most| count >= most) {
            return Ok(Created::Full);
        }
        games.by_tenant.insert(tenant.clone(), count + 1);
        let place = row::place_of(game.id, &game.row);
        games.by_place.insert(place, game.row);
        let snapshot = StoredSnapshot {
            version: 1,
            bytes: game.snapshot,
        };
        let kept = Game {
            log: vec![game.entry],
            snapshot,
            access: Bytes::new(),
            place,
            tenant,
        };
        games.by_id.insert(game.id, kept);
        drop(games);
        self.wakers.reached(game.id, 1);
        Ok(Created::Done)
    }

    async fn load(&self, id: GameId, known: Option<Head>) -> Result<Option<Loaded>, StoreError> {
        let games = self.lock();
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

    async fn commit(&self, commit: Commit) -> Result<Committed, StoreError> {
        let mut games = self.lock();
        let Games {
            by_id, by_place, ..
        } = &mut *games;
        let Some(game) = by_id.get_mut(&commit.id) else {
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
        if commit.access.is_some_and(|access| access != game.access) {
            return Ok(Committed::AccessChanged);
        }
        game.log.push(commit.entry);
        let version = game.version();
        if let Some(bytes) = commit.snapshot {
            game.snapshot = StoredSnapshot { version, bytes };
        }
        if let Some(row) = commit.finishes {
            by_place.insert(game.place, row);
        }
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
            .lock()
            .by_id
            .get(&id)
            .map(|game| game.entries(after, limit)))
    }

    async fn watch(&self, id: GameId) -> Result<WakeUps, StoreError> {
        Ok(self.wakers.watch(id))
    }

    async fn list(
        &self,
        filter: &ListFilter,
        after: Option<&ListedGame>,
        limit: usize,
    ) -> Result<Vec<ListedGame>, StoreError> {
        let games = self.lock();
        let listed = |(place, row): (&Place, &IndexRow)| {
            row::matches(filter, row).then(|| ListedGame {
                id: place.1,
                row: row.clone(),
            })
        };
        Ok(match after {
            Some(after) => {
                let older = ..row::place_of(after.id, &after.row);
                games
                    .by_place
                    .range(older)
                    .rev()
                    .filter_map(listed)
                    .take(limit)
                    .collect()
            }
            None => games
                .by_place
                .iter()
                .rev()
                .filter_map(listed)
                .take(limit)
                .collect(),
        })
    }

    async fn delete(&self, id: GameId) -> Result<bool, StoreError> {
        let mut games = self.lock();
        let Some(game) = games.by_id.remove(&id) else {
            return Ok(false);
        };
        games.by_place.remove(&game.place);
        if let Entry::Occupied(mut count) = games.by_tenant.entry(game.tenant) {
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
    ) -> Result<bool, StoreError> {
        let mut games = self.lock();
        let Some(game) = games.by_id.get_mut(&id) else {
            return Ok(false);
        };
        if game.access == expected {
            game.access.clone_from(&access);
        }
        Ok(game.access == access)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(())
    }

    async fn close(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
