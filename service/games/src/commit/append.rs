//! Appends validated entries to the log, by a **compare-and-set** on the head of the log.

use std::mem;

use bytes::Bytes;
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::Seat;
use gamekeeper_rules::table_life::{
    self, ActionError, AppliedAtTable, TableEvent, TableLife, pending,
};
use gamekeeper_store::{Commit, Committed, Head, IndexRow, StoreError, Version};
use gamekeeper_telemetry::{CommitOutcome, TableEventLabel};
use gamekeeper_wire::Wire;

use crate::aggregate::game::{EntryOf, Game};
use crate::aggregate::game_limits::byte_len;
use crate::aggregate::idempotency::IdempotencyKey;
use crate::errors::{RulesRefusal, ServiceError};
use crate::index::index_keys::{index_lists, index_row};
use crate::log::{
    ActionEntry, Effects, Entry, EntryKind, EntryRecord, RequestFingerprint, encode_entry,
    encode_snapshot,
};
use crate::service::event_reader::EventReader;
use crate::service::game_service::GameService;
use crate::service::load::LockedGame;

/// An entry that was validated and applied to a copy of the game, ready to be committed.
pub(crate) struct PreparedEntry<W: Wire> {
    entry: EntryOf<W>,
    new_state: AppliedAtTable<W>,
    /// The time of the entry, in milliseconds since the Unix epoch.
    time_ms: u64,
}

impl<W: Wire> PreparedEntry<W> {
    /// Builds an entry from its cause and its outcome. Boxed: the futures that hold it during the store's round trip
    /// would otherwise copy it from one to the next.
    pub(crate) fn new(
        game: &Game<W>,
        kind: EntryKind<W::Action>,
        mut new_state: AppliedAtTable<W>,
        fingerprint: RequestFingerprint,
        time_ms: u64,
    ) -> Box<Self> {
        let (applied, _) = &mut new_state;
        let record = EntryRecord {
            automatic: mem::take(&mut applied.automatic),
            draws: mem::take(&mut applied.draws),
            effects: Some(Effects::of(applied)),
            after_ms: game.next_stamp(time_ms).at_ms,
            request_fingerprint: fingerprint,
        };
        Box::new(Self {
            entry: Entry { kind, record },
            new_state,
            time_ms,
        })
    }

    /// Returns a copy of the game with the entry appended, and the entry. Nothing is stored.
    pub(crate) fn append_to_copy(self, game: &Game<W>) -> (Game<W>, EntryOf<W>) {
        let (applied, table_life) = self.new_state;
        let mut after = game.clone_for_read();
        after.apply_committed(applied, table_life, &self.entry, &[]);
        (after, self.entry)
    }
}

impl<W: Wire> GameService<W> {
    /// Validates an action of a seat, and applies it to a copy of the game if it is legal.
    ///
    /// # Errors
    /// If the rules or the table refuse the action.
    pub(crate) fn prepare_action(
        &self,
        game: &Game<W>,
        (seat, action): (Seat, &W::Action),
        fingerprint: RequestFingerprint,
    ) -> Result<Box<PreparedEntry<W>>, ServiceError> {
        let time_ms = self.next_time_ms(game);
        let applied =
            table_life::apply_action(game.table(), seat, action, game.next_stamp(time_ms));
        let applied = applied.map_err(|denied| match denied {
            ActionError::Rules(refusal) => {
                ServiceError::RefusedByRules(RulesRefusal::of::<W>(&refusal))
            }
            ActionError::Table(refusal) => ServiceError::RefusedByTable(refusal),
        })?;
        let action = action.clone();
        let kind = EntryKind::Action(ActionEntry { seat, action });
        Ok(PreparedEntry::new(
            game,
            kind,
            applied,
            fingerprint,
            time_ms,
        ))
    }

    /// Returns the time of the game's next entry. Times never run backwards in a log, even if the clocks of processes
    /// differ.
    pub(crate) fn next_time_ms(&self, game: &Game<W>) -> u64 {
        let last_ms = game.time_ms.max(game.genesis.created_ms());
        self.context.clock.now_ms().max(last_ms)
    }

    /// Commits an entry. Returns `None` if another commit came first: the game was refreshed, and the request must be
    /// validated again.
    pub(crate) async fn append(
        &self,
        game: &mut LockedGame<W>,
        prepared: Box<PreparedEntry<W>>,
    ) -> Result<Option<EntryOf<W>>, ServiceError> {
        let commit = self.build_commit(game, &prepared);
        match self.send_commit(&commit).await? {
            Committed::Done => {
                let PreparedEntry {
                    entry,
                    new_state: (applied, table_life),
                    ..
                } = *prepared;
                if let EntryKind::Table(table_entry) = &entry.kind {
                    self.metrics.happened(table_event_label(&table_entry.event));
                }
                game.apply_committed(applied, table_life, &entry, &commit.entry);
                game.lacks_snapshot &= commit.snapshot.is_none();
                self.context.due_queue.push(game.due_game());
                return Ok(Some(entry));
            }
            // Boxed: conflicts are rare, and must not enlarge the future of every call.
            Committed::Conflict { newer } if !newer.is_empty() => {
                Box::pin(self.replay_newer(game, &newer)).await?;
            }
            Committed::Conflict { .. } | Committed::AccessChanged => {
                Box::pin(self.refresh(game)).await?;
            }
            Committed::Missing => {
                self.evict(game.id);
                return Err(ServiceError::no_such_game(game.id));
            }
        }
        Ok(None)
    }

