//! Appends validated entries to the log, by a **compare-and-set** on the head of the log.

use std::mem;

use bytes::Bytes;
use gamekeeper_rules::life::{self, After, Deed, Denied, Life, pending};
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::Seat;
use gamekeeper_store::{Commit, Committed, Head, IndexRow, StoreError, Version};
use gamekeeper_telemetry::{CommitOutcome, TableEvent};
use gamekeeper_wire::Wire;

use crate::heart::fair;
use crate::heart::game::{EntryOf, Game};
use crate::heart::games::Games;
use crate::heart::load::LockedGame;
use crate::heart::problem::{Problem, Refused};
use crate::heart::recent::Request;
use crate::heart::record::{
    Act, Done, Effects, Entry, RequestMark, Story, seal_entry, seal_snapshot,
};
use crate::heart::retold::Retold;
use crate::heart::tags::{lists, row};

/// An entry that was validated and applied to a copy of the game, ready to be committed.
pub(crate) struct Judged<W: Wire> {
    played: EntryOf<W>,
    after: After<W>,
    /// The time of the entry, in milliseconds since the Unix epoch.
    time_ms: u64,
}

impl<W: Wire> Judged<W> {
    /// Builds an entry from its cause and its outcome. Boxed: the futures that hold it during the store's round trip
    /// would otherwise copy it from one to the next.
    pub(crate) fn new(
        game: &Game<W>,
        done: Done<W::Action>,
        mut after: After<W>,
        mark: RequestMark,
        time_ms: u64,
    ) -> Box<Self> {
        let (applied, _) = &mut after;
        let story = Story {
            automatic: mem::take(&mut applied.automatic),
            draws: mem::take(&mut applied.draws),
            effects: Some(Effects::of(applied)),
            after_ms: game.moment(time_ms).at_ms,
            request: mark,
        };
        Box::new(Self {
            played: Entry { done, story },
            after,
            time_ms,
        })
    }
}

impl<W: Wire> Games<W> {
    /// Validates an action of a seat, and applies it to a copy of the game if it is legal.
    ///
    /// # Errors
    /// If the rules or the table refuse the action.
    pub(crate) fn judge_action(
        &self,
        game: &Game<W>,
        (seat, action): (Seat, &W::Action),
        mark: RequestMark,
    ) -> Result<Box<Judged<W>>, Problem> {
        let time_ms = self.next_time(game);
        let after = life::act(game.table(), seat, action, game.moment(time_ms));
        let after = after.map_err(|denied| match denied {
            Denied::Rules(refusal) => Problem::Refused(Refused::of::<W>(&refusal)),
            Denied::Table(no) => Problem::Table(no),
        })?;
        let action = action.clone();
        let done = Done::Act(Act { seat, action });
        Ok(Judged::new(game, done, after, mark, time_ms))
    }

    /// Returns the time of the game's next entry. Times never run backwards in a log, even if the clocks of processes
    /// differ.
    pub(crate) fn next_time(&self, game: &Game<W>) -> u64 {
        let since = game.time_ms.max(game.birth.created_ms());
        self.shared.clock.now_ms().max(since)
    }

    /// Commits an entry. Returns `None` if another commit came first: the game was refreshed, and the request must be
    /// validated again.
    pub(crate) async fn append(
        &self,
        game: &mut LockedGame<W>,
        judged: Box<Judged<W>>,
    ) -> Result<Option<EntryOf<W>>, Problem> {
        let commit = self.commit_of(game, &judged);
        match self.commit(&commit).await? {
            Committed::Done => {
                let Judged {
                    played,
                    after: (applied, life),
                    ..
                } = *judged;
                if let Done::Beside(beside) = &played.done {
                    self.metrics.happened(event_of(&beside.deed));
                }
                game.take(applied, life, &played, &commit.entry);
                game.lacks_snapshot &= commit.snapshot.is_none();
                self.shared.due_now.note(game.due_now());
                return Ok(Some(played));
            }
            // Boxed: conflicts are rare, and must not enlarge the future of every call.
            Committed::Conflict { newer } if !newer.is_empty() => {
                Box::pin(self.catch_up(game, &newer)).await?;
            }
            Committed::Conflict { .. } | Committed::AccessChanged => {
                Box::pin(self.refresh(game)).await?;
            }
            Committed::Missing => {
                self.forget(game.id);
                return Err(Problem::no_such_game(game.id));
            }
        }
        Ok(None)
    }

