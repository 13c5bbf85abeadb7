//! The layout: the tables, their keys, and the checksum before every value.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{PoisonError, RwLock};

use bytes::Bytes;
use fjall::{Database, Keyspace, Readable, Slice};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::errors::{During, of_fjall};
use crate::store::kinds::{self, Kind};
use crate::store::packed::{self, unpack};
use crate::store::row::{self, PLACE_LEN, encode_place};
use crate::store::{GameId, Head, IndexRow, Place, StoreError, StoredEntry, Version};

/// The tables of the store. No table holds the version of a game: only the log says it, so nothing can
/// disagree with the log.
pub(super) struct Tables {
    pub(super) database: Database,
    /// Maps a game and version to an entry.
    pub(super) log: Keyspace,
    /// Maps a game to the version of its newest snapshot, then the snapshot.
    pub(super) snapshots: Keyspace,
    /// Maps a game to its access record.
    pub(super) access: Keyspace,
    /// Maps a game to its row.
    pub(super) rows: Keyspace,
    /// The places in lists. The values are empty.
    pub(super) places: Keyspace,
    /// Finished games by the time of their end. The values are empty.
    pub(super) ends: Keyspace,
    /// Maps a finished game to its whole log as one value. The game then has no entries in `log`.
    pub(super) packed: Keyspace,
    /// Finished games still to be packed. The values are empty.
    pub(super) unpacked: Keyspace,
    /// Names of migrations that are done. The values are empty.
    pub(super) meta: Keyspace,
    /// The games that lack data, and what they lack.
    pub(super) lost: RwLock<HashMap<GameId, String>>,
    /// The directory of the files.
    pub(super) directory: PathBuf,
    /// Changes are refused while the disk has less free space than this, in bytes.
    pub(super) reserve_bytes: u64,
}

/// Where an entry was found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nowhere,
    Log,
    /// In a packed log, since the game is over.
    Packed,
}

/// The length of a checksum.
const SUM_LEN: usize = 8;

/// The key of a place: a list, then the place. It ends with the game.
pub(super) type PlaceKey = [u8; 8 + PLACE_LEN];

/// The key of an entry: the game, then the version.
pub(super) fn entry_key(id: GameId, version: Version) -> [u8; 24] {
    let mut key = [0; 24];
    key[..16].copy_from_slice(id.as_bytes());
    key[16..].copy_from_slice(&version.to_be_bytes());
    key
}

/// The version in the key of an entry.
pub(super) fn version_in(key: &[u8]) -> Version {
    key.last_chunk()
        .map_or(0, |version| Version::from_be_bytes(*version))
}

/// The name of a list.
#[derive(Clone, Copy)]
pub(super) enum List<'a> {
    All,
    Of(&'a str),
    /// A named list: its tenant and its name.
    Named(&'a str, &'a str),
    /// The games of a kind, of a tenant or (`None`) of all.
    Kind(Option<&'a str>, Kind<'a>),
}

impl List<'_> {
    /// The prefix of the keys of this list. A hash replaces tenant and name, so its length is fixed. If
    /// hashes collide, rows of the other list are filtered out when the list is read.
    pub(super) fn prefix(self) -> [u8; 8] {
        match self {
            List::All => [0; 8],
            List::Of(tenant) => xxh3_64(tenant.as_bytes()).max(1).to_be_bytes(),
            List::Named(tenant, name) => {
                let of_tenant = xxh3_64(tenant.as_bytes());
                let named = xxh3_64_with_seed(name.as_bytes(), of_tenant);
                named.max(1).to_be_bytes()
            }
            List::Kind(tenant, kind) => {
                let of_tenant = tenant.map_or(0, |tenant| xxh3_64(tenant.as_bytes()));
                let name = ["by creation ", &kind.name()].concat();
                let named = xxh3_64_with_seed(name.as_bytes(), of_tenant);
                named.max(1).to_be_bytes()
            }
        }
    }

    /// The key of a place.
    pub(super) fn key(self, place: Place) -> PlaceKey {
        let mut key = [0; 8 + PLACE_LEN];
        key[..8].copy_from_slice(&self.prefix());
        key[8..].copy_from_slice(&encode_place(place));
        key
    }
}

