//! Groups of changes, judged one by one and written together.

use std::collections::HashSet;

use bytes::Bytes;
use fjall::{OwnedWriteBatch, PersistMode};
use tokio::sync::oneshot;

use super::change::{Change, Reply};
use super::counts::Counts;
use super::errors::{During, guarded, of_fjall};
use super::read::entries_after;
use super::register::{Note, Register, mark_of};
use super::room::check_room;
use super::tables::{Found, PlaceKey, Tables, entry_key, place_keys, seal};
use crate::clock::now_ms;
use crate::store::packed;
use crate::store::row::encode_row;
use crate::store::wakers::Wakers;
use crate::store::{
    Commit, Committed, Created, GameId, Head, IndexRow, NewGame, StoreError, StoredEntry, Version,
};

/// How watchers are woken once the change is on disk.
enum Wake {
    Reached(Version),
    Poke,
    Nobody,
}

/// Answers a caller once the group is on disk or could not be written.
type Done = Box<dyn FnOnce(Result<(), StoreError>)>;

/// A group of changes that are written together.
pub(super) struct Group<'a> {
    tables: &'a Tables,
    batch: OwnedWriteBatch,
    /// The games that the batch changes. Changes are judged by what is on disk, so a second change of
    /// the same game waits for the next group.
    pub(super) games: HashSet<GameId>,
    wakes: Vec<(GameId, Wake)>,
    done: Vec<Done>,
    notes: Vec<(GameId, Note)>,
    /// The games that end with this group.
    pub(super) ended: Vec<GameId>,
    counts: &'a mut Counts,
    register: &'a mut Register,
}

