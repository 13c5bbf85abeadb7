//! The memory of `forward`, in one file of a database: the cursor of the feed, the progress of games beyond it, and
//! who was reminded. Changes are collected, and stored together by [`State::commit`].

use std::fmt::Display;
use std::path::{Path, PathBuf};

use redb::{Database, DatabaseError, ReadableTable, Table, TableDefinition, WriteTransaction};
use serde::{Deserialize, Serialize};

use super::dispatcher::Progress;
use super::lists::{Candidate, Timing};
use super::news::Waiting;
use crate::failure::Failure;

/// The name of the file.
const FILE: &str = "state.redb";

/// Single values by name.
const VALUES: TableDefinition<&str, &str> = TableDefinition::new("values");
/// The progress of games, as JSON.
const PROGRESS: TableDefinition<&str, &[u8]> = TableDefinition::new("progress");
/// The reminders of the decisions of seats, as JSON.
const REMINDERS: TableDefinition<(&str, u32), &[u8]> = TableDefinition::new("reminders");
/// The decisions without a clock whose reminder is to come, by the time when they began.
const WAITING: TableDefinition<(u64, &str, u32), ()> = TableDefinition::new("waiting");

/// The cursor of the feed.
pub(super) const CURSOR: &str = "cursor";
/// The cursor with which the feed began, until all is settled that lists told then.
pub(super) const BEGUN: &str = "begun";
/// The time up to which the feed was settled at least, in milliseconds since the Unix epoch.
pub(super) const SETTLED_MS: &str = "settled_ms";
/// The receiver that answered 410 Gone.
pub(super) const GONE: &str = "gone";

/// The reminder of one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Reminder {
    /// When the decision began. Is `None` where a clock limits it.
    since_ms: Option<u64>,
    /// The due time of which the seat was reminded.
    due_ms: Option<u64>,
    /// Whether the seat was reminded.
    is_sent: bool,
    /// When the last version was played at which the decision was seen.
    seen_ms: u64,
}

impl Reminder {
    /// Creates the reminder of a decision without a clock.
    fn waiting_since(since_ms: u64) -> Self {
        Self {
            since_ms: Some(since_ms),
            due_ms: None,
            is_sent: false,
            seen_ms: since_ms,
        }
    }
}

/// The state of `forward`.
pub(super) struct State {
    file: PathBuf,
    database: Database,
    open: Option<WriteTransaction>,
    is_changed: bool,
}

impl State {
    /// Opens the state in a directory, which is created if it is missing.
    ///
    /// # Errors
    /// If the directory cannot be used, or another process uses it.
    pub(super) fn open(directory: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(directory)
            .map_err(|error| Failure::io(directory.display(), &error))?;
        let file = directory.join(FILE);
        let database = Database::create(&file).map_err(|error| {
            if matches!(error, DatabaseError::DatabaseAlreadyOpen) {
                return Failure::Usage(format!(
                    "--state {}: another process forwards with this state",
                    directory.display()
                ));
            }
            failed(&file, &error)
        })?;
        Ok(Self {
            file,
            database,
            open: None,
            is_changed: false,
        })
    }

    /// Returns a single value.
    pub(super) fn value(&mut self, name: &str) -> Result<Option<String>, Failure> {
        self.read(|change| {
            let table = change.open_table(VALUES)?;
            let value = table.get(name)?;
            Ok(value.map(|value| value.value().to_owned()))
        })
    }

    /// Sets a single value, or removes it.
    pub(super) fn set_value(&mut self, name: &str, value: Option<&str>) -> Result<(), Failure> {
        self.with(|change| {
            let mut table = change.open_table(VALUES)?;
            match value {
                Some(value) => table.insert(name, value)?,
                None => table.remove(name)?,
            };
            Ok(())
        })
    }

    /// Returns the noted progress of a game.
    pub(super) fn progress(&mut self, game: &str) -> Result<Option<Progress>, Failure> {
        let bytes = self.read(|change| {
            let table = change.open_table(PROGRESS)?;
            let value = table.get(game)?;
            Ok(value.map(|value| value.value().to_vec()))
        })?;
        let parsed = bytes
            .map(|bytes| serde_json::from_slice(&bytes))
            .transpose();
        parsed.map_err(|error| failed(&self.file, &error))
    }

