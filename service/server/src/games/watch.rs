//! Following a game: the table, then every version as it is played.
//!
//! A watch reads the log at its own pace and keeps one table. A wake-up is only a hint; a lost one is
//! made up for by looking at least with every bookmark. A reader who takes nothing for too long loses
//! the table and the place, and learns where to resume.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream;
use gamekeeper_proto::envelope::watch_game_response::Update;
use gamekeeper_proto::envelope::{
    WatchBookmark, WatchGameRequest, WatchGameResponse, WatchStart, WatchVersion, packed,
};
use gamekeeper_proto::gamekeeper::v1::{self as pb, ViewMode};
use gamekeeper_rules::table::{Seat, Viewer};
use gamekeeper_wire::{Malformed, Wire};
use prost_types::Timestamp;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument;

use super::aged::Aged;
use super::allowed::may_read;
use super::events::logged_version;
use super::game::{Game, timestamp};
use super::load::LOG_PAGE;
use super::query::viewer;
use super::show::{Board, Show};
use super::watches::Place;
use super::{Answers, Changes, Followed, Games, Sight, now_ms, parse_id};
use crate::auth::{Access, Bearer, Taken, Wish};
use crate::connection::jittered;
use crate::problem::Problem;
use crate::store::{GameId, Head, StoredEntry, Version, WakeUps};
use crate::telemetry::OpenWatch;

struct Watcher<W: Wire> {
    games: Arc<Games<W>>,
    bearer: Bearer,
    /// The table at the last version that was sent.
    game: Game<W>,
    wake_ups: WakeUps,
    /// Entries read ahead, the next one last.
    ahead: Vec<StoredEntry>,
    /// Do users and labels that change make a message of their own?
    tells_tags: bool,
    /// Have they changed since the last message?
    retagged: bool,
    show: Show,
    at_start: bool,
    /// Versions up to this one were played before the watch began.
    old: Version,
    /// The last version that was sent.
    sent: Version,
    of_caller: Option<Taken>,
    _place: Place,
    _counted: OpenWatch,
}

/// How many messages wait for a reader.
const UNREAD: usize = 1;

impl<W: Wire> Games<W> {
    /// Follows a game.
    ///
    /// # Errors
    /// When the caller may not, the request means nothing, there are too many watches, or the store
    /// fails. The stream ends with [`Problem::GoingAway`] when the server stops.
    pub async fn watch(
        self: &Arc<Self>,
        caller: &Bearer,
        call: WatchGameRequest,
    ) -> Result<Answers<WatchGameResponse<W::Messages>>, Problem> {
        let id = parse_id(&call.game_id)?;
        let viewer = viewer(caller, call.viewer.as_ref())?;
        let with_view = match ViewMode::try_from(call.view_mode) {
            Ok(ViewMode::Unspecified | ViewMode::None) => false,
            Ok(ViewMode::Seat) => true,
            Err(_) => return Err(Malformed::new("view_mode", "is unknown").into()),
        };
        let show = Show {
            viewer,
            view: with_view,
            board: Board::read(call.with_board)?,
            text: call.with_text,
        };
        let begin = Begin {
            id,
            after_version: call.after_version,
            after_time: call.after_time,
            what: "watch_game",
        };
        let mut watcher = self.watcher(caller, begin, |_| Ok(show)).await?;
        watcher.of_caller = self.house.watches.of_caller(caller)?;
        let watching = watcher.start();
        Ok(match self.house.settings.watch_age {
            None => watching,
            Some(age) => Box::pin(Aged::new(watching, jittered(age), call.after_version)),
        })
    }

    /// Follows a game among others: every version, and the one at which the game is over is the last.
    ///
    /// # Errors
    /// When the caller may not, the request means nothing, there are too many watches, or the store
    /// fails.
    pub async fn follow(
        self: &Arc<Self>,
        caller: &Bearer,
        followed: Followed,
    ) -> Result<Changes, Problem> {
        let sight = followed.sight;
        let begin = Begin {
            id: followed.id,
            after_version: followed.after_version,
            after_time: followed.after_time,
            what: "watch_games",
        };
        let show = |game: &Game<W>| {
            let (viewer, view) = match &sight {
                Sight::Facts => (viewer(caller, None)?, false),
                Sight::Of(asked) => (viewer(caller, asked.as_ref())?, true),
                Sight::OfUser(user) => (seat_of(game, user)?, true),
            };
            Ok(Show {
                viewer,
                view,
                board: None,
                text: false,
            })
        };
        let mut watcher = self.watcher(caller, begin, show).await?;
        watcher.tells_tags = caller.knows_tags();
        Ok(Box::pin(stream::unfold(Some(watcher), |watcher| async {
            let mut watcher = watcher?;
            match watcher.next_change().await {
                Ok(change) => {
                    let is_last = watcher.game.is_over();
                    Some((Ok(change?), (!is_last).then_some(watcher)))
                }
                Err(problem) => Some((Err(problem), None)),
            }
        })))
    }

