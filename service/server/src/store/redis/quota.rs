//! The limit on the games of a tenant.
//!
//! A game takes its place in the list of its tenant before it exists, so the limit applies to the length
//! of that list: a script adds a game only while there is room, whichever process asks. When the list
//! is full, it is swept for places without a game, left by failed creations and expired games.

use std::time::{Duration, Instant};

use quick_cache::sync::Cache;
use redis::Value;

use super::errors::{damaged, of_read};
use super::index::{self, Sweep};
use super::keys::{Scope, games_of, log_key};
use super::link::Link;
use super::rows::row_of;
use super::scripts::Scripts;
use crate::store::row::{encode_place, place_of};
use crate::store::{GameId, IndexRow, NewGame, StoreError};

/// The minimum time between two sweeps of a full list.
const PAUSE: Duration = Duration::from_secs(60);

/// The number of tenants for which we remember when their list was last scanned.
const TENANTS: usize = 4_096;

/// The result of a reservation.
pub(super) enum Admitted {
    /// The game has its place.
    Taken,
    /// There is no room.
    Full,
    /// There is no room, but none is needed: a game with this id exists.
    Exists,
}

/// Reserves places for new games.
pub(super) struct Quota {
    tidied: Cache<String, Instant>,
}

impl Quota {
    pub(super) fn new() -> Quota {
        Quota {
            tidied: Cache::new(TENANTS),
        }
    }

    /// Adds a game to the lists if its tenant has room for it.
    pub(super) async fn admit(
        &self,
        link: &Link,
        scripts: &Scripts,
        game: &NewGame,
        now_ms: u64,
    ) -> Result<Admitted, StoreError> {
        if let Some(most) = game.most_of_tenant
            && !reserve(link, scripts, game, most).await?
        {
            if exists(link, game.id).await? {
                return Ok(Admitted::Exists);
            }
            if !self.tidy(link, &game.row.tenant, now_ms).await?
                || !reserve(link, scripts, game, most).await?
            {
                return Ok(Admitted::Full);
            }
        }
        index::add(link, game.id, &game.row).await?;
        Ok(Admitted::Taken)
    }

    /// Sweeps the list of a tenant. False: it was swept less than [`PAUSE`] ago.
    async fn tidy(&self, link: &Link, tenant: &str, now_ms: u64) -> Result<bool, StoreError> {
        let lately = |time: Instant| time.elapsed() < PAUSE;
        if self.tidied.get(tenant).is_some_and(lately) {
            return Ok(false);
        }
        self.tidied.insert(tenant.to_owned(), Instant::now());
        index::sweep(link, Scope::Tenant(tenant), Sweep::Tidy(now_ms)).await?;
        Ok(true)
    }
}

async fn reserve(
    link: &Link,
    scripts: &Scripts,
    game: &NewGame,
    most: u64,
) -> Result<bool, StoreError> {
    let keys = [games_of(&game.row.tenant)];
    let place = encode_place(place_of(game.id, &game.row));
    let most = most.to_string();
    let args: [&[u8]; 2] = [&place, most.as_bytes()];
    let call = scripts.reserve.call(&keys, &args);
    match call.ask(link, None).await? {
        Value::Int(room) => Ok(room == 1),
        _ => Err(damaged("an unexpected reply to a reservation")),
    }
}

async fn exists(link: &Link, id: GameId) -> Result<bool, StoreError> {
    let mut command = redis::cmd("EXISTS");
    command.arg(&*log_key(id));
    let answer = link.ask(&command).await.map_err(|error| of_read(&error))?;
    Ok(answer != Value::Int(0))
}

/// Removes the place of a refused creation, unless the existing game with this id has the same place. If
/// that fails, the place is removed when the list is next read, once it is old.
pub(super) async fn give_back(link: &Link, id: GameId, row: &IndexRow) {
    let given_back = async {
        match row_of(link, id).await? {
            Some(kept) if place_of(id, &kept) != place_of(id, row) => {
                index::remove(link, id, row).await
            }
            Some(_) | None => Ok(()),
        }
    };
    if let Err(error) = given_back.await {
        tracing::debug!(%id, %error, "a list still has an entry without a game");
    }
}
