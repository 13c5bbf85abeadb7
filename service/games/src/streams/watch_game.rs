//! `WatchGame`: a **watch** sends the table, then every version as it is played.
//!
//! A watch takes its updates from the [broadcast](crate::broadcast) of the game. If it is behind everything that the
//! broadcast keeps, or the broadcast has ended, it reads the log itself, from the last version that it sent, until it
//! has caught up. Token, pace and bookmarks are separate for each watch. A watch is closed when its client reads
//! nothing for too long; the error says where to resume.

mod numbers;
mod update_reader;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use gamekeeper_proto::encode_shared;
use gamekeeper_proto::gamekeeper::v1::WatchGameRequest;
use gamekeeper_proto::raw::WatchGameResponse;
use gamekeeper_rules::table::{Seat, Viewer};
use gamekeeper_store::{GameId, Version};
use gamekeeper_telemetry::OpenWatch;
use gamekeeper_wire::Wire;
use prost_types::Timestamp;
use tokio::time::{Instant, timeout_at};

use self::numbers::{count_update, recent_events, with_numbers};
use self::update_reader::UpdateReader;
use super::limits::{StreamLimits, StreamSource, spawn_pump};
use crate::admission::ConcurrencyPermit;
use crate::aggregate::game::{Game, timestamp};
use crate::aggregate::recent_events::RecentEvents;
use crate::authz::{AccessTarget, Caller, Permission};
use crate::broadcast::update::{EncodingKey, Message, StreamType, Update};
use crate::errors::ServiceError;
use crate::rendering::drawing_changes::SentDrawing;
use crate::rendering::projection::Projection;
use crate::requests::ids::parse_id;
use crate::requests::times::check_time;
use crate::service::authorization::authorize_read;
use crate::service::game_service::{GameService, ResponseStream};
use crate::service::viewer::{
    implicit_user, required_permission, resolve_implicit_seat, resolve_viewer,
};
use crate::streams::log_tailer::{BroadcastStart, Subscription};
use crate::streams::watched_game::{VersionChange, VersionChanges, ViewerSelector, WatchedGame};

struct GameWatcher<W: Wire> {
    games: Arc<GameService<W>>,
    caller: Caller,
    /// The source of updates, positioned at the last message.
    reader: UpdateReader<W>,
    encoding_key: EncodingKey,
    /// The permission that the watch needs.
    permission: Permission,
    /// The parts that the request selects. [`encoding_key`](Self::encoding_key) shows less while the user has no seat.
    requested_show: Projection,
    /// The user whose view is shown. Is `None` if the request names a viewer, or the caller is not a user.
    user: Option<String>,
    sends_initial_table: bool,
    /// The drawing in the last message, whose changes the next one sends. Is `None` if whole drawings are sent.
    drawing: Option<SentDrawing>,
    /// The events that the seats have seen, at the last message. Is `None` if no numbers are shown.
    recent: Option<Box<RecentEvents>>,
    /// Whether the game was over when the watch started. The permissions for a finished game then apply to its earlier
    /// versions too.
    was_over_at_start: bool,
    /// The newest version when the watch started.
    initial_version: Version,
    _share: ConcurrencyPermit,
    _counted: OpenWatch,
}

impl<W: Wire> GameService<W> {
    /// Watches a game.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, there are too many watches, or the store fails. The
    /// stream ends with [`ServiceError::GoingAway`] when the server shuts down.
    pub async fn watch_game(
        self: &Arc<Self>,
        caller: &Caller,
        call: WatchGameRequest,
    ) -> Result<ResponseStream<Message>, ServiceError> {
        let id = parse_id(&call.game_id)?;
        let viewer = match resolve_viewer(caller, call.viewer.as_ref()) {
            Ok(viewer) => viewer,
            Err(problem) => return Err(self.with_seat_count(caller, id, problem).await),
        };
        let show = Projection::from_request(viewer, call.show.as_ref())?;
        check_time(call.after_time, "after_time")?;
        let start = WatchStart {
            id,
            after_version: call.after_version,
            after_time: call.after_time,
            form: StreamType::WatchGame,
        };
        let resolve_view = |game: &Game<W>| {
            let mut show = show;
            resolve_implicit_seat(caller, call.viewer.as_ref(), game, &mut show);
            let permission = required_permission(call.viewer.as_ref(), &show);
            Ok((show, permission))
        };
        let mut watcher = self.prepare_watch(caller, start, resolve_view).await?;
        watcher.user = implicit_user(caller, call.viewer.as_ref()).map(str::to_owned);
        let bounds = StreamLimits::new(&self.context, caller).with_max_age(&self.context);
        Ok(spawn_pump(watcher, bounds, call.after_version))
    }

