//! What the feed of a tenant tells of one game: the versions that it names, read from the log.
//!
//! A version is played on the table before it, which this process has if it told of that last. Otherwise the log is
//! replayed.

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

/// What a feed tells of a game.
#[derive(Clone, Debug)]
pub struct MarkedGame {
    /// The game.
    pub id: GameId,
    /// New versions, if there are any.
    pub versions: Option<RangeInclusive<Version>>,
    /// Does the first of them begin the game?
    pub is_created: bool,
    /// The version at which users or labels changed, if they did.
    pub relisted: Option<Version>,
    /// Which games are reported.
    pub filter: Arc<pb::GameFilter>,
    /// The viewer, if one is named for this game.
    pub viewer: Option<pb::Viewer>,
    /// What each change carries.
    pub show: Option<pb::Show>,
}

/// What is reported of a game.
pub struct Marked {
    /// The newest version: later ones are not there yet, or will never be.
    pub newest: Version,
    /// Does the filter select the game?
    pub is_asked_for: bool,
    /// The versions, as far as they are there.
    pub changes: Changes,
}

impl<W: Wire> Games<W> {
    /// Reads what a feed tells of a game.
    ///
    /// # Errors
    /// When the caller lacks permission, there is no such game, or the store fails.
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
    /// The first and the last version to tell, and whether the first is reported as a table alone. `None`: nothing.
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

/// Tells versions of a game, one after the other.
struct Teller<W: Wire> {
    games: Arc<Games<W>>,
    kind: Kind,
    /// The game as it is, with its access record.
    now: Arc<Game<W>>,
    /// The next version, and the last one.
    next: Version,
    to: Version,
    /// Is the next one reported as a table alone?
    is_table: bool,
    /// The table before the next version, if it is at hand.
    last: Option<Arc<Game<W>>>,
    /// Entries that were read ahead.
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

    /// Tells the next version.
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

    /// Plays a version on the table before it.
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

    /// The table before a version.
    async fn before(&mut self, version: Version) -> Result<Arc<Game<W>>, Problem> {
        let (id, before) = (self.now.id, version - 1);
        if let Some(told) = self
            .games
            .told
            .get(&id)
            .filter(|told| told.version == before)
        {
            // The log may have another entry there than when it was reported.
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
