//! The **quotas** of a tenant: games, and bytes.
//!
//! A game takes its positions in lists before it exists, so the limit applies to the length of its tenant's list: a
//! script adds a game only below the limit, whichever process calls it. The same script compares and moves the bytes
//! that the tenant stores. If one of them is reached, the list is swept for positions without a game, left by failed
//! creations and expired games, and the bytes are counted again.

use std::time::{Duration, Instant};

use gamekeeper_store::{GameId, IndexRow, NewGame, StoreError, TenantLimit, sizes};
use quick_cache::sync::Cache;
use redis::Value;

use super::errors::of_read;
use super::keys::log_key;
use super::link::Link;
use super::list_index::{
    BundledChange, IndexMode, IndexOutcome, index_insert, index_insert_with_change, index_remove,
};
use super::rows::row_of;
use super::scripts::Scripts;
use super::sweeping::sweep_tenant;

/// The minimum time between two sweeps of a full list.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);

/// The number of tenants for which we remember when their list was last scanned.
const TRACKED_TENANTS: usize = 4_096;

/// The result of the attempt to add a new game within its tenant's quota.
pub(super) enum Reservation {
    /// The game has its positions. `had_entries` is true if some positions existed before, perhaps those of another
    /// game with its id. `reply` is the reply to the change.
    Reserved { had_entries: bool, reply: Value },
    /// The tenant has reached this limit.
    Full(TenantLimit),
    /// The tenant has reached its limit, but a game with this id already exists, so none is needed.
    Exists,
}

/// Reserves positions for new games.
pub(super) struct Quota {
    swept: Cache<String, Instant>,
}

impl Quota {
    pub(super) fn new() -> Quota {
        Quota {
            swept: Cache::new(TRACKED_TENANTS),
        }
    }

    /// Adds a game to the lists if its tenant is below its limit, and makes the change, if there is one, in the same
    /// step.
    pub(super) async fn reserve(
        &self,
        link: &Link,
        scripts: &Scripts,
        game: &NewGame,
        now_ms: u64,
        change: Option<&BundledChange<'_>>,
    ) -> Result<Reservation, StoreError> {
        let mode = IndexMode::New {
            max: game.tenant_limit,
            size: sizes::bytes(game.stored_len()),
            max_bytes: game.tenant_bytes,
        };
        let (id, row) = (game.id, &game.row);
        let attempt = async || {
            let (outcome, reply) = match change {
                None => (
                    index_insert(link, scripts, id, row, mode).await?,
                    Value::Nil,
                ),
                Some(change) => {
                    index_insert_with_change(link, scripts, (id, row, mode), change).await?
                }
            };
            Ok::<_, StoreError>(match outcome {
                IndexOutcome::Added | IndexOutcome::AlreadyPresent => Reservation::Reserved {
                    had_entries: outcome == IndexOutcome::AlreadyPresent,
                    reply,
                },
                IndexOutcome::Full(limit) => Reservation::Full(limit),
            })
        };
        let mut reservation = attempt().await?;
        if !matches!(reservation, Reservation::Full(_)) {
            return Ok(reservation);
        }
        if exists(link, id).await? {
            return Ok(Reservation::Exists);
        }
        if self.sweep(link, scripts, &row.tenant, now_ms).await? {
            reservation = attempt().await?;
            if !matches!(reservation, Reservation::Full(_)) {
                return Ok(reservation);
            }
        }
        // The lists of all tenants have no limit, so they may already contain the game.
        index_remove(link, scripts, id, row, None).await?;
        Ok(reservation)
    }

    /// Sweeps the list of a tenant. Returns false if it was swept less than [`SWEEP_INTERVAL`] ago.
    async fn sweep(
        &self,
        link: &Link,
        scripts: &Scripts,
        tenant: &str,
        now_ms: u64,
    ) -> Result<bool, StoreError> {
        let is_recent = |time: Instant| time.elapsed() < SWEEP_INTERVAL;
        if self.swept.get(tenant).is_some_and(is_recent) {
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
    let reply = link.ask(&command).await.map_err(|error| of_read(&error))?;
    Ok(reply != Value::Int(0))
}

/// Restores the positions of the existing game with this id from its own row, after a creation with the same id was
/// refused. If that fails, later reads of the lists remove positions without a game, once these are old.
pub(super) async fn release(link: &Link, scripts: &Scripts, id: GameId, refused: &IndexRow) {
    let released = async {
        let existing_row = row_of(link, id).await?;
        if let Some(existing_row) = &existing_row {
            index_remove(link, scripts, id, refused, Some(existing_row)).await?;
            index_insert(link, scripts, id, existing_row, IndexMode::Existing).await?;
        }
        Ok::<_, StoreError>(())
    };
    if let Err(error) = released.await {
        tracing::debug!(%id, %error, "a list still has an entry without a game");
    }
}
