//! An entry that was judged goes into the log.

use std::mem;

use bytes::Bytes;
use gamekeeper_rules::life::{After, Deed, Life, pending};
use gamekeeper_rules::ruleset::Applied;
use gamekeeper_rules::table::fingerprint;
use gamekeeper_wire::Wire;

use super::Games;
use super::create::row;
use super::game::{EntryOf, Game};
use super::load::{Desk, catch_up};
use super::record::{Done, Entry, RequestMark, Story, seal_snapshot, stored};
use super::tagged::lists;
use crate::problem::Problem;
use crate::store::{Commit, Committed, Head, StoreError, Version};
use crate::telemetry::{CommitOutcome, TableEvent};

/// The maximum number of retries after losing a race.
pub(super) const MOST_TRIES: usize = 16;

/// Something that was judged and played on a copy.
pub(super) struct Judged<W: Wire> {
    played: EntryOf<W>,
    after: After<W>,
    /// When it happens, in milliseconds since the Unix epoch.
    time_ms: u64,
}

impl<W: Wire> Judged<W> {
    /// What comes of something that is done with a game. It waits for the store on the heap: futures that held it
    /// would be copied from one to the next.
    pub(super) fn new(
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
            events: mem::take(&mut applied.events),
            after_ms: time_ms - game.birth.time_ms,
            request: mark,
            fingerprint: stored(fingerprint(&applied.state)),
        };
        Box::new(Self {
            played: Entry { done, story },
            after,
            time_ms,
        })
    }
}

impl<W: Wire> Games<W> {
    /// When the next entry of a game happens: times never run backwards in a log.
    pub(super) fn next_time(&self, game: &Game<W>) -> u64 {
        let since = game.time_ms.max(game.birth.created_ms());
        self.house.clock.now_ms().max(since)
    }

    /// Stores an entry. Nothing: the game was brought up to date, judge again.
    pub(super) async fn append(
        &self,
        game: &mut Desk<W>,
        judged: Box<Judged<W>>,
    ) -> Result<Option<EntryOf<W>>, Problem> {
        let commit = self.entry(game, &judged)?;
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
                return Ok(Some(played));
            }
            // What is rare is kept apart, so that the usual call stays small.
            Committed::Conflict { newer } if !newer.is_empty() => {
                Box::pin(catch_up(game, &newer)).await?;
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

    /// The entry that is next in the log, and what changes with it.
    fn entry(&self, game: &Game<W>, judged: &Judged<W>) -> Result<Commit, Problem> {
        let Judged {
            played,
            after: (applied, life),
            time_ms,
        } = judged;
        let (version, time_ms, life) = (game.version + 1, *time_ms, life.as_deref());
        let pending = pending::<W>(&applied.state, life);
        let (over, is_tagged) = (pending.is_empty(), !game.access.tags().is_empty());
        Ok(Commit {
            id: game.id,
            expected: game.head(),
            entry: Bytes::from(played.seal(W::SHEET.revision, version)?),
            snapshot: self.snapshot(version, over, time_ms, applied, life)?,
            row: (over || is_tagged).then(|| crate::store::IndexRow {
                finished: over,
                lists: lists(game.access.tags(), &pending, time_ms),
                ..row(game)
            }),
            // Tokens and lists are what it says.
            access: Some(game.access.to_bytes()),
        })
    }

    /// The snapshot of a version, when it is time for one.
    fn snapshot(
        &self,
        version: Version,
        over: bool,
        time_ms: u64,
        applied: &Applied<W>,
        life: Option<&Life>,
    ) -> Result<Option<Bytes>, Problem> {
        if !over && !version.is_multiple_of(self.house.settings.snapshot_every.max(1)) {
            return Ok(None);
        }
        let pieces = (time_ms, applied.chance.position(), &applied.state);
        let sealed = seal_snapshot(W::SHEET.revision, version, pieces, life)?;
        Ok(Some(sealed.into()))
    }

    /// Gives an entry to the store, and counts what comes of it.
    async fn commit(&self, commit: &Commit) -> Result<Committed, StoreError> {
        let committed = self.house.store.commit(commit).await;
        self.metrics.committed(outcome_of(&committed));
        if matches!(committed, Ok(Committed::Done)) {
            if let Some(snapshot) = &commit.snapshot {
                self.metrics.snapshot(snapshot.len());
            }
            if commit.ends() {
                self.metrics.finished();
            }
        }
        committed
    }

    /// The game after an entry whose request was sent again, and the entry. That it was played is a
    /// guess too: a failover may have lost it. Nothing: judge again.
    pub(super) async fn played_before(
        &self,
        game: &mut Game<W>,
        mark: RequestMark,
        version: Version,
    ) -> Result<Option<(Game<W>, EntryOf<W>)>, Problem> {
        let entries = self.house.store.log(game.id, version - 1, 1).await?;
        let entries = entries.unwrap_or_default();
        let entry = entries.first();
        let head = entry.map(|entry| Head::of(entry.version, &entry.bytes));
        let played = entry.map(Game::<W>::read_entry).transpose()?;
        let Some(played) = played.filter(|played| played.story.request == mark) else {
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
            // Meanwhile the store has lost it.
            Ok(_) | Err(Problem::NoSuchVersion { .. }) => {
                self.refresh(game).await?;
                return Ok(None);
            }
            Err(problem) => return Err(problem),
        };
        self.metrics.repeated();
        Ok(Some((then, played)))
    }
}

fn event_of(deed: &Deed) -> TableEvent {
    match deed {
        Deed::Resigned { .. } => TableEvent::Resigned,
        Deed::Returned { .. } => TableEvent::Returned,
        Deed::TimedOut { .. } => TableEvent::TimedOut,
        Deed::Paused => TableEvent::Paused,
        Deed::Resumed => TableEvent::Resumed,
        Deed::TakeBackAsked { .. } => TableEvent::TakeBackAsked,
        Deed::TakeBackAnswered { .. } => TableEvent::TakeBackAnswered,
        Deed::TakenBack { .. } => TableEvent::TakenBack,
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

/// Could this answer be another one on a newer version?
pub(super) fn refreshable(problem: &Problem) -> bool {
    matches!(
        problem,
        Problem::Refused(_)
            | Problem::Table(_)
            | Problem::StaleVersion { .. }
            | Problem::BadToken(_)
            | Problem::TokenReplaced(_)
            | Problem::GameNotOver
            | Problem::PermissionDenied(_)
    )
}
