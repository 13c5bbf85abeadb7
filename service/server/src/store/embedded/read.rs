//! Reads.

use bytes::Bytes;
use fjall::{Guard, Readable, Snapshot};
use uuid::Uuid;

use super::errors::{During, of_fjall};
use super::tables::{List, Tables, entry_key, get_at, unseal, version_in};
use crate::store::kinds::Merged;
use crate::store::row::{self, decode_place};
use crate::store::{
    GameId, Head, LOOK_BACK, LOOKED_AT, ListFilter, ListPage, ListedGame, Loaded, Place,
    StoreError, StoredEntry, StoredSnapshot, Version,
};
use crate::store::{kinds, packed};

/// Loads what is newer than `known`. `None`: the game does not have that entry, or is packed.
pub(super) fn load_warm(
    tables: &Tables,
    id: GameId,
    known: Head,
) -> Result<Option<Loaded>, StoreError> {
    tables.check(id)?;
    // One view: the game may be packed meanwhile.
    let view = tables.database.snapshot();
    let version = known.version;
    let kept = get_at(&view, &tables.log, &entry_key(id, version))?;
    if kept.is_none_or(|entry| Head::of(version, &entry) != known) {
        return Ok(None);
    }
    let next = entry_key(id, version.saturating_add(1));
    let has_more = view.contains_key(&tables.log, next);
    let entries = if has_more.map_err(|error| of_fjall(&error, During::Read))? {
        entries_after(&view, tables, id, version, usize::MAX)?
    } else {
        Vec::new()
    };
    let access = get_at(&view, &tables.access, id.as_bytes())?.unwrap_or_default();
    Ok(Some(Loaded {
        snapshot: None,
        entries,
        access,
    }))
}

/// Loads what is newer than `known` or, if the game does not have that entry, all of it. Unpacks a packed log.
pub(super) fn load(
    tables: &Tables,
    id: GameId,
    known: Option<Head>,
) -> Result<Option<Loaded>, StoreError> {
    tables.check(id)?;
    let view = tables.database.snapshot();
    let log = match known {
        Some(known) => packed_at(&view, tables, id)?.map(|log| (known, log)),
        None => None,
    };
    match log {
        Some((known, log)) if packed::has(&log, known) => Ok(Some(Loaded {
            snapshot: None,
            entries: packed::after(log, known.version),
            access: get_at(&view, &tables.access, id.as_bytes())?.unwrap_or_default(),
        })),
        Some(_) | None => load_cold(&view, tables, id),
    }
}

/// Loads a whole game. If its snapshot is missing or damaged, returns an empty one: the log suffices.
fn load_cold(view: &Snapshot, tables: &Tables, id: GameId) -> Result<Option<Loaded>, StoreError> {
    let newest = newest(view, tables, id)?;
    let kept = get_at(view, &tables.snapshots, id.as_bytes());
    let snapshot = match kept.and_then(|kept| kept.as_ref().map(split_snapshot).transpose()) {
        Ok(None) if newest == 0 => return Ok(None),
        Ok(Some(snapshot)) if snapshot.version > newest => {
            return Err(StoreError::Damaged("a log ends before its snapshot".into()));
        }
        Ok(Some(snapshot)) => snapshot,
        Ok(None) | Err(StoreError::Damaged(_)) => {
            tracing::warn!(%id, "a snapshot is missing or damaged");
            StoredSnapshot {
                version: newest,
                bytes: Bytes::new(),
            }
        }
        Err(error) => return Err(error),
    };
    let after = snapshot.version.saturating_sub(LOOK_BACK);
    let entries = entries_after(view, tables, id, after, usize::MAX)?;
    let access = get_at(view, &tables.access, id.as_bytes())?.unwrap_or_default();
    Ok(Some(Loaded {
        snapshot: Some(snapshot),
        entries,
        access,
    }))
}

/// The last version of a log, which must have no gaps. 0: no log.
fn newest(view: &Snapshot, tables: &Tables, id: GameId) -> Result<Version, StoreError> {
    let mut newest = 0;
    for found in view.prefix(&tables.log, id.as_bytes()) {
        let key = found
            .key()
            .map_err(|error| of_fjall(&error, During::Read))?;
        newest += 1;
        if version_in(&key) != newest {
            return Err(StoreError::Damaged(format!(
                "entry {newest} of a game is missing"
            )));
        }
    }
    if newest == 0 {
        let log = packed_at(view, tables, id)?.unwrap_or_default();
        newest = log.last().map_or(0, |last| last.version);
    }
    Ok(newest)
}

