//! Updates of a game, with their encoded messages. Each message is encoded once for each kind of watcher
//! (**coalescing**), however many watchers there are.

use std::sync::Arc;

use bytes::Bytes;
use gamekeeper_proto::encode_shared;
use gamekeeper_proto::raw::{
    GameChange, LogEntry, Table, WatchGameResponse, WatchGamesResponse, watch_games_response,
};
use gamekeeper_store::Version;
use gamekeeper_telemetry::RulesetMetrics;
use gamekeeper_wire::Wire;
use parking_lot::Mutex;

use crate::aggregate::game::{EntryOf, Game};
use crate::errors::ServiceError;
use crate::index::index_keys::VisibleTags;
use crate::rendering::drawing_changes::{DrawingHash, SentDrawing};
use crate::rendering::entry_view::render_entry;
use crate::rendering::projection::Projection;

/// An encoded message of a watch.
#[derive(Clone, Debug)]
pub struct Message {
    /// The version up to which the watch has now reported everything.
    pub version: Version,
    /// The encoded response.
    pub bytes: Bytes,
}

/// The properties of a watcher on which the bytes of its messages depend: the cache key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EncodingKey {
    pub(crate) show: Projection,
    /// The users and labels that the watcher may see.
    pub(crate) visible_tags: VisibleTags,
    pub(crate) stream_type: StreamType,
}

/// An encoded message, and the drawing that the table of the message has.
#[derive(Clone, Debug)]
pub(crate) struct Encoded {
    pub(crate) bytes: Bytes,
    /// The drawing, as the base of changes in the next message. Is `None` if the watcher wants whole drawings.
    pub(crate) drawing: Option<SentDrawing>,
}

impl Encoded {
    /// Returns the size of the message and of its drawing, in bytes.
    fn size(&self) -> usize {
        self.bytes.len() + self.drawing.as_ref().map_or(0, SentDrawing::size)
    }
}

/// The type of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamType {
    /// A `WatchGameResponse`, of a watch of one game.
    WatchGame,
    /// A `WatchGamesResponse`, of a watch of several games.
    WatchGames,
}

/// The half of the cache that a message belongs to: the full table, or the table with the log entry that led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageType {
    FullTable,
    Delta,
}

/// An update: a table, and the entry that led to it. The items form a linked list in which each item owns the next
/// one, so an item is freed when the slowest watcher has read it.
pub(crate) struct Update<W: Wire> {
    pub(crate) game: Arc<Game<W>>,
    /// The entry that led to the table. Is `None` for the first item of a list, and if only tokens, users, labels or
    /// names changed.
    cause: Option<Cause<W>>,
    messages: Mutex<Vec<(SlotKey, Arc<EncodeOnce>)>>,
    next: Mutex<Next<W>>,
}

/// A cached message, locked while it is being encoded.
type EncodeOnce = Mutex<Option<Encoded>>;

/// The key of a cached message, with the hash of the drawing whose changes it has.
type SlotKey = (EncodingKey, MessageType, Option<DrawingHash>);

struct Cause<W: Wire> {
    previous: Arc<Game<W>>,
    entry: EntryOf<W>,
}

/// The link to the next update.
pub(crate) enum Next<W: Wire> {
    /// The item is the newest so far.
    Pending,
    Update(Arc<Update<W>>),
    /// The list was cut here, since this watcher is too slow: later items are not kept for it.
    Lagged,
}

impl<W: Wire> Clone for Next<W> {
    fn clone(&self) -> Self {
        match self {
            Self::Pending => Self::Pending,
            Self::Update(update) => Self::Update(Arc::clone(update)),
            Self::Lagged => Self::Lagged,
        }
    }
}

/// The maximum number of messages that an item caches. Messages of further kinds are encoded for each watcher
/// separately.
const MAX_ENCODINGS: usize = 32;

impl<W: Wire> Update<W> {
    /// Creates an item that shows a table as it is.
    pub(crate) fn of_table(game: Arc<Game<W>>) -> Self {
        Self::new(game, None)
    }

    /// Creates an item for an entry that was applied to the table before it.
    pub(crate) fn of_entry(previous: &Arc<Game<W>>, mut game: Game<W>, entry: EntryOf<W>) -> Self {
        // All watchers share the game, so it is kept small.
        game.undo_states = None;
        let previous = Arc::clone(previous);
        Self::new(Arc::new(game), Some(Cause { previous, entry }))
    }

    fn new(game: Arc<Game<W>>, cause: Option<Cause<W>>) -> Self {
        Self {
            game,
            cause,
            messages: Mutex::default(),
            next: Mutex::new(Next::Pending),
        }
    }

    /// Returns whether the item holds an entry.
    pub(crate) fn has_entry(&self) -> bool {
        self.cause.is_some()
    }

    /// Returns the entry, and the table before it.
    pub(crate) fn cause(&self) -> Option<(&Game<W>, &EntryOf<W>)> {
        let cause = self.cause.as_ref()?;
        Some((&cause.previous, &cause.entry))
    }

