//! **Revocation** of tokens that the service issued to users. A key-value record in the store holds the generation of a
//! user's valid tokens: all tokens of a user share it, and removing the record revokes them all.
//!
//! A process caches the generation of a user for a few seconds, and a wake-up from the store invalidates it earlier. A
//! call of a cached user therefore reads no record.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{ChangeReceiver, GameId, GameStore, KvRecord, sizes};
use quick_cache::sync::Cache;
use tokio::time::{Instant, sleep};

use super::{Caller, Role};
use crate::authz::token_quota::{DAY_MS, ExpiryChange, TokenQuota};
use crate::errors::ServiceError;
use crate::hashed_id::hashed_id;

/// The capacity of the cache, in users.
const CACHED_USERS: usize = 16_384;

/// The time after which a cached generation is read again. A wake-up invalidates it earlier, but wake-ups can be lost.
const CACHE_TTL: Duration = Duration::from_secs(5);

/// The interval at which a stream checks whether its token was revoked, in case the wake-up was lost.
const RECHECK_INTERVAL: Duration = Duration::from_secs(30);

/// The maximum number of tries of the compare-and-set against concurrent writers.
const MAX_ATTEMPTS: usize = 16;

/// The maximum number of users of a tenant that hold tokens.
const MAX_USERS: u64 = 1_000_000;

/// The issuer and validator of user tokens, with this process's cache.
pub struct UserTokens {
    store: Arc<dyn GameStore>,
    cache: Cache<GameId, CachedGeneration>,
    counts: TokenQuota,
}

/// A cached revocation state of one user.
#[derive(Clone)]
struct CachedGeneration {
    /// The revocation generation: only tokens issued with this generation are valid. Is `None` if all tokens of the
    /// user are revoked.
    generation: Option<u32>,
    read_at: Instant,
    wake_ups: ChangeReceiver,
}

/// The decoded record of the tokens of one user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StoredGeneration {
    generation: u32,
    /// The latest expiry of all tokens of the user, in milliseconds since the Unix epoch.
    until_ms: u64,
}

impl StoredGeneration {
    fn decode(bytes: &[u8]) -> Result<Option<Self>, ServiceError> {
        let decode_fields = || {
            let (generation, until_ms) = bytes.split_first_chunk()?;
            Some(Self {
                generation: u32::from_be_bytes(*generation),
                until_ms: u64::from_be_bytes(until_ms.try_into().ok()?),
            })
        };
        if bytes.is_empty() {
            return Ok(None);
        }
        let damaged =
            || ServiceError::Damaged(String::from("the note on a user's tokens is unreadable"));
        decode_fields().map(Some).ok_or_else(damaged)
    }

    fn to_note(self) -> KvRecord {
        let Self {
            generation,
            until_ms,
        } = self;
        let bytes = [&generation.to_be_bytes()[..], &until_ms.to_be_bytes()].concat();
        KvRecord {
            bytes: Bytes::from(bytes),
            expires_ms: until_ms,
        }
    }
}

/// Returns the size of the records of this many users.
fn len_of_records(users: u64) -> u64 {
    let record = StoredGeneration {
        generation: 0,
        until_ms: 0,
    };
    users.saturating_mul(sizes::bytes(record.to_note().stored_len()))
}

/// Returns the key of the record of a user's tokens, a hash that discloses neither tenant nor user.
fn user_note_id(tenant: &str, user: &str) -> GameId {
    hashed_id(&[b"tokens", tenant.as_bytes(), user.as_bytes()])
}

impl UserTokens {
    /// Creates the issuer and validator over this store, with an empty cache.
    pub(crate) fn new(store: Arc<dyn GameStore>) -> Arc<Self> {
        let (cache, counts) = (Cache::new(CACHED_USERS), TokenQuota::new(MAX_USERS));
        Arc::new(Self {
            store,
            cache,
            counts,
        })
    }