/// A page of a log.
pub(super) fn log(
    tables: &Tables,
    id: GameId,
    after: Version,
    limit: usize,
) -> Result<Option<Vec<StoredEntry>>, StoreError> {
    tables.check(id)?;
    let view = tables.database.snapshot();
    let entries = entries_after(&view, tables, id, after, limit)?;
    if entries.is_empty() && !tables.has_game(id)? {
        return Ok(None);
    }
    Ok(Some(entries))
}

/// The entries after a version. A gap is damage.
pub(super) fn entries_after(
    view: &Snapshot,
    tables: &Tables,
    id: GameId,
    after: Version,
    limit: usize,
) -> Result<Vec<StoredEntry>, StoreError> {
    let Some(first) = after.checked_add(1) else {
        return Ok(Vec::new());
    };
    let range = entry_key(id, first)..=entry_key(id, Version::MAX);
    let mut entries = Vec::new();
    for (found, version) in view.range(&tables.log, range).take(limit).zip(first..) {
        let (key, sealed) = found
            .into_inner()
            .map_err(|error| of_fjall(&error, During::Read))?;
        if version_in(&key) != version {
            return Err(StoreError::Damaged(format!(
                "entry {version} of a game is missing"
            )));
        }
        entries.push(StoredEntry {
            version,
            bytes: unseal(&key, &sealed)?,
        });
    }
    if entries.is_empty()
        && let Some(log) = packed_at(view, tables, id)?
    {
        entries = packed::after(log, after);
        entries.truncate(limit);
    }
    Ok(entries)
}

/// The whole log of a packed game.
fn packed_at(
    view: &Snapshot,
    tables: &Tables,
    id: GameId,
) -> Result<Option<Vec<StoredEntry>>, StoreError> {
    let kept = get_at(view, &tables.packed, id.as_bytes())?;
    kept.as_deref().map(packed::unpack).transpose()
}

/// A page of a list, newest games first.
pub(super) fn page(
    tables: &Tables,
    filter: &ListFilter,
    after: Option<Place>,
    limit: usize,
) -> Result<ListPage, StoreError> {
    let (from, until) = row::bounds(filter, after);
    let view = tables.database.snapshot();
    let lists = lists_of(filter).into_iter();
    let places = lists.map(|list| {
        let places = view.range(&tables.places, list.key(from)..list.key(until));
        places.rev().filter_map(place_in)
    });
    let mut page = ListPage::default();
    let places = Merged::new(places, |found| *found.as_ref().unwrap_or(&ANY_PLACE));
    for (looked_at, found) in places.enumerate() {
        if page.games.len() >= limit || looked_at >= LOOKED_AT {
            return Ok(page);
        }
        let place = found?;
        page.next = Some(place);
        if let Some(row) = row_of(&view, tables, place.id)
            && row::matches(filter, &row)
        {
            page.games.push(ListedGame { id: place.id, row });
        }
    }
    page.next = None;
    Ok(page)
}

/// The lists that together contain every game that a filter may match.
fn lists_of(filter: &ListFilter) -> Vec<List<'_>> {
    let tenant = filter.tenant.as_deref();
    if let (Some(tenant), Some(name)) = (tenant, filter.lists.first()) {
        return vec![List::Named(tenant, name)];
    }
    let asked = kinds::asked(filter).into_iter();
    let lists: Vec<_> = asked.map(|kind| List::Kind(tenant, kind)).collect();
    if lists.is_empty() {
        return vec![tenant.map_or(List::All, List::Of)];
    }
    lists
}

/// The place of an unreadable key: before all others, so that its error ends the page at once.
const ANY_PLACE: Place = Place {
    ms: u64::MAX,
    id: Uuid::max(),
};

/// Decodes the key of a place. A malformed key is skipped, so that it does not hide all the others.
fn place_in(found: Guard) -> Option<Result<Place, StoreError>> {
    match found.key() {
        Ok(key) => key.get(8..).and_then(decode_place).map(Ok),
        Err(error) => Some(Err(of_fjall(&error, During::Read))),
    }
}

/// The row of a game. An unreadable row is logged and skipped, so that it does not hide all the others.
fn row_of(view: &Snapshot, tables: &Tables, id: GameId) -> Option<crate::store::IndexRow> {
    let read = get_at(view, &tables.rows, id.as_bytes())
        .and_then(|bytes| bytes.map(|bytes| row::decode_row(&bytes)).transpose());
    read.unwrap_or_else(|error| {
        tracing::warn!(%id, %error, "a game is left out of a list");
        None
    })
}

/// Splits a stored snapshot into version and state.
fn split_snapshot(bytes: &Bytes) -> Result<StoredSnapshot, StoreError> {
    match bytes.split_first_chunk() {
        Some((version, _)) => Ok(StoredSnapshot {
            version: Version::from_be_bytes(*version),
            bytes: bytes.slice(version.len()..),
        }),
        None => Err(StoreError::Damaged("a snapshot is too short".into())),
    }
}