    /// Follows a game as part of a stream of several games. The version at which the game is over is the last one.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, there are too many watches, or the store fails.
    pub async fn follow_game(
        self: &Arc<Self>,
        caller: &Caller,
        watched: WatchedGame,
    ) -> Result<VersionChanges, ServiceError> {
        let WatchedGame {
            viewer: selector,
            show,
            user,
            ..
        } = watched;
        let start = WatchStart {
            id: watched.id,
            after_version: watched.after_version,
            after_time: watched.after_time,
            form: StreamType::WatchGames,
        };
        let resolve_view = |game: &Game<W>| {
            let requested = match &selector {
                ViewerSelector::Requested(requested) => requested.as_ref(),
                ViewerSelector::SeatOfUser(user) => {
                    let show =
                        Projection::from_request(viewer_of_user(game, user)?, show.as_ref())?;
                    let permission = Permission::View(show.viewer);
                    return Ok((show, permission));
                }
            };
            let viewer = resolve_viewer(caller, requested)?;
            let mut show = Projection::from_request(viewer, show.as_ref())?;
            resolve_implicit_seat(caller, requested, game, &mut show);
            let permission = required_permission(requested, &show);
            Ok((show, permission))
        };
        let mut watcher = self.prepare_watch(caller, start, resolve_view).await?;
        watcher.reader.report_tags(caller.can_see_tags());
        watcher.user = match selector {
            ViewerSelector::SeatOfUser(user) => Some(user),
            ViewerSelector::Requested(requested) => {
                implicit_user(caller, requested.as_ref()).map(str::to_owned)
            }
        };
        Ok(Box::pin(stream::unfold(
            Some((watcher, user)),
            |state| async {
                let (mut watcher, user) = state?;
                match watcher.next_change(user.as_deref()).await {
                    Ok(change) => {
                        let is_last = watcher.game().is_over();
                        Some((Ok(change?), (!is_last).then_some((watcher, user))))
                    }
                    Err(problem) => Some((Err(problem), None)),
                }
            },
        )))
    }

    /// Creates the state of a watch.
    async fn prepare_watch(
        self: &Arc<Self>,
        caller: &Caller,
        start: WatchStart,
        resolve_view: impl FnOnce(&Game<W>) -> Result<(Projection, Permission), ServiceError>,
    ) -> Result<GameWatcher<W>, ServiceError> {
        let id = start.id;
        // Subscribe before reading the game, so that no version is missed.
        let subscription = self.subscribe_or_watch(id).await?;
        let game = self.lock_current(caller, id).await?;
        let (show, permission) = resolve_view(&game)?;
        authorize_read(caller, &game, permission)?;
        let (requested, current) = (start.after_version, game.version);
        game.ensure_has_version(requested)?;
        let share = self.context.watch_permits.try_acquire(caller.account)?;
        let game_now = game.clone_for_read();
        let was_over_at_start = game.access_target().is_over;
        drop(game);
        let game = self.table_to_resume_from(&game_now, &start).await?;
        let broadcast = match subscription {
            Subscription::Broadcast(broadcast) => broadcast,
            Subscription::WakeUps(wake_ups) => self.broadcast(BroadcastStart {
                game: game_now,
                wake_ups,
                next_poll: Instant::now() + self.context.settings.bookmark_every,
            }),
        };
        let visible_tags = game.visible_tags(caller);
        // Boxed: numbers must not enlarge the future of every watch.
        let recent = Box::pin(recent_events(self, &game, (&show, start.form))).await?;
        Ok(GameWatcher {
            games: Arc::clone(self),
            caller: caller.clone(),
            reader: UpdateReader::new(Arc::clone(self), game, broadcast, current),
            encoding_key: EncodingKey {
                show: show.clone(),
                visible_tags,
                stream_type: start.form,
            },
            permission,
            requested_show: show,
            user: None,
            sends_initial_table: requested == 0,
            drawing: None,
            recent,
            was_over_at_start,
            initial_version: current,
            _share: share,
            _counted: self.metrics.watching(),
        })
    }

