//! Rows of games, as lists need them: which of the games at some positions exist and belong there.
//!
//! A game that exists never loses its positions, even if its row is damaged or missing: reads skip it and log it, and
//! once the row is good again, lists show the game again.

use futures_util::future::try_join_all;
use gamekeeper_store::row::decode_row;
use gamekeeper_store::{GameId, IndexRow, ListPosition, StoreError};
use redis::{Cmd, Value};

use super::errors::of_read;
use super::keys::{log_key, row_key};
use super::link::Link;
use super::reply;

/// A position that is younger than this may belong to a game that is still being created or changed.
pub(super) const GRACE_PERIOD_MS: u64 = 10 * 60 * 1_000;

/// The rows that were found for some positions of a list.
#[derive(Default)]
pub(super) struct Confirmed {
    /// The row of each game, in the order of the positions. A row is `None` if the game cannot be shown there.
    pub(super) rows: Vec<Option<IndexRow>>,
    /// Old positions without a game that belongs there.
    pub(super) stale: Vec<ListPosition>,
    /// Games that exist without a readable row.
    pub(super) damaged: Vec<GameId>,
}

/// Reads the rows of the games at these positions. `belongs` decides whether a game with this row has this position.
/// Positions from `grace_from_ms` on may be about to belong to a game and are never stale. If `grace_from_ms` is
/// `None`, no position is.
pub(super) async fn confirm(
    link: &Link,
    positions: &[ListPosition],
    grace_from_ms: Option<u64>,
    belongs: impl Fn(ListPosition, &IndexRow) -> bool,
) -> Result<Confirmed, StoreError> {
    let stored_rows = read_rows(link, &ids_at(positions)).await?;
    let (mut confirmed, mut without_row) = (Confirmed::default(), Vec::new());
    for (position, stored) in positions.iter().copied().zip(stored_rows) {
        let is_old = grace_from_ms.is_some_and(|grace_from_ms| position.ms < grace_from_ms);
        let row = match stored {
            StoredRow::Row(row) if belongs(position, &row) => Some(row),
            StoredRow::Row(_) => {
                confirmed.stale.extend(is_old.then_some(position));
                None
            }
            StoredRow::Missing => {
                without_row.extend(is_old.then_some(position));
                None
            }
            StoredRow::Damaged(error) => {
                confirmed.skip_damaged(position.id, &error);
                None
            }
        };
        confirmed.rows.push(row);
    }
    let exist = read_existence(link, &ids_at(&without_row)).await?;
    for (position, exists) in without_row.into_iter().zip(exist) {
        if exists {
            confirmed.skip_damaged(position.id, &"its row is missing");
        } else {
            confirmed.stale.push(position);
        }
    }
    Ok(confirmed)
}

fn ids_at(positions: &[ListPosition]) -> Vec<GameId> {
    positions.iter().map(|position| position.id).collect()
}

impl Confirmed {
    fn skip_damaged(&mut self, id: GameId, error: &dyn std::fmt::Display) {
        tracing::warn!(%id, %error, "a game is left out of a list");
        self.damaged.push(id);
    }
}

/// Returns the row of a game, or `None` if it is missing or unreadable.
pub(super) async fn row_of(link: &Link, id: GameId) -> Result<Option<IndexRow>, StoreError> {
    let stored = read_rows(link, &[id]).await?.into_iter().next();
    Ok(match stored {
        Some(StoredRow::Row(row)) => Some(row),
        Some(StoredRow::Missing | StoredRow::Damaged(_)) | None => None,
    })
}

/// The row of a game, as it was found.
enum StoredRow {
    Row(IndexRow),
    Missing,
    Damaged(StoreError),
}

/// Reads the rows of these games concurrently. An unreadable row does not fail the whole list.
async fn read_rows(link: &Link, ids: &[GameId]) -> Result<Vec<StoredRow>, StoreError> {
    let reads: Vec<Cmd> = ids.iter().map(|id| of_key("GET", &row_key(*id))).collect();
    let replies = ask_each(link, &reads).await?.into_iter();
    let stored = replies.map(|reply| match reply {
        Value::Nil => StoredRow::Missing,
        reply => {
            let row = reply::bytes(reply).and_then(|bytes| decode_row(&bytes));
            row.map_or_else(StoredRow::Damaged, StoredRow::Row)
        }
    });
    Ok(stored.collect())
}

/// Returns whether these games exist.
async fn read_existence(link: &Link, ids: &[GameId]) -> Result<Vec<bool>, StoreError> {
    let reads = ids.iter().map(|id| of_key("EXISTS", &log_key(*id)));
    let reads: Vec<Cmd> = reads.collect();
    let replies = ask_each(link, &reads).await?.into_iter();
    Ok(replies.map(|reply| reply != Value::Int(0)).collect())
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
