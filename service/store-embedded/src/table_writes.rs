//! The writes that changes consist of: entries, snapshots, rows with their positions, pending tasks, and the number of
//! games.

use gamekeeper_store::clock::now_ms;
use gamekeeper_store::lists::{IndexKey, ListKey, index_keys};
use gamekeeper_store::row::encode_row;
use gamekeeper_store::sizes::growth;
use gamekeeper_store::{GameId, IndexRow, Version};
use redb::ReadableTable;

use super::fault::Fault;
use super::tables::{Record, Task, entry_key, seal, seal_number, unseal_number, value_of};
use super::writer::{Keys, PostCommit, Writer};

/// The new row of a game, with the positions in lists that it removes and adds.
struct NewRow {
    encoded: Vec<u8>,
    removed: Vec<IndexKey>,
    added: Vec<IndexKey>,
    /// When the game ended, in milliseconds since the Unix epoch. 0 while it is active.
    ended_ms: u64,
    /// By how many bytes the game grows with the row.
    growth: i64,
}

impl NewRow {
    fn of(id: GameId, record: &Record<'_>, row: &IndexRow) -> Result<NewRow, Fault> {
        let before = index_keys(id, &record.index_row(id)?);
        let after = index_keys(id, row);
        let without = |some: &[IndexKey], others: &[IndexKey]| {
            let some = some.iter().copied();
            some.filter(|key| !others.contains(key)).collect()
        };
        let encoded = encode_row(row)?;
        let place = size_of::<IndexKey>();
        Ok(NewRow {
            growth: growth(
                record.row.len() + before.len() * place,
                encoded.len() + after.len() * place,
            ),
            encoded,
            removed: without(&before, &after),
            added: without(&after, &before),
            ended_ms: end_of(row, record.ended_ms),
        })
    }
}

/// Returns when a game ended, in milliseconds since the Unix epoch, or 0 while it is active. A game that stays
/// finished keeps its first end.
fn end_of(row: &IndexRow, before_ms: u64) -> u64 {
    match (row.finished, before_ms) {
        (false, _) => 0,
        (true, 0) => now_ms(),
        (true, before_ms) => before_ms,
    }
}

impl Writer<'_> {
    /// Returns when a new game ended, in milliseconds since the Unix epoch, or 0 if it is active.
    pub(super) fn end_of(row: &IndexRow) -> u64 {
        end_of(row, 0)
    }

    /// Returns the positions of a game whose record is damaged, by scanning all lists.
    pub(super) fn search_index(&self, id: GameId) -> Result<Vec<Vec<u8>>, Fault> {
        keys_of(&self.list_index, id)
    }

    /// Returns the pending tasks of a game whose record is damaged, by scanning all tasks.
    pub(super) fn search_due(&self, id: GameId) -> Result<Vec<Vec<u8>>, Fault> {
        keys_of(&self.due, id)
    }

    /// Replaces the record of a game and, with `row`, its positions.
    pub(super) fn replace(
        &mut self,
        id: GameId,
        after: &Record<'_>,
        before: &Record<'_>,
        row: Option<&IndexRow>,
    ) -> Result<(), Fault> {
        let row = row.map(|row| NewRow::of(id, before, row)).transpose()?;
        let growth = growth(before.access.len(), after.access.len())
            + row.as_ref().map_or(0, |row| row.growth);
        if growth != 0 {
            self.count_bytes(&before.index_row(id)?.tenant, growth);
        }
        let sealed = match &row {
            None => after.seal(id)?,
            Some(row) => Record {
                ended_ms: row.ended_ms,
                row: &row.encoded,
                ..*after
            }
            .seal(id)?,
        };
        if let Some(row) = row {
            for key in &row.added {
                self.list_index.insert(key.as_slice(), ())?;
            }
            for key in &row.removed {
                self.list_index.remove(key.as_slice())?;
            }
            self.reschedule_tasks(id, before.ended_ms, row.ended_ms)?;
        }
        self.games
            .insert(id.as_bytes().as_slice(), sealed.as_slice())?;
        Ok(())
    }

    pub(super) fn record_change(&mut self, id: GameId, post_commit: PostCommit) {
        self.has_changed = true;
        self.post_commits.push((id, post_commit));
    }

    pub(super) fn put_entry(
        &mut self,
        id: GameId,
        version: Version,
        entry: &[u8],
    ) -> Result<(), Fault> {
        let key = entry_key(id, version);
        self.entries
            .insert(key.as_slice(), seal(&key, &[entry]).as_slice())?;
        Ok(())
    }

    pub(super) fn put_snapshot(
        &mut self,
        id: GameId,
        version: Version,
        state: &[u8],
    ) -> Result<(), Fault> {
        let sealed = seal(id.as_bytes(), &[&version.to_be_bytes(), state]);
        self.snapshots
            .insert(id.as_bytes().as_slice(), sealed.as_slice())?;
        Ok(())
    }

    /// Removes the entries of a game from this version on.
    pub(super) fn remove_entries(&mut self, id: GameId, from: Version) -> Result<(), Fault> {
        let (first, last) = (entry_key(id, from), entry_key(id, Version::MAX));
        self.entries
            .retain_in(first.as_slice()..=last.as_slice(), |_, _| false)?;
        Ok(())
    }

    /// Moves the pending tasks of a game from one end to another, in milliseconds since the Unix epoch. 0: the game is
    /// active and has no tasks.
    pub(super) fn reschedule_tasks(
        &mut self,
        id: GameId,
        before_ms: u64,
        after_ms: u64,
    ) -> Result<(), Fault> {
        for task in [Task::Pack, Task::Delete] {
            if before_ms != 0 && before_ms != after_ms {
                self.due.remove(task.key(before_ms, id).as_slice())?;
            }
            if after_ms != 0 && before_ms != after_ms {
                self.due.insert(task.key(after_ms, id).as_slice(), ())?;
            }
        }
        Ok(())
    }

    /// Returns the number of games of a tenant, by the key of its list of all games. Counts the positions again if the
    /// stored number is damaged.
    pub(super) fn count(&self, list: ListKey) -> Result<u64, Fault> {
        let Some(sealed) = value_of(&self.counts, &list)? else {
            return Ok(0);
        };
        if let Some(count) = unseal_number(&list, &sealed) {
            return Ok(count);
        }
        let mut count = 0;
        for key in self.list_index.range(list.as_slice()..)? {
            if !key?.0.value().starts_with(&list) {
                break;
            }
            count += 1;
        }
        Ok(count)
    }

    pub(super) fn set_count(&mut self, list: ListKey, count: u64) -> Result<(), Fault> {
        let sealed = seal_number(&list, count);
        self.counts.insert(list.as_slice(), sealed.as_slice())?;
        Ok(())
    }

    /// Decrements the number of games of a list, if the list has one.
    pub(super) fn decrement_count(&mut self, list: ListKey) -> Result<(), Fault> {
        if value_of(&self.counts, &list)?.is_none() {
            return Ok(());
        }
        match self.count(list)?.saturating_sub(1) {
            0 => drop(self.counts.remove(list.as_slice())?),
            count => self.set_count(list, count)?,
        }
        Ok(())
    }
}

/// Returns all keys that end with the id of a game. Scans the whole table.
fn keys_of(table: &Keys<'_>, id: GameId) -> Result<Vec<Vec<u8>>, Fault> {
    tracing::warn!(%id, "the record of a game is missing or damaged: all lists are searched for it");
    let mut keys = Vec::new();
    for key in table.iter()? {
        let key = key?.0;
        if key.value().ends_with(id.as_bytes()) {
            keys.push(key.value().to_vec());
        }
    }
    Ok(keys)
}
