//! The lists of all games and of each tenant's games: sorted sets. Their keys are separate from those of
//! the games, and in a cluster may lie on other nodes.
//!
//! A list is never changed atomically with a game. A game is added to the lists before it exists, so
//! they never lack one; a place without a game is skipped when a list is read, and removed once
//! it is old (`rows`). A game that is loaded cold is added again, in case the lists have lost it.

use futures_util::future::try_join_all;

use super::errors::{damaged, of_read};
use super::keys::{ALL_GAMES, Scope, TENANTS, games_of};
use super::kinds;
use super::link::Link;
use super::places::{Places, Position, Source};
use super::rows::{Confirmed, confirm};
use super::scripts::Scripts;
use crate::clock::now_ms;
use crate::store::row::{self, encode_place};
use crate::store::{
    GameId, IndexRow, LOOKED_AT, ListFilter, ListPage, ListedGame, Place, StoreError,
};

/// The maximum number of places read at once.
pub(super) const BATCH: usize = 256;

/// The number of places read first for a page: enough if the filter matches all of them.
pub(super) fn first_batch(limit: usize) -> usize {
    limit.saturating_add(1).clamp(16, BATCH)
}

/// Adds a game to the lists. Idempotent.
pub(super) async fn add(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    let mut tenant = redis::cmd("ZADD");
    tenant.arg(TENANTS).arg(0).arg(&row.tenant);
    let (changed, sorted, tenant) = tokio::join!(
        change(link, "ZADD", id, row),
        kinds::put(link, id, row),
        link.ask(&tenant),
    );
    tenant.map_err(|error| of_read(&error))?;
    changed.and(sorted)
}

/// Removes a game from the lists.
pub(super) async fn remove(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    let (changed, left) =
        tokio::join!(change(link, "ZREM", id, row), kinds::remove(link, id, row),);
    changed.and(left)
}

async fn change(link: &Link, how: &str, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    let place = encode_place(row::place_of(id, row));
    let lists = [ALL_GAMES.to_owned(), games_of(&row.tenant)];
    let commands = lists.map(|list| {
        let mut command = redis::cmd(how);
        command.arg(list);
        if how == "ZADD" {
            // With equal scores, members sort by their bytes.
            command.arg(0);
        }
        command.arg(&place);
        command
    });
    try_join_all(commands.iter().map(|command| link.ask(command)))
        .await
        .map_err(|error| of_read(&error))?;
    Ok(())
}

/// A page of a list, newest games first. `kinds_since`: since when the lists of kinds are whole, as far as
/// this process knows.
pub(super) async fn page(
    link: &Link,
    scripts: &Scripts,
    filter: &ListFilter,
    after: Option<Place>,
    limit: usize,
    kinds_since: Option<String>,
) -> Result<ListPage, StoreError> {
    let scope = filter.tenant.as_deref().map_or(Scope::All, Scope::Tenant);
    if let Some(since) = kinds_since
        && let Some(lists) = kinds::lists_of(link, scope, filter).await?
    {
        let source = Source::Kinds(scripts, scope, lists);
        let (page, are_whole) = tokio::join!(
            page_of(link, &source, filter, after, limit),
            kinds::are_whole(link, scripts, &since),
        );
        if are_whole? {
            return page;
        }
    }
    page_of(link, &Source::Games(scope), filter, after, limit).await
}

async fn page_of(
    link: &Link,
    source: &Source<'_>,
    filter: &ListFilter,
    after: Option<Place>,
    limit: usize,
) -> Result<ListPage, StoreError> {
    let now_ms = now_ms();
    let (from, until) = row::bounds(filter, after);
    let (first, mut after) = (Position::of(from), Some(Position::of(until)));
    let (mut page, mut last, mut looked_at) = (ListPage::default(), None, 0);
    let mut wanted = first_batch(limit);
    while page.games.len() < limit && looked_at < LOOKED_AT && after.is_some() {
        let batch = batch(link, source, after.as_ref(), wanted, now_ms).await?;
        forget(link, source.scope(), &batch.stale).await?;
        after = batch.next.filter(|next| *next > first);
        last = batch.last.or(last);
        looked_at += wanted;
        wanted = (4 * wanted).min(BATCH);
        let games = batch.games.into_iter();
        page.games
            .extend(games.filter(|game| row::matches(filter, &game.row)));
    }
    page.next =
        match after {
            None => None,
            Some(_) => Some(last.ok_or_else(|| {
                damaged("a list of games has too many members that are not places")
            })?),
        };
    if page.games.len() > limit {
        page.games.truncate(limit);
        page.next = page
            .games
            .last()
            .map(|last| row::place_of(last.id, &last.row));
    }
    Ok(page)
}

/// What a sweep over games does.
#[derive(Clone, Copy)]
pub(super) enum Sweep {
    /// Adds games to the lists of their kinds.
    Sort,
    /// Also removes stale places; the value is the current time in milliseconds.
    Tidy(u64),
}

/// Sweeps the games of a scope.
pub(super) async fn sweep(link: &Link, scope: Scope<'_>, sweep: Sweep) -> Result<(), StoreError> {
    let now_ms = match sweep {
        // At time 0 no place counts as old.
        Sweep::Sort => 0,
        Sweep::Tidy(now_ms) => now_ms,
    };
    let mut after = None;
    loop {
        let batch = batch(link, &Source::Games(scope), after.as_ref(), BATCH, now_ms).await?;
        forget(link, scope, &batch.stale).await?;
        let games: Vec<_> = batch
            .games
            .iter()
            .map(|game| (game.id, &game.row))
            .collect();
        kinds::sort(link, scope, &games).await?;
        after = batch.next;
        if after.is_none() {
            return Ok(());
        }
    }
}

/// Consecutive games of a list.
pub(super) struct Batch {
    pub(super) games: Vec<ListedGame>,
    /// Old places without a game.
    stale: Vec<Place>,
    /// Games that exist without a readable row.
    pub(super) damaged: Vec<GameId>,
    last: Option<Place>,
    /// Where the list continues. `None`: it ends here.
    pub(super) next: Option<Position>,
}

/// The next games of a list. Places without a game are skipped.
pub(super) async fn batch(
    link: &Link,
    source: &Source<'_>,
    after: Option<&Position>,
    wanted: usize,
    now_ms: u64,
) -> Result<Batch, StoreError> {
    let Places { places, next } = source.places(link, after, wanted).await?;
    let belongs = |place: Place, row: &IndexRow| row::place_of(place.id, row) == place;
    let Confirmed {
        rows,
        stale,
        damaged,
    } = confirm(link, &places, now_ms, belongs).await?;
    let shown = places.iter().zip(rows);
    let games = shown.filter_map(|(place, row)| {
        Some(ListedGame {
            id: place.id,
            row: row?,
        })
    });
    Ok(Batch {
        games: games.collect(),
        stale,
        damaged,
        last: places.last().copied(),
        next,
    })
}

/// Removes places without a game from the lists of a scope.
async fn forget(link: &Link, scope: Scope<'_>, places: &[Place]) -> Result<(), StoreError> {
    if places.is_empty() {
        return Ok(());
    }
    kinds::forget(link, scope, places).await
}
