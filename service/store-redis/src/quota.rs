//! The **quota** of games of a tenant.
//!
//! A game takes its places in lists before it exists, so the limit applies to the length of its tenant's list: a
//! script adds a game only below the limit, whichever process calls it. A full list is swept for places without a
//! game, left by failed creations and expired games.

use std::time::{Duration, Instant};

use gamekeeper_store::{GameId, IndexRow, NewGame, StoreError};
use quick_cache::sync::Cache;
use redis::Value;

use super::errors::of_read;
use super::keys::log_key;
use super::link::Link;
use super::lists::{Enlisted, Following, How, delist, enlist, enlist_and_change};
use super::rows::row_of;
use super::scripts::Scripts;
use super::sweeping::sweep_tenant;

/// The minimum time between two sweeps of a full list.
const PAUSE: Duration = Duration::from_secs(60);

/// The number of tenants for which we remember when their list was last scanned.
const TENANTS: usize = 4_096;

/// The result of the attempt to add a new game within its tenant's quota.
pub(super) enum Admitted {
    /// The game has its places. `had_some` is true if some places existed before, perhaps those of another game with
    /// its id. `answer` is the reply to the change.
    Taken { had_some: bool, answer: Value },
    /// The tenant has reached its limit.
    Full,
    /// The tenant has reached its limit, but a game with this id already exists, so none is needed.
    Exists,
}

/// Reserves places for new games.
pub(super) struct Quota {
    swept: Cache<String, Instant>,
}

impl Quota {
    pub(super) fn new() -> Quota {
        Quota {
            swept: Cache::new(TENANTS),
        }
    }

    /// Adds a game to the lists if its tenant is below its limit, and makes the change, if there is one, in the same
    /// step.
    pub(super) async fn admit(
        &self,
        link: &Link,
        scripts: &Scripts,
        game: &NewGame,
        now_ms: u64,
        change: Option<&Following<'_>>,
    ) -> Result<Admitted, StoreError> {
        let how = How::New {
            max: game.max_of_tenant,
        };
        let (id, row) = (game.id, &game.row);
        let attempt = async || {
            let (enlisted, answer) = match change {
                None => (enlist(link, scripts, id, row, how).await?, Value::Nil),
                Some(change) => enlist_and_change(link, scripts, (id, row, how), change).await?,
            };
            Ok::<_, StoreError>(match enlisted {
                Enlisted::Added | Enlisted::Before => Some(Admitted::Taken {
                    had_some: enlisted == Enlisted::Before,
                    answer,
                }),
                Enlisted::Full => None,
            })
        };
        if let Some(taken) = attempt().await? {
            return Ok(taken);
        }
        if exists(link, id).await? {
            return Ok(Admitted::Exists);
        }
        if self.sweep(link, scripts, &row.tenant, now_ms).await?
            && let Some(taken) = attempt().await?
        {
            return Ok(taken);
        }
        // The lists of all tenants have no limit, so they may already contain the game.
        delist(link, scripts, id, row, None).await?;
        Ok(Admitted::Full)
    }

    /// Sweeps the list of a tenant. Returns false if it was swept less than [`PAUSE`] ago.
    async fn sweep(
        &self,
        link: &Link,
        scripts: &Scripts,
        tenant: &str,
        now_ms: u64,
    ) -> Result<bool, StoreError> {
        let lately = |time: Instant| time.elapsed() < PAUSE;
        if self.swept.get(tenant).is_some_and(lately) {
            return Ok(false);
        }
        self.swept.insert(tenant.to_owned(), Instant::now());
        sweep_tenant(link, scripts, tenant, now_ms).await?;
        Ok(true)
    }
}

async fn exists(link: &Link, id: GameId) -> Result<bool, StoreError> {
    let mut command = redis::cmd("EXISTS");
    command.arg(&*log_key(id));
    let answer = link.ask(&command).await.map_err(|error| of_read(&error))?;
    Ok(answer != Value::Int(0))
}

/// Restores the places of the existing game with this id from its own row, after a creation with the same id was
/// refused. If that fails, later reads of the lists remove places without a game, once these are old.
pub(super) async fn give_back(link: &Link, scripts: &Scripts, id: GameId, refused: &IndexRow) {
    let given_back = async {
        let kept = row_of(link, id).await?;
        if let Some(kept) = &kept {
            delist(link, scripts, id, refused, Some(kept)).await?;
            enlist(link, scripts, id, kept, How::Known).await?;
        }
        Ok::<_, StoreError>(())
    };
    if let Err(error) = given_back.await {
        tracing::debug!(%id, %error, "a list still has an entry without a game");
    }
}
