//! The layout of the file: its tables, their keys, and the encoding of their values.

use gamekeeper_store::lists::{List, Subset};
use gamekeeper_store::row::{POSITION_LEN, decode_position, decode_row, encode_position};
use gamekeeper_store::{GameId, Head, IndexRow, ListPosition, StoreError, StoredEntry, Version};
use redb::{ReadableTable, TableDefinition};
use uuid::Uuid;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::fault::Fault;

/// A table of sealed values, see [`seal`].
pub(super) type Values = TableDefinition<'static, &'static [u8], &'static [u8]>;

/// A table that has keys alone.
pub(super) type Keys = TableDefinition<'static, &'static [u8], ()>;

/// Maps a game to its [`Record`].
pub(super) const GAMES: Values = Values::new("games");

/// Maps a game and version to an entry. A packed log is one value, at the version [`PACKED`].
pub(super) const ENTRIES: Values = Values::new("entries");

/// Maps a game to the version of its newest snapshot, then the snapshot.
pub(super) const SNAPSHOTS: Values = Values::new("snapshots");

/// Maps the key of the list of all games of a tenant to the number of these games, and its [`bytes_key`] to the bytes
/// that the tenant stores.
pub(super) const COUNTS: Values = Values::new("counts");

/// Maps the id of a key-value record to its expiry time, then its bytes.
pub(super) const KV: Values = Values::new("notes");

/// Metadata of the file.
pub(super) const META: Values = Values::new("meta");

/// The positions of all games in all lists.
pub(super) const LIST_INDEX: Keys = Keys::new("places");

/// The pending tasks for finished games and key-value records, each with the time from which its delay counts.
pub(super) const DUE: Keys = Keys::new("due");

/// The feeds of all tenants: topic, offset and record.
pub(super) const FEED: Keys = Keys::new("feed");

/// All tables of values.
pub(super) const VALUES: [Values; 6] = [GAMES, ENTRIES, SNAPSHOTS, COUNTS, KV, META];

/// All tables of keys.
pub(super) const KEYS: [Keys; 3] = [LIST_INDEX, DUE, FEED];

/// The key in [`META`] of the number of the layout.
pub(super) const FORMAT: &[u8] = b"format";

/// The key in [`META`] of the number that distinguishes the feeds of this file from earlier ones.
pub(super) const FEED_EPOCH: &[u8] = b"feed";

/// The key in [`META`] that says that [`COUNTS`] has the bytes of all tenants.
pub(super) const HAS_BYTES: &[u8] = b"bytes";

/// The number of this layout. A new layout gets a new number.
pub(super) const THIS_FORMAT: u64 = 1;

/// The version under which a packed log is stored. No entry has it.
pub(super) const PACKED: Version = 0;

/// A table of values that is open for reading, or for reading and writing.
pub(super) trait Readable: ReadableTable<&'static [u8], &'static [u8]> {}

impl<T: ReadableTable<&'static [u8], &'static [u8]>> Readable for T {}

/// Returns the key of an entry: the game, then the version.
pub(super) fn entry_key(id: GameId, version: Version) -> [u8; 24] {
    let mut key = [0; 24];
    key[..16].copy_from_slice(id.as_bytes());
    key[16..].copy_from_slice(&version.to_be_bytes());
    key
}

/// Returns the key in [`COUNTS`] of the bytes that a tenant stores.
pub(super) fn bytes_key(tenant: &str) -> [u8; 9] {
    let mut key = [b'b'; 9];
    key[..8].copy_from_slice(&List::Created(Some(tenant), Subset::All).key());
    key
}

/// A background task for a finished game or for a key-value record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// Pack the log of the game.
    Pack,
    /// Delete the game.
    Delete,
    /// Delete the key-value record, which has expired.
    Forget,
}

/// A key of [`DUE`]: the task, the time when the game ended or the record expires, the id of either.
pub(super) type DueKey = [u8; 1 + POSITION_LEN];

impl Task {
    /// Returns the key of this task for a game that ended or a key-value record that expires at this time, in
    /// milliseconds since the Unix epoch.
    pub(super) fn key(self, ended_ms: u64, id: GameId) -> DueKey {
        let mut key = [0; 1 + POSITION_LEN];
        key[0] = match self {
            Task::Pack => 1,
            Task::Delete => 2,
            Task::Forget => 3,
        };
        key[1..].copy_from_slice(&encode_position(ListPosition { ms: ended_ms, id }));
        key
    }
}