impl<'a> Group<'a> {
    pub(super) fn new(
        tables: &'a Tables,
        counts: &'a mut Counts,
        register: &'a mut Register,
    ) -> Group<'a> {
        let batch = tables
            .database
            .batch()
            .durability(Some(PersistMode::SyncData));
        Group {
            tables,
            batch,
            games: HashSet::new(),
            wakes: Vec::new(),
            done: Vec::new(),
            notes: Vec::new(),
            ended: Vec::new(),
            counts,
            register,
        }
    }

    /// Judges a change. One that changes nothing (refused, failed, or already made) is answered at once, any
    /// other when the group is on disk.
    pub(super) fn take(&mut self, change: Change) {
        match change {
            Change::Create(game, reply) => {
                let judged = guarded(|| self.create(&game));
                self.answer(game.id, judged, Created::Done, reply);
            }
            Change::Commit(commit, reply) => {
                let judged = guarded(|| self.commit(&commit));
                self.answer(commit.id, judged, Committed::Done, reply);
            }
            Change::SetAccess {
                id,
                expected,
                access,
                head,
                row,
                reply,
            } => {
                let row = row.as_ref();
                let judged = guarded(|| self.set_access(id, &expected, &access, head, row));
                self.answer(id, judged, true, reply);
            }
            Change::Delete(id, reply) => {
                let judged = guarded(|| self.delete(id));
                self.answer(id, judged, true, reply);
            }
            Change::Ping(reply) => {
                let ready = check_room(self.tables).and_then(|()| {
                    // Writes nothing, but fails if an earlier write failed.
                    let persisted = self.tables.database.persist(PersistMode::Buffer);
                    persisted.map_err(|error| of_fjall(&error, During::Read))
                });
                let _nobody_listens = reply.send(ready);
            }
        }
    }

    fn answer<A: Send + 'static>(
        &mut self,
        id: GameId,
        judged: Result<Judged<A>, StoreError>,
        done: A,
        reply: Reply<A>,
    ) {
        match judged {
            Ok(Judged::Staged(wake)) => {
                self.games.insert(id);
                self.wakes.push((id, wake));
                self.done.push(Box::new(move |written| {
                    let _nobody_listens = reply.send(written.map(|()| done));
                }));
            }
            Ok(Judged::Answer(answer)) => {
                let _nobody_listens = reply.send(Ok(answer));
            }
            Err(error) => {
                let _nobody_listens = reply.send(Err(error));
            }
        }
    }

    fn create(&mut self, game: &NewGame) -> Result<Judged<Created>, StoreError> {
        let Group {
            tables,
            batch,
            counts,
            notes,
            ..
        } = self;
        tables.check(game.id)?;
        let first = entry_key(game.id, 1);
        let kept = match tables.get(&tables.log, &first)? {
            Some(kept) => Some(kept),
            None => {
                let log = tables.packed_log(game.id)?;
                log.and_then(|log| log.into_iter().next().map(|first| first.bytes))
            }
        };
        if let Some(kept) = kept {
            let is_ours = kept == game.entry;
            return Ok(Judged::Answer(if is_ours {
                Created::Done
            } else {
                Created::Exists
            }));
        }
        if let Some(most) = game.most_of_tenant
            && counts.of(tables, &game.row.tenant)? >= most
        {
            return Ok(Judged::Answer(Created::Full));
        }
        check_room(tables)?;
        let row = encode_row(&game.row)?;
        counts.one_more(&game.row.tenant);
        let head = game.head();
        notes.push((game.id, Note::Reached(head)));
        put_entry(batch, tables, game.id, 1, &game.entry);
        for (entry, version) in game.past.iter().zip(2..) {
            put_entry(batch, tables, game.id, version, entry);
        }
        put_snapshot(batch, tables, game.id, head.version, &game.snapshot);
        batch.insert(
            &tables.rows,
            game.id.as_bytes(),
            seal(game.id.as_bytes(), [&row, &[]]),
        );
        for key in place_keys(game.id, &game.row) {
            batch.insert(&tables.places, key, []);
        }
        if !game.access.is_empty() {
            notes.push((game.id, Note::Access(mark_of(&game.access))));
            put_access(batch, tables, game.id, &game.access);
        }
        Ok(Judged::Staged(Wake::Reached(head.version)))
    }

    fn commit(&mut self, commit: &Commit) -> Result<Judged<Committed>, StoreError> {
        let Group {
            tables,
            batch,
            notes,
            ended,
            ..
        } = self;
        let id = commit.id;
        tables.check(id)?;
        let next = commit.expected.version.saturating_add(1);
        let found = tables.find(id, commit.expected)?;
        if found == Found::Nowhere {
            return Ok(Judged::Answer(if tables.has_game(id)? {
                Committed::Conflict { newer: Vec::new() }
            } else {
                Committed::Missing
            }));
        }
        if found == Found::Packed || tables.has_entry(id, next)? {
            return self.conflict(commit);
        }
        if let Some(expected) = &commit.access
            && *expected
                != tables
                    .get(&tables.access, id.as_bytes())?
                    .unwrap_or_default()
        {
            return Ok(Judged::Answer(Committed::AccessChanged));
        }
        check_room(tables)?;
        // `put_row` can fail, but only before it adds to the batch; so it comes first.
        if let Some(row) = &commit.row {
            put_row(batch, tables, id, row)?;
        }
        put_entry(batch, tables, id, next, &commit.entry);
        notes.push((id, Note::Reached(Head::of(next, &commit.entry))));
        if let Some(snapshot) = &commit.snapshot {
            put_snapshot(batch, tables, id, next, snapshot);
        }
        if commit.ends() {
            batch.insert(&tables.ends, Tables::end_key(now_ms(), id), []);
            batch.insert(&tables.unpacked, id.as_bytes(), []);
            ended.push(id);
        }
        Ok(Judged::Staged(Wake::Reached(next)))
    }

    /// The answer when the expected entry is not the newest: a retry finds its own entry next, any other commit
    /// conflicts.
    fn conflict(&self, commit: &Commit) -> Result<Judged<Committed>, StoreError> {
        let tables = self.tables;
        let view = tables.database.snapshot();
        let newer = entries_after(
            &view,
            tables,
            commit.id,
            commit.expected.version,
            usize::MAX,
        )?;
        let is_ours = newer
            .first()
            .is_some_and(|entry: &StoredEntry| entry.bytes == commit.entry);
        Ok(Judged::Answer(if is_ours {
            Committed::Done
        } else {
            Committed::Conflict { newer }
        }))
    }

    fn set_access(
        &mut self,
        id: GameId,
        expected: &Bytes,
        access: &Bytes,
        head: Option<Head>,
        row: Option<&IndexRow>,
    ) -> Result<Judged<bool>, StoreError> {
        let Group {
            tables,
            batch,
            notes,
            ..
        } = self;
        tables.check(id)?;
        let kept = tables
            .get(&tables.access, id.as_bytes())?
            .unwrap_or_default();
        if !tables.has_game(id)? {
            return Ok(Judged::Answer(false));
        }
        if kept == access || kept != expected {
            return Ok(Judged::Answer(kept == access));
        }
        if let Some(head) = head
            && !tables.is_last(id, head)?
        {
            return Ok(Judged::Answer(false));
        }
        check_room(tables)?;
        if let Some(row) = row {
            put_row(batch, tables, id, row)?;
        }
        notes.push((id, Note::AccessChanging));
        notes.push((id, Note::Access(mark_of(access))));
        put_access(batch, tables, id, access);
        let wake = row.map_or(Wake::Nobody, |_| Wake::Poke);
        Ok(Judged::Staged(wake))
    }

    /// Deletes a game. A full disk is no reason to refuse, since deleting frees space. A game whose row is
    /// damaged can be deleted too.
    fn delete(&mut self, id: GameId) -> Result<Judged<bool>, StoreError> {
        let Group {
            tables,
            batch,
            counts,
            notes,
            ..
        } = self;
        let entries = tables.log.prefix(id.as_bytes()).map(fjall::Guard::key);
        let entries: Vec<_> = entries
            .collect::<Result<_, _>>()
            .map_err(|error| of_fjall(&error, During::Read))?;
        if entries.is_empty() && !tables.is_packed(id)? && !tables.is_lost(id) {
            return Ok(Judged::Answer(false));
        }
        let row = tables.readable_row(id)?;
        for key in places_of(tables, id, row.as_ref())? {
            batch.remove(&tables.places, key);
        }
        match row {
            Some(row) => counts.one_less(&row.tenant),
            None => counts.one_less_of_somebody(),
        }
        notes.push((id, Note::Deleted));
        for key in entries {
            batch.remove(&tables.log, key);
        }
        for table in [
            &tables.rows,
            &tables.snapshots,
            &tables.access,
            &tables.packed,
            &tables.unpacked,
        ] {
            batch.remove(table, id.as_bytes());
        }
        Ok(Judged::Staged(Wake::Poke))
    }

    /// Deletes a finished game whose time is over.
    pub(super) fn expire(&mut self, id: GameId) {
        let judged = guarded(|| self.delete(id));
        if let Err(error) = &judged {
            tracing::warn!(%id, %error, "a finished game was not deleted");
        }
        let (nobody, _) = oneshot::channel();
        self.answer(id, judged, true, nobody);
    }

    /// Packs the log of a finished game if it has enough entries.
    pub(super) fn pack(&mut self, id: GameId) {
        let judged = guarded(|| self.pack_log(id));
        if let Err(error) = &judged {
            tracing::debug!(%id, %error, "a finished game was not packed");
        }
        let (nobody, _) = oneshot::channel();
        self.answer(id, judged, (), nobody);
    }

    fn pack_log(&mut self, id: GameId) -> Result<Judged<()>, StoreError> {
        let Group { tables, batch, .. } = self;
        let log: Vec<_> = {
            let view = tables.database.snapshot();
            entries_after(&view, tables, id, 0, usize::MAX)?
        };
        if !tables.is_packed(id)? && log.len() >= packed::FEW && !tables.is_lost(id) {
            let sealed = seal(id.as_bytes(), [&packed::pack(&log)?, &[]]);
            batch.insert(&tables.packed, id.as_bytes(), sealed);
            for entry in &log {
                batch.remove(&tables.log, entry_key(id, entry.version));
            }
        }
        batch.remove(&tables.unpacked, id.as_bytes());
        Ok(Judged::Staged(Wake::Nobody))
    }

    /// Writes the group, and only then wakes watchers and answers callers. False: it could not be written.
    pub(super) fn write(mut self, wakers: &Wakers) -> bool {
        let (withdrawals, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.notes)
            .into_iter()
            .partition(|(_, note)| note.withdraws());
        // Written first, so that the register never promises a deleted game or a replaced access record, even
        // after a power cut.
        if !withdrawals.is_empty() {
            if let Err(error) = self.register.add(&withdrawals) {
                tracing::warn!(%error, "the register lacks a deletion or a change of access");
            }
            if let Err(error) = self.register.sync() {
                tracing::warn!(%error, "the register may lack a deletion or a change of access");
            }
        }
        let written = self
            .batch
            .commit()
            .map_err(|error| of_fjall(&error, During::Write));
        if let Err(error) = &written {
            tracing::error!(%error, changes = self.done.len(), "a write to the disk failed");
        }
        self.counts
            .written(written.as_ref().map(drop).map_err(drop));
        if written.is_ok() {
            for (id, note) in &withdrawals {
                if *note == Note::Deleted {
                    self.tables.forget_lost(*id);
                }
            }
            if let Err(error) = self.register.add(&others) {
                tracing::warn!(%error, "the register lacks some changes");
            }
        }
        // Wakes watchers before answering: a watch that begins after the answer must not be woken by this change.
        if written.is_ok() {
            for (id, wake) in self.wakes {
                match wake {
                    Wake::Reached(version) => wakers.reached(id, version),
                    Wake::Poke => wakers.poke(id),
                    Wake::Nobody => {}
                }
            }
        }
        for done in self.done {
            done(written.clone());
        }
        written.is_ok()
    }
}