    /// Builds the commit that appends this entry, with the snapshot, index row and access record that belong to it.
    fn commit_of(&self, game: &Game<W>, judged: &Judged<W>) -> Commit {
        let Judged {
            played,
            after: (applied, life),
            time_ms,
        } = judged;
        let (version, time_ms, life) = (game.version + 1, *time_ms, life.as_deref());
        let pending = pending::<W>(&applied.state, life);
        let over = pending.is_empty();
        let is_listed = !game.access.tags().is_empty()
            || life.is_some_and(|life| life.clock().is_some())
            || game.access.has_bots();
        let times = (
            time_ms,
            game.due_ms((life, &pending), time_ms),
            game.clock_ms((life, &pending)),
        );
        let every = self.shared.settings.snapshot_every.max(1);
        let is_due = over || game.lacks_snapshot || version.is_multiple_of(every);
        Commit {
            id: game.id,
            tenant: game.birth.tenant.clone(),
            expected: game.head(),
            entry: seal_entry::<W>(version, played).into(),
            snapshot: is_due.then(|| snapshot(version, time_ms, applied, life)),
            row: (over || is_listed).then(|| IndexRow {
                finished: over,
                lists: lists(&game.access, &pending, times, game.first_game()),
                ..row(game)
            }),
            // Permissions and index rows were computed from this record, so the store refuses the commit if the record
            // has changed.
            access: Some(game.access.to_bytes()),
        }
    }

    /// Sends a commit to the store, and counts its outcome in the metrics.
    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let committed = self.shared.store.commit(commit).await;
        self.metrics.committed(outcome_of(&committed));
        if matches!(committed, Ok(Committed::Done)) {
            fair::stored(commit.entry.len());
            if let Some(snapshot) = &commit.snapshot {
                fair::stored(snapshot.len());
                self.metrics.snapshot(snapshot.len());
            }
            if commit.ends() {
                self.metrics.finished();
            }
        }
        committed
    }

    /// Returns the game as it was after the entry of a repeated request, with that entry. Returns `None` if the store
    /// no longer has the entry, since a failover may lose it: the request must be validated again.
    pub(crate) async fn played_before(
        &self,
        game: &mut Game<W>,
        request: Request,
        version: Version,
    ) -> Result<Option<(Game<W>, EntryOf<W>)>, Problem> {
        let entries = self.shared.store.log(game.id, version - 1, 1).await?;
        let entries = entries.unwrap_or_default();
        let entry = entries.first();
        let head = entry.map(|entry| Head::of(entry.version, &entry.bytes));
        let played = entry.map(Game::<W>::read_entry).transpose()?;
        let Some(played) = played.filter(|played| game.request_of(version, played) == request)
        else {
            return if self.refresh(game).await? {
                Ok(None)
            } else {
                Err(StoreError::Damaged(format!("version {version} is gone")).into())
            };
        };
        let then = match self.at_version(game.id, version).await {
            Ok(mut then) if Some(then.head()) == head => {
                then.access = game.access.clone();
                then
            }
            // A failover has lost the entry since it was read.
            Ok(_) | Err(Problem::NoSuchVersion { .. }) => {
                self.refresh(game).await?;
                return Ok(None);
            }
            Err(problem) => return Err(problem),
        };
        self.metrics.repeated();
        let played = match entry {
            Some(entry) if !played.is_told() => Retold::new(self, game.id).read(entry).await?,
            Some(_) | None => played,
        };
        Ok(Some((then, played)))
    }
}

/// Encodes the snapshot that is stored with a version.
fn snapshot<W: Wire>(
    version: Version,
    time_ms: u64,
    applied: &Applied<W>,
    life: Option<&Life>,
) -> Bytes {
    let pieces = (time_ms, applied.chance.position(), &applied.state);
    seal_snapshot::<W>(version, pieces, life).into()
}

fn event_of(deed: &Deed) -> TableEvent {
    match deed {
        Deed::Resigned { .. } => TableEvent::Resigned,
        Deed::SeatFilled { .. } => TableEvent::SeatFilled,
        Deed::TimedOut { .. } => TableEvent::TimedOut,
        Deed::TimeAdded { .. } | Deed::OutagePassed { .. } => TableEvent::TimeAdded,
        Deed::Paused { .. } => TableEvent::Paused,
        Deed::Resumed { .. } => TableEvent::Resumed,
        Deed::Proposed { .. } => TableEvent::Proposed,
        Deed::Answered { .. } => TableEvent::Answered,
        Deed::TakenBack { .. } => TableEvent::TakenBack,
        Deed::Ended { .. } => TableEvent::Ended,
    }
}

fn outcome_of(committed: &Result<Committed, StoreError>) -> CommitOutcome {
    match committed {
        Ok(Committed::Done) => CommitOutcome::Done,
        Ok(Committed::Conflict { .. }) => CommitOutcome::Conflict,
        Ok(Committed::AccessChanged) => CommitOutcome::AccessChanged,
        Ok(Committed::Missing) => CommitOutcome::Missing,
        Err(_) => CommitOutcome::Failed,
    }
}
