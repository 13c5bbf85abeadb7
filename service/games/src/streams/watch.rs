//! `WatchGame`: a **watch** sends the table, then every version as it is played.
//!
//! A watch takes its news from the [feed](crate::streams::feed) of the game. If it is behind everything that the feed
//! keeps, or the feed has ended, it reads the log itself, from the last version that it sent, until it has caught up.
//! Token, pace and bookmarks are separate for each watch. A watch is closed when its client reads nothing for too long;
//! the error says where to resume.

mod reading;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use gamekeeper_proto::gamekeeper::v1::WatchGameRequest;
use gamekeeper_proto::raw::WatchGameResponse;
use gamekeeper_proto::written;
use gamekeeper_rules::table::{Seat, Viewer};
use gamekeeper_store::{GameId, Version};
use gamekeeper_telemetry::OpenWatch;
use gamekeeper_wire::Wire;
use prost_types::Timestamp;
use tokio::time::{Instant, timeout_at};

use self::reading::Reading;
use super::bounded::{Bounds, Source, follow};
use crate::heart::access::{Caller, Share, Subject, Wish};
use crate::heart::game::{Game, timestamp};
use crate::heart::games::{Answers, Games};
use crate::heart::looking::{from_seat, seated, viewer, wish};
use crate::heart::news::{Form, Kind, Message, News};
use crate::heart::permissions::may_read;
use crate::heart::problem::Problem;
use crate::heart::requests::parse_id;
use crate::heart::show::Show;
use crate::heart::times::check_time;
use crate::streams::feed::{FeedStart, Subscription};
use crate::streams::followed::{Change, Changes, FollowedGame, Look};

struct Watcher<W: Wire> {
    games: Arc<Games<W>>,
    caller: Caller,
    /// The source of news, positioned at the last message.
    reading: Reading<W>,
    kind: Kind,
    /// The permission that the watch needs.
    wish: Wish,
    /// The parts that the request selects. [`kind`](Self::kind) shows less while the user has no seat.
    wanted: Show,
    /// The user whose view is shown. Is `None` if the request names a viewer, or the caller is not a user.
    user: Option<String>,
    at_start: bool,
    /// Whether the game was over when the watch started. The permissions for a finished game then apply to its earlier
    /// versions too.
    was_over: bool,
    /// The newest version when the watch started.
    old: Version,
    _share: Share,
    _counted: OpenWatch,
}

impl<W: Wire> Games<W> {
    /// Watches a game.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, there are too many watches, or the store fails. The
    /// stream ends with [`Problem::GoingAway`] when the server shuts down.
    pub async fn watch(
        self: &Arc<Self>,
        caller: &Caller,
        call: WatchGameRequest,
    ) -> Result<Answers<Message>, Problem> {
        let id = parse_id(&call.game_id)?;
        let viewer = match viewer(caller, call.viewer.as_ref()) {
            Ok(viewer) => viewer,
            Err(problem) => return Err(self.unreadable(caller, id, problem).await),
        };
        let show = Show::read(viewer, call.show.as_ref())?;
        check_time(call.after_time, "after_time")?;
        let begin = Begin {
            id,
            after_version: call.after_version,
            after_time: call.after_time,
            form: Form::One,
        };
        let seen = |game: &Game<W>| {
            let show = from_seat(caller, call.viewer.as_ref(), game, show);
            Ok((show, wish(call.viewer.as_ref(), show)))
        };
        let mut watcher = self.watcher(caller, begin, seen).await?;
        watcher.user = seated(caller, call.viewer.as_ref()).map(str::to_owned);
        let bounds = Bounds::new(&self.shared, caller).aging(&self.shared);
        Ok(follow(watcher, bounds, call.after_version))
    }

