//! Changes of one group: each is applied to the result of those before it, and all are written in one transaction.
//!
//! Each change makes all its checks before its first write, so that a refused change leaves nothing behind in the
//! group.

use std::collections::HashMap;

use bytes::Bytes;
use gamekeeper_store::feed::ChangeKind;
use gamekeeper_store::lists::{List, Subset, index_keys};
use gamekeeper_store::row::encode_row;
use gamekeeper_store::sizes::{bytes, growth, len_of_entries};
use gamekeeper_store::{
    Commit, Committed, Created, GameId, Head, IndexRow, ListPosition, NewGame, StoreError,
    TenantLimit, Version, packed,
};
use redb::{ReadableTable, Table, WriteTransaction};

use super::disk::Disk;
use super::fault::Fault;
use super::tables::{
    COUNTS, DUE, ENTRIES, FEED, GAMES, KV, LIST_INDEX, PACKED, Record, SNAPSHOTS, Task,
    check_no_log, entries_after, has_entry, parse_due_key, value_of,
};

pub(super) type Values<'a> = Table<'a, &'static [u8], &'static [u8]>;
pub(super) type Keys<'a> = Table<'a, &'static [u8], ()>;

/// The effect of a change outside of the file, once the change is on disk.
#[derive(Clone, Copy, Debug)]
pub(super) enum PostCommit {
    /// Wakes the watchers of the game with its new version.
    Reached(Version),
    /// Wakes the watchers without a new version.
    Woken,
    /// Wakes the watchers, and forgets damage of the game.
    Deleted,
}