    /// Notes the progress of a game, or that there is nothing to note.
    pub(super) fn set_progress(
        &mut self,
        game: &str,
        progress: Option<&Progress>,
    ) -> Result<(), Failure> {
        let bytes = progress.map(serde_json::to_vec).transpose();
        let bytes = bytes.map_err(|error| failed(&self.file, &error))?;
        self.with(|change| {
            let mut table = change.open_table(PROGRESS)?;
            match &bytes {
                Some(bytes) => table.insert(game, bytes.as_slice())?,
                None => table.remove(game)?,
            };
            Ok(())
        })
    }

    /// Notes which decisions people owe in a game at a version that was played at this time: reminders of others are
    /// forgotten, those of decisions that go on stay. Versions that come again after later ones change nothing.
    pub(super) fn set_waiting(
        &mut self,
        game: &str,
        played_ms: u64,
        waiting: &[Waiting],
    ) -> Result<(), Failure> {
        self.with(|change| {
            let mut reminders = change.open_table(REMINDERS)?;
            let mut timers = change.open_table(WAITING)?;
            for (seat, reminder) in reminders_of(&reminders, game)? {
                let goes_on = waiting.iter().any(|open| open.seat == seat && !open.is_new);
                if reminder.seen_ms < played_ms && !goes_on {
                    forget(&mut reminders, &mut timers, (game, seat), reminder)?;
                }
            }
            for open in waiting {
                let key = (game, open.seat);
                let row = reminders.get(key)?.map(|row| decoded(row.value()));
                let known = row.transpose()?;
                if known.is_none() && open.has_clock {
                    continue;
                }
                if known.is_none() {
                    timers.insert((open.since_ms, game, open.seat), ())?;
                }
                let mut reminder = known.unwrap_or_else(|| Reminder::waiting_since(open.since_ms));
                reminder.seen_ms = reminder.seen_ms.max(played_ms);
                reminders.insert(key, encoded(reminder)?.as_slice())?;
            }
            Ok(())
        })
    }

    /// Returns decisions without a clock that began at this time or before, and whose seats were not reminded: the
    /// oldest first, at most a number of them.
    pub(super) fn overdue(
        &mut self,
        until_ms: u64,
        limit: usize,
    ) -> Result<Vec<Candidate>, Failure> {
        self.read(|change| {
            let timers = change.open_table(WAITING)?;
            let mut all = Vec::new();
            for row in timers
                .range(..(until_ms.saturating_add(1), "", 0_u32))?
                .take(limit)
            {
                let (key, _) = row?;
                let (since_ms, game, seat) = key.value();
                all.push(Candidate {
                    game: game.to_owned(),
                    seat,
                    timing: Timing::NoClock { since_ms },
                });
            }
            Ok(all)
        })
    }

    /// Returns whether a seat was reminded of a decision with this due time.
    pub(super) fn is_reminded(
        &mut self,
        game: &str,
        seat: u32,
        due_ms: u64,
    ) -> Result<bool, Failure> {
        self.read(|change| {
            let reminders = change.open_table(REMINDERS)?;
            let row = reminders.get((game, seat))?;
            let reminder = row.map(|row| decoded(row.value())).transpose()?;
            Ok(reminder.is_some_and(|one| one.is_sent && one.due_ms == Some(due_ms)))
        })
    }

    /// Notes that a seat was reminded of its decision, which was seen at a version that was played at this time.
    pub(super) fn set_reminded(
        &mut self,
        (game, seat): (&str, u32),
        due_ms: Option<u64>,
        seen_ms: u64,
    ) -> Result<(), Failure> {
        self.with(|change| {
            let mut reminders = change.open_table(REMINDERS)?;
            let mut timers = change.open_table(WAITING)?;
            let row = reminders.get((game, seat))?.map(|row| decoded(row.value()));
            let before = row.transpose()?;
            let since_ms = before.and_then(|before| before.since_ms);
            if let Some(since_ms) = since_ms {
                timers.remove((since_ms, game, seat))?;
            }
            let reminder = Reminder {
                since_ms,
                due_ms,
                is_sent: true,
                seen_ms,
            };
            reminders.insert((game, seat), encoded(reminder)?.as_slice())?;
            Ok(())
        })
    }

