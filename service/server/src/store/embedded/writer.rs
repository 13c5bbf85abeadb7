//! Changes, each judged by what the changes before it have left, and written together.
//!
//! A judgment reads everything that it needs before it writes anything: a change that is refused has then left
//! nothing behind in the group.

use bytes::Bytes;
use redb::{ReadableTable, Table, WriteTransaction};

use super::disk::Disk;
use super::fault::Fault;
use super::tables::{
    COUNTS, DUE, ENTRIES, GAMES, PACKED, PLACES, Record, SNAPSHOTS, Task, check_no_log, due_in,
    entries_after, entry_key, has_entry, number_in, seal, seal_number, value_of,
};
use crate::clock::now_ms;
use crate::store::lists::{List, ListKey, Part, PlaceKey, place_keys};
use crate::store::packed;
use crate::store::row::encode_row;
use crate::store::{
    Commit, Committed, Created, GameId, Head, IndexRow, NewGame, Place, StoreError, Version,
};

type Values<'a> = Table<'a, &'static [u8], &'static [u8]>;
type Keys<'a> = Table<'a, &'static [u8], ()>;

/// What follows from a change once it is on disk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// The watchers hear that the game has reached this version.
    Reached(Version),
    /// The watchers are woken.
    Woken,
    /// The watchers are woken, and damage of the game is forgotten.
    Deleted,
}

/// The tables while a group of changes is judged.
pub(super) struct Writer<'a> {
    pub(super) disk: &'a Disk,
    games: Values<'a>,
    entries: Values<'a>,
    snapshots: Values<'a>,
    counts: Values<'a>,
    places: Keys<'a>,
    due: Keys<'a>,
    /// Whether the disk has room for changes.
    room: Result<(), StoreError>,
    pub(super) effects: Vec<(GameId, Effect)>,
    /// Whether there is anything to write.
    pub(super) has_changed: bool,
}

/// A row that replaces that of a game, with what it changes in lists.
struct NewRow {
    encoded: Vec<u8>,
    left: Vec<PlaceKey>,
    joined: Vec<PlaceKey>,
    /// When the game ended, in milliseconds since the Unix epoch. 0: it is not over.
    ended_ms: u64,
}

impl NewRow {
    fn of(id: GameId, record: &Record<'_>, row: &IndexRow) -> Result<NewRow, Fault> {
        let before = place_keys(id, &record.index_row(id)?);
        let after = place_keys(id, row);
        let without = |some: &[PlaceKey], others: &[PlaceKey]| {
            let some = some.iter().copied();
            some.filter(|place| !others.contains(place)).collect()
        };
        Ok(NewRow {
            encoded: encode_row(row)?,
            left: without(&before, &after),
            joined: without(&after, &before),
            ended_ms: end_of(row, record.ended_ms),
        })
    }
}

/// When a game ended, if it is over. The first end counts.
fn end_of(row: &IndexRow, before_ms: u64) -> u64 {
    match (row.finished, before_ms) {
        (false, _) => 0,
        (true, 0) => now_ms(),
        (true, before_ms) => before_ms,
    }
}