    /// Returns the table at the version that the caller has, or the newest one.
    async fn table_to_resume_from(
        &self,
        game_now: &Game<W>,
        start: &WatchStart,
    ) -> Result<Game<W>, ServiceError> {
        let (requested, current) = (start.after_version, game_now.version);
        if requested == 0 {
            return Ok(game_now.clone_for_read());
        }
        let mut game = if requested == current {
            game_now.clone_for_read()
        } else {
            self.at_version(game_now.id, requested).await?
        };
        game.metadata = game_now.metadata.clone();
        let time = start.after_time;
        if time.is_some_and(|time| time != timestamp(game.time_ms)) {
            // The caller has seen a different version with this number, which a failover has lost.
            return Err(ServiceError::NoSuchVersion { requested, current });
        }
        Ok(game)
    }
}

/// The starting point of a watch.
struct WatchStart {
    id: GameId,
    /// The last version that the caller has. 0 starts with the newest version.
    after_version: Version,
    after_time: Option<Timestamp>,
    form: StreamType,
}

/// Returns the first seat of a user.
fn viewer_of_user<W: Wire>(game: &Game<W>, user: &str) -> Result<Viewer, ServiceError> {
    let mut users = Seat::all(W::seats(&game.genesis.options));
    let seat = users.find(|seat| game.metadata.tags().user(*seat) == user);
    seat.map(Viewer::Seat).ok_or(ServiceError::PermissionDenied(
        "the user has no seat at this game",
    ))
}

impl<W: Wire> StreamSource for GameWatcher<W> {
    type Item = Message;

    async fn next(&mut self) -> Result<Message, ServiceError> {
        let bytes = self
            .next_message_or_bookmark()
            .await?
            .unwrap_or_else(|| self.bookmark());
        let version = self.version();
        Ok(Message { version, bytes })
    }

    fn version(&self) -> Version {
        self.game().version
    }
}

impl<W: Wire> GameWatcher<W> {
    /// Returns the table at the last message.
    fn game(&self) -> &Game<W> {
        self.reader.game()
    }

    fn bookmark(&self) -> Bytes {
        let version = self.game().version;
        let server_time = Some(timestamp(self.games.context.clock.now_ms()));
        encode_shared(&WatchGameResponse {
            version,
            server_time,
            ..WatchGameResponse::default()
        })
    }

    /// Returns the next change. Returns `None` if the game is over and everything was reported.
    async fn next_change(
        &mut self,
        user: Option<&str>,
    ) -> Result<Option<VersionChange>, ServiceError> {
        if !self.sends_initial_table && self.game().is_over() {
            return Ok(None);
        }
        loop {
            let Some(message) = self.next_message_or_bookmark().await? else {
                continue;
            };
            let game = self.reader.game();
            let mut users = game.metadata.tags().users().iter();
            return Ok(Some(VersionChange {
                version: game.version,
                time: timestamp(game.time_ms),
                user_has_seat: user.is_none_or(|user| users.any(|of_seat| of_seat == user)),
                message,
            }));
        }
    }