/// Returns the time and the id in a key of [`DUE`].
pub(super) fn parse_due_key(key: &[u8]) -> Option<ListPosition> {
    key.get(1..).and_then(decode_position)
}

/// The length of a checksum.
const SUM_LEN: usize = 8;

/// Prepends a checksum to a value. It also covers the key, so a value under a wrong key counts as damage.
pub(super) fn seal(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let len = parts.iter().map(|part| part.len()).sum::<usize>();
    let mut sealed = Vec::with_capacity(SUM_LEN + len);
    sealed.extend([0; SUM_LEN]);
    parts.iter().for_each(|part| sealed.extend(*part));
    let sum = sum(key, &sealed[SUM_LEN..]);
    sealed[..SUM_LEN].copy_from_slice(&sum);
    sealed
}

/// Checks and removes the checksum. Returns `None` if it does not match.
pub(super) fn unseal<'a>(key: &[u8], sealed: &'a [u8]) -> Option<&'a [u8]> {
    let (stored_sum, value) = sealed.split_first_chunk::<SUM_LEN>()?;
    (*stored_sum == sum(key, value)).then_some(value)
}

fn sum(key: &[u8], value: &[u8]) -> [u8; SUM_LEN] {
    xxh3_64_with_seed(value, xxh3_64(key)).to_le_bytes()
}

/// Seals a number.
pub(super) fn seal_number(key: &[u8], number: u64) -> Vec<u8> {
    seal(key, &[&number.to_be_bytes()])
}

/// Returns the number in a sealed value, or `None` if the value is damaged.
pub(super) fn unseal_number(key: &[u8], sealed: &[u8]) -> Option<u64> {
    let bytes = unseal(key, sealed)?.try_into().ok()?;
    Some(u64::from_be_bytes(bytes))
}

/// Returns the key of a key-value record. Its length differs from that of all other keys of values.
pub(super) fn kv_key(id: GameId) -> [u8; 17] {
    let mut key = [0; 17];
    key[..16].copy_from_slice(id.as_bytes());
    key
}

/// The record of a game: everything that is stored about it beside its log and its snapshot. A warm load without new
/// entries reads nothing else.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    /// The newest entry.
    pub(super) head: Head,
    /// When the game ended, in milliseconds since the Unix epoch. 0 while it is active.
    pub(super) ended_ms: u64,
    /// Whether the log is one packed value.
    pub(super) is_packed: bool,
    /// The encoded row.
    pub(super) row: &'a [u8],
    /// The access record.
    pub(super) access: &'a [u8],
}

