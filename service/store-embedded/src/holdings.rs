//! The **bytes** that tenants store: a sum for each tenant, written with the changes that move it.

use std::collections::HashMap;

use gamekeeper_store::feed::feed_topic;
use gamekeeper_store::lists::{List, Subset};
use gamekeeper_store::row::decode_position;
use gamekeeper_store::sizes::{
    FEED_RECORD_LEN, GAME_KEY_LEN, bytes, grown, growth, len_of_entries, len_of_row,
};
use gamekeeper_store::{GameId, IndexRow, ListPosition, Version};
use redb::{Database, ReadTransaction, ReadableDatabase, ReadableTable};

use super::fault::Fault;
use super::feed::count_records;
use super::tables::{
    COUNTS, ENTRIES, FEED, GAMES, HAS_BYTES, LIST_INDEX, META, PACKED, Readable, Record, SNAPSHOTS,
    bytes_key, entry_key, game_in, seal_number, unseal, unseal_number, value_of,
};
use super::writer::Writer;

/// The overhead of a sealed entry: its checksum.
const SEAL_LEN: usize = 8;

/// The tables that sums are made of.
struct Sources<'t, V, K> {
    games: &'t V,
    entries: &'t V,
    snapshots: &'t V,
    list_index: &'t K,
    feed: &'t K,
}

/// Returns how many bytes a tenant stores.
pub(super) fn read(view: &ReadTransaction, tenant: &str) -> Result<u64, Fault> {
    match stored_sum(&view.open_table(COUNTS)?, tenant)? {
        Some(sum) => Ok(sum),
        None => Sources {
            games: &view.open_table(GAMES)?,
            entries: &view.open_table(ENTRIES)?,
            snapshots: &view.open_table(SNAPSHOTS)?,
            list_index: &view.open_table(LIST_INDEX)?,
            feed: &view.open_table(FEED)?,
        }
        .sum(tenant),
    }
}

/// Returns the stored sum of a tenant, or `None` if it is damaged.
fn stored_sum(counts: &impl Readable, tenant: &str) -> Result<Option<u64>, Fault> {
    let key = bytes_key(tenant);
    Ok(match value_of(counts, &key)? {
        None => Some(0),
        Some(sealed) => unseal_number(&key, &sealed),
    })
}

impl<V: Readable, K: ReadableTable<&'static [u8], ()>> Sources<'_, V, K> {
    /// Counts again what a tenant stores.
    fn sum(&self, tenant: &str) -> Result<u64, Fault> {
        let list = List::Created(Some(tenant), Subset::All).key();
        let mut sum = count_records(self.feed, feed_topic(tenant))? * FEED_RECORD_LEN;
        for key in self.list_index.range(list.as_slice()..)? {
            let key = key?.0;
            let Some(position) = key.value().strip_prefix(&list) else {
                break;
            };
            let Some(ListPosition { id, .. }) = decode_position(position) else {
                continue;
            };
            if let Some(sealed) = value_of(self.games, id.as_bytes())? {
                sum += self.len_of_game(id, &sealed)?.unwrap_or(0);
            }
        }
        Ok(bytes(sum))
    }

    /// Returns the counted size of a game. Returns `None` for a damaged record: reads of its game report it.
    fn len_of_game(&self, id: GameId, sealed: &[u8]) -> Result<Option<usize>, Fault> {
        let record = Record::open(id, sealed).ok();
        let sized = record.and_then(|record| Some((record, record.index_row(id).ok()?)));
        let Some((record, row)) = sized else {
            return Ok(None);
        };
        let settled = len_of_settled(self.entries, self.snapshots, id)?;
        Ok(Some(settled + record.access.len() + len_of_row(id, &row)))
    }
}

/// Returns the size of the entries of a game from one version to another, both inclusive.
fn len_of_log(
    entries: &impl Readable,
    id: GameId,
    (from, until): (Version, Version),
) -> Result<usize, Fault> {
    let (first, last) = (entry_key(id, from), entry_key(id, until));
    let mut lengths = Vec::new();
    for entry in entries.range(first.as_slice()..=last.as_slice())? {
        lengths.push(entry?.1.value().len().saturating_sub(SEAL_LEN));
    }
    Ok(len_of_entries(lengths))
}

/// The counted parts of a game's log: the version up to which entries count, and the size of the snapshot.
struct Settled {
    version: Version,
    snapshot: usize,
}

impl Settled {
    /// Returns what is counted of a game. Without a snapshot, or with a damaged one, nothing is.
    fn of(snapshots: &impl Readable, id: GameId) -> Result<Self, Fault> {
        let sealed = snapshots.get(id.as_bytes().as_slice())?;
        let settled = sealed.and_then(|sealed| {
            let value = unseal(id.as_bytes(), sealed.value())?;
            let (version, state) = value.split_first_chunk::<8>()?;
            Some(Self {
                version: Version::from_be_bytes(*version),
                snapshot: GAME_KEY_LEN + state.len(),
            })
        });
        Ok(settled.unwrap_or(Self {
            version: 0,
            snapshot: 0,
        }))
    }
}

