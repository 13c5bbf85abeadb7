//! Changes of one group: each is applied to the result of those before it, and all are written in one transaction.
//!
//! Each change makes all its checks before its first write, so that a refused change leaves nothing behind in the
//! group.

use bytes::Bytes;
use gamekeeper_store::feed::Told;
use gamekeeper_store::lists::{List, Part, place_keys};
use gamekeeper_store::row::encode_row;
use gamekeeper_store::{
    Commit, Committed, Created, GameId, Head, IndexRow, NewGame, Place, StoreError, Version, packed,
};
use redb::{ReadableTable, Table, WriteTransaction};

use super::disk::Disk;
use super::fault::Fault;
use super::tables::{
    COUNTS, DUE, ENTRIES, FEED, GAMES, NOTES, PACKED, PLACES, Record, SNAPSHOTS, Task,
    check_no_log, due_in, entries_after, has_entry, value_of,
};

pub(super) type Values<'a> = Table<'a, &'static [u8], &'static [u8]>;
pub(super) type Keys<'a> = Table<'a, &'static [u8], ()>;

/// The effect of a change outside of the file, once the change is on disk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
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
    pub(super) notes: Values<'a>,
    pub(super) places: Keys<'a>,
    pub(super) due: Keys<'a>,
    pub(super) feed: Keys<'a>,
    /// The free space on the disk, as it was when the group began: an error if changes must be refused.
    room: Result<(), StoreError>,
    pub(super) effects: Vec<(GameId, Effect)>,
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
            notes: change.open_table(NOTES)?,
            places: change.open_table(PLACES)?,
            due: change.open_table(DUE)?,
            feed: change.open_table(FEED)?,
            room: disk.check_room(&disk.directory, 0),
            effects: Vec::new(),
            has_changed: false,
        })
    }

    /// Fails if the disk has too little free space for changes.
    pub(super) fn check_room(&self) -> Result<(), Fault> {
        self.room.clone().map_err(Fault::from)
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
            let is_ours = first.first().is_some_and(|first| first.bytes == game.entry);
            return Ok(if is_ours {
                Created::Done
            } else {
                Created::Exists
            });
        }
        let list = List::Created(Some(&game.row.tenant), Part::All).key();
        let count = self.count(list)?;
        if game.max_of_tenant.is_some_and(|max| count >= max) {
            return Ok(Created::Full);
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
        for (entry, version) in game.past.iter().zip(2..) {
            self.put_entry(id, version, entry)?;
        }
        self.put_snapshot(id, record.head.version, &game.snapshot)?;
        for place in place_keys(id, &game.row) {
            self.places.insert(place.as_slice(), ())?;
        }
        self.set_count(list, count + 1)?;
        self.set_end(id, 0, record.ended_ms)?;
        self.games
            .insert(id.as_bytes().as_slice(), sealed.as_slice())?;
        self.tell(&game.row.tenant, (id, Told::Created, record.head))?;
        self.changed(id, Effect::Reached(record.head.version));
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
            self.put_snapshot(id, version, snapshot)?;
        }
        self.tell(&commit.tenant, (id, Told::Version, head))?;
        self.changed(id, Effect::Reached(version));
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
        let is_ours = newer.first().is_some_and(|next| next.bytes == commit.entry);
        Ok(if is_ours {
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
            self.tell(&row.tenant, (id, Told::Lists, before.head))?;
            self.changed(id, Effect::Woken);
        }
        Ok(true)
    }

    /// Deletes a game, even if the disk is full, since this frees space. A game whose record is damaged can be deleted
    /// too: its places are then searched for.
    pub(super) fn delete(&mut self, id: GameId) -> Result<bool, Fault> {
        let known = match self.record(id) {
            Ok(None) => return Ok(false),
            Ok(Some(sealed)) => Record::open(id, &sealed)
                .and_then(|record| Ok((record.ended_ms, record.index_row(id)?)))
                .ok(),
            Err(Fault::Damaged(..)) => None,
            Err(fault @ (Fault::Refused(_) | Fault::Library(_))) => return Err(fault),
        };
        let places = match &known {
            Some((_, row)) => place_keys(id, row).iter().map(|key| key.to_vec()).collect(),
            None => self.search_places(id)?,
        };
        match &known {
            Some((ended_ms, _)) => self.set_end(id, *ended_ms, 0)?,
            None => {
                for key in self.search_due(id)? {
                    self.due.remove(key.as_slice())?;
                }
            }
        }
        for place in places {
            let is_gone = self.places.remove(place.as_slice())?.is_some();
            if let (true, Some(list)) = (is_gone, place.first_chunk()) {
                self.one_less(*list)?;
            }
        }
        self.remove_entries(id, PACKED)?;
        self.snapshots.remove(id.as_bytes().as_slice())?;
        self.games.remove(id.as_bytes().as_slice())?;
        if let Some((_, row)) = &known {
            let none = Head {
                version: 0,
                mark: 0,
            };
            self.tell(&row.tenant, (id, Told::Deleted, none))?;
        }
        self.changed(id, Effect::Deleted);
        Ok(true)
    }

    /// Packs the log of a finished game if it has enough entries.
    pub(super) fn pack(&mut self, id: GameId) -> Result<(), Fault> {
        let Some(sealed) = self.record(id)? else {
            return Ok(());
        };
        let record = Record::open(id, &sealed)?;
        let log = entries_after(&self.entries, id, &record, 0, usize::MAX)?;
        if record.is_packed || log.len() < packed::FEW {
            return Ok(());
        }
        let packed = packed::pack(&log)?;
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

    /// Returns the games or notes whose task is pending since this time or before, in milliseconds since the Unix
    /// epoch; at most `limit`, the earliest first.
    pub(super) fn due(&self, task: Task, until_ms: u64, limit: usize) -> Result<Vec<Place>, Fault> {
        let (from, until) = (
            task.key(0, GameId::nil()),
            task.key(until_ms, GameId::max()),
        );
        let mut found = Vec::new();
        for key in self
            .due
            .range(from.as_slice()..=until.as_slice())?
            .take(limit)
        {
            found.extend(due_in(key?.0.value()));
        }
        Ok(found)
    }

    /// Removes a task that was done.
    pub(super) fn done(&mut self, task: Task, ended: Place) -> Result<(), Fault> {
        self.due.remove(task.key(ended.ms, ended.id).as_slice())?;
        self.has_changed = true;
        Ok(())
    }
}