    /// Returns the link to the next item.
    pub(crate) fn next(&self) -> Next<W> {
        self.next.lock().clone()
    }

    /// Sets the link to the next item.
    pub(crate) fn set_next(&self, next: Next<W>) {
        let replaced = std::mem::replace(&mut *self.next.lock(), next);
        // Dropped outside the lock: this may free all items that follow.
        drop(replaced);
    }

    /// Returns the size of the cached messages, in bytes.
    pub(crate) fn encoded_size(&self) -> usize {
        let messages = self.messages.lock();
        let size = |(_, message): &(SlotKey, Arc<EncodeOnce>)| {
            // A message that is being encoded is counted next time.
            let message = message.try_lock();
            message.and_then(|encoded| encoded.as_ref().map(Encoded::size))
        };
        messages.iter().filter_map(size).sum()
    }

    /// Returns the message for a watcher of this kind: the entry with the table, or only the table if the item has no
    /// entry. `base` is the drawing that the watcher has.
    pub(crate) fn message(
        &self,
        key: &EncodingKey,
        base: Option<&SentDrawing>,
        metrics: &RulesetMetrics,
    ) -> Result<Encoded, ServiceError> {
        let message_type = match self.cause {
            Some(_) => MessageType::Delta,
            None => MessageType::FullTable,
        };
        self.encode_once((key, message_type), base, metrics)
    }

    /// Returns the message with only the table, for a watcher of this kind.
    pub(crate) fn table(
        &self,
        key: &EncodingKey,
        metrics: &RulesetMetrics,
    ) -> Result<Encoded, ServiceError> {
        self.encode_once((key, MessageType::FullTable), None, metrics)
    }

    /// Returns a cached message. The first watcher encodes it; the others get the same bytes.
    fn encode_once(
        &self,
        (key, message_type): (&EncodingKey, MessageType),
        base: Option<&SentDrawing>,
        metrics: &RulesetMetrics,
    ) -> Result<Encoded, ServiceError> {
        let slot_key = (key.clone(), message_type, base.map(SentDrawing::hash));
        let encoding = self.encoding_slot(slot_key);
        let mut slot = encoding.lock();
        if let Some(encoded) = &*slot {
            metrics.shared();
            return Ok(encoded.clone());
        }
        metrics.written();
        let encoded = self.encode_message(key, message_type, base)?;
        *slot = Some(encoded.clone());
        Ok(encoded)
    }

    fn encoding_slot(&self, key: SlotKey) -> Arc<EncodeOnce> {
        let mut messages = self.messages.lock();
        if let Some((_, message)) = messages.iter().find(|slot| slot.0 == key) {
            return Arc::clone(message);
        }
        let message = Arc::default();
        if messages.len() < MAX_ENCODINGS {
            messages.push((key, Arc::clone(&message)));
        }
        message
    }

    fn encode_message(
        &self,
        key: &EncodingKey,
        message_type: MessageType,
        base: Option<&SentDrawing>,
    ) -> Result<Encoded, ServiceError> {
        let (mut table, entry) = self.render(key, message_type)?;
        let sends_changes = (key.show.picture.as_ref()).is_some_and(|picture| picture.changes);
        let drawing = sends_changes.then(|| SentDrawing::new(&table.drawing));
        table.drawing_changes = base.and_then(|base| base.changes_to(&table.drawing));
        if table.drawing_changes.is_some() {
            table.drawing = String::new();
        }
        let table = Some(table);
        let bytes = match key.stream_type {
            StreamType::WatchGame => encode_shared(&WatchGameResponse {
                table,
                entry,
                version: self.game.version,
                ..WatchGameResponse::default()
            }),
            StreamType::WatchGames => {
                let change = watch_games_response::Update::Change(GameChange { table, entry });
                let update = Some(change);
                encode_shared(&WatchGamesResponse {
                    update,
                    ..WatchGamesResponse::default()
                })
            }
        };
        Ok(Encoded { bytes, drawing })
    }

    /// Builds the table, and the log entry that led to it.
    fn render(
        &self,
        key: &EncodingKey,
        message_type: MessageType,
    ) -> Result<(Table, Option<LogEntry>), ServiceError> {
        let (show, game) = (&key.show, &*self.game);
        let last_entry = match (&self.cause, message_type) {
            (Some(cause), MessageType::Delta) => Some(&cause.entry),
            (Some(_) | None, MessageType::FullTable | MessageType::Delta) => None,
        };
        let table = show.table_after_entry(game, game.info_with(key.visible_tags), last_entry);
        let entry = match (&self.cause, message_type) {
            (Some(cause), MessageType::Delta) if show.events => {
                let mut scene = show.scene(&cause.previous);
                let render_context = (show, game.players(), &mut scene);
                let end_event = show.end_event(game);
                let (version, genesis) = (game.version, &game.genesis);
                Some(render_entry::<W>(
                    version,
                    &cause.entry,
                    genesis,
                    render_context,
                    end_event,
                )?)
            }
            (Some(_) | None, MessageType::FullTable | MessageType::Delta) => None,
        };
        Ok((table, entry))
    }
}