/// Returns the counted size of the log and the snapshot of a game.
fn len_of_settled(
    entries: &impl Readable,
    snapshots: &impl Readable,
    id: GameId,
) -> Result<usize, Fault> {
    let settled = Settled::of(snapshots, id)?;
    // A packed log has a version before all others.
    let log = len_of_log(entries, id, (PACKED, settled.version))?;
    Ok(log + settled.snapshot)
}

impl Writer<'_> {
    /// Returns how many bytes a tenant stores, with the changes of this group.
    pub(super) fn stored_bytes(&self, tenant: &str) -> Result<u64, Fault> {
        let growth = self.growths.get(tenant).copied().unwrap_or(0);
        Ok(grown(self.written_sum(tenant)?, growth))
    }

    /// Returns the sum of a tenant without the changes of this group. A damaged one is counted again.
    fn written_sum(&self, tenant: &str) -> Result<u64, Fault> {
        match stored_sum(&self.counts, tenant)? {
            Some(sum) => Ok(sum),
            None => Sources {
                games: &self.games,
                entries: &self.entries,
                snapshots: &self.snapshots,
                list_index: &self.list_index,
                feed: &self.feed,
            }
            .sum(tenant),
        }
    }

    /// Counts that a tenant stores more or less.
    pub(super) fn count_bytes(&mut self, tenant: &str, growth: i64) {
        if growth == 0 {
            return;
        }
        match self.growths.get_mut(tenant) {
            Some(sum) => *sum = sum.saturating_add(growth),
            None => drop(self.growths.insert(tenant.to_owned(), growth)),
        }
    }

    /// Returns the counted size of a game.
    pub(super) fn len_of_game(
        &self,
        id: GameId,
        (access, row): (&[u8], &IndexRow),
    ) -> Result<usize, Fault> {
        let settled = len_of_settled(&self.entries, &self.snapshots, id)?;
        Ok(settled + access.len() + len_of_row(id, row))
    }

    /// Returns by how much a game grows with a snapshot of this length after its newest entry, at this version.
    pub(super) fn growth_with_snapshot(
        &self,
        id: GameId,
        (version, length): (Version, usize),
    ) -> Result<i64, Fault> {
        let before = Settled::of(&self.snapshots, id)?;
        let log = len_of_log(&self.entries, id, (before.version + 1, version))?;
        Ok(growth(before.snapshot, GAME_KEY_LEN + length + log))
    }

    /// Returns the counted size of the log of a game.
    pub(super) fn len_of_settled_log(&self, id: GameId) -> Result<usize, Fault> {
        let settled = Settled::of(&self.snapshots, id)?;
        len_of_log(&self.entries, id, (PACKED, settled.version))
    }

    /// Writes the sums that this group has moved.
    pub(super) fn write_sums(&mut self) -> Result<(), Fault> {
        for (tenant, growth) in std::mem::take(&mut self.growths) {
            let key = bytes_key(&tenant);
            let is_damaged = stored_sum(&self.counts, &tenant)?.is_none();
            let before = self.written_sum(&tenant)?;
            // What is counted again has the changes of this group already.
            match grown(before, if is_damaged { 0 } else { growth }) {
                0 => drop(self.counts.remove(key.as_slice())?),
                bytes => {
                    let sealed = seal_number(&key, bytes);
                    self.counts.insert(key.as_slice(), sealed.as_slice())?;
                }
            }
        }
        Ok(())
    }
}

/// Counts everything that tenants store in a file of an earlier build.
pub(super) fn prepare(database: &Database) -> Result<(), Fault> {
    let view = database.begin_read()?;
    if value_of(&view.open_table(META)?, HAS_BYTES)?.is_some() {
        return Ok(());
    }
    let (games, entries) = (view.open_table(GAMES)?, view.open_table(ENTRIES)?);
    let (snapshots, feed) = (view.open_table(SNAPSHOTS)?, view.open_table(FEED)?);
    let list_index = view.open_table(LIST_INDEX)?;
    let sources = Sources {
        games: &games,
        entries: &entries,
        snapshots: &snapshots,
        list_index: &list_index,
        feed: &feed,
    };
    let mut sums: HashMap<String, usize> = HashMap::new();
    for game in games.iter()? {
        let (key, sealed) = game?;
        let tenant = game_in(key.value()).and_then(|id| {
            let record = Record::open(id, sealed.value()).ok()?;
            Some((id, record.index_row(id).ok()?.tenant))
        });
        if let Some((id, tenant)) = tenant {
            *sums.entry(tenant).or_default() +=
                sources.len_of_game(id, sealed.value())?.unwrap_or(0);
        }
    }
    let change = database.begin_write()?;
    {
        let mut counts = change.open_table(COUNTS)?;
        for (tenant, games) in sums {
            let records = count_records(&feed, feed_topic(&tenant))?;
            let key = bytes_key(&tenant);
            let bytes = bytes(games + records * FEED_RECORD_LEN);
            counts.insert(key.as_slice(), seal_number(&key, bytes).as_slice())?;
        }
        let mut meta = change.open_table(META)?;
        meta.insert(HAS_BYTES, seal_number(HAS_BYTES, 1).as_slice())?;
    }
    Ok(change.commit()?)
}