    /// Notes when a decision without a clock really began, or that there is none any more.
    pub(super) fn postpone(
        &mut self,
        candidate: &Candidate,
        since_ms: Option<u64>,
    ) -> Result<(), Failure> {
        let Candidate { game, seat, timing } = candidate;
        let Timing::NoClock { since_ms: noted_ms } = *timing else {
            return Ok(());
        };
        let key = (game.as_str(), *seat);
        self.with(|change| {
            let mut reminders = change.open_table(REMINDERS)?;
            let mut timers = change.open_table(WAITING)?;
            timers.remove((noted_ms, game.as_str(), *seat))?;
            let Some(since_ms) = since_ms else {
                reminders.remove(key)?;
                return Ok(());
            };
            let reminder = Reminder::waiting_since(since_ms);
            reminders.insert(key, encoded(reminder)?.as_slice())?;
            timers.insert((since_ms, game.as_str(), *seat), ())?;
            Ok(())
        })
    }

    /// Stores all changes since the last call. They survive a crash from then on.
    pub(super) fn commit(&mut self) -> Result<(), Failure> {
        if !std::mem::take(&mut self.is_changed) {
            return Ok(());
        }
        let Some(open) = self.open.take() else {
            return Ok(());
        };
        open.commit().map_err(|error| failed(&self.file, &error))
    }

    /// Changes the state.
    fn with<A>(&mut self, work: impl FnOnce(&WriteTransaction) -> Work<A>) -> Result<A, Failure> {
        self.is_changed = true;
        self.read(work)
    }

    /// Reads the state, with all changes.
    fn read<A>(&mut self, work: impl FnOnce(&WriteTransaction) -> Work<A>) -> Result<A, Failure> {
        let begun = match self.open.take() {
            Some(open) => Ok(open),
            None => self.database.begin_write(),
        };
        let open = begun.map_err(|error| failed(&self.file, &error))?;
        let result = work(&open).map_err(|error| failed(&self.file, &error));
        self.open = Some(open);
        result
    }
}

/// The result of work on the database.
type Work<A> = Result<A, Box<dyn std::error::Error>>;

