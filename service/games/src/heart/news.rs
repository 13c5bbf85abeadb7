//! News items of a game, and their messages: each is encoded once for each kind of watcher, however many
//! watchers there are.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use gamekeeper_proto::raw::{
    GameChange, LogEntry, Table, WatchGameResponse, WatchGamesResponse, watch_games_response,
};
use gamekeeper_proto::written;
use gamekeeper_store::Version;
use gamekeeper_telemetry::RulesetMetrics;
use gamekeeper_wire::Wire;

use crate::heart::game::{EntryOf, Game};
use crate::heart::problem::Problem;
use crate::heart::show::Show;
use crate::heart::tags::KnownTags;
use crate::heart::telling::logged_version;

/// A message of a watch, as it is sent.
#[derive(Clone, Debug)]
pub struct Message {
    /// The watch has reported everything up to this version.
    pub version: Version,
    /// The encoded response.
    pub bytes: Bytes,
}

/// What makes the messages of two watchers differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) show: Show,
    /// The users and labels that the watcher sees.
    pub(crate) known: KnownTags,
    pub(crate) form: Form,
}

/// The type of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `WatchGameResponse`.
    One,
    /// `WatchGamesResponse`.
    Many,
}

/// The table as it is, or the step that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Table,
    Step,
}

/// A news item: a table, and what led to it. Each item holds the next one, which therefore lives until every
/// watcher has read it.
pub(crate) struct News<W: Wire> {
    pub(crate) game: Arc<Game<W>>,
    /// `None`: nothing was played. A chain begins with this table, or tokens, users or labels of the game changed.
    step: Option<Step<W>>,
    messages: Mutex<Vec<(Kind, Part, Arc<Cell>)>>,
    next: Mutex<Next<W>>,
}

/// A message, locked while it is encoded.
type Cell = Mutex<Option<Bytes>>;

struct Step<W: Wire> {
    before: Arc<Game<W>>,
    played: EntryOf<W>,
}

/// What follows a news item.
pub(crate) enum Next<W: Wire> {
    /// Nothing yet.
    Open,
    News(Arc<News<W>>),
    /// Later items are not kept for watchers this slow.
    Cut,
}

impl<W: Wire> Clone for Next<W> {
    fn clone(&self) -> Self {
        match self {
            Self::Open => Self::Open,
            Self::News(news) => Self::News(Arc::clone(news)),
            Self::Cut => Self::Cut,
        }
    }
}

/// The maximum number of messages that an item keeps. Further kinds are encoded for each watcher separately.
const MAX_KINDS: usize = 32;

impl<W: Wire> News<W> {
    /// An item that shows a table as it is.
    pub(crate) fn of(game: Arc<Game<W>>) -> Self {
        Self::new(game, None)
    }

    /// An entry that was played on the table before it.
    pub(crate) fn step(before: &Arc<Game<W>>, mut game: Game<W>, played: EntryOf<W>) -> Self {
        // Every watcher holds the game.
        game.past = None;
        let before = Arc::clone(before);
        Self::new(Arc::new(game), Some(Step { before, played }))
    }

    fn new(game: Arc<Game<W>>, step: Option<Step<W>>) -> Self {
        Self {
            game,
            step,
            messages: Mutex::default(),
            next: Mutex::new(Next::Open),
        }
    }

    /// Was something played?
    pub(crate) fn is_step(&self) -> bool {
        self.step.is_some()
    }

    /// What follows.
    pub(crate) fn next(&self) -> Next<W> {
        lock(&self.next).clone()
    }

    /// Sets what follows.
    pub(crate) fn set_next(&self, next: Next<W>) {
        let before = std::mem::replace(&mut *lock(&self.next), next);
        // Outside the lock: this may free all items that follow.
        drop(before);
    }

    /// The size of the kept messages, in bytes.
    pub(crate) fn size(&self) -> usize {
        let messages = lock(&self.messages);
        let size = |(_, _, message): &(Kind, Part, Arc<Cell>)| {
            // A message that is being encoded counts next time.
            let message = message.try_lock().ok();
            message.and_then(|bytes| bytes.as_ref().map(Bytes::len))
        };
        messages.iter().filter_map(size).sum()
    }

    /// What was played, as a watcher of this kind may know it; if nothing was, the table.
    pub(crate) fn message(&self, kind: Kind, metrics: &RulesetMetrics) -> Result<Bytes, Problem> {
        let part = match self.step {
            Some(_) => Part::Step,
            None => Part::Table,
        };
        self.cached(kind, part, metrics)
    }

    /// The table, as a watcher of this kind may know it.
    pub(crate) fn table(&self, kind: Kind, metrics: &RulesetMetrics) -> Result<Bytes, Problem> {
        self.cached(kind, Part::Table, metrics)
    }

    /// The first watcher encodes a message; the others get the same bytes.
    fn cached(&self, kind: Kind, part: Part, metrics: &RulesetMetrics) -> Result<Bytes, Problem> {
        let message = self.place(kind, part);
        let mut message = lock(&message);
        if let Some(bytes) = &*message {
            metrics.shared();
            return Ok(bytes.clone());
        }
        metrics.written();
        let bytes = self.write(kind, part)?;
        *message = Some(bytes.clone());
        Ok(bytes)
    }

    fn place(&self, kind: Kind, part: Part) -> Arc<Cell> {
        let mut messages = lock(&self.messages);
        let mut kept = messages.iter();
        if let Some((.., message)) = kept.find(|kept| (kept.0, kept.1) == (kind, part)) {
            return Arc::clone(message);
        }
        let message = Arc::default();
        if messages.len() < MAX_KINDS {
            messages.push((kind, part, Arc::clone(&message)));
        }
        message
    }

    fn write(&self, kind: Kind, part: Part) -> Result<Bytes, Problem> {
        let (table, entry) = self.shown(kind, part)?;
        let table = Some(table);
        Ok(match kind.form {
            Form::One => written(&WatchGameResponse {
                table,
                entry,
                version: self.game.version,
                ..WatchGameResponse::default()
            }),
            Form::Many => {
                let change = watch_games_response::Update::Change(GameChange { table, entry });
                let update = Some(change);
                written(&WatchGamesResponse {
                    update,
                    ..WatchGamesResponse::default()
                })
            }
        })
    }

    /// The table, and what led to it.
    fn shown(&self, kind: Kind, part: Part) -> Result<(Table, Option<LogEntry>), Problem> {
        let (show, game) = (kind.show, &*self.game);
        let played = match (&self.step, part) {
            (Some(step), Part::Step) => Some(&step.played),
            (Some(_) | None, Part::Table | Part::Step) => None,
        };
        let table = show.table_after(game, game.info_with(kind.known), played);
        let entry = match (&self.step, part) {
            (Some(step), Part::Step) if show.events => {
                let mut scene = show.scene(&step.before);
                let told = (show, game.players(), &mut scene);
                let ended = show.ended(game);
                let (version, birth) = (game.version, &game.birth);
                Some(logged_version::<W>(
                    version,
                    &step.played,
                    birth,
                    told,
                    ended,
                )?)
            }
            (Some(_) | None, Part::Table | Part::Step) => None,
        };
        Ok((table, entry))
    }
}

fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    // The value is consistent between any two statements, so a panic elsewhere does not spoil it.
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