    /// A watch that has not begun.
    async fn watcher(
        self: &Arc<Self>,
        caller: &Bearer,
        begin: Begin,
        show: impl FnOnce(&Game<W>) -> Result<Show, Problem>,
    ) -> Result<Watcher<W>, Problem> {
        let Begin {
            id,
            after_version,
            after_time,
            what,
        } = begin;
        // Wake-ups first: what is played from now on is heard of.
        let wake_ups = self.house.store.watch(id).await?;
        let at_start = after_version == 0;
        let desk = self.open_fresh(caller, id).await?;
        let show = show(&desk)?;
        may_read(caller, &desk, Wish::Look(show.viewer), what)?;
        let newest = desk.version;
        if after_version > newest {
            let (asked, current) = (after_version, newest);
            return Err(Problem::NoSuchVersion { asked, current });
        }
        let place = self.house.watches.enter(&self.house, id)?;
        let game = if at_start || after_version == newest {
            let game = desk.copied();
            drop(desk);
            game
        } else {
            let access = desk.access.clone();
            drop(desk);
            let mut game = self.at_version(id, after_version).await?;
            game.access = access;
            game
        };
        if let Some(time) = after_time
            && !at_start
            && time != timestamp(game.time_ms)
        {
            // The caller has seen another version of that number.
            let (asked, current) = (after_version, newest);
            return Err(Problem::NoSuchVersion { asked, current });
        }
        Ok(Watcher {
            games: Arc::clone(self),
            bearer: caller.clone(),
            game,
            wake_ups,
            ahead: Vec::new(),
            tells_tags: false,
            retagged: false,
            show,
            at_start,
            old: newest,
            sent: after_version,
            of_caller: None,
            _place: place,
            _counted: self.metrics.watching(),
        })
    }
}

/// Where a watch begins.
struct Begin {
    id: GameId,
    /// 0: with the newest version.
    after_version: Version,
    after_time: Option<Timestamp>,
    /// What operators are noted for.
    what: &'static str,
}

/// The first seat of a user.
fn seat_of<W: Wire>(game: &Game<W>, user: &str) -> Result<Viewer, Problem> {
    let mut users = Seat::all(W::seats(&game.birth.options));
    let seat = users.find(|seat| game.access.tags().user(*seat) == user);
    seat.map(Viewer::Seat).ok_or(Problem::PermissionDenied(
        "the user has no seat at this game",
    ))
}

impl<W: Wire> Watcher<W> {
    /// Follows the game in a task of its own, which ends when the reader goes away or falls asleep.
    fn start(self) -> Answers<WatchGameResponse<W::Messages>> {
        let (answers, read) = mpsc::channel(UNREAD);
        let (ending, ended) = oneshot::channel();
        let follow = async move {
            if let Some(problem) = self.follow(&answers).await {
                // A client that has disconnected needs no reason.
                let _gone = ending.send(problem);
            }
        };
        tokio::spawn(follow.in_current_span());
        Box::pin(stream::unfold(
            (read, Some(ended)),
            |(mut read, mut ended)| async move {
                if let Some(answer) = read.recv().await {
                    let update = Some(answer);
                    return Some((Ok(WatchGameResponse { update }), (read, ended)));
                }
                let problem = ended.take()?.await.ok()?;
                Some((Err(problem), (read, None)))
            },
        ))
    }

    /// Sends until there is a reason to stop; none: the reader is gone.
    async fn follow(mut self, answers: &mpsc::Sender<Update<W::Messages>>) -> Option<Problem> {
        let patience = self.games.house.settings.watch_patience;
        let closing = self.games.house.closing.clone();
        let bearer = self.bearer.clone();
        let mut ended = pin!(bearer.ended());
        loop {
            let next = tokio::select! {
                () = answers.closed() => return None,
                () = &mut ended => return Some(Problem::TokenExpired),
                next = self.next() => next,
            };
            let answer = match next {
                Ok(answer) => answer,
                Err(problem) => return Some(problem),
            };
            let version = self.game.version;
            let sent = tokio::select! {
                biased;
                sent = answers.send_timeout(answer, patience) => sent,
                () = closing.cancelled() => {
                    return Some(Problem::GoingAway { version: self.sent });
                }
            };
            match sent {
                Ok(()) => self.sent = version,
                Err(SendTimeoutError::Closed(_)) => return None,
                Err(SendTimeoutError::Timeout(_)) => {
                    return Some(Problem::WatchTooSlow { version: self.sent });
                }
            }
        }
    }

    /// The next version, with what is to be seen of it; none: the game is over, and everything was reported.
    async fn next_change(&mut self) -> Result<Option<pb::FoundGame>, Problem> {
        if !self.at_start && self.game.is_over() {
            return Ok(None);
        }
        loop {
            let is_shown = self.show.view;
            let (game, view) = match self.next().await? {
                Update::Start(start) => (start.game, start.view),
                Update::Version(version) => (version.game, version.view),
                Update::Bookmark(_) => continue,
            };
            self.sent = self.game.version;
            let view = view.filter(|_| is_shown);
            let view = view.map(|view| packed::<W::Messages, _>("View", view));
            return Ok(Some(pb::FoundGame { game, view }));
        }
    }

