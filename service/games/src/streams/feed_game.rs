//! The changes of one game that the **feed of a tenant** reports: the versions that its records name, read from the
//! log.
//!
//! A version is applied to the table before it. This process has that table in a cache if it reported that version
//! last; otherwise the log is replayed.

use std::collections::VecDeque;
use std::ops::RangeInclusive;
use std::sync::Arc;

use futures_util::stream;
use gamekeeper_proto::gamekeeper::v1 as pb;
use gamekeeper_store::{GameId, Head, StoredEntry, Version};
use gamekeeper_wire::Wire;

use crate::aggregate::game::{Game, timestamp};
use crate::authz::Caller;
use crate::broadcast::update::{EncodingKey, StreamType, Update};
use crate::errors::ServiceError;
use crate::rendering::projection::Projection;
use crate::requests::filter::matches_filter;
use crate::service::authorization::authorize_read;
use crate::service::game_service::GameService;
use crate::service::load::LOG_PAGE;
use crate::service::viewer::{required_permission, resolve_viewer};
use crate::streams::watched_game::{VersionChange, VersionChanges};
use crate::timing::yielder::Yielder;

/// A request for the changes of a game that a feed reports.
#[derive(Clone, Debug)]
pub struct FeedGameRequest {
    /// The id of the game.
    pub id: GameId,
    /// The range of new versions. Is `None` if there are none.
    pub versions: Option<RangeInclusive<Version>>,
    /// Whether the first of these versions is the creation of the game.
    pub is_created: bool,
    /// The version at which users or labels changed. Is `None` if they did not change.
    pub lists_changed_at: Option<Version>,
    /// The filter of the stream.
    pub filter: Arc<pb::GameFilter>,
    /// The viewer that the stream names for this game. Is `None` for the default one.
    pub viewer: Option<pb::Viewer>,
    /// The parts of the game that each change shows.
    pub show: Option<pb::Show>,
}

/// The changes of a game that a feed reports.
pub struct FeedGameUpdates {
    /// The newest version in the log. Reported versions after it are missing: they may still be written, or never.
    pub newest_version: Version,
    /// Whether the filter selects the game.
    pub matches_filter: bool,
    /// The changes, as far as the log has them.
    pub changes: VersionChanges,
}

impl<W: Wire> GameService<W> {
    /// Reads the changes of a game that a feed reports.
    ///
    /// # Errors
    /// If the caller lacks permission, there is no such game, or the store fails.
    pub async fn feed_game_updates(
        self: &Arc<Self>,
        caller: &Caller,
        request: FeedGameRequest,
    ) -> Result<FeedGameUpdates, ServiceError> {
        let requested_viewer = request.viewer.as_ref();
        let show = Projection::from_request(
            resolve_viewer(caller, requested_viewer)?,
            request.show.as_ref(),
        )?;
        let game = self.lock_current(caller, request.id).await?;
        authorize_read(caller, &game, required_permission(requested_viewer, &show))?;
        let key = EncodingKey {
            show,
            visible_tags: game.visible_tags(caller),
            stream_type: StreamType::WatchGames,
        };
        let is_match = matches_filter(&request.filter, &game.info_with(key.visible_tags));
        let newest_version = game.version;
        let current = Arc::new(game.clone_for_read());
        drop(game);
        let changes: VersionChanges = match (is_match, request.versions_to_stream(newest_version)) {
            (true, Some((next_version, last_version, is_table))) => VersionStreamer {
                games: Arc::clone(self),
                encoding_key: key,
                current,
                next_version,
                last_version,
                is_table,
                previous: None,
                prefetched: VecDeque::new(),
            }
            .into_stream(),
            (true, None) | (false, _) => Box::pin(stream::empty()),
        };
        Ok(FeedGameUpdates {
            newest_version,
            matches_filter: is_match,
            changes,
        })
    }
}

impl FeedGameRequest {
    /// Returns the first and the last version to send, and whether the first one is sent as a table alone. Returns
    /// `None` if there is nothing to send.
    fn versions_to_stream(&self, newest_version: Version) -> Option<(Version, Version, bool)> {
        let (first, last, is_table) = match (&self.versions, self.lists_changed_at) {
            (Some(versions), _) => (*versions.start(), *versions.end(), self.is_created),
            (None, Some(version)) => (version.min(newest_version), version, true),
            (None, None) => return None,
        };
        let last = last.min(newest_version);
        (first <= last).then_some((first, last, is_table))
    }
}

