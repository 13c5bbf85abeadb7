//! News items of a game, with their encoded messages. Each message is encoded once for each kind of watcher
//! (**coalescing**), however many watchers there are.

use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_proto::raw::{
    GameChange, LogEntry, Table, WatchGameResponse, WatchGamesResponse, watch_games_response,
};
use gamekeeper_proto::written;
use gamekeeper_store::Version;
use gamekeeper_telemetry::RulesetMetrics;
use gamekeeper_wire::Wire;
use parking_lot::Mutex;

use crate::heart::game::{EntryOf, Game};
use crate::heart::problem::Problem;
use crate::heart::show::Show;
use crate::heart::tags::KnownTags;
use crate::heart::telling::logged_version;

/// An encoded message of a watch.
#[derive(Clone, Debug)]
pub struct Message {
    /// The version up to which the watch has now reported everything.
    pub version: Version,
    /// The encoded response.
    pub bytes: Bytes,
}

/// The properties of a watcher on which the bytes of its messages depend: the cache key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) show: Show,
    /// The users and labels that the watcher may see.
    pub(crate) known: KnownTags,
    pub(crate) form: Form,
}

/// The type of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A `WatchGameResponse`, of a watch of one game.
    One,
    /// A `WatchGamesResponse`, of a watch of several games.
    Many,
}

/// The half of the cache that a message belongs to: the full table, or the table with the log entry that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Table,
    Step,
}

/// A news item: a table, and the entry that led to it. The items form a linked list in which each item owns the next
/// one, so an item is freed when the slowest watcher has read it.
pub(crate) struct News<W: Wire> {
    pub(crate) game: Arc<Game<W>>,
    /// The entry that led to the table. Is `None` for the first item of a list, and if only tokens, users, labels or
    /// names changed.
    step: Option<Step<W>>,
    messages: Mutex<Vec<(Kind, Part, Arc<Cell>)>>,
    next: Mutex<Next<W>>,
}

/// A cached message, locked while it is being encoded.
type Cell = Mutex<Option<Bytes>>;

struct Step<W: Wire> {
    before: Arc<Game<W>>,
    played: EntryOf<W>,
}

/// The link to the next news item.
pub(crate) enum Next<W: Wire> {
    /// The item is the newest so far.
    Open,
    News(Arc<News<W>>),
    /// The list was cut here, since this watcher is too slow: later items are not kept for it.
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

/// The maximum number of messages that an item caches. Messages of further kinds are encoded for each watcher
/// separately.
const MAX_KINDS: usize = 32;

impl<W: Wire> News<W> {
    /// Creates an item that shows a table as it is.
    pub(crate) fn of(game: Arc<Game<W>>) -> Self {
        Self::new(game, None)
    }

    /// Creates an item for an entry that was applied to the table before it.
    pub(crate) fn step(before: &Arc<Game<W>>, mut game: Game<W>, played: EntryOf<W>) -> Self {
        // All watchers share the game, so it is kept small.
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

    /// Returns whether the item holds an entry.
    pub(crate) fn is_step(&self) -> bool {
        self.step.is_some()
    }

    /// Returns the link to the next item.
    pub(crate) fn next(&self) -> Next<W> {
        self.next.lock().clone()
    }

    /// Sets the link to the next item.
    pub(crate) fn set_next(&self, next: Next<W>) {
        let before = std::mem::replace(&mut *self.next.lock(), next);
        // Dropped outside the lock: this may free all items that follow.
        drop(before);
    }

    /// Returns the size of the cached messages, in bytes.
    pub(crate) fn size(&self) -> usize {
        let messages = self.messages.lock();
        let size = |(_, _, message): &(Kind, Part, Arc<Cell>)| {
            // A message that is being encoded is counted next time.
            let message = message.try_lock();
            message.and_then(|bytes| bytes.as_ref().map(Bytes::len))
        };
        messages.iter().filter_map(size).sum()
    }

    /// Returns the message for a watcher of this kind: the entry with the table, or only the table if the item has no
    /// entry.
    pub(crate) fn message(&self, kind: Kind, metrics: &RulesetMetrics) -> Result<Bytes, Problem> {
        let part = match self.step {
            Some(_) => Part::Step,
            None => Part::Table,
        };
        self.cached(kind, part, metrics)
    }

    /// Returns the message with only the table, for a watcher of this kind.
    pub(crate) fn table(&self, kind: Kind, metrics: &RulesetMetrics) -> Result<Bytes, Problem> {
        self.cached(kind, Part::Table, metrics)
    }

    /// Returns a cached message. The first watcher encodes it; the others get the same bytes.
    fn cached(&self, kind: Kind, part: Part, metrics: &RulesetMetrics) -> Result<Bytes, Problem> {
        let message = self.place(kind, part);
        let mut message = message.lock();
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
        let mut messages = self.messages.lock();
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

    /// Builds the table, and the log entry that led to it.
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
