//! Rows of games, as lists need them: which of the games at some places exist and belong there.
//!
//! A game that exists never loses its places, even if its row is damaged or missing: reads skip it and log it, and
//! once the row is good again, lists show the game again.

use futures_util::future::try_join_all;
use gamekeeper_store::row::decode_row;
use gamekeeper_store::{GameId, IndexRow, Place, StoreError};
use redis::{Cmd, Value};

use super::errors::of_read;
use super::keys::{log_key, row_key};
use super::link::Link;
use super::reply;

/// A place that is younger than this may belong to a game that is still being created or changed.
pub(super) const YOUNG_MS: u64 = 10 * 60 * 1_000;

/// The rows that were found for some places of a list.
#[derive(Default)]
pub(super) struct Confirmed {
    /// The row of each game, in the order of the places. A row is `None` if the game cannot be shown there.
    pub(super) rows: Vec<Option<IndexRow>>,
    /// Old places without a game that belongs there.
    pub(super) stale: Vec<Place>,
    /// Games that exist without a readable row.
    pub(super) damaged: Vec<GameId>,
}

/// Reads the rows of the games at these places. `belongs` decides whether a game with this row has this place. Places
/// from `young_from` on may be about to belong to a game and are never stale. If `young_from` is `None`, no place is.
pub(super) async fn confirm(
    link: &Link,
    places: &[Place],
    young_from: Option<u64>,
    belongs: impl Fn(Place, &IndexRow) -> bool,
) -> Result<Confirmed, StoreError> {
    let found = rows(link, &ids_at(places)).await?;
    let (mut confirmed, mut without_row) = (Confirmed::default(), Vec::new());
    for (place, found) in places.iter().copied().zip(found) {
        let is_old = young_from.is_some_and(|young_from| place.ms < young_from);
        let row = match found {
            Found::Row(row) if belongs(place, &row) => Some(row),
            Found::Row(_) => {
                confirmed.stale.extend(is_old.then_some(place));
                None
            }
            Found::Missing => {
                without_row.extend(is_old.then_some(place));
                None
            }
            Found::Damaged(error) => {
                confirmed.leave_out(place.id, &error);
                None
            }
        };
        confirmed.rows.push(row);
    }
    let exist = exist(link, &ids_at(&without_row)).await?;
    for (place, exists) in without_row.into_iter().zip(exist) {
        if exists {
            confirmed.leave_out(place.id, &"its row is missing");
        } else {
            confirmed.stale.push(place);
        }
    }
    Ok(confirmed)
}

fn ids_at(places: &[Place]) -> Vec<GameId> {
    places.iter().map(|place| place.id).collect()
}

impl Confirmed {
    fn leave_out(&mut self, id: GameId, error: &dyn std::fmt::Display) {
        tracing::warn!(%id, %error, "a game is left out of a list");
        self.damaged.push(id);
    }
}

/// Returns the row of a game, or `None` if it is missing or unreadable.
pub(super) async fn row_of(link: &Link, id: GameId) -> Result<Option<IndexRow>, StoreError> {
    let found = rows(link, &[id]).await?.into_iter().next();
    Ok(match found {
        Some(Found::Row(row)) => Some(row),
        Some(Found::Missing | Found::Damaged(_)) | None => None,
    })
}

/// The row of a game, as it was found.
enum Found {
    Row(IndexRow),
    Missing,
    Damaged(StoreError),
}

/// Reads the rows of these games concurrently. An unreadable row does not fail the whole list.
async fn rows(link: &Link, ids: &[GameId]) -> Result<Vec<Found>, StoreError> {
    let reads: Vec<Cmd> = ids.iter().map(|id| of_key("GET", &row_key(*id))).collect();
    let answers = ask_each(link, &reads).await?.into_iter();
    let found = answers.map(|answer| match answer {
        Value::Nil => Found::Missing,
        answer => {
            let row = reply::bytes(answer).and_then(|bytes| decode_row(&bytes));
            row.map_or_else(Found::Damaged, Found::Row)
        }
    });
    Ok(found.collect())
}

/// Returns whether these games exist.
async fn exist(link: &Link, ids: &[GameId]) -> Result<Vec<bool>, StoreError> {
    let reads = ids.iter().map(|id| of_key("EXISTS", &log_key(*id)));
    let reads: Vec<Cmd> = reads.collect();
    let answers = ask_each(link, &reads).await?.into_iter();
    Ok(answers.map(|answer| answer != Value::Int(0)).collect())
}

fn of_key(name: &str, key: &str) -> Cmd {
    let mut command = redis::cmd(name);
    command.arg(key);
    command
}

async fn ask_each(link: &Link, commands: &[Cmd]) -> Result<Vec<Value>, StoreError> {
    try_join_all(commands.iter().map(|command| link.ask(command)))
        .await
        .map_err(|error| of_read(&error))
}
