//! Facts from lists that the feed lacks: whose turn it is when the feed begins, and what is due soon.

use futures_util::StreamExt;
use futures_util::stream::{self, TryStreamExt};
use gamekeeper_proto::gamekeeper::v1::{
    GameFilter, GameInfo, GameOrder, GameStatus, ListGamesRequest,
};
use prost_reflect::prost_types::Timestamp;

use super::history::{decision_start, game_at};
use super::news::{
    News, Waiting, first_version, has_clock, ms, owed, people, play_ms, proposals, webhook,
    your_turn,
};
use super::webhook::{Kind, Webhook};
use crate::failure::Failure;
use crate::session::Session;

/// The number of games on a page.
const PAGE: i32 = 200;

/// The number of games that are read at the same time.
const CONCURRENT: usize = 8;

/// A decision of which a seat may have to be reminded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) game: String,
    pub(super) seat: u32,
    pub(super) timing: Timing,
}

/// Why a seat may have to be reminded. Times are in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Timing {
    /// The clock of the decision runs out then.
    Clock { due_ms: u64 },
    /// The game has no clock, and the decision began then.
    NoClock { since_ms: u64 },
}

impl Candidate {
    /// Returns the due time. Returns `None` without a clock.
    pub(super) fn due_ms(&self) -> Option<u64> {
        match self.timing {
            Timing::Clock { due_ms } => Some(due_ms),
            Timing::NoClock { .. } => None,
        }
    }
}

/// A page of games, and the token of the next one.
type Page = (Vec<GameInfo>, String);

/// Reads a page of a list.
async fn page(session: &Session, request: &ListGamesRequest) -> Result<Page, Failure> {
    let page = session.call(request).await?;
    Ok((page.games, page.next_page_token))
}

/// Reads what waits in all games that the filter selects, page by page, and hands it on.
pub(super) async fn waiting_turns(
    session: &Session,
    filter: &GameFilter,
    hand_on: &mut impl AsyncFnMut(News) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut request = ListGamesRequest {
        filter: Some(GameFilter {
            status: GameStatus::Active.into(),
            ..filter.clone()
        }),
        page_size: PAGE,
        ..ListGamesRequest::default()
    };
    loop {
        let (games, next) = page(session, &request).await?;
        let news = stream::iter(games)
            .map(|info| async move { news_of_game(session, &info).await })
            .buffered(CONCURRENT);
        let mut news = std::pin::pin!(news);
        while let Some(news) = news.try_next().await? {
            hand_on(news).await?;
        }
        if next.is_empty() {
            return Ok(());
        }
        request.page_token = next;
    }
}

/// Returns the news of a game of which the feed told nothing: what waits in it now.
async fn news_of_game(session: &Session, info: &GameInfo) -> Result<News, Failure> {
    let mut webhooks = proposals(info, |_| true);
    let mut waiting = Vec::new();
    for open in owed(info) {
        let Some(start) = decision_start(session, info, open.seat).await? else {
            continue;
        };
        webhooks.push(your_turn(info, open, start));
        waiting.push(Waiting {
            seat: open.seat,
            since_ms: start.1,
            is_new: false,
            has_clock: has_clock(info),
        });
    }
    webhooks.sort_by_key(|one| (one.version, one.kind, one.seat));
    Ok(News {
        cursor: None,
        game: info.game_id.clone(),
        is_start: info.version == first_version(info),
        played_ms: play_ms(info),
        webhooks,
        waiting,
    })
}