    /// Builds the commit that appends this entry, with the snapshot, index row and metadata record that belong to it.
    fn build_commit(&self, game: &Game<W>, prepared: &PreparedEntry<W>) -> Commit {
        let PreparedEntry {
            entry,
            new_state: (applied, table_life),
            time_ms,
        } = prepared;
        let (version, time_ms, table_life) = (game.version + 1, *time_ms, table_life.as_deref());
        let pending = pending::<W>(&applied.state, table_life);
        let over = pending.is_empty();
        let has_index_lists = !game.metadata.tags().is_empty()
            || table_life.is_some_and(|table_life| table_life.clock().is_some())
            || game.metadata.has_bots();
        let snapshot_interval = self.context.settings.snapshot_every.max(1);
        let needs_snapshot =
            over || game.lacks_snapshot || version.is_multiple_of(snapshot_interval);
        let entry: Bytes = encode_entry::<W>(version, entry).into();
        let log_bytes = game.log_bytes + byte_len(&entry);
        let snapshot = needs_snapshot
            .then(|| encode_snapshot_of((version, log_bytes), time_ms, applied, table_life));
        Commit {
            id: game.id,
            tenant: game.genesis.tenant.clone(),
            expected: game.head(),
            entry,
            log_bytes,
            snapshot,
            row: (over || has_index_lists).then(|| {
                let times = (
                    time_ms,
                    game.due_ms((table_life, &pending), time_ms),
                    game.clock_ms((table_life, &pending)),
                );
                IndexRow {
                    finished: over,
                    lists: index_lists(&game.metadata, &pending, times, game.root_game()),
                    ..index_row(game)
                }
            }),
            // Permissions and index rows were computed from this record, so the store refuses the commit if the record
            // has changed.
            access: Some(game.metadata.to_bytes()),
        }
    }

    /// Sends a commit to the store, and counts its outcome in the metrics.
    async fn send_commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let result = self.context.store.commit(commit).await;
        self.metrics.committed(commit_outcome(&result));
        if matches!(result, Ok(Committed::Done)) {
            if let Some(snapshot) = &commit.snapshot {
                self.metrics.snapshot(snapshot.len());
            }
            if commit.ends() {
                self.metrics.finished();
            }
        }
        result
    }

    /// Returns the game as it was after the entry of a repeated request, with that entry. Returns `None` if the store
    /// no longer has the entry, since a failover may lose it: the request must be validated again.
    pub(crate) async fn replay_duplicate(
        &self,
        game: &mut Game<W>,
        key: IdempotencyKey,
        version: Version,
    ) -> Result<Option<(Game<W>, EntryOf<W>)>, ServiceError> {
        let entries = self.context.store.log(game.id, version - 1, 1).await?;
        let entries = entries.unwrap_or_default();
        let entry = entries.first();
        let stored_head = entry.map(|entry| Head::of(entry.version, &entry.bytes));
        let decoded = entry.map(Game::<W>::read_entry).transpose()?;
        let Some(decoded) =
            decoded.filter(|candidate| game.idempotency_key_of(version, candidate) == key)
        else {
            return if self.refresh(game).await? {
                Ok(None)
            } else {
                Err(StoreError::Damaged(format!("version {version} is gone")).into())
            };
        };
        let replayed = match self.at_version(game.id, version).await {
            Ok(mut replayed) if Some(replayed.head()) == stored_head => {
                replayed.metadata = game.metadata.clone();
                replayed
            }
            // A failover has lost the entry since it was read.
            Ok(_) | Err(ServiceError::NoSuchVersion { .. }) => {
                self.refresh(game).await?;
                return Ok(None);
            }
            Err(problem) => return Err(problem),
        };
        self.metrics.repeated();
        let decoded = match entry {
            Some(entry) if !decoded.has_effects() => {
                EventReader::new(self, game.id).read(entry).await?
            }
            Some(_) | None => decoded,
        };
        Ok(Some((replayed, decoded)))
    }
}

/// Encodes the snapshot that is stored with a version, with the size of the log up to it.
fn encode_snapshot_of<W: Wire>(
    size: (Version, u64),
    time_ms: u64,
    applied: &Applied<W>,
    table_life: Option<&TableLife>,
) -> Bytes {
    let parts = (time_ms, applied.chance.position(), &applied.state);
    encode_snapshot::<W>(size, parts, table_life).into()
}

fn table_event_label(event: &TableEvent) -> TableEventLabel {
    match event {
        TableEvent::Resigned { .. } => TableEventLabel::Resigned,
        TableEvent::SeatFilled { .. } => TableEventLabel::SeatFilled,
        TableEvent::TimedOut { .. } => TableEventLabel::TimedOut,
        TableEvent::TimeAdded { .. } | TableEvent::OutagePassed { .. } => {
            TableEventLabel::TimeAdded
        }
        TableEvent::Paused { .. } => TableEventLabel::Paused,
        TableEvent::Resumed { .. } => TableEventLabel::Resumed,
        TableEvent::Proposed { .. } => TableEventLabel::Proposed,
        TableEvent::Answered { .. } => TableEventLabel::Answered,
        TableEvent::TakenBack { .. } => TableEventLabel::TakenBack,
        TableEvent::Ended { .. } => TableEventLabel::Ended,
    }
}

fn commit_outcome(result: &Result<Committed, StoreError>) -> CommitOutcome {
    match result {
        Ok(Committed::Done) => CommitOutcome::Done,
        Ok(Committed::Conflict { .. }) => CommitOutcome::Conflict,
        Ok(Committed::AccessChanged) => CommitOutcome::AccessChanged,
        Ok(Committed::Missing) => CommitOutcome::Missing,
        Err(_) => CommitOutcome::Failed,
    }
}