    async fn next(&mut self) -> Result<Update<W::Messages>, Problem> {
        if std::mem::take(&mut self.at_start) {
            return Ok(self.as_it_is());
        }
        let bookmark_at = Instant::now() + self.games.house.settings.bookmark_every;
        loop {
            if let Some(version) = self.next_version().await? {
                return Ok(version);
            }
            let closing = self.games.house.closing.clone();
            let heard = tokio::select! {
                biased;
                () = closing.cancelled() => {
                    return Err(Problem::GoingAway { version: self.sent });
                }
                heard = timeout_at(bookmark_at, self.wake_ups.changed()) => heard,
            };
            match heard {
                Ok(Ok(())) => {}
                // The store's messenger went away: look again with the next bookmark.
                Ok(Err(_)) => tokio::time::sleep_until(bookmark_at).await,
                Err(_) => {}
            }
            if Instant::now() >= bookmark_at {
                if let Some(version) = self.next_version().await? {
                    return Ok(version);
                }
                self.still_allowed(None).await?;
                let version = self.game.version;
                return Ok(Update::Bookmark(WatchBookmark { version }));
            }
        }
    }

    /// The table at the last version that was sent.
    fn as_it_is(&self) -> Update<W::Messages> {
        let show = Show {
            view: true,
            ..self.show
        };
        let (view, board) = show.table(&self.game);
        Update::Start(WatchStart {
            game: Some(self.game.info_for(&self.bearer)),
            view,
            board,
        })
    }

    /// The next version, if there is one, or else the last one with other users and labels, if they changed.
    async fn next_version(&mut self) -> Result<Option<Update<W::Messages>>, Problem> {
        if self.games.house.closing.is_cancelled() {
            return Err(Problem::GoingAway { version: self.sent });
        }
        if self.ahead.is_empty() {
            self.read_ahead().await?;
        }
        // Every message has the users and labels that are known.
        let retagged = std::mem::take(&mut self.retagged);
        let Some(entry) = self.ahead.pop() else {
            if !retagged {
                return Ok(None);
            }
            self.still_allowed(None).await?;
            return Ok(Some(self.as_it_is()));
        };
        self.still_allowed(Some(entry.version)).await?;
        let mut scene = self.show.scene(&self.game);
        let played = self.game.advance(&entry)?;
        if entry.version > self.old {
            let lag = now_ms().saturating_sub(self.game.time_ms);
            self.games.metrics.lagged(Duration::from_millis(lag));
        }
        let (birth, show) = (&self.game.birth, self.show);
        let logged = logged_version::<W>(entry.version, &played, birth, show, &mut scene)?;
        let (view, board) = self.show.table(&self.game);
        Ok(Some(Update::Version(WatchVersion {
            game: Some(self.game.info_for(&self.bearer)),
            logged: Some(logged),
            view,
            board,
        })))
    }

    /// Reads on. The last version that was sent is read with the next: the log may have lost its end,
    /// and others may have put other entries in its place.
    async fn read_ahead(&mut self) -> Result<(), Problem> {
        if self.tells_tags && self.game.version >= self.old {
            return self.read_with_tags().await;
        }
        let sent = self.game.head();
        let entries = self
            .games
            .entries(self.game.id, sent.version - 1, LOG_PAGE)
            .await?;
        let is_sent = |entry: &StoredEntry| Head::of(entry.version, &entry.bytes) == sent;
        if !entries.first().is_some_and(is_sent) {
            return Err(self.lost().await);
        }
        self.ahead = entries;
        self.ahead.reverse();
        // What was sent.
        self.ahead.pop();
        Ok(())
    }

    /// Reads on, and the users and labels in the same round trip. All that is new comes at once, so this is
    /// for those who are up to date.
    async fn read_with_tags(&mut self) -> Result<(), Problem> {
        let (id, sent) = (self.game.id, self.game.head());
        let Some(loaded) = self.games.house.store.load(id, Some(sent)).await? else {
            return Err(Problem::no_such_game(id));
        };
        if loaded.snapshot.is_some() {
            return Err(self.lost().await);
        }
        let access = Access::from_bytes(&loaded.access)?;
        self.retagged |= access.tags() != self.game.access.tags();
        self.game.access = access;
        self.ahead = loaded.entries;
        self.ahead.reverse();
        Ok(())
    }

    /// The last version that was sent is gone.
    async fn lost(&self) -> Problem {
        let asked = self.game.version;
        match self.games.house.store.load(self.game.id, None).await {
            Ok(found) => {
                let found = found.unwrap_or_default();
                let current = found.entries.last().map_or(0, |last| last.version);
                Problem::NoSuchVersion { asked, current }
            }
            Err(error) => error.into(),
        }
    }

    /// A token that has ended, or was replaced meanwhile, ends the watch.
    async fn still_allowed(&self, version: Option<Version>) -> Result<(), Problem> {
        let wish = Wish::Look(self.show.viewer);
        self.games
            .still_may(&self.bearer, self.game.id, wish, version)
            .await
    }
}