/// The result of judging a change.
enum Judged<A> {
    /// It was added to the batch.
    Staged(Wake),
    /// It changes nothing; this is the answer.
    Answer(A),
}

fn put_entry(
    batch: &mut OwnedWriteBatch,
    tables: &Tables,
    id: GameId,
    version: Version,
    entry: &[u8],
) {
    let key = entry_key(id, version);
    batch.insert(&tables.log, key, seal(&key, [entry, &[]]));
}

/// The places of a game that has this row. `None`: its row is damaged or missing.
fn places_of(
    tables: &Tables,
    id: GameId,
    row: Option<&IndexRow>,
) -> Result<Vec<PlaceKey>, StoreError> {
    row.map_or_else(|| tables.search_places(id), |row| Ok(place_keys(id, row)))
}

/// Replaces the row of a game, and with it the places of the game in lists.
fn put_row(
    batch: &mut OwnedWriteBatch,
    tables: &Tables,
    id: GameId,
    row: &IndexRow,
) -> Result<(), StoreError> {
    let encoded = encode_row(row)?;
    let before = places_of(tables, id, tables.readable_row(id)?.as_ref())?;
    let after = place_keys(id, row);
    for key in before.iter().filter(|key| !after.contains(key)) {
        batch.remove(&tables.places, *key);
    }
    for key in after.iter().filter(|key| !before.contains(key)) {
        batch.insert(&tables.places, *key, []);
    }
    let sealed = seal(id.as_bytes(), [&encoded, &[]]);
    batch.insert(&tables.rows, id.as_bytes(), sealed);
    Ok(())
}

fn put_access(batch: &mut OwnedWriteBatch, tables: &Tables, id: GameId, access: &[u8]) {
    let sealed = seal(id.as_bytes(), [access, &[]]);
    batch.insert(&tables.access, id.as_bytes(), sealed);
}

fn put_snapshot(
    batch: &mut OwnedWriteBatch,
    tables: &Tables,
    id: GameId,
    version: Version,
    snapshot: &[u8],
) {
    let sealed = seal(id.as_bytes(), [&version.to_be_bytes(), snapshot]);
    batch.insert(&tables.snapshots, id.as_bytes(), sealed);
}