    /// Follows a game as part of a stream of several games. The version at which the game is over is the last one.
    ///
    /// # Errors
    /// If the caller lacks permission, the request is malformed, there are too many watches, or the store fails.
    pub async fn follow(
        self: &Arc<Self>,
        caller: &Caller,
        followed: FollowedGame,
    ) -> Result<Changes, Problem> {
        let FollowedGame {
            look, show, user, ..
        } = followed;
        let begin = Begin {
            id: followed.id,
            after_version: followed.after_version,
            after_time: followed.after_time,
            form: Form::Many,
        };
        let seen = |game: &Game<W>| {
            let named = match &look {
                Look::As(asked) => asked.as_ref(),
                Look::OfUser(user) => {
                    let show = Show::read(seat_of(game, user)?, show.as_ref())?;
                    return Ok((show, Wish::Look(show.viewer)));
                }
            };
            let show = Show::read(viewer(caller, named)?, show.as_ref())?;
            let show = from_seat(caller, named, game, show);
            Ok((show, wish(named, show)))
        };
        let mut watcher = self.watcher(caller, begin, seen).await?;
        watcher.reading.tell_tags(caller.knows_tags());
        watcher.user = match look {
            Look::OfUser(user) => Some(user),
            Look::As(named) => seated(caller, named.as_ref()).map(str::to_owned),
        };
        Ok(Box::pin(stream::unfold(
            Some((watcher, user)),
            |watching| async {
                let (mut watcher, user) = watching?;
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
    async fn watcher(
        self: &Arc<Self>,
        caller: &Caller,
        begin: Begin,
        seen: impl FnOnce(&Game<W>) -> Result<(Show, Wish), Problem>,
    ) -> Result<Watcher<W>, Problem> {
        let id = begin.id;
        // Subscribe before reading the game, so that no version is missed.
        let subscription = self.subscribe(id).await?;
        let game = self.open_fresh(caller, id).await?;
        let (show, wish) = seen(&game)?;
        may_read(caller, &game, wish)?;
        let (asked, current) = (begin.after_version, game.version);
        if asked > current {
            return Err(Problem::NoSuchVersion { asked, current });
        }
        let share = self.shared.watches.take(caller.account)?;
        let now = game.copied();
        let was_over = game.subject().over;
        drop(game);
        let game = self.known_to(&now, &begin).await?;
        let feed = match subscription {
            Subscription::Feed(feed) => feed,
            Subscription::WakeUps(wake_ups) => self.feed(FeedStart {
                game: now,
                wake_ups,
                look_at: Instant::now() + self.shared.settings.bookmark_every,
            }),
        };
        let known = game.known_tags(caller);
        Ok(Watcher {
            games: Arc::clone(self),
            caller: caller.clone(),
            reading: Reading::new(Arc::clone(self), game, feed, current),
            kind: Kind {
                show,
                known,
                form: begin.form,
            },
            wish,
            wanted: show,
            user: None,
            at_start: asked == 0,
            was_over,
            old: current,
            _share: share,
            _counted: self.metrics.watching(),
        })
    }

    /// Returns the table at the version that the caller has, or the newest one.
    async fn known_to(&self, now: &Game<W>, begin: &Begin) -> Result<Game<W>, Problem> {
        let (asked, current) = (begin.after_version, now.version);
        if asked == 0 {
            return Ok(now.copied());
        }
        let mut game = if asked == current {
            now.copied()
        } else {
            self.at_version(now.id, asked).await?
        };
        game.access = now.access.clone();
        let time = begin.after_time;
        if time.is_some_and(|time| time != timestamp(game.time_ms)) {
            // The caller has seen a different version with this number, which a failover has lost.
            return Err(Problem::NoSuchVersion { asked, current });
        }
        Ok(game)
    }
}

/// The starting point of a watch.
struct Begin {
    id: GameId,
    /// The last version that the caller has. 0 starts with the newest version.
    after_version: Version,
    after_time: Option<Timestamp>,
    form: Form,
}

/// Returns the first seat of a user.
fn seat_of<W: Wire>(game: &Game<W>, user: &str) -> Result<Viewer, Problem> {
    let mut users = Seat::all(W::seats(&game.birth.options));
    let seat = users.find(|seat| game.access.tags().user(*seat) == user);
    seat.map(Viewer::Seat).ok_or(Problem::PermissionDenied(
        "the user has no seat at this game",
    ))
}

impl<W: Wire> Source for Watcher<W> {
    type Item = Message;

    async fn next(&mut self) -> Result<Message, Problem> {
        let bytes = self.next_news().await?.unwrap_or_else(|| self.bookmark());
        let version = self.version();
        Ok(Message { version, bytes })
    }

    fn version(&self) -> Version {
        self.game().version
    }
}

impl<W: Wire> Watcher<W> {
    /// Returns the table at the last message.
    fn game(&self) -> &Game<W> {
        self.reading.game()
    }

    fn bookmark(&self) -> Bytes {
        let version = self.game().version;
        let server_time = Some(timestamp(self.games.shared.clock.now_ms()));
        written(&WatchGameResponse {
            version,
            server_time,
            ..WatchGameResponse::default()
        })
    }

    /// Returns the next change. Returns `None` if the game is over and everything was reported.
    async fn next_change(&mut self, user: Option<&str>) -> Result<Option<Change>, Problem> {
        if !self.at_start && self.game().is_over() {
            return Ok(None);
        }
        loop {
            let Some(message) = self.next_news().await? else {
                continue;
            };
            let game = self.reading.game();
            let mut users = game.access.tags().users().iter();
            return Ok(Some(Change {
                version: game.version,
                time: timestamp(game.time_ms),
                is_of_user: user.is_none_or(|user| users.any(|of_seat| of_seat == user)),
                message,
            }));
        }
    }

    /// Returns the next message. Returns `None` if there was no news for a while, so that a bookmark is due.
    async fn next_news(&mut self) -> Result<Option<Bytes>, Problem> {
        if std::mem::take(&mut self.at_start) {
            return self
                .reading
                .begin()
                .table(self.kind, &self.games.metrics)
                .map(Some);
        }
        let bookmark_at = Instant::now() + self.games.shared.settings.bookmark_every;
        loop {
            if let Some(message) = self.next_message().await? {
                return Ok(Some(message));
            }
            if Instant::now() >= bookmark_at {
                self.still_allowed(None).await?;
                return Ok(None);
            }
            // The end of a feed wakes its watchers as well.
            let _woken = timeout_at(bookmark_at, self.reading.woken()).await;
        }
    }

    /// Returns the message of the next news item: a version or, for watches that report them, changed users and labels.
    /// Returns `None` if there is none yet.
    async fn next_message(&mut self) -> Result<Option<Bytes>, Problem> {
        loop {
            let Some(news) = self.reading.next().await? else {
                return Ok(None);
            };
            self.look_as_user(&news.game);
            self.kind.known = news.game.known_tags(&self.caller);
            self.still_allowed(Some(&news)).await?;
            let has_message = self.reading.accept(&news);
            if news.is_step() && news.game.version > self.old {
                let now_ms = self.games.shared.clock.now_ms();
                let lag = now_ms.saturating_sub(news.game.time_ms);
                self.games.metrics.lagged(Duration::from_millis(lag));
            }
            if has_message {
                return news.message(self.kind, &self.games.metrics).map(Some);
            }
        }
    }

    /// Views the game from the user's present seat, since users may have moved since the last message. A user who has
    /// left sees only the public facts; the stream then leaves the game.
    fn look_as_user(&mut self, game: &Game<W>) {
        let Some(user) = &self.user else {
            return;
        };
        let (show, wish) = match seat_of(game, user) {
            Ok(viewer) => (
                Show {
                    viewer,
                    ..self.wanted
                },
                Wish::Look(viewer),
            ),
            Err(_) => (Show::facts(Viewer::Spectator), Wish::Info),
        };
        self.kind.show = show;
        self.wish = wish;
    }

    /// Checks that the token has not expired, and was not replaced before `news` was played or, with a `news` of
    /// `None`, before now.
    async fn still_allowed(&self, news: Option<&News<W>>) -> Result<(), Problem> {
        let wish = self.wish;
        let Some(game) = self.reading.feed_game() else {
            let version = news.map(|news| news.game.version);
            let (games, id) = (&self.games, self.game().id);
            return games.still_may(&self.caller, id, wish, version).await;
        };
        self.caller.holds()?;
        if !self.caller.may_lose_games() {
            return Ok(());
        }
        // The feed has read the access record together with the news, for all watchers.
        let subject = game.subject();
        let over = subject.over || self.was_over;
        self.caller.may(Subject { over, ..subject }, wish)
    }
}
