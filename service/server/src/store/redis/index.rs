//! The lists of all games: sorted sets in keys, and in a cluster on nodes, of their own.
//!
//! A list is never changed together with a game. A game comes into the lists before it exists, so
//! that no game is missing from them; a place without a game is left out when a list is read, and
//! removed once it is old. A game that is loaded cold is put into the lists again, should they have
//! been lost.

use futures_util::future::try_join_all;
use redis::{Cmd, Value};

use super::errors::{damaged, of_read};
use super::keys::{ALL_GAMES, TENANTS, games_of, row_key};
use super::link::Link;
use super::reply;
use crate::store::row::{self, decode_place, decode_row, encode_place};
use crate::store::{
    GameId, IndexRow, LOOKED_AT, ListFilter, ListPage, ListedGame, Place, StoreError,
};

/// A place without a game that is younger than this may belong to a game that is just being made.
pub(super) const YOUNG_MS: u64 = 10 * 60 * 1_000;

/// How many places are looked at in one round trip.
pub(super) const BATCH: usize = 256;

/// Puts a game into the lists; no harm if it is there.
pub(super) async fn add(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    let mut tenant = redis::cmd("ZADD");
    tenant.arg(TENANTS).arg(0).arg(&row.tenant);
    let (changed, tenant) = tokio::join!(change(link, "ZADD", id, row), link.ask(&tenant));
    tenant.map_err(|error| of_read(&error))?;
    changed
}

/// Takes a game out of the lists.
pub(super) async fn remove(link: &Link, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    change(link, "ZREM", id, row).await
}

async fn change(link: &Link, how: &str, id: GameId, row: &IndexRow) -> Result<(), StoreError> {
    let place = encode_place(row::place_of(id, row));
    let lists = [ALL_GAMES.to_owned(), games_of(&row.tenant)];
    let commands = lists.map(|list| {
        let mut command = redis::cmd(how);
        command.arg(list);
        if how == "ZADD" {
            // All scores are equal: members then sort by their bytes.
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

/// A part of a list, the newest games first.
pub(super) async fn page(
    link: &Link,
    filter: &ListFilter,
    after: Option<Place>,
    limit: usize,
    now_ms: u64,
) -> Result<ListPage, StoreError> {
    let list = filter
        .tenant
        .as_deref()
        .map_or_else(|| ALL_GAMES.to_owned(), games_of);
    let (from, until) = row::bounds(filter, after);
    let (mut page, mut after, mut looked_at) = (ListPage::default(), Some(until), 0);
    while page.games.len() < limit && looked_at < LOOKED_AT {
        let batch = batch(link, &list, after, now_ms).await?;
        forget(link, &list, &batch.stale).await?;
        after = batch.last;
        looked_at += BATCH;
        let is_last = batch.is_last || batch.last.is_some_and(|last| last < from);
        let games = batch.games.into_iter();
        page.games
            .extend(games.filter(|game| row::matches(filter, &game.row)));
        if is_last {
            after = None;
            break;
        }
    }
    page.next = after;
    if page.games.len() > limit {
        page.games.truncate(limit);
        page.next = page
            .games
            .last()
            .map(|last| row::place_of(last.id, &last.row));
    }
    Ok(page)
}

/// Takes places that lead nowhere out of a list.
pub(super) async fn tidy(link: &Link, list: &str, now_ms: u64) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let batch = batch(link, list, after, now_ms).await?;
        forget(link, list, &batch.stale).await?;
        after = batch.last;
        if batch.is_last {
            return Ok(());
        }
    }
}

/// A part of a list.
pub(super) struct Batch {
    pub(super) games: Vec<ListedGame>,
    /// Old places that lead nowhere.
    stale: Vec<Place>,
    pub(super) last: Option<Place>,
    pub(super) is_last: bool,
}

/// The next part of a list, without places that lead nowhere.
pub(super) async fn batch(
    link: &Link,
    list: &str,
    after: Option<Place>,
    now_ms: u64,
) -> Result<Batch, StoreError> {
    let places = places(link, list, after).await?;
    let (last, is_last) = (places.last().copied(), places.len() < BATCH);
    let rows = rows(link, places.iter().map(|place| place.id)).await?;
    let (mut games, mut stale) = (Vec::new(), Vec::new());
    for (place, row) in places.into_iter().zip(rows) {
        match row {
            Some(row) if row::place_of(place.id, &row) == place => {
                games.push(ListedGame { id: place.id, row });
            }
            Some(_) | None if place.ms.saturating_add(YOUNG_MS) < now_ms => stale.push(place),
            Some(_) | None => {}
        }
    }
    Ok(Batch {
        games,
        stale,
        last,
        is_last,
    })
}

/// The row of a game, if it has one that can be read.
pub(super) async fn row_of(link: &Link, id: GameId) -> Result<Option<IndexRow>, StoreError> {
    let rows = rows(link, [id]).await?;
    Ok(rows.into_iter().next().flatten())
}

/// The next places of a list, newest first.
async fn places(link: &Link, list: &str, after: Option<Place>) -> Result<Vec<Place>, StoreError> {
    let mut command = redis::cmd("ZREVRANGEBYLEX");
    command.arg(list);
    match after {
        Some(place) => command.arg([b"(".as_slice(), &encode_place(place)].concat()),
        None => command.arg("+"),
    };
    command.arg("-").arg("LIMIT").arg(0).arg(BATCH);
    let answer = link.ask(&command).await.map_err(|error| of_read(&error))?;
    let Value::Array(members) = answer else {
        return Err(damaged("a list is not a list"));
    };
    let place = |member| decode_place(&reply::bytes(member).ok()?);
    Ok(members.into_iter().filter_map(place).collect())
}

/// The rows of these games, asked for together. A row that cannot be read is distinguished from one that is
/// not there only in the log: it must not hide the others, nor be forgotten.
pub(super) async fn rows(
    link: &Link,
    ids: impl IntoIterator<Item = GameId>,
) -> Result<Vec<Option<IndexRow>>, StoreError> {
    let commands: Vec<Cmd> = ids.into_iter().map(get_row).collect();
    let answers = try_join_all(commands.iter().map(|command| link.ask(command)))
        .await
        .map_err(|error| of_read(&error))?;
    let row = |answer| match answer {
        Value::Nil => None,
        answer => reply::bytes(answer)
            .and_then(|bytes| decode_row(&bytes))
            .ok(),
    };
    Ok(answers.into_iter().map(row).collect())
}

fn get_row(id: GameId) -> Cmd {
    let mut command = redis::cmd("GET");
    command.arg(&*row_key(id));
    command
}

/// Takes places that lead nowhere out of the list.
async fn forget(link: &Link, list: &str, places: &[Place]) -> Result<(), StoreError> {
    if places.is_empty() {
        return Ok(());
    }
    let mut command = redis::cmd("ZREM");
    command.arg(list);
    for place in places {
        command.arg(&encode_place(*place));
    }
    link.ask(&command).await.map_err(|error| of_read(&error))?;
    Ok(())
}
