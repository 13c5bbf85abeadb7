//! A **quota**: the number of users of a tenant that hold tokens, counted by the day on which the user's last token
//! expires. The store keeps a note for each such user, so their number is limited.

use std::collections::BTreeMap;

use bytes::Bytes;
use gamekeeper_rules::table::{decode, encode};
use gamekeeper_store::{GameId, GameStore, Note};
use tokio::sync::Mutex;

use crate::heart::hashed_id::hashed_id;
use crate::heart::problem::Problem;

/// Milliseconds of a day.
pub(super) const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// The maximum number of tries of the compare-and-set against concurrent writers.
const MAX_TRIES: usize = 64;

/// The number of users by expiry of their last token, in days since the Unix epoch.
type Days = BTreeMap<u64, u32>;

/// The counter of users with tokens, for all tenants.
pub(super) struct TokenCounts {
    /// The maximum number of users of a tenant that hold tokens.
    max: u64,
    /// Serializes the updates of this process, which would otherwise conflict with each other in the store.
    turn: Mutex<()>,
}

/// A change of the expiry of a user's tokens: first issued, extended, or revoked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moved {
    /// The day of expiry before the change. Is `None` if the user had no tokens.
    pub(super) from: Option<u64>,
    /// The day of expiry after the change. Is `None` if the user has no tokens anymore.
    pub(super) to: Option<u64>,
}

impl TokenCounts {
    pub(super) fn new(max: u64) -> Self {
        let turn = Mutex::new(());
        Self { max, turn }
    }

    /// Checks that another user of a tenant may have tokens. Users who get their first tokens at the same time do not
    /// see each other, so their number may exceed the limit a little. `today`, in days since the Unix epoch, drops users
    /// whose tokens have expired.
    ///
    /// # Errors
    /// If too many users of the tenant have tokens, or the store fails.
    pub(super) async fn check_room(
        &self,
        store: &dyn GameStore,
        tenant: &str,
        today: u64,
    ) -> Result<(), Problem> {
        let days = read(&store.note(note_of(tenant)).await?, today)?;
        let all: u64 = days.values().map(|count| u64::from(*count)).sum();
        if all < self.max {
            return Ok(());
        }
        Err(Problem::Exhausted {
            limit: "user_tokens",
            what: format!(
                "{} users have tokens; revoke some, or try again later",
                self.max
            ),
        })
    }

    /// Applies a change that is stored to the counter of a tenant. `today` is as in [`TokenCounts::check_room`].
    ///
    /// # Errors
    /// If concurrent writers keep winning, or the store fails.
    pub(super) async fn count(
        &self,
        store: &dyn GameStore,
        tenant: &str,
        moved: Moved,
        today: u64,
    ) -> Result<(), Problem> {
        let id = note_of(tenant);
        let _turn = self.turn.lock().await;
        for _ in 0..MAX_TRIES {
            let before = store.note(id).await?;
            let mut days = read(&before, today)?;
            if let Some(count) = moved.from.and_then(|from| days.get_mut(&from)) {
                *count = count.saturating_sub(1);
            }
            if let Some(to) = moved.to {
                let count = days.entry(to).or_default();
                *count = count.saturating_add(1);
            }
            if store.set_note(id, before, kept(&days)).await? {
                return Ok(());
            }
        }
        Err(Problem::Contended)
    }
}

/// Returns the key of the note that holds the counter of a tenant.
fn note_of(tenant: &str) -> GameId {
    hashed_id(&[b"token counts", tenant.as_bytes()])
}

/// Decodes the counter of a tenant, without the days before `today`.
fn read(bytes: &[u8], today: u64) -> Result<Days, Problem> {
    if bytes.is_empty() {
        return Ok(Days::new());
    }
    let damaged = |_| Problem::Damaged(String::from("the note on users with tokens is unreadable"));
    let mut days: Days = decode(bytes).map_err(damaged)?;
    days.retain(|day, count| *day >= today && *count > 0);
    Ok(days)
}

fn kept(days: &Days) -> Note {
    let last = days.keys().next_back().copied().unwrap_or_default();
    Note {
        bytes: Bytes::from(encode(days)),
        until_ms: (last + 1).saturating_mul(DAY_MS),
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::MemoryStore;

    use super::*;

    #[tokio::test]
    async fn no_more_users_have_tokens_than_may_and_places_come_back() {
        let today = gamekeeper_store::clock::now_ms() / DAY_MS;
        let (store, counts) = (MemoryStore::new(), TokenCounts::new(3));
        let count_at = async |today, tenant: &str, from: Option<u64>, to: Option<u64>| {
            if from.is_none() {
                counts.check_room(&store, tenant, today).await?;
            }
            let moved = Moved { from, to };
            counts.count(&store, tenant, moved, today).await
        };
        let count = async |tenant, from, to| count_at(today, tenant, from, to).await;
        let (soon, late) = (Some(today + 1), Some(today + 9));
        for _ in 0..3 {
            count("red", None, soon).await.unwrap();
        }
        let full = count("red", None, soon).await;
        assert!(matches!(full, Err(Problem::Exhausted { .. })), "{full:?}");
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