    /// Checks whether the caller's token was revoked. Returns `None` if the caller has no token that the service issued
    /// to a user, so that nothing needs to be awaited.
    #[must_use]
    pub fn check<'a>(
        &'a self,
        caller: &'a Caller,
    ) -> Option<BoxFuture<'a, Result<(), ServiceError>>> {
        let (id, generation) = service_issued(caller)?;
        Some(self.check_generation(id, generation).boxed())
    }

    /// Checks whether the caller's token was revoked, as [`UserTokens::check`] does. Tokens that cannot be revoked
    /// pass.
    pub(crate) async fn ensure_not_revoked(&self, caller: &Caller) -> Result<(), ServiceError> {
        match self.check(caller) {
            Some(check) => check.await,
            None => Ok(()),
        }
    }

    async fn check_generation(&self, id: GameId, generation: u32) -> Result<(), ServiceError> {
        let cached = self.cache.get(&id);
        let is_fresh_match =
            |cached: &CachedGeneration| cached.is_fresh() && cached.generation == Some(generation);
        if cached.as_ref().is_some_and(is_fresh_match) {
            return Ok(());
        }
        // A token is refused only on what the store says now: another process may just have issued it.
        let current = self.refresh_cache(id, cached).await?;
        if current.generation == Some(generation) {
            return Ok(());
        }
        Err(ServiceError::TokenReplaced(
            "the user's tokens were revoked",
        ))
    }

    async fn refresh_cache(
        &self,
        id: GameId,
        previous: Option<CachedGeneration>,
    ) -> Result<CachedGeneration, ServiceError> {
        let mut wake_ups = match previous {
            Some(previous) => previous.wake_ups,
            None => self.store.watch(id).await?,
        };
        // Subscribe before reading, so that a change made while the record is being read invalidates it.
        wake_ups.borrow_and_update();
        let read_at = Instant::now();
        let stored = StoredGeneration::decode(&self.store.kv_get(id).await?)?;
        let cached = CachedGeneration {
            generation: stored.map(|stored| stored.generation),
            read_at,
            wake_ups,
        };
        self.cache.insert(id, cached.clone());
        Ok(cached)
    }

    /// Resolves when the caller's token is revoked, and never for tokens that cannot be. Errors of the store are
    /// ignored, so that they end no stream.
    pub(crate) async fn revoked(&self, caller: &Caller) -> ServiceError {
        let Some((id, generation)) = service_issued(caller) else {
            return std::future::pending().await;
        };
        loop {
            let validity = self.check_generation(id, generation).await;
            if let Err(problem @ ServiceError::TokenReplaced(_)) = validity {
                return problem;
            }
            let next_check = sleep(RECHECK_INTERVAL);
            match self.cache.get(&id).filter(|_| validity.is_ok()) {
                Some(mut cached) => tokio::select! {
                    Ok(()) = cached.wake_ups.changed() => {}
                    () = next_check => {}
                },
                None => next_check.await,
            }
        }
    }

    /// Returns the generation for a new token that expires at this time, in milliseconds since the Unix epoch: the
    /// generation of the user's valid tokens, or a random one if there are none. The record is extended to that time. A
    /// first token of a user is issued only if the tenant stores less than `max_bytes`, if there is such a limit.
    ///
    /// # Errors
    /// If too many users of the tenant have tokens, the tenant stores too much, or the store fails.
    pub(crate) async fn issue(
        &self,
        (tenant, user): (&str, &str),
        until_ms: u64,
        max_bytes: Option<u64>,
    ) -> Result<u32, ServiceError> {
        let id = user_note_id(tenant, user);
        // Round up to whole days, so that most further tokens of the user need no write.
        let day = until_ms.div_ceil(DAY_MS);
        let until_ms = day.saturating_mul(DAY_MS);
        for _ in 0..MAX_ATTEMPTS {
            let previous_note = self.store.kv_get(id).await?;
            let stored = StoredGeneration::decode(&previous_note)?;
            if let Some(stored) = stored.filter(|stored| stored.until_ms >= until_ms) {
                return Ok(stored.generation);
            }
            if stored.is_none() {
                let today = now_ms() / DAY_MS;
                let users = self.counts.check_room(&*self.store, tenant, today);
                let tokens = len_of_records(users.await?);
                if let Some(max) = max_bytes
                    && self
                        .store
                        .stored_bytes(tenant)
                        .await?
                        .saturating_add(tokens)
                        >= max
                {
                    return Err(ServiceError::BytesUsed);
                }
            }
            let generation = stored.map_or_else(rand::random, |stored| stored.generation);
            let new_stored = StoredGeneration {
                generation,
                until_ms,
            };
            // Counted only now: a writer that loses the race changes nothing.
            if self
                .store
                .kv_compare_and_set(id, previous_note, new_stored.to_note())
                .await?
            {
                let expiry_change = ExpiryChange {
                    old_day: stored.map(|stored| stored.until_ms / DAY_MS),
                    new_day: Some(day),
                };
                self.count(tenant, expiry_change).await?;
                return Ok(generation);
            }
        }
        Err(ServiceError::TooManyConflicts)
    }

    /// Returns the size of the records of a tenant's users, as it was a while ago at most.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn stored_bytes(&self, tenant: &str) -> Result<u64, ServiceError> {
        let users = self.counts.users(&*self.store, tenant).await?;
        Ok(len_of_records(users))
    }

    /// Revokes all tokens that the service issued to a user.
    pub(crate) async fn revoke(&self, tenant: &str, user: &str) -> Result<(), ServiceError> {
        let id = user_note_id(tenant, user);
        for _ in 0..MAX_ATTEMPTS {
            let previous_note = self.store.kv_get(id).await?;
            if previous_note.is_empty() {
                return Ok(());
            }
            // An unreadable record is removed as well, so that revocation always works.
            let stored = StoredGeneration::decode(&previous_note).ok().flatten();
            let old_day = stored.map(|stored| stored.until_ms / DAY_MS);
            if self
                .store
                .kv_compare_and_set(id, previous_note, KvRecord::default())
                .await?
            {
                return self
                    .count(
                        tenant,
                        ExpiryChange {
                            old_day,
                            new_day: None,
                        },
                    )
                    .await;
            }
        }
        Err(ServiceError::TooManyConflicts)
    }
}