/// Reads which games with users or labels ended at this time or later, and hands them on.
pub(super) async fn ended_since(
    session: &Session,
    filter: &GameFilter,
    since_ms: u64,
    hand_on: &mut impl AsyncFnMut(News) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut request = ListGamesRequest {
        filter: Some(GameFilter {
            status: GameStatus::Finished.into(),
            ..filter.clone()
        }),
        order: GameOrder::UpdateTime.into(),
        from_time: Some(timestamp(since_ms)),
        page_size: PAGE,
        ..ListGamesRequest::default()
    };
    loop {
        let (games, next) = page(session, &request).await?;
        for info in games.iter().filter(|info| play_ms(info) >= since_ms) {
            hand_on(News {
                game: info.game_id.clone(),
                played_ms: play_ms(info),
                webhooks: people(info)
                    .map(|seat| webhook(info, Kind::Over, seat))
                    .collect(),
                ..News::default()
            })
            .await?;
        }
        if next.is_empty() {
            return Ok(());
        }
        request.page_token = next;
    }
}

/// Reads which decisions are due before a time, from another time on if it is given, and hands them on.
pub(super) async fn due(
    session: &Session,
    filter: &GameFilter,
    (from_ms, until_ms): (Option<u64>, u64),
    hand_on: &mut impl AsyncFnMut(Candidate) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut request = ListGamesRequest {
        filter: Some(filter.clone()),
        order: GameOrder::DueTime.into(),
        from_time: from_ms.map(timestamp),
        until_time: Some(timestamp(until_ms)),
        page_size: PAGE,
        ..ListGamesRequest::default()
    };
    loop {
        let (games, next) = page(session, &request).await?;
        for info in &games {
            let clocks =
                owed(info).filter_map(|open| Some((open.seat, ms(Some(open.due.as_ref()?)))));
            for (seat, due_ms) in clocks.filter(|(_, due_ms)| *due_ms < until_ms) {
                hand_on(Candidate {
                    game: info.game_id.clone(),
                    seat,
                    timing: Timing::Clock { due_ms },
                })
                .await?;
            }
        }
        if next.is_empty() {
            return Ok(());
        }
        request.page_token = next;
    }
}

/// The result for a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reminding {
    /// The seat is to be reminded. The decision was seen at a version that was played at this time.
    Now { webhook: Webhook, seen_ms: u64 },
    /// The decision began at this time; its reminder is due later.
    Later { since_ms: u64 },
    /// The seat no longer owes it.
    Never,
}

/// Looks whether a seat still owes a decision, and since when. `began_before_ms` bounds decisions without a clock,
/// `due_before_ms` those with one.
pub(super) async fn check(
    session: &Session,
    candidate: &Candidate,
    (began_before_ms, due_before_ms): (u64, u64),
    now_ms: u64,
) -> Result<Reminding, Failure> {
    let Candidate { game, seat, .. } = candidate;
    let Some(info) = game_at(session, game, 0).await? else {
        return Ok(Reminding::Never);
    };
    let Some(open) = owed(&info).find(|open| open.seat == *seat) else {
        return Ok(Reminding::Never);
    };
    let due_ms = open.due.as_ref().map(|due| ms(Some(due)));
    if due_ms != candidate.due_ms() || has_clock(&info) != due_ms.is_some() {
        return Ok(Reminding::Never);
    }
    let Some((version, since_ms)) = decision_start(session, &info, *seat).await? else {
        return Ok(Reminding::Never);
    };
    let is_time = match due_ms {
        Some(due_ms) => due_ms < due_before_ms,
        None => since_ms <= began_before_ms,
    };
    if !is_time {
        return Ok(Reminding::Later { since_ms });
    }
    let reminder = Webhook {
        version,
        due_ms,
        time_ms: now_ms,
        ..webhook(&info, Kind::DueSoon, *seat)
    };
    Ok(Reminding::Now {
        webhook: reminder,
        seen_ms: play_ms(&info),
    })
}

/// Converts milliseconds since the Unix epoch to a time of the contract.
fn timestamp(ms: u64) -> Timestamp {
    Timestamp {
        seconds: i64::try_from(ms / 1_000).unwrap_or(i64::MAX),
        // Less than a second.
        nanos: i32::try_from(ms % 1_000).unwrap_or(0) * 1_000_000,
    }
}
