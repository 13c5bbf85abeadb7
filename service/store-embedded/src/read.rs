//! Reads, each from one consistent snapshot of the file (**MVCC**).

use bytes::Bytes;
use gamekeeper_store::lists::{List, Merged, lists_to_scan};
use gamekeeper_store::row::decode_position;
use gamekeeper_store::{
    GameId, Head, IDEMPOTENCY_LOOKBACK, IndexRow, ListFilter, ListPage, ListPosition, ListedGame,
    Loaded, SCAN_LIMIT, StoreError, StoredEntry, StoredSnapshot, Version, row,
};
use redb::{ReadTransaction, ReadableDatabase};

use super::disk::Disk;
use super::fault::{Fault, Phase};
use super::tables::{
    ENTRIES, GAMES, LIST_INDEX, Record, SNAPSHOTS, check_no_log, entries_after, has_entry, unseal,
    value_of,
};

impl Disk {
    /// Reads in one transaction, which concurrent changes do not affect.
    pub(super) fn read<A>(
        &self,
        read: impl FnOnce(&ReadTransaction) -> Result<A, Fault>,
    ) -> Result<A, StoreError> {
        self.call(Phase::Work, |database| read(&database.begin_read()?))
    }
}

fn record_of(view: &ReadTransaction, id: GameId) -> Result<Option<Vec<u8>>, Fault> {
    let sealed = value_of(&view.open_table(GAMES)?, id.as_bytes())?;
    if sealed.is_none() {
        check_no_log(&view.open_table(ENTRIES)?, id)?;
    }
    Ok(sealed)
}

/// Loads a game if `known_head` is its newest entry, with one look-up. Returns `None` otherwise.
pub(super) fn load_newest(
    view: &ReadTransaction,
    id: GameId,
    known_head: Head,
) -> Result<Option<Loaded>, Fault> {
    let games = view.open_table(GAMES)?;
    let Some(sealed) = games.get(id.as_bytes().as_slice())? else {
        return Ok(None);
    };
    let record = Record::open(id, sealed.value())?;
    Ok((record.head == known_head).then(|| Loaded {
        snapshot: None,
        entries: Vec::new(),
        access: Bytes::copy_from_slice(record.access),
    }))
}

/// Loads the entries after `known_head` or, if the log does not have that entry, the whole game.
pub(super) fn load(
    view: &ReadTransaction,
    id: GameId,
    known_head: Option<Head>,
) -> Result<Option<Loaded>, Fault> {
    let Some(sealed) = record_of(view, id)? else {
        return Ok(None);
    };
    let record = Record::open(id, &sealed)?;
    let entries = view.open_table(ENTRIES)?;
    let common_head = match known_head {
        Some(head) if has_entry(&entries, id, &record, head)? => Some(head),
        Some(_) | None => None,
    };
    let snapshot = match common_head {
        Some(_) => None,
        None => Some(snapshot_of(view, id, record.head.version)?),
    };
    let after = snapshot.as_ref().map_or_else(
        || common_head.map_or(0, |head| head.version),
        |snapshot| snapshot.version.saturating_sub(IDEMPOTENCY_LOOKBACK),
    );
    Ok(Some(Loaded {
        entries: entries_after(&entries, id, &record, after, usize::MAX)?,
        snapshot,
        access: Bytes::copy_from_slice(record.access),
    }))
}

/// Returns the snapshot of a game. If it is missing or damaged, returns an empty one, and the caller replays the log.
fn snapshot_of(
    view: &ReadTransaction,
    id: GameId,
    newest: Version,
) -> Result<StoredSnapshot, Fault> {
    let snapshots = view.open_table(SNAPSHOTS)?;
    let sealed = snapshots.get(id.as_bytes().as_slice())?;
    let stored = sealed
        .as_ref()
        .and_then(|sealed| unseal(id.as_bytes(), sealed.value()))
        .and_then(|stored| stored.split_first_chunk());
    Ok(match stored {
        Some((version, bytes)) if Version::from_be_bytes(*version) <= newest => StoredSnapshot {
            version: Version::from_be_bytes(*version),
            bytes: Bytes::copy_from_slice(bytes),
        },
        Some(_) | None => {
            tracing::warn!(%id, "a snapshot is missing or damaged");
            StoredSnapshot {
                version: newest,
                bytes: Bytes::new(),
            }
        }
    })
}

/// Returns a page of a log.
pub(super) fn log(
    view: &ReadTransaction,
    id: GameId,
    after: Version,
    limit: usize,
) -> Result<Option<Vec<StoredEntry>>, Fault> {
    let Some(sealed) = record_of(view, id)? else {
        return Ok(None);
    };
    let record = Record::open(id, &sealed)?;
    let entries = view.open_table(ENTRIES)?;
    entries_after(&entries, id, &record, after, limit).map(Some)
}

/// Returns a page of a list, newest games first.
pub(super) fn page(
    disk: &Disk,
    view: &ReadTransaction,
    filter: &ListFilter,
    after: Option<ListPosition>,
    limit: usize,
) -> Result<ListPage, Fault> {
    let (from, until) = row::bounds(filter, after);
    let (games, list_index) = (view.open_table(GAMES)?, view.open_table(LIST_INDEX)?);
    let mut lists = Vec::new();
    for list in lists_to_scan(filter) {
        let (from, until) = (list.index_key(from), list.index_key(until));
        let keys = list_index.range(from.as_slice()..until.as_slice())?.rev();
        lists.push(keys.map(move |item| {
            match item {
                Ok((key, _)) => Ok((
                    list,
                    key.value()
                        .get(8..)
                        .and_then(decode_position)
                        .unwrap_or(LAST),
                )),
                Err(error) => Err(error),
            }
        }));
    }
    let mut page = ListPage::default();
    let position_of =
        |item: &ScanResult<'_>| item.as_ref().map_or(FIRST, |(_, position)| *position);
    for (scanned, item) in Merged::new(lists, position_of).enumerate() {
        if page.games.len() >= limit || scanned >= SCAN_LIMIT {
            return Ok(page);
        }
        let (list, position) = item?;
        page.next = Some(position);
        match row_for_position(&games, list, position) {
            Ok(row) if row::matches(filter, &row) => {
                page.games.push(ListedGame {
                    id: position.id,
                    row,
                });
            }
            Ok(_) => {}
            // One unreadable game must not hide all others.
            Err(fault @ Fault::Damaged(..)) => drop(disk.classify_error(fault, Phase::Work)),
            Err(fault @ (Fault::Refused(_) | Fault::Library(_))) => return Err(fault),
        }
    }
    page.next = None;
    Ok(page)
}

type ScanResult<'a> = Result<(List<'a>, ListPosition), redb::StorageError>;

/// The position of an error: before all others, so that the error ends the page at once.
const FIRST: ListPosition = ListPosition {
    ms: u64::MAX,
    id: uuid::Uuid::max(),
};

/// The position of a key that cannot be decoded.
const LAST: ListPosition = ListPosition {
    ms: 0,
    id: uuid::Uuid::nil(),
};

/// Returns the row of the game at a position. A position where no game belongs counts as damage.
fn row_for_position(
    games: &impl super::tables::Readable,
    list: List<'_>,
    position: ListPosition,
) -> Result<IndexRow, Fault> {
    let id = position.id;
    let stray = || Fault::damaged(id, "a list has a game that does not belong there");
    let sealed = games.get(id.as_bytes().as_slice())?.ok_or_else(stray)?;
    let row = Record::open(id, sealed.value())?.index_row(id)?;
    if list.position_of(id, &row) == Some(position) {
        Ok(row)
    } else {
        Err(stray())
    }
}