impl UserTokens {
    async fn count(&self, tenant: &str, expiry_change: ExpiryChange) -> Result<(), ServiceError> {
        let today = now_ms() / DAY_MS;
        self.counts
            .count(&*self.store, tenant, expiry_change, today)
            .await
    }
}

impl CachedGeneration {
    fn is_fresh(&self) -> bool {
        self.read_at.elapsed() < CACHE_TTL
            && self.wake_ups.has_changed().is_ok_and(|changed| !changed)
    }
}

/// Returns the key of the record and the generation of the caller's token. Returns `None` if it is not a token that the
/// service issued to a user.
fn service_issued(caller: &Caller) -> Option<(GameId, u32)> {
    match &caller.role {
        Role::User {
            tenant,
            user,
            generation: Some(generation),
        } => Some((user_note_id(tenant, user), *generation)),
        Role::User {
            generation: None, ..
        }
        | Role::AuthDisabled
        | Role::Tenant(_)
        | Role::Seat { .. }
        | Role::Spectator { .. }
        | Role::Operator => None,
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::MemoryStore;

    use super::*;

    const ADA: (&str, &str) = ("red", "ada");
    const DAY: u64 = DAY_MS;

    fn caller(generation: u32) -> Caller {
        Caller::new(Role::User {
            tenant: String::from("red"),
            user: String::from("ada"),
            generation: Some(generation),
        })
    }

    fn later() -> u64 {
        now_ms() + DAY
    }

    #[tokio::test]
    async fn all_tokens_of_a_user_end_in_every_process_and_new_ones_hold() {
        let store: Arc<dyn GameStore> = Arc::new(MemoryStore::new());
        let [one, other] = [(); 2].map(|()| UserTokens::new(Arc::clone(&store)));
        let old = caller(one.issue(ADA, later(), None).await.unwrap());
        let again = other.issue(ADA, later() + 9 * DAY, None).await.unwrap();
        assert_eq!(again, generation(&old));
        let bob = caller_of(
            "bob",
            one.issue(("red", "bob"), later(), None).await.unwrap(),
        );
        for tokens in [&one, &other] {
            for caller in [&old, &bob] {
                tokens.ensure_not_revoked(caller).await.unwrap();
            }
        }
        one.revoke("red", "ada").await.unwrap();
        for tokens in [&one, &other] {
            let refused = tokens.ensure_not_revoked(&old).await;
            assert!(matches!(refused, Err(ServiceError::TokenReplaced(_))));
            tokens.ensure_not_revoked(&bob).await.unwrap();
        }
        let new = caller(one.issue(ADA, later(), None).await.unwrap());
        assert_ne!(generation(&new), generation(&old));
        for tokens in [&other, &one] {
            tokens.ensure_not_revoked(&new).await.unwrap();
            assert!(tokens.ensure_not_revoked(&old).await.is_err());
        }
    }

    /// Records of users count at the limit of bytes, where a user who has tokens still gets further ones.
    #[tokio::test]
    async fn a_tenant_that_stores_too_much_has_no_further_users_with_tokens() {
        let tokens = UserTokens::new(Arc::new(MemoryStore::new()));
        let issue = async |user: &str, until_ms| {
            let max = 2 * len_of_records(1);
            tokens.issue(("red", user), until_ms, Some(max)).await
        };
        for user in ["ada", "bob"] {
            issue(user, later()).await.unwrap();
        }
        assert_eq!(tokens.stored_bytes("red").await.unwrap(), len_of_records(2));
        let full = issue("cyd", later()).await;
        assert!(matches!(full, Err(ServiceError::BytesUsed)), "{full:?}");
        issue("ada", later() + DAY).await.unwrap();
        tokens.revoke("red", "bob").await.unwrap();
        issue("cyd", later()).await.unwrap();
    }

    fn caller_of(user: &str, generation: u32) -> Caller {
        Caller::new(Role::User {
            tenant: String::from("red"),
            user: user.to_owned(),
            generation: Some(generation),
        })
    }

    fn generation(caller: &Caller) -> u32 {
        service_issued(caller).unwrap().1
    }

    #[tokio::test]
    async fn whoever_waits_hears_of_a_revocation() {
        let store: Arc<dyn GameStore> = Arc::new(MemoryStore::new());
        let [one, other] = [(); 2].map(|()| UserTokens::new(Arc::clone(&store)));
        let ada = caller(one.issue(ADA, later(), None).await.unwrap());
        let ended = tokio::spawn(async move { other.revoked(&ada).await });
        tokio::task::yield_now().await;
        assert!(!ended.is_finished());
        one.revoke("red", "ada").await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(5), ended);
        assert!(matches!(
            ended.await.unwrap(),
            Ok(ServiceError::TokenReplaced(_))
        ));
    }

    /// The record outlives the last token, so that no token is refused before its end.
    #[tokio::test]
    async fn the_note_is_kept_as_long_as_the_last_token() {
        let store: Arc<dyn GameStore> = Arc::new(MemoryStore::new());
        let tokens = UserTokens::new(Arc::clone(&store));
        let stored_generation = async || {
            let note = store.kv_get(user_note_id(ADA.0, ADA.1)).await.unwrap();
            StoredGeneration::decode(&note).unwrap().unwrap()
        };
        let (soon, late) = (later(), later() + 50 * DAY);
        let first = tokens.issue(ADA, late, None).await.unwrap();
        assert!((late..late + DAY).contains(&stored_generation().await.until_ms));
        assert_eq!(tokens.issue(ADA, soon, None).await.unwrap(), first);
        assert!(stored_generation().await.until_ms >= late);
    }

    #[test]
    fn what_a_note_says_is_read_again() {
        let stored = StoredGeneration {
            generation: 7,
            until_ms: 9,
        };
        let bytes = stored.to_note().bytes;
        assert_eq!(StoredGeneration::decode(&bytes).unwrap(), Some(stored));
        assert_eq!(StoredGeneration::decode(&[]).unwrap(), None);
        assert!(StoredGeneration::decode(&bytes[1..]).is_err());
    }
}
