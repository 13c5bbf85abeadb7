//! The changes of one game that the **feed of a tenant** reports: the versions that its markers name, read from the
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

use crate::heart::access::Caller;
use crate::heart::filter::is_asked_for;
use crate::heart::game::{Game, timestamp};
use crate::heart::games::Games;
use crate::heart::load::LOG_PAGE;
use crate::heart::looking::{viewer, wish};
use crate::heart::news::{Form, Kind, News};
use crate::heart::permissions::may_read;
use crate::heart::problem::Problem;
use crate::heart::show::Show;
use crate::heart::yielding::Yielder;
use crate::streams::followed::{Change, Changes};

/// A request for the changes of a game that a feed reports.
#[derive(Clone, Debug)]
pub struct MarkedGame {
    /// The id of the game.
    pub id: GameId,
    /// The range of new versions. Is `None` if there are none.
    pub versions: Option<RangeInclusive<Version>>,
    /// Whether the first of these versions is the creation of the game.
    pub is_created: bool,
    /// The version at which users or labels changed. Is `None` if they did not change.
    pub relisted: Option<Version>,
    /// The filter of the stream.
    pub filter: Arc<pb::GameFilter>,
    /// The viewer that the stream names for this game. Is `None` for the default one.
    pub viewer: Option<pb::Viewer>,
    /// The parts of the game that each change shows.
    pub show: Option<pb::Show>,
}

/// The changes of a game that a feed reports.
pub struct Marked {
    /// The newest version in the log. Reported versions after it are missing: they may still be written, or never.
    pub newest: Version,
    /// Whether the filter selects the game.
    pub is_asked_for: bool,
    /// The changes, as far as the log has them.
    pub changes: Changes,
}

impl<W: Wire> Games<W> {
    /// Reads the changes of a game that a feed reports.
    ///
    /// # Errors
    /// If the caller lacks permission, there is no such game, or the store fails.
    pub async fn marked(
        self: &Arc<Self>,
        caller: &Caller,
        marked: MarkedGame,
    ) -> Result<Marked, Problem> {
        let named = marked.viewer.as_ref();
        let show = Show::read(viewer(caller, named)?, marked.show.as_ref())?;
        let game = self.open_fresh(caller, marked.id).await?;
        may_read(caller, &game, wish(named, show))?;
        let kind = Kind {
            show,
            known: game.known_tags(caller),
            form: Form::Many,
        };
        let is_asked_for = is_asked_for(&marked.filter, &game.info_with(kind.known));
        let newest = game.version;
        let now = Arc::new(game.copied());
        drop(game);
        let changes: Changes = match (is_asked_for, marked.told(newest)) {
            (true, Some((next, to, is_table))) => Teller {
                games: Arc::clone(self),
                kind,
                now,
                next,
                to,
                is_table,
                last: None,
                entries: VecDeque::new(),
            }
            .changes(),
            (true, None) | (false, _) => Box::pin(stream::empty()),
        };
        Ok(Marked {
            newest,
            is_asked_for,
            changes,
        })
    }
}

impl MarkedGame {
    /// Returns the first and the last version to send, and whether the first one is sent as a table alone. Returns
    /// `None` if there is nothing to send.
    fn told(&self, newest: Version) -> Option<(Version, Version, bool)> {
        let (first, last, is_table) = match (&self.versions, self.relisted) {
            (Some(versions), _) => (*versions.start(), *versions.end(), self.is_created),
            (None, Some(version)) => (version.min(newest), version, true),
            (None, None) => return None,
        };
        let last = last.min(newest);
        (first <= last).then_some((first, last, is_table))
    }
}

/// A reader that sends the versions of a game, one after the other.
struct Teller<W: Wire> {
    games: Arc<Games<W>>,
    kind: Kind,
    /// The newest state of the game, with its access record.
    now: Arc<Game<W>>,
    /// The next version. `to` is the last one.
    next: Version,
    to: Version,
    /// Whether the next version is sent as a table alone.
    is_table: bool,
    /// The table before the next version. Is `None` if it must be loaded.
    last: Option<Arc<Game<W>>>,
    /// The entries that were read ahead.
    entries: VecDeque<StoredEntry>,
}

impl<W: Wire> Teller<W> {
    fn changes(self) -> Changes {
        let teller = Some((self, Yielder::new()));
        Box::pin(stream::unfold(teller, |telling| async move {
            let (mut teller, mut yielder) = telling?;
            if teller.next > teller.to {
                return None;
            }
            yielder.yield_if_due().await;
            Some(match teller.tell().await {
                Ok(change) => (Ok(change), Some((teller, yielder))),
                Err(problem) => (Err(problem), None),
            })
        }))
    }

    /// Returns the change of the next version.
    async fn tell(&mut self) -> Result<Change, Problem> {
        let version = self.next;
        let needs_step = self.kind.show.is_of_past() && !self.is_table;
        let news = if version == self.now.version && !needs_step {
            News::of(Arc::clone(&self.now))
        } else if self.is_table {
            let mut game = self.games.at_version(self.now.id, version).await?;
            game.access = self.now.access.clone();
            News::of(Arc::new(game))
        } else {
            self.step(version).await?
        };
        self.is_table = false;
        self.next += 1;
        let game = Arc::clone(&news.game);
        self.games.told.insert(game.id, Arc::clone(&game));
        self.last = Some(Arc::clone(&game));
        Ok(Change {
            version,
            time: timestamp(game.time_ms),
            is_of_user: true,
            message: news.message(self.kind, &self.games.metrics)?,
        })
    }

    /// Applies a version to the table before it.
    async fn step(&mut self, version: Version) -> Result<News<W>, Problem> {
        let last = match self.last.take() {
            Some(last) => last,
            None => self.before(version).await?,
        };
        if self.entries.is_empty() {
            let (id, before) = (self.now.id, version - 1);
            let count = usize::try_from(self.to - before).unwrap_or(LOG_PAGE);
            let entries = self.games.entries(id, before, count.min(LOG_PAGE)).await?;
            self.entries = entries.into();
        }
        let current = self.now.version;
        let entry = self.entries.pop_front().ok_or(Problem::NoSuchVersion {
            asked: version,
            current,
        })?;
        self.games.next_news(&last, &self.now.access, &entry).await
    }

    /// Returns the table before a version, from the cache if possible.
    async fn before(&mut self, version: Version) -> Result<Arc<Game<W>>, Problem> {
        let (id, before) = (self.now.id, version - 1);
        if let Some(told) = self
            .games
            .told
            .get(&id)
            .filter(|told| told.version == before)
        {
            // A failover may have replaced the entry since the cached table was computed, so compare the heads.
            let count = usize::try_from(self.to - before).unwrap_or(LOG_PAGE);
            let entries = self
                .games
                .entries(id, before - 1, count.min(LOG_PAGE) + 1)
                .await?;
            let mut entries = VecDeque::from(entries);
            let first = entries.pop_front();
            let head = first.map(|first| Head::of(first.version, &first.bytes));
            if head == Some(told.head()) {
                self.entries = entries;
                return Ok(told);
            }
        }
        Ok(Arc::new(self.games.at_version(id, before).await?))
    }
}