impl<'a> Record<'a> {
    /// Decodes the record in a sealed value.
    pub(super) fn open(id: GameId, sealed: &'a [u8]) -> Result<Record<'a>, Fault> {
        let read = unseal(id.as_bytes(), sealed).and_then(Record::read);
        read.ok_or_else(|| Fault::damaged(id, "the record of a game cannot be read"))
    }

    fn read(bytes: &'a [u8]) -> Option<Record<'a>> {
        let (version, rest) = bytes.split_first_chunk::<8>()?;
        let (entry_hash, rest) = rest.split_first_chunk::<4>()?;
        let (ended, rest) = rest.split_first_chunk::<8>()?;
        let ([packed], rest) = rest.split_first_chunk::<1>()?;
        let (len, rest) = rest.split_first_chunk::<4>()?;
        let len = usize::try_from(u32::from_be_bytes(*len)).ok()?;
        let (row, access) = rest.split_at_checked(len)?;
        Some(Record {
            head: Head {
                version: Version::from_be_bytes(*version),
                entry_hash: u32::from_be_bytes(*entry_hash),
            },
            ended_ms: u64::from_be_bytes(*ended),
            is_packed: *packed == 1,
            row,
            access,
        })
    }

    /// Encodes and seals the record.
    pub(super) fn seal(&self, id: GameId) -> Result<Vec<u8>, StoreError> {
        let too_long = |_| StoreError::Unavailable("the row of a game is too long".into());
        let len = u32::try_from(self.row.len()).map_err(too_long)?;
        let parts: [&[u8]; 7] = [
            &self.head.version.to_be_bytes(),
            &self.head.entry_hash.to_be_bytes(),
            &self.ended_ms.to_be_bytes(),
            &[u8::from(self.is_packed)],
            &len.to_be_bytes(),
            self.row,
            self.access,
        ];
        Ok(seal(id.as_bytes(), &parts))
    }

    /// Decodes the row of the game.
    pub(super) fn index_row(&self, id: GameId) -> Result<IndexRow, Fault> {
        decode_row(self.row).map_err(|_| Fault::damaged(id, "the row of a game cannot be read"))
    }
}

/// Returns the value of a key.
pub(super) fn value_of(table: &impl Readable, key: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
    let stored = table.get(key)?;
    Ok(stored.map(|sealed| sealed.value().to_vec()))
}

/// Fails if a game without a record has entries: its record is lost.
pub(super) fn check_no_log(entries: &impl Readable, id: GameId) -> Result<(), Fault> {
    let (first, last) = (entry_key(id, PACKED), entry_key(id, Version::MAX));
    match entries.range(first.as_slice()..=last.as_slice())?.next() {
        None => Ok(()),
        Some(_) => Err(Fault::damaged(id, "the record of a game is missing")),
    }
}

/// Returns the version in the key of an entry.
fn parse_version(key: &[u8]) -> Option<Version> {
    let version = key.get(16..)?.try_into().ok()?;
    Some(Version::from_be_bytes(version))
}

/// Returns the entries of a game after a version, at most `limit`. A gap counts as damage.
pub(super) fn entries_after(
    entries: &impl Readable,
    id: GameId,
    record: &Record<'_>,
    after: Version,
    limit: usize,
) -> Result<Vec<StoredEntry>, Fault> {
    let newest = record.head.version;
    if after >= newest || limit == 0 {
        return Ok(Vec::new());
    }
    let damaged = |version| Fault::damaged(id, &format!("entry {version} of a game is damaged"));
    let first = after + 1;
    let last = newest.min(after.saturating_add(u64::try_from(limit).unwrap_or(u64::MAX)));
    if record.is_packed {
        let mut log = packed_log(entries, id)?;
        let (from, to) = usize::try_from(after)
            .ok()
            .zip(usize::try_from(last).ok())
            .filter(|(_, to)| *to <= log.len())
            .ok_or_else(|| damaged(last))?;
        log.truncate(to);
        return Ok(log.split_off(from));
    }
    let keys = (entry_key(id, first), entry_key(id, last));
    let mut entries_found = Vec::new();
    let mut range = entries.range(keys.0.as_slice()..=keys.1.as_slice())?;
    for version in first..=last {
        let (key, sealed) = range.next().ok_or_else(|| damaged(version))??;
        let bytes = unseal(key.value(), sealed.value());
        match bytes {
            Some(bytes) if parse_version(key.value()) == Some(version) => {
                entries_found.push(StoredEntry {
                    version,
                    bytes: bytes::Bytes::copy_from_slice(bytes),
                });
            }
            Some(_) | None => return Err(damaged(version)),
        }
    }
    Ok(entries_found)
}

/// Whether the log of a game has this entry.
pub(super) fn has_entry(
    entries: &impl Readable,
    id: GameId,
    record: &Record<'_>,
    head: Head,
) -> Result<bool, Fault> {
    if head == record.head {
        return Ok(true);
    }
    let Some(before) = head.version.checked_sub(1) else {
        return Ok(false);
    };
    let matching = entries_after(entries, id, record, before, 1)?;
    let matching = matching
        .first()
        .map(|entry| Head::of(entry.version, &entry.bytes));
    Ok(matching == Some(head))
}

/// Returns the whole log of a packed game.
fn packed_log(entries: &impl Readable, id: GameId) -> Result<Vec<StoredEntry>, Fault> {
    let key = entry_key(id, PACKED);
    let sealed = entries.get(key.as_slice())?;
    let packed = sealed
        .as_ref()
        .and_then(|sealed| unseal(&key, sealed.value()));
    let log = packed.and_then(|packed| gamekeeper_store::packed::unpack(packed).ok());
    log.ok_or_else(|| Fault::damaged(id, "a packed log cannot be read"))
}

/// Returns the game of a key in a table of values, if the key contains one.
pub(super) fn game_in(key: &[u8]) -> Option<GameId> {
    Uuid::from_slice(key.get(..16)?).ok()
}