    /// Returns the next message. Returns `None` if there was no update for a while, so that a bookmark is due.
    async fn next_message_or_bookmark(&mut self) -> Result<Option<Bytes>, ServiceError> {
        if std::mem::take(&mut self.sends_initial_table) {
            let first = self.reader.initial_update();
            let encoded = first.table(&self.encoding_key, &self.games.metrics)?;
            self.drawing = encoded.drawing;
            return self.with_numbers(encoded.bytes).await.map(Some);
        }
        let bookmark_at = Instant::now() + self.games.context.settings.bookmark_every;
        loop {
            if let Some(message) = self.next_message().await? {
                return Ok(Some(message));
            }
            if Instant::now() >= bookmark_at {
                self.reauthorize(None).await?;
                return Ok(None);
            }
            // The end of a broadcast wakes its watchers as well.
            let _wake_up = timeout_at(bookmark_at, self.reader.wait_for_update()).await;
        }
    }

    /// Returns the message of the next update: a version or, for watches that report them, changed users and labels.
    /// Returns `None` if there is none yet.
    async fn next_message(&mut self) -> Result<Option<Bytes>, ServiceError> {
        loop {
            let Some(update) = self.reader.next_update().await? else {
                return Ok(None);
            };
            self.switch_to_seat_of_user(&update.game);
            self.encoding_key.visible_tags = update.game.visible_tags(&self.caller);
            self.reauthorize(Some(&update)).await?;
            let recent = self.recent.take();
            if recent.is_some() {
                self.recent = Box::pin(count_update(&self.games, recent, &update)).await?;
            }
            let has_change = self.reader.accept(&update);
            if update.has_entry() && update.game.version > self.initial_version {
                let now_ms = self.games.context.clock.now_ms();
                let lag = now_ms.saturating_sub(update.game.time_ms);
                self.games.metrics.lagged(Duration::from_millis(lag));
            }
            if has_change {
                let base = self.drawing.take();
                let encoded =
                    update.message(&self.encoding_key, base.as_ref(), &self.games.metrics)?;
                self.drawing = encoded.drawing;
                return self.with_numbers(encoded.bytes).await.map(Some);
            }
        }
    }

    /// Adds numbers to a message about the table, if the watch shows them.
    async fn with_numbers(&self, message: Bytes) -> Result<Bytes, ServiceError> {
        let shown = (&self.encoding_key.show, self.recent.as_deref());
        if shown.1.is_none() {
            return Ok(message);
        }
        // Boxed: numbers must not enlarge the future of every watch.
        Box::pin(with_numbers(&self.games, self.game(), shown, message)).await
    }

    /// Views the game from the user's present seat, since users may have moved since the last message. A user who has
    /// left sees only the public facts; the stream then leaves the game.
    fn switch_to_seat_of_user(&mut self, game: &Game<W>) {
        let Some(user) = &self.user else {
            return;
        };
        let (show, permission) = match viewer_of_user(game, user) {
            Ok(viewer) => (
                Projection {
                    viewer,
                    ..self.requested_show.clone()
                },
                Permission::View(viewer),
            ),
            Err(_) => (
                Projection::public_only(Viewer::Spectator),
                Permission::ReadInfo,
            ),
        };
        self.encoding_key.show = show;
        self.permission = permission;
    }

    /// Checks that the token has not expired, and was not replaced before `update` was played or, with an `update` of
    /// `None`, before now.
    async fn reauthorize(&self, update: Option<&Update<W>>) -> Result<(), ServiceError> {
        let permission = self.permission;
        let Some(game) = self.reader.broadcast_game() else {
            let version = update.map(|update| update.game.version);
            let (games, id) = (&self.games, self.game().id);
            return games
                .reauthorize(&self.caller, id, permission, version)
                .await;
        };
        self.caller.ensure_not_expired()?;
        if !self.caller.needs_reauthorization() {
            return Ok(());
        }
        // The broadcast has read the metadata together with the update, for all watchers.
        let target = game.access_target();
        let is_over = target.is_over || self.was_over_at_start;
        self.caller
            .authorize(AccessTarget { is_over, ..target }, permission)
    }
}