/// The keys of all places of a game in lists.
pub(super) fn place_keys(id: GameId, row: &IndexRow) -> Vec<PlaceKey> {
    let place = row::place_of(id, row);
    let mut keys = vec![List::All.key(place), List::Of(&row.tenant).key(place)];
    keys.extend(kind_keys(id, row));
    if let Some((place, names)) = row::listed(id, row) {
        let key = |name: &String| List::Named(&row.tenant, name).key(place);
        keys.extend(names.iter().map(key));
    }
    keys
}

/// The keys of the places of a game in the lists of its kinds.
pub(super) fn kind_keys(id: GameId, row: &IndexRow) -> Vec<PlaceKey> {
    let place = row::place_of(id, row);
    let of_all = kinds::of(row).map(|kind| List::Kind(None, kind));
    let of_tenant = kinds::of(row).map(|kind| List::Kind(Some(&row.tenant), kind));
    let lists = of_all.into_iter().chain(of_tenant);
    lists.map(|list| list.key(place)).collect()
}

/// Prepends a checksum to a value. It also covers the key, so a value under a wrong key counts as damage.
pub(super) fn seal(key: &[u8], parts: [&[u8]; 2]) -> Vec<u8> {
    let mut sealed = Vec::with_capacity(SUM_LEN + parts[0].len() + parts[1].len());
    sealed.extend([0; SUM_LEN]);
    sealed.extend(parts[0]);
    sealed.extend(parts[1]);
    let sum = sum(key, &sealed[SUM_LEN..]);
    sealed[..SUM_LEN].copy_from_slice(&sum);
    sealed
}

/// Checks and removes the checksum.
pub(super) fn unseal(key: &[u8], sealed: &[u8]) -> Result<Bytes, StoreError> {
    match sealed.split_first_chunk::<SUM_LEN>() {
        Some((kept, value)) if *kept == sum(key, value) => Ok(Bytes::copy_from_slice(value)),
        Some(_) | None => Err(StoreError::Damaged("a checksum does not match".into())),
    }
}

fn sum(key: &[u8], value: &[u8]) -> [u8; SUM_LEN] {
    xxh3_64_with_seed(value, xxh3_64(key)).to_le_bytes()
}

impl Tables {
    /// The key of a finished game among the ends.
    pub(super) fn end_key(ended_ms: u64, id: GameId) -> [u8; PLACE_LEN] {
        encode_place(Place { ms: ended_ms, id })
    }

    /// Fails if the game lacks data: it is then neither shown nor played.
    pub(super) fn check(&self, id: GameId) -> Result<(), StoreError> {
        let lost = self.lost.read().unwrap_or_else(PoisonError::into_inner);
        match lost.get(&id) {
            None => Ok(()),
            Some(why) => Err(StoreError::Damaged(why.clone())),
        }
    }

    pub(super) fn set_lost(&self, lost: HashMap<GameId, String>) {
        *self.lost.write().unwrap_or_else(PoisonError::into_inner) = lost;
    }

    pub(super) fn is_lost(&self, id: GameId) -> bool {
        self.check(id).is_err()
    }

    pub(super) fn lost_count(&self) -> usize {
        self.lost
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    /// Forgets what a game lacked, since it was deleted.
    pub(super) fn forget_lost(&self, id: GameId) {
        self.lost
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&id);
    }

    /// The value under a key.
    pub(super) fn get(&self, table: &Keyspace, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        let sealed = table
            .get(key)
            .map_err(|error| of_fjall(&error, During::Read))?;
        sealed.map(|sealed| unseal(key, &sealed)).transpose()
    }

