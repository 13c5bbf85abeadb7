//! Following a game: the table, then every version as it is played.
//!
//! A watch reads the log at its own pace and keeps one table. A wake-up is only a hint; a lost one is
//! made up for by looking at least with every bookmark. A reader who takes nothing for too long loses
//! the table and his place, and is told where to resume.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::stream;
use gamekeeper_proto::envelope::watch_game_response::Update;
use gamekeeper_proto::envelope::{
    WatchBookmark, WatchGameRequest, WatchGameResponse, WatchStart, WatchVersion,
};
use gamekeeper_proto::gamekeeper::v1::ViewMode;
use gamekeeper_wire::{Malformed, Wire};
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
use super::{Answers, Games, House, Settings, now_ms, parse_id};
use crate::auth::{Bearer, Caller, Taken, Tally, Wish};
use crate::connection::jittered;
use crate::problem::Problem;
use crate::store::{GameId, Head, StoredEntry, Version, WakeUps};
use crate::telemetry::OpenWatch;

/// Counts the watches of this process.
pub(super) struct Watches {
    most: usize,
    most_per_game: usize,
    open: Mutex<HashMap<GameId, usize>>,
    of_callers: Option<Arc<Tally>>,
}

impl Watches {
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            most: settings.most_watches,
            most_per_game: settings.most_watches_per_game,
            open: Mutex::default(),
            of_callers: settings.most_watches_per_token.map(Tally::new),
        }
    }

    fn enter(&self, house: &Arc<House>, caller: &Caller, game: GameId) -> Result<Place, Problem> {
        let full = |limit, what: &str| {
            Err(Problem::Exhausted {
                limit,
                what: what.to_owned(),
            })
        };
        let of_caller = self.of_callers.as_ref().map(|tally| tally.take(caller));
        if of_caller.as_ref().is_some_and(Option::is_none) {
            return full(
                "max_watches_per_token",
                "this token has as many watches as it may",
            );
        }
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.values().sum::<usize>() >= self.most {
            return full("max_watches", "this server has as many watches as it may");
        }
        let watches = open.entry(game).or_default();
        if *watches >= self.most_per_game {
            return full(
                "max_watches_per_game",
                "this game has as many watches as it may",
            );
        }
        *watches += 1;
        Ok(Place {
            house: Arc::clone(house),
            game,
            _of_caller: of_caller.flatten(),
        })
    }
}

/// A watch that is open; it is counted as long as this lives.
struct Place {
    house: Arc<House>,
    game: GameId,
    _of_caller: Option<Taken>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self
            .house
            .watches
            .open
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(watches) = open.get_mut(&self.game) {
            *watches -= 1;
            if *watches == 0 {
                open.remove(&self.game);
            }
        }
    }
}

struct Watcher<W: Wire> {
    games: Arc<Games<W>>,
    bearer: Bearer,
    /// The table at the last version that was sent.
    game: Game<W>,
    wake_ups: WakeUps,
    /// Entries read ahead, the next one last.
    ahead: Vec<StoredEntry>,
    show: Show,
    at_start: bool,
    /// Versions up to this one were played before the watch began.
    old: Version,
    /// The last version that was sent.
    sent: Version,
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
        let board = Board::read(call.with_board)?;
        // Wake-ups first: what is played from now on is heard of.
        let wake_ups = self.house.store.watch(id).await?;
        let newest = {
            let game = self.open_fresh(caller, id).await?;
            may_read(caller, &game, Wish::Look(viewer), "watch_game")?;
            if call.after_version > game.version {
                let (asked, current) = (call.after_version, game.version);
                return Err(Problem::NoSuchVersion { asked, current });
            }
            game.version
        };
        let place = self.house.watches.enter(&self.house, caller, id)?;
        let at_start = call.after_version == 0;
        let begin = if at_start { newest } else { call.after_version };
        let game = self.at_version(id, begin).await?;
        if let Some(time) = call.after_time
            && !at_start
            && time != timestamp(game.time_ms)
        {
            // The caller has seen another version of that number.
            let (asked, current) = (call.after_version, newest);
            return Err(Problem::NoSuchVersion { asked, current });
        }
        let watcher = Watcher {
            games: Arc::clone(self),
            bearer: caller.clone(),
            game,
            wake_ups,
            ahead: Vec::new(),
            show: Show {
                viewer,
                view: with_view,
                board,
                text: call.with_text,
            },
            at_start,
            old: newest,
            sent: call.after_version,
            _place: place,
            _counted: self.metrics.watching(),
        };
        let watching = watcher.start();
        Ok(match self.house.settings.watch_age {
            None => watching,
            Some(age) => Box::pin(Aged::new(watching, jittered(age), call.after_version)),
        })
    }
}

impl<W: Wire> Watcher<W> {
    /// Follows the game in a task of its own, which ends when the reader goes away or falls asleep.
    fn start(self) -> Answers<WatchGameResponse<W::Messages>> {
        let (answers, read) = mpsc::channel(UNREAD);
        let (ending, ended) = oneshot::channel();
        let follow = async move {
            if let Some(problem) = self.follow(&answers).await {
                // Who has gone away needs no reason.
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

    async fn next(&mut self) -> Result<Update<W::Messages>, Problem> {
        if std::mem::take(&mut self.at_start) {
            let show = Show {
                view: true,
                ..self.show
            };
            let (view, board) = show.table(&self.game);
            return Ok(Update::Start(WatchStart {
                game: Some(self.game.info()),
                view,
                board,
            }));
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

    /// The next version, if there is one.
    async fn next_version(&mut self) -> Result<Option<Update<W::Messages>>, Problem> {
        if self.games.house.closing.is_cancelled() {
            return Err(Problem::GoingAway { version: self.sent });
        }
        if self.ahead.is_empty() {
            self.read_ahead().await?;
        }
        let Some(entry) = self.ahead.pop() else {
            return Ok(None);
        };
        self.still_allowed(Some(entry.version)).await?;
        let played = self.game.advance(&entry)?;
        if entry.version > self.old {
            let lag = now_ms().saturating_sub(self.game.time_ms);
            self.games.metrics.lagged(Duration::from_millis(lag));
        }
        let logged = logged_version::<W>(entry.version, &played, &self.game.birth, self.show);
        let (view, board) = self.show.table(&self.game);
        Ok(Some(Update::Version(WatchVersion {
            game: Some(self.game.info()),
            logged: Some(logged),
            view,
            board,
        })))
    }

    /// Reads on. The last version that was sent is read with the next: the log may have lost its end,
    /// and others may have put other entries in its place.
    async fn read_ahead(&mut self) -> Result<(), Problem> {
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
