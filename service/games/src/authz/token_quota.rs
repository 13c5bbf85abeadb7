//! A **quota**: the number of users of a tenant that hold tokens, counted by the day on which the user's last token
//! expires. The store keeps a key-value record for each such user, so their number is limited.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use bytes::Bytes;
use gamekeeper_rules::table::{decode, encode};
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{GameId, GameStore, KvRecord};
use quick_cache::sync::Cache;
use tokio::sync::Mutex;

use crate::errors::ServiceError;
use crate::hashed_id::hashed_id;

/// Milliseconds of a day.
pub(super) const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// The maximum number of tries of the compare-and-set against concurrent writers.
const MAX_ATTEMPTS: usize = 64;

/// The number of users by expiry of their last token, in days since the Unix epoch.
type UsersByDay = BTreeMap<u64, u32>;

/// The counter of users with tokens, for all tenants.
pub(super) struct TokenQuota {
    /// The maximum number of users of a tenant that hold tokens.
    max: u64,
    /// Serializes the updates of this process, which would otherwise conflict with each other in the store.
    update_lock: Mutex<()>,
    /// The numbers of users that were read lately, by tenant.
    read: Cache<String, (Instant, u64)>,
}

/// How long a number of users that was read holds for the bytes that tenants store.
const HOLDS_FOR: Duration = Duration::from_secs(60);

/// The number of tenants whose numbers of users are remembered.
const REMEMBERED_TENANTS: usize = 4_096;

/// A change of the expiry of a user's tokens: first issued, extended, or revoked.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpiryChange {
    /// The day of expiry before the change. Is `None` if the user had no tokens.
    pub(super) old_day: Option<u64>,
    /// The day of expiry after the change. Is `None` if the user has no tokens anymore.
    pub(super) new_day: Option<u64>,
}

impl TokenQuota {
    pub(super) fn new(max: u64) -> Self {
        Self {
            max,
            update_lock: Mutex::new(()),
            read: Cache::new(REMEMBERED_TENANTS),
        }
    }

    /// Returns how many users of a tenant have tokens, or had a minute ago.
    ///
    /// # Errors
    /// If the store fails.
    pub(super) async fn users(
        &self,
        store: &dyn GameStore,
        tenant: &str,
    ) -> Result<u64, ServiceError> {
        let holds = |(read, _): &(Instant, u64)| read.elapsed() < HOLDS_FOR;
        if let Some((_, users)) = self.read.get(tenant).filter(holds) {
            return Ok(users);
        }
        let note = store.kv_get(tenant_note_id(tenant)).await?;
        let users = total(&decode_counts(&note, now_ms() / DAY_MS)?);
        self.read.insert(tenant.to_owned(), (Instant::now(), users));
        Ok(users)
    }

    /// Checks that another user of a tenant may have tokens, and returns how many have. Users who get their first tokens at the same time do not
    /// see each other, so their number may exceed the limit a little. `today`, in days since the Unix epoch, drops
    /// users whose tokens have expired.
    ///
    /// # Errors
    /// If too many users of the tenant have tokens, or the store fails.
    pub(super) async fn check_room(
        &self,
        store: &dyn GameStore,
        tenant: &str,
        today: u64,
    ) -> Result<u64, ServiceError> {
        let days = decode_counts(&store.kv_get(tenant_note_id(tenant)).await?, today)?;
        let users = total(&days);
        if users < self.max {
            return Ok(users);
        }
        Err(ServiceError::LimitReached {
            limit: "user_tokens",
            what: format!(
                "{} users have tokens; revoke some, or try again later",
                self.max
            ),
        })
    }

    /// Applies a change that is stored to the counter of a tenant. `today` is as in [`TokenQuota::check_room`].
    ///
    /// # Errors
    /// If concurrent writers keep winning, or the store fails.
    pub(super) async fn count(
        &self,
        store: &dyn GameStore,
        tenant: &str,
        change: ExpiryChange,
        today: u64,
    ) -> Result<(), ServiceError> {
        let note_id = tenant_note_id(tenant);
        let _guard = self.update_lock.lock().await;
        for _ in 0..MAX_ATTEMPTS {
            let previous_note = store.kv_get(note_id).await?;
            let mut users_by_day = decode_counts(&previous_note, today)?;
            if let Some(count) = change
                .old_day
                .and_then(|old_day| users_by_day.get_mut(&old_day))
            {
                *count = count.saturating_sub(1);
            }
            if let Some(new_day) = change.new_day {
                let count = users_by_day.entry(new_day).or_default();
                *count = count.saturating_add(1);
            }
            if store
                .kv_compare_and_set(note_id, previous_note, encode_counts(&users_by_day))
                .await?
            {
                self.read.remove(tenant);
                return Ok(());
            }
        }
        Err(ServiceError::TooManyConflicts)
    }
}

/// Returns the number of users.
fn total(days: &UsersByDay) -> u64 {
    days.values().map(|count| u64::from(*count)).sum()
}

/// Returns the key of the record that holds the counter of a tenant.
fn tenant_note_id(tenant: &str) -> GameId {
    hashed_id(&[b"token counts", tenant.as_bytes()])
}

/// Decodes the counter of a tenant, without the days before `today`.
fn decode_counts(bytes: &[u8], today: u64) -> Result<UsersByDay, ServiceError> {
    if bytes.is_empty() {
        return Ok(UsersByDay::new());
    }
    let damaged =
        |_| ServiceError::Damaged(String::from("the note on users with tokens is unreadable"));
    let mut days: UsersByDay = decode(bytes).map_err(damaged)?;
    days.retain(|day, count| *day >= today && *count > 0);
    Ok(days)
}

fn encode_counts(days: &UsersByDay) -> KvRecord {
    let last_day = days.keys().next_back().copied().unwrap_or_default();
    KvRecord {
        bytes: Bytes::from(encode(days)),
        expires_ms: (last_day + 1).saturating_mul(DAY_MS),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::MemoryStore;

    use super::*;

    #[tokio::test]
    async fn no_more_users_have_tokens_than_may_and_places_come_back() {
        let today = gamekeeper_store::clock::now_ms() / DAY_MS;
        let (store, counts) = (MemoryStore::new(), TokenQuota::new(3));
        let count_at = async |today, tenant: &str, from: Option<u64>, to: Option<u64>| {
            if from.is_none() {
                counts.check_room(&store, tenant, today).await?;
            }
            let moved = ExpiryChange {
                old_day: from,
                new_day: to,
            };
            counts.count(&store, tenant, moved, today).await
        };
        let count = async |tenant, from, to| count_at(today, tenant, from, to).await;
        let (soon, late) = (Some(today + 1), Some(today + 9));
        for _ in 0..3 {
            count("red", None, soon).await.unwrap();
        }
        let full = count("red", None, soon).await;
        assert!(
            matches!(full, Err(ServiceError::LimitReached { .. })),
            "{full:?}"
        );
        count("blue", None, soon).await.unwrap();
        // A user who has tokens may extend them although the tenant has reached the limit.
        count("red", soon, late).await.unwrap();
        assert!(count("red", None, soon).await.is_err());
        count("red", late, None).await.unwrap();
        count("red", None, late).await.unwrap();
        assert!(count("red", None, late).await.is_err());
        // Two days later, the tokens that expire tomorrow no longer count.
        for _ in 0..2 {
            count_at(today + 2, "red", None, late).await.unwrap();
        }
        assert!(count_at(today + 2, "red", None, late).await.is_err());
    }
}