impl<'a> Writer<'a> {
    pub(super) fn open(disk: &'a Disk, change: &'a WriteTransaction) -> Result<Writer<'a>, Fault> {
        Ok(Writer {
            disk,
            games: change.open_table(GAMES)?,
            entries: change.open_table(ENTRIES)?,
            snapshots: change.open_table(SNAPSHOTS)?,
            counts: change.open_table(COUNTS)?,
            places: change.open_table(PLACES)?,
            due: change.open_table(DUE)?,
            room: disk.check_room(&disk.directory, 0),
            effects: Vec::new(),
            has_changed: false,
        })
    }

    /// Fails if the disk has no room for changes.
    pub(super) fn check_room(&self) -> Result<(), Fault> {
        self.room.clone().map_err(Fault::from)
    }

    /// The sealed record of a game. `None`: the game does not exist.
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
        if game.most_of_tenant.is_some_and(|most| count >= most) {
            return Ok(Created::Full);
        }
        self.check_room()?;
        let row = encode_row(&game.row)?;
        let record = Record {
            head: game.head(),
            ended_ms: end_of(&game.row, 0),
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
        self.changed(id, Effect::Reached(version));
        Ok(Committed::Done)
    }

    /// The answer when the expected entry is not the newest: a retry finds its own entry next, any other
    /// commit conflicts.
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
        if before.access == access {
            return Ok(true);
        }
        if before.access != expected || head.is_some_and(|head| head != before.head) {
            return Ok(false);
        }
        self.check_room()?;
        self.replace(id, &Record { access, ..before }, &before, row)?;
        self.has_changed = true;
        if row.is_some() {
            self.changed(id, Effect::Woken);
        }
        Ok(true)
    }

    /// Replaces the record of a game and, with `row`, its places.
    fn replace(
        &mut self,
        id: GameId,
        after: &Record<'_>,
        before: &Record<'_>,
        row: Option<&IndexRow>,
    ) -> Result<(), Fault> {
        let row = row.map(|row| NewRow::of(id, before, row)).transpose()?;
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
            for place in &row.joined {
                self.places.insert(place.as_slice(), ())?;
            }
            for place in &row.left {
                self.places.remove(place.as_slice())?;
            }
            self.set_end(id, before.ended_ms, row.ended_ms)?;
        }
        self.games
            .insert(id.as_bytes().as_slice(), sealed.as_slice())?;
        Ok(())
    }

    /// Deletes a game. A full disk is no reason to refuse, since deleting frees space. A game whose record is
    /// damaged can be deleted too: its places are then searched for.
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
            None => keys_of(&self.places, id)?,
        };
        match &known {
            Some((ended_ms, _)) => self.set_end(id, *ended_ms, 0)?,
            None => {
                for key in keys_of(&self.due, id)? {
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

    /// Finished games whose game ended at this time or before, in milliseconds since the Unix epoch, and for which this
    /// is still to be done; at most `limit`, the earliest first.
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

    /// Notes that a task is done.
    pub(super) fn done(&mut self, task: Task, ended: Place) -> Result<(), Fault> {
        self.due.remove(task.key(ended.ms, ended.id).as_slice())?;
        self.has_changed = true;
        Ok(())
    }

    fn changed(&mut self, id: GameId, effect: Effect) {
        self.has_changed = true;
        self.effects.push((id, effect));
    }

    fn put_entry(&mut self, id: GameId, version: Version, entry: &[u8]) -> Result<(), Fault> {
        let key = entry_key(id, version);
        self.entries
            .insert(key.as_slice(), seal(&key, &[entry]).as_slice())?;
        Ok(())
    }

    fn put_snapshot(&mut self, id: GameId, version: Version, state: &[u8]) -> Result<(), Fault> {
        let sealed = seal(id.as_bytes(), &[&version.to_be_bytes(), state]);
        self.snapshots
            .insert(id.as_bytes().as_slice(), sealed.as_slice())?;
        Ok(())
    }

    /// Removes the entries of a game from this version on.
    fn remove_entries(&mut self, id: GameId, from: Version) -> Result<(), Fault> {
        let (first, last) = (entry_key(id, from), entry_key(id, Version::MAX));
        self.entries
            .retain_in(first.as_slice()..=last.as_slice(), |_, _| false)?;
        Ok(())
    }

    /// Replaces the end of a game among what is due. 0: it is not over.
    fn set_end(&mut self, id: GameId, before_ms: u64, after_ms: u64) -> Result<(), Fault> {
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

    /// The number of games in the list of all games of a tenant. A number that cannot be read is counted again.
    fn count(&self, list: ListKey) -> Result<u64, Fault> {
        let Some(sealed) = value_of(&self.counts, &list)? else {
            return Ok(0);
        };
        if let Some(count) = number_in(&list, &sealed) {
            return Ok(count);
        }
        let mut count = 0;
        for key in self.places.range(list.as_slice()..)? {
            if !key?.0.value().starts_with(&list) {
                break;
            }
            count += 1;
        }
        Ok(count)
    }

    fn set_count(&mut self, list: ListKey, count: u64) -> Result<(), Fault> {
        let sealed = seal_number(&list, count);
        self.counts.insert(list.as_slice(), sealed.as_slice())?;
        Ok(())
    }

    /// Counts one game less, if the games of this list are counted.
    fn one_less(&mut self, list: ListKey) -> Result<(), Fault> {
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

/// All keys that end with a game. Reads the whole table.
fn keys_of(table: &Keys<'_>, id: GameId) -> Result<Vec<Vec<u8>>, Fault> {
    tracing::warn!(%id, "the record of a game is missing or damaged: all lists are searched for it");
    let mut found = Vec::new();
    for key in table.iter()? {
        let key = key?.0;
        if key.value().ends_with(id.as_bytes()) {
            found.push(key.value().to_vec());
        }
    }
    Ok(found)
}