/// A reader that sends the versions of a game, one after the other.
struct VersionStreamer<W: Wire> {
    games: Arc<GameService<W>>,
    encoding_key: EncodingKey,
    /// The newest state of the game, with its metadata record.
    current: Arc<Game<W>>,
    /// The next version. `last_version` is the last one.
    next_version: Version,
    last_version: Version,
    /// Whether the next version is sent as a table alone.
    is_table: bool,
    /// The table before the next version. Is `None` if it must be loaded.
    previous: Option<Arc<Game<W>>>,
    /// The entries that were read ahead.
    prefetched: VecDeque<StoredEntry>,
}

impl<W: Wire> VersionStreamer<W> {
    fn into_stream(self) -> VersionChanges {
        let streamer = Some((self, Yielder::new()));
        Box::pin(stream::unfold(streamer, |state| async move {
            let (mut streamer, mut yielder) = state?;
            if streamer.next_version > streamer.last_version {
                return None;
            }
            yielder.yield_if_due().await;
            Some(match streamer.next_change().await {
                Ok(change) => (Ok(change), Some((streamer, yielder))),
                Err(problem) => (Err(problem), None),
            })
        }))
    }

    /// Returns the change of the next version.
    async fn next_change(&mut self) -> Result<VersionChange, ServiceError> {
        let version = self.next_version;
        let needs_entry = self.encoding_key.show.needs_last_entry() && !self.is_table;
        let update = if version == self.current.version && !needs_entry {
            Update::of_table(Arc::clone(&self.current))
        } else if self.is_table {
            let mut game = self.games.at_version(self.current.id, version).await?;
            game.metadata = self.current.metadata.clone();
            Update::of_table(Arc::new(game))
        } else {
            self.update_of(version).await?
        };
        self.is_table = false;
        self.next_version += 1;
        let game = Arc::clone(&update.game);
        self.games.last_streamed.insert(game.id, Arc::clone(&game));
        self.previous = Some(Arc::clone(&game));
        Ok(VersionChange {
            version,
            time: timestamp(game.time_ms),
            user_has_seat: true,
            message: update
                .message(&self.encoding_key, None, &self.games.metrics)?
                .bytes,
        })
    }

    /// Applies a version to the table before it.
    async fn update_of(&mut self, version: Version) -> Result<Update<W>, ServiceError> {
        let previous = match self.previous.take() {
            Some(previous) => previous,
            None => self.table_before(version).await?,
        };
        if self.prefetched.is_empty() {
            let (id, previous_version) = (self.current.id, version - 1);
            let count = usize::try_from(self.last_version - previous_version).unwrap_or(LOG_PAGE);
            let entries = self
                .games
                .entries(id, previous_version, count.min(LOG_PAGE))
                .await?;
            self.prefetched = entries.into();
        }
        let current = self.current.version;
        let entry = self
            .prefetched
            .pop_front()
            .ok_or(ServiceError::NoSuchVersion {
                requested: version,
                current,
            })?;
        self.games
            .next_update(&previous, &self.current.metadata, &entry)
            .await
    }

    /// Returns the table before a version, from the cache if possible.
    async fn table_before(&mut self, version: Version) -> Result<Arc<Game<W>>, ServiceError> {
        let (id, previous_version) = (self.current.id, version - 1);
        if let Some(streamed) = self
            .games
            .last_streamed
            .get(&id)
            .filter(|streamed| streamed.version == previous_version)
        {
            // A failover may have replaced the entry since the cached table was computed, so compare the heads.
            let count = usize::try_from(self.last_version - previous_version).unwrap_or(LOG_PAGE);
            let entries = self
                .games
                .entries(id, previous_version - 1, count.min(LOG_PAGE) + 1)
                .await?;
            let mut entries = VecDeque::from(entries);
            let first = entries.pop_front();
            let head = first.map(|first| Head::of(first.version, &first.bytes));
            if head == Some(streamed.head()) {
                self.prefetched = entries;
                return Ok(streamed);
            }
        }
        Ok(Arc::new(self.games.at_version(id, previous_version).await?))
    }
}
