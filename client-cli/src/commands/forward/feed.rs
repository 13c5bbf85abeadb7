//! Follows the feed of the tenant, and tells what it means for seats. Where the feed begins anew, lists tell what waits.

use std::collections::BTreeSet;

use gamekeeper_proto::gamekeeper::v1::{GameFilter, PendingDecision, Show, WatchGamesRequest};
use gamekeeper_proto::raw::watch_games_response::Update;
use gamekeeper_proto::raw::{GameChange, WatchGamesResponse};
use quick_cache::unsync::Cache;
use tokio::sync::mpsc::Sender;

use super::history::owed_before;
use super::lists;
use super::news::{News, first_version, news_of_version, taken_back_to};
use super::webhook::Kind;
use crate::failure::Failure;
use crate::reconnecting_stream::ReconnectingStream;
use crate::session::Session;

/// The number of games whose decisions are remembered, so that they need not be read again.
const KNOWN_GAMES: usize = 50_000;

/// The margin around the time up to which the feed was settled, in milliseconds: the feed may lag.
const MARGIN_MS: u64 = 600_000;

/// A message for the forwarder.
#[derive(Debug)]
pub(super) enum Told {
    /// News of a game.
    News(News),
    /// The cursor has moved on.
    Cursor(String),
    /// The game is gone, or the filter does not select it any more.
    Left { game: String, cursor: String },
    /// The cursor has expired; lists follow.
    Expired,
    /// The feed begins anew with this cursor; lists follow.
    Begun(String),
    /// The feed is followed from here on.
    Following,
}

/// Where to follow the feed from.
pub(super) struct Start {
    /// The stored cursor. Is `None` if there is none.
    pub(super) cursor: Option<String>,
    /// Whether lists tell what waits: the feed begins anew, or what they told when it did is not settled.
    pub(super) reads_lists: bool,
    /// The time up to which the feed was settled, in milliseconds since the Unix epoch. Is `None` if it never was.
    pub(super) settled_ms: Option<u64>,
}

/// A reader of the feed.
pub(super) struct Reader<'a> {
    pub(super) session: &'a Session,
    pub(super) filter: GameFilter,
    /// The kinds of webhooks that are wanted.
    pub(super) kinds: BTreeSet<Kind>,
    pub(super) sender: Sender<Told>,
}

/// The decisions of games at their last known version.
type Known = Cache<String, (u64, Vec<PendingDecision>)>;

impl Reader<'_> {
    /// Follows the feed until it fails for good.
    pub(super) async fn follow(&self, start: Start) -> Result<(), Failure> {
        let Start {
            mut cursor,
            mut reads_lists,
            settled_ms,
        } = start;
        let mut known = Known::new(KNOWN_GAMES);
        loop {
            let start = Start {
                cursor: cursor.take(),
                reads_lists,
                settled_ms,
            };
            match self.read(start, &mut known).await {
                Err(Failure::Call(call)) if call.reason() == "CURSOR_EXPIRED" => {
                    self.tell(Told::Expired).await?;
                    reads_lists = true;
                }
                result => return result,
            }
        }
    }

    async fn read(&self, start: Start, known: &mut Known) -> Result<(), Failure> {
        let Start {
            cursor,
            reads_lists,
            settled_ms,
        } = start;
        let mut is_first = true;
        let mut request = WatchGamesRequest {
            filter: Some(self.filter.clone()),
            cursor: cursor.unwrap_or_default(),
            show: Some(Show {
                events: true,
                ..Show::default()
            }),
            ..WatchGamesRequest::default()
        };
        let Session { connection, .. } = self.session;
        let mut stream = ReconnectingStream::<WatchGamesResponse>::new(connection.clone());
        loop {
            let open = async || {
                connection
                    .stream(request.clone(), self.session.token())
                    .await
            };
            let message = stream.next_or_reconnect(open).await?;
            request.cursor.clone_from(&message.cursor);
            if is_first && reads_lists {
                self.tell(Told::Begun(message.cursor.clone())).await?;
                // Read after the feed has begun, so that nothing happens between them.
                self.read_lists(settled_ms).await?;
            }
            self.tell_message(message, known).await?;
            if std::mem::take(&mut is_first) {
                self.tell(Told::Following).await?;
            }
        }
    }

    async fn read_lists(&self, settled_ms: Option<u64>) -> Result<(), Failure> {
        let mut hand_on = async |news: News| self.tell_news(news).await;
        if let Some(since_ms) = settled_ms {
            let since_ms = since_ms.saturating_sub(MARGIN_MS);
            lists::ended_since(self.session, &self.filter, since_ms, &mut hand_on).await?;
        }
        lists::waiting_turns(self.session, &self.filter, &mut hand_on).await
    }

    async fn tell_message(
        &self,
        message: WatchGamesResponse,
        known: &mut Known,
    ) -> Result<(), Failure> {
        let cursor = message.cursor;
        let news = match message.update {
            Some(Update::Change(change)) => self.news_of(&change, known).await?,
            Some(Update::Left(left)) => {
                let game = left.game_id;
                return self.tell(Told::Left { game, cursor }).await;
            }
            None => None,
        };
        match news {
            Some(news) => {
                let cursor = Some(cursor);
                self.tell_news(News { cursor, ..news }).await
            }
            None => self.tell(Told::Cursor(cursor)).await,
        }
    }

    /// Returns the news of a change. Returns `None` if only names, users or labels have changed.
    async fn news_of(
        &self,
        change: &GameChange,
        known: &mut Known,
    ) -> Result<Option<News>, Failure> {
        let info = change.table.as_ref().and_then(|table| table.game.as_ref());
        let Some(info) = info else {
            return Ok(None);
        };
        let entry = change.entry.as_ref();
        if entry.is_none() && info.version > first_version(info) {
            return Ok(None);
        }
        let is_continued = entry.is_some_and(|entry| taken_back_to(entry).is_none());
        let told = known
            .get(&info.game_id)
            .filter(|(version, _)| version + 1 == info.version);
        let before = match told.map(|(_, pending)| pending.clone()) {
            Some(pending) => pending,
            None if is_continued => owed_before(self.session, info).await?,
            None => Vec::new(),
        };
        let pending = info.pending.clone();
        known.insert(info.game_id.clone(), (info.version, pending));
        Ok(Some(news_of_version(info, entry, &before)))
    }

    async fn tell_news(&self, mut news: News) -> Result<(), Failure> {
        news.webhooks.retain(|one| self.kinds.contains(&one.kind));
        self.tell(Told::News(news)).await
    }

    /// Hands a message to the forwarder, and waits while it has enough.
    async fn tell(&self, told: Told) -> Result<(), Failure> {
        let sent = self.sender.send(told).await;
        sent.map_err(|_| Failure::Contract(String::from("the forwarder has ended")))
    }
}