type Reminders<'a> = Table<'a, (&'static str, u32), &'static [u8]>;
type Timers<'a> = Table<'a, (u64, &'static str, u32), ()>;

fn reminders_of(reminders: &Reminders<'_>, game: &str) -> Work<Vec<(u32, Reminder)>> {
    let mut all = Vec::new();
    for row in reminders.range((game, 0)..=(game, u32::MAX))? {
        let (key, value) = row?;
        all.push((key.value().1, decoded(value.value())?));
    }
    Ok(all)
}

fn forget(
    reminders: &mut Reminders<'_>,
    timers: &mut Timers<'_>,
    (game, seat): (&str, u32),
    reminder: Reminder,
) -> Work<()> {
    reminders.remove((game, seat))?;
    if let Some(since_ms) = reminder.since_ms {
        timers.remove((since_ms, game, seat))?;
    }
    Ok(())
}

fn encoded(reminder: Reminder) -> Work<Vec<u8>> {
    Ok(serde_json::to_vec(&reminder)?)
}

fn decoded(bytes: &[u8]) -> Work<Reminder> {
    Ok(serde_json::from_slice(bytes)?)
}

fn failed(file: &Path, error: &dyn Display) -> Failure {
    Failure::Io {
        what: file.display().to_string(),
        error: error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(seat: u32, since_ms: u64, is_new: bool) -> Waiting {
        Waiting {
            seat,
            since_ms,
            is_new,
            has_clock: false,
        }
    }

    fn seats(state: &mut State, until_ms: u64) -> Vec<(u64, String, u32)> {
        let overdue = state.overdue(until_ms, 100).unwrap();
        let rows = overdue.into_iter().map(|one| match one.timing {
            Timing::NoClock { since_ms } => (since_ms, one.game, one.seat),
            Timing::Clock { .. } => panic!("{one:?}"),
        });
        rows.collect()
    }

    #[test]
    fn what_was_committed_comes_back_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let progress = Progress::default();
        {
            let mut state = State::open(directory.path()).unwrap();
            state.set_value(CURSOR, Some("here")).unwrap();
            state.set_progress("a", Some(&progress)).unwrap();
            state.commit().unwrap();
            state.set_value(CURSOR, Some("lost")).unwrap();
            state.set_progress("a", None).unwrap();
        }
        let mut state = State::open(directory.path()).unwrap();
        assert_eq!(state.value(CURSOR).unwrap().as_deref(), Some("here"));
        assert_eq!(state.value(GONE).unwrap(), None);
        assert_eq!(state.progress("a").unwrap(), Some(progress));
        assert_eq!(state.progress("b").unwrap(), None);
    }

    #[test]
    fn a_state_has_one_user() {
        let directory = tempfile::tempdir().unwrap();
        let _state = State::open(directory.path()).unwrap();
        let error = State::open(directory.path()).err().unwrap().to_string();
        assert!(error.contains("another process"), "{error}");
    }

    #[test]
    fn a_seat_is_reminded_once_of_each_decision() {
        let directory = tempfile::tempdir().unwrap();
        let mut state = State::open(directory.path()).unwrap();
        state
            .set_waiting("a", 10, &[waiting(1, 10, true), waiting(2, 10, true)])
            .unwrap();
        state.set_waiting("b", 20, &[waiting(1, 20, true)]).unwrap();
        assert_eq!(seats(&mut state, 9), []);
        let all = seats(&mut state, 10);
        assert_eq!(
            all,
            [(10, String::from("a"), 1), (10, String::from("a"), 2)]
        );
        state.set_reminded(("a", 1), None, 10).unwrap();
        // Seat 2 has acted; the decision of seat 1 goes on, at a later version.
        state
            .set_waiting("a", 30, &[waiting(1, 30, false)])
            .unwrap();
        assert_eq!(seats(&mut state, 99), [(20, String::from("b"), 1)]);
        // A repetition after a restart is no news.
        state
            .set_waiting("a", 10, &[waiting(1, 10, true), waiting(2, 10, true)])
            .unwrap();
        state
            .set_waiting("a", 30, &[waiting(1, 30, false)])
            .unwrap();
        assert_eq!(seats(&mut state, 99), [(20, String::from("b"), 1)]);
        // A new decision is waited for anew.
        state.set_waiting("a", 40, &[waiting(1, 40, true)]).unwrap();
        state.set_waiting("b", 40, &[]).unwrap();
        assert_eq!(seats(&mut state, 99), [(40, String::from("a"), 1)]);
        let candidate = |since_ms| Candidate {
            game: String::from("a"),
            seat: 1,
            timing: Timing::NoClock { since_ms },
        };
        state.postpone(&candidate(40), Some(50)).unwrap();
        assert_eq!(seats(&mut state, 99), [(50, String::from("a"), 1)]);
        state.postpone(&candidate(50), None).unwrap();
        assert_eq!(seats(&mut state, 99), []);
    }

    #[test]
    fn with_a_clock_a_seat_is_reminded_once_of_each_due_time() {
        let directory = tempfile::tempdir().unwrap();
        let mut state = State::open(directory.path()).unwrap();
        let clocked = |is_new| Waiting {
            has_clock: true,
            ..waiting(1, 10, is_new)
        };
        state.set_waiting("a", 10, &[clocked(true)]).unwrap();
        assert_eq!(seats(&mut state, 99), []);
        assert!(!state.is_reminded("a", 1, 50).unwrap());
        state.set_reminded(("a", 1), Some(50), 10).unwrap();
        state.set_waiting("a", 20, &[clocked(false)]).unwrap();
        assert!(state.is_reminded("a", 1, 50).unwrap());
        assert!(!state.is_reminded("a", 1, 60).unwrap());
        state.set_waiting("a", 30, &[clocked(true)]).unwrap();
        assert!(!state.is_reminded("a", 1, 50).unwrap());
    }
}