    /// The row of a game. `None`: it is damaged or missing.
    pub(super) fn readable_row(&self, id: GameId) -> Result<Option<IndexRow>, StoreError> {
        let row = self.get(&self.rows, id.as_bytes());
        match row.and_then(|row| row.as_deref().map(row::decode_row).transpose()) {
            Err(StoreError::Damaged(_)) => Ok(None),
            row => row,
        }
    }

    /// The places of a game, whatever its row says. Reads all places, since only the row says which
    /// lists contain the game.
    pub(super) fn search_places(&self, id: GameId) -> Result<Vec<PlaceKey>, StoreError> {
        tracing::warn!(%id, "the row of a game is missing or damaged: all lists are searched for it");
        let mut found = Vec::new();
        for place in self.places.iter() {
            let key = place
                .key()
                .map_err(|error| of_fjall(&error, During::Read))?;
            if let Ok(key) = PlaceKey::try_from(&*key)
                && key.ends_with(id.as_bytes())
            {
                found.push(key);
            }
        }
        Ok(found)
    }

    /// Whether this entry is the newest of its game.
    pub(super) fn is_last(&self, id: GameId, head: Head) -> Result<bool, StoreError> {
        match self.find(id, head)? {
            Found::Nowhere => Ok(false),
            Found::Log => Ok(!self.has_entry(id, head.version.saturating_add(1))?),
            Found::Packed => {
                let log = self.packed_log(id)?.unwrap_or_default();
                Ok(log.last().is_some_and(|last| last.version == head.version))
            }
        }
    }

    /// Whether `log` has an entry with this version.
    pub(super) fn has_entry(&self, id: GameId, version: Version) -> Result<bool, StoreError> {
        let found = self.log.contains_key(entry_key(id, version));
        found.map_err(|error| of_fjall(&error, During::Read))
    }

    /// Finds the entry with this version and mark.
    pub(super) fn find(&self, id: GameId, head: Head) -> Result<Found, StoreError> {
        let is_it = |is_it, there| if is_it { there } else { Found::Nowhere };
        match self.get(&self.log, &entry_key(id, head.version))? {
            Some(entry) => Ok(is_it(Head::of(head.version, &entry) == head, Found::Log)),
            None => {
                let log = self.packed_log(id)?;
                let is_there = log.is_some_and(|log| packed::has(&log, head));
                Ok(is_it(is_there, Found::Packed))
            }
        }
    }

    /// The whole log of a packed game.
    pub(super) fn packed_log(&self, id: GameId) -> Result<Option<Vec<StoredEntry>>, StoreError> {
        let packed = self.get(&self.packed, id.as_bytes())?;
        packed.as_deref().map(unpack).transpose()
    }

    /// Whether the game is packed.
    pub(super) fn is_packed(&self, id: GameId) -> Result<bool, StoreError> {
        let found = self.packed.contains_key(id.as_bytes());
        found.map_err(|error| of_fjall(&error, During::Read))
    }

    /// Whether the game is finished and still to be packed.
    pub(super) fn is_unpacked(&self, id: GameId) -> Result<bool, StoreError> {
        let found = self.unpacked.contains_key(id.as_bytes());
        found.map_err(|error| of_fjall(&error, During::Read))
    }

    /// Whether the game exists: it has a first entry or is packed.
    pub(super) fn has_game(&self, id: GameId) -> Result<bool, StoreError> {
        Ok(self.has_entry(id, 1)? || self.is_packed(id)?)
    }
}

/// The value under a key in a consistent view.
pub(super) fn get_at(
    view: &fjall::Snapshot,
    table: &Keyspace,
    key: &[u8],
) -> Result<Option<Bytes>, StoreError> {
    let sealed: Option<Slice> = view
        .get(table, key)
        .map_err(|error| of_fjall(&error, During::Read))?;
    sealed.map(|sealed| unseal(key, &sealed)).transpose()
}