/// The open tables of a group of changes.
pub(super) struct Writer<'a> {
    pub(super) disk: &'a Disk,
    pub(super) games: Values<'a>,
    pub(super) entries: Values<'a>,
    pub(super) snapshots: Values<'a>,
    pub(super) counts: Values<'a>,
    pub(super) kv: Values<'a>,
    pub(super) list_index: Keys<'a>,
    pub(super) due: Keys<'a>,
    pub(super) feed: Keys<'a>,
    /// The free space on the disk, as it was when the group began: an error if changes must be refused.
    free_space: Result<(), StoreError>,
    pub(super) post_commits: Vec<(GameId, PostCommit)>,
    /// By how many bytes the group makes tenants store more.
    pub(super) growths: HashMap<String, i64>,
    /// Whether the group has anything to write.
    pub(super) has_changed: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn open(disk: &'a Disk, change: &'a WriteTransaction) -> Result<Writer<'a>, Fault> {
        Ok(Writer {
            disk,
            games: change.open_table(GAMES)?,
            entries: change.open_table(ENTRIES)?,
            snapshots: change.open_table(SNAPSHOTS)?,
            counts: change.open_table(COUNTS)?,
            kv: change.open_table(KV)?,
            list_index: change.open_table(LIST_INDEX)?,
            due: change.open_table(DUE)?,
            feed: change.open_table(FEED)?,
            free_space: disk.check_room(&disk.directory, 0),
            post_commits: Vec::new(),
            growths: HashMap::new(),
            has_changed: false,
        })
    }

    /// Fails if the disk has too little free space for changes.
    pub(super) fn check_room(&self) -> Result<(), Fault> {
        self.free_space.clone().map_err(Fault::from)
    }

    /// Returns the sealed record of a game, or `None` if the game does not exist.
    fn record(&self, id: GameId) -> Result<Option<Vec<u8>>, Fault> {
        let sealed = value_of(&self.games, id.as_bytes())?;
        if sealed.is_none() {
            check_no_log(&self.entries, id)?;
        }
        Ok(sealed)
    }

    pub(super) fn create(&mut self, game: &NewGame) -> Result<Created, Fault> {
        let id = game.id;
        if let Some(sealed) = self.record(id)? {
            let record = Record::open(id, &sealed)?;
            let first = entries_after(&self.entries, id, &record, 0, 1)?;
            let is_retry = first.first().is_some_and(|first| first.bytes == game.entry);
            return Ok(if is_retry {
                Created::Done
            } else {
                Created::Exists
            });
        }
        let list = List::Created(Some(&game.row.tenant), Subset::All).key();
        let count = self.count(list)?;
        if game.tenant_limit.is_some_and(|max| count >= max) {
            return Ok(Created::Full(TenantLimit::Games));
        }
        let size = game.stored_len();
        if let Some(max) = game.tenant_bytes
            && self
                .stored_bytes(&game.row.tenant)?
                .saturating_add(bytes(size))
                > max
        {
            return Ok(Created::Full(TenantLimit::Bytes));
        }
        self.check_room()?;
        let row = encode_row(&game.row)?;
        let record = Record {
            head: game.head(),
            ended_ms: Self::end_of(&game.row),
            is_packed: false,
            row: &row,
            access: &game.access,
        };
        let sealed = record.seal(id)?;
        self.put_entry(id, 1, &game.entry)?;
        for (entry, version) in game.history.iter().zip(2..) {
            self.put_entry(id, version, entry)?;
        }
        self.put_snapshot(id, record.head.version, &game.snapshot)?;
        for key in index_keys(id, &game.row) {
            self.list_index.insert(key.as_slice(), ())?;
        }
        self.set_count(list, count + 1)?;
        self.count_bytes(&game.row.tenant, growth(0, size));
        self.reschedule_tasks(id, 0, record.ended_ms)?;
        self.games
            .insert(id.as_bytes().as_slice(), sealed.as_slice())?;
        self.append_to_feed(&game.row.tenant, (id, ChangeKind::Created, record.head))?;
        self.record_change(id, PostCommit::Reached(record.head.version));
        Ok(Created::Done)
    }

    pub(super) fn commit(&mut self, commit: &Commit) -> Result<Committed, Fault> {
        let id = commit.id;
        let Some(sealed) = self.record(id)? else {
            return Ok(Committed::Missing);
        };
        let before = Record::open(id, &sealed)?;
        if before.head != commit.expected || before.is_packed {
            return self.conflict(commit, &before);
        }
        if commit
            .access
            .as_ref()
            .is_some_and(|access| *access != before.access)
        {
            return Ok(Committed::AccessChanged);
        }
        self.check_room()?;
        let version = before.head.version + 1;
        let head = Head::of(version, &commit.entry);
        self.replace(id, &Record { head, ..before }, &before, commit.row.as_ref())?;
        self.put_entry(id, version, &commit.entry)?;
        if let Some(snapshot) = &commit.snapshot {
            let growth = self.growth_with_snapshot(id, (version, snapshot.len()))?;
            self.count_bytes(&commit.tenant, growth);
            self.put_snapshot(id, version, snapshot)?;
        }
        self.append_to_feed(&commit.tenant, (id, ChangeKind::Version, head))?;
        self.record_change(id, PostCommit::Reached(version));
        Ok(Committed::Done)
    }

    /// Answers a commit whose expected entry is not the newest: a retry finds its own entry next, any other commit
    /// conflicts.
    fn conflict(&self, commit: &Commit, record: &Record<'_>) -> Result<Committed, Fault> {
        let (id, expected) = (commit.id, commit.expected);
        let newer = if has_entry(&self.entries, id, record, expected)? {
            entries_after(&self.entries, id, record, expected.version, usize::MAX)?
        } else {
            Vec::new()
        };
        let is_retry = newer.first().is_some_and(|next| next.bytes == commit.entry);
        Ok(if is_retry {
            Committed::Done
        } else {
            Committed::Conflict { newer }
        })
    }

    pub(super) fn set_access(
        &mut self,
        id: GameId,
        expected: &Bytes,
        access: &Bytes,
        head: Option<Head>,
        row: Option<&IndexRow>,
    ) -> Result<bool, Fault> {
        let Some(sealed) = self.record(id)? else {
            return Ok(false);
        };
        let before = Record::open(id, &sealed)?;
        if before.access != expected || head.is_some_and(|head| head != before.head) {
            return Ok(false);
        }
        self.check_room()?;
        self.replace(id, &Record { access, ..before }, &before, row)?;
        self.has_changed = true;
        if let Some(row) = row {
            self.append_to_feed(&row.tenant, (id, ChangeKind::Lists, before.head))?;
            self.record_change(id, PostCommit::Woken);
        }
        Ok(true)
    }

    /// Deletes a game, even if the disk is full, since this frees space. A game whose record is damaged can be deleted
    /// too: its positions are then searched for.
    pub(super) fn delete(&mut self, id: GameId) -> Result<bool, Fault> {
        let details = match self.record(id) {
            Ok(None) => return Ok(false),
            Ok(Some(sealed)) => Record::open(id, &sealed)
                .and_then(|record| {
                    let row = record.index_row(id)?;
                    let size = self.len_of_game(id, (record.access, &row))?;
                    Ok((record.ended_ms, row, size))
                })
                .ok(),
            Err(Fault::Damaged(..)) => None,
            Err(fault @ (Fault::Refused(_) | Fault::Library(_))) => return Err(fault),
        };
        let keys = match &details {
            Some((_, row, _)) => index_keys(id, row).iter().map(|key| key.to_vec()).collect(),
            None => self.search_index(id)?,
        };
        match &details {
            Some((ended_ms, ..)) => self.reschedule_tasks(id, *ended_ms, 0)?,
            None => {
                for key in self.search_due(id)? {
                    self.due.remove(key.as_slice())?;
                }
            }
        }
        for index_key in keys {
            let is_gone = self.list_index.remove(index_key.as_slice())?.is_some();
            if let (true, Some(list)) = (is_gone, index_key.first_chunk()) {
                self.decrement_count(*list)?;
            }
        }
        self.remove_entries(id, PACKED)?;
        self.snapshots.remove(id.as_bytes().as_slice())?;
        self.games.remove(id.as_bytes().as_slice())?;
        if let Some((_, row, size)) = &details {
            self.count_bytes(&row.tenant, growth(*size, 0));
            let none = Head {
                version: 0,
                entry_hash: 0,
            };
            self.append_to_feed(&row.tenant, (id, ChangeKind::Deleted, none))?;
        }
        self.record_change(id, PostCommit::Deleted);
        Ok(true)
    }

    /// Packs the log of a finished game if it has enough entries.
    pub(super) fn pack(&mut self, id: GameId) -> Result<(), Fault> {
        let Some(sealed) = self.record(id)? else {
            return Ok(());
        };
        let record = Record::open(id, &sealed)?;
        let log = entries_after(&self.entries, id, &record, 0, usize::MAX)?;
        if record.is_packed || log.len() < packed::MIN_ENTRIES {
            return Ok(());
        }
        let packed = packed::pack(&log)?;
        let tenant = record.index_row(id)?.tenant;
        let before = self.len_of_settled_log(id)?;
        self.count_bytes(&tenant, growth(before, len_of_entries([packed.len()])));
        let sealed = Record {
            is_packed: true,
            ..record
        }
        .seal(id)?;
        self.remove_entries(id, 1)?;
        self.put_entry(id, PACKED, &packed)?;
        self.games
            .insert(id.as_bytes().as_slice(), sealed.as_slice())?;
        self.has_changed = true;
        Ok(())
    }

    /// Returns the games or key-value records whose task is pending since this time or before, in milliseconds since
    /// the Unix epoch; at most `limit`, the earliest first.
    pub(super) fn due_tasks(
        &self,
        task: Task,
        until_ms: u64,
        limit: usize,
    ) -> Result<Vec<ListPosition>, Fault> {
        let (from, until) = (
            task.key(0, GameId::nil()),
            task.key(until_ms, GameId::max()),
        );
        let mut due = Vec::new();
        for key in self
            .due
            .range(from.as_slice()..=until.as_slice())?
            .take(limit)
        {
            due.extend(parse_due_key(key?.0.value()));
        }
        Ok(due)
    }

    /// Removes a task that was done.
    pub(super) fn finish_task(&mut self, task: Task, ended: ListPosition) -> Result<(), Fault> {
        self.due.remove(task.key(ended.ms, ended.id).as_slice())?;
        self.has_changed = true;
        Ok(())
    }
}
