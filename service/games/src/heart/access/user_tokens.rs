//! **Revocation** of tokens that the service issued to users. A note in the store holds the generation of a user's
//! valid tokens: all tokens of a user share it, and removing the note revokes them all.
//!
//! A process caches the generation of a user for a few seconds, and a wake-up from the store invalidates it earlier. A
//! call of a cached user therefore reads no note.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use gamekeeper_store::clock::now_ms;
use gamekeeper_store::{GameId, GameStore, Note, WakeUps};
use quick_cache::sync::Cache;
use tokio::time::{Instant, sleep};

use super::token_counts::{DAY_MS, Moved, TokenCounts};
use super::{Caller, Role};
use crate::heart::hashed_id::hashed_id;
use crate::heart::problem::Problem;

/// The capacity of the cache, in users.
const SEEN: usize = 16_384;

/// The time after which a cached generation is read again. A wake-up invalidates it earlier, but wake-ups can be lost.
const TRUSTED: Duration = Duration::from_secs(5);

/// The interval at which a stream checks whether its token was revoked, in case the wake-up was lost.
const LOOK_EVERY: Duration = Duration::from_secs(30);

/// The maximum number of tries of the compare-and-set against concurrent writers.
const MAX_TRIES: usize = 16;

/// The maximum number of users of a tenant that hold tokens.
const MAX_USERS: u64 = 1_000_000;

/// The issuer and validator of user tokens, with this process's cache.
pub struct UserTokens {
    store: Arc<dyn GameStore>,
    seen: Cache<GameId, Seen>,
    counts: TokenCounts,
}

/// A cached revocation state of one user.
#[derive(Clone)]
struct Seen {
    /// The revocation generation: only tokens issued with this generation are valid. Is `None` if all tokens of the
    /// user are revoked.
    generation: Option<u32>,
    at: Instant,
    wake_ups: WakeUps,
}

/// The decoded note on the tokens of one user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    generation: u32,
    /// The latest expiry of all tokens of the user, in milliseconds since the Unix epoch.
    until_ms: u64,
}

impl Kept {
    fn read(bytes: &[u8]) -> Result<Option<Self>, Problem> {
        let read = || {
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
            || Problem::Damaged(String::from("the note on a user's tokens is unreadable"));
        read().map(Some).ok_or_else(damaged)
    }

    fn note(self) -> Note {
        let Self {
            generation,
            until_ms,
        } = self;
        let bytes = [&generation.to_be_bytes()[..], &until_ms.to_be_bytes()].concat();
        Note {
            bytes: Bytes::from(bytes),
            until_ms,
        }
    }
}

/// Returns the key of the note on a user's tokens, a hash that discloses neither tenant nor user.
fn note_of(tenant: &str, user: &str) -> GameId {
    hashed_id(&[b"tokens", tenant.as_bytes(), user.as_bytes()])
}

impl UserTokens {
    /// Creates the issuer and validator over this store, with an empty cache.
    pub(crate) fn new(store: Arc<dyn GameStore>) -> Arc<Self> {
        let (seen, counts) = (Cache::new(SEEN), TokenCounts::new(MAX_USERS));
        Arc::new(Self {
            store,
            seen,
            counts,
        })
    }

    /// Checks whether the caller's token was revoked. Returns `None` if the caller has no token that the service issued
    /// to a user, so that nothing needs to be awaited.
    #[must_use]
    pub fn check<'a>(&'a self, caller: &'a Caller) -> Option<BoxFuture<'a, Result<(), Problem>>> {
        let (id, generation) = issued(caller)?;
        Some(self.check_generation(id, generation).boxed())
    }

    /// Checks whether the caller's token was revoked, as [`UserTokens::check`] does. Tokens that cannot be revoked
    /// pass.
    pub(crate) async fn still_valid(&self, caller: &Caller) -> Result<(), Problem> {
        match self.check(caller) {
            Some(check) => check.await,
            None => Ok(()),
        }
    }

    async fn check_generation(&self, id: GameId, generation: u32) -> Result<(), Problem> {
        let seen = self.seen.get(&id);
        let is_known = |seen: &Seen| seen.is_fresh() && seen.generation == Some(generation);
        if seen.as_ref().is_some_and(is_known) {
            return Ok(());
        }
        // A token is refused only on what the store says now: another process may just have issued it.
        let seen = self.look(id, seen).await?;
        if seen.generation == Some(generation) {
            return Ok(());
        }
        Err(Problem::TokenReplaced("the user's tokens were revoked"))
    }

    async fn look(&self, id: GameId, before: Option<Seen>) -> Result<Seen, Problem> {
        let mut wake_ups = match before {
            Some(before) => before.wake_ups,
            None => self.store.watch(id).await?,
        };
        // Subscribe before reading, so that a change made while the note is being read invalidates it.
        wake_ups.borrow_and_update();
        let at = Instant::now();
        let kept = Kept::read(&self.store.note(id).await?)?;
        let seen = Seen {
            generation: kept.map(|kept| kept.generation),
            at,
            wake_ups,
        };
        self.seen.insert(id, seen.clone());
        Ok(seen)
    }

    /// Resolves when the caller's token is revoked, and never for tokens that cannot be. Errors of the store are
    /// ignored, so that they end no stream.
    pub(crate) async fn revoked(&self, caller: &Caller) -> Problem {
        let Some((id, generation)) = issued(caller) else {
            return std::future::pending().await;
        };
        loop {
            let checked = self.check_generation(id, generation).await;
            if let Err(problem @ Problem::TokenReplaced(_)) = checked {
                return problem;
            }
            let pause = sleep(LOOK_EVERY);
            match self.seen.get(&id).filter(|_| checked.is_ok()) {
                Some(mut seen) => tokio::select! {
                    Ok(()) = seen.wake_ups.changed() => {}
                    () = pause => {}
                },
                None => pause.await,
            }
        }
    }

    /// Returns the generation for a new token that expires at this time, in milliseconds since the Unix epoch: the
    /// generation of the user's valid tokens, or a random one if there are none. The note is extended to that time.
    pub(crate) async fn issue(
        &self,
        (tenant, user): (&str, &str),
        until_ms: u64,
    ) -> Result<u32, Problem> {
        let id = note_of(tenant, user);
        // Round up to whole days, so that most further tokens of the user need no write.
        let day = until_ms.div_ceil(DAY_MS);
        let until_ms = day.saturating_mul(DAY_MS);
        for _ in 0..MAX_TRIES {
            let before = self.store.note(id).await?;
            let known = Kept::read(&before)?;
            if let Some(kept) = known.filter(|kept| kept.until_ms >= until_ms) {
                return Ok(kept.generation);
            }
            if known.is_none() {
                let today = now_ms() / DAY_MS;
                self.counts.check_room(&*self.store, tenant, today).await?;
            }
            let generation = known.map_or_else(rand::random, |kept| kept.generation);
            let kept = Kept {
                generation,
                until_ms,
            };
            // Counted only now: a writer that loses the race changes nothing.
            if self.store.set_note(id, before, kept.note()).await? {
                let moved = Moved {
                    from: known.map(|kept| kept.until_ms / DAY_MS),
                    to: Some(day),
                };
                self.count(tenant, moved).await?;
                return Ok(generation);
            }
        }
        Err(Problem::Contended)
    }

    /// Revokes all tokens that the service issued to a user.
    pub(crate) async fn revoke(&self, tenant: &str, user: &str) -> Result<(), Problem> {
        let id = note_of(tenant, user);
        for _ in 0..MAX_TRIES {
            let before = self.store.note(id).await?;
            if before.is_empty() {
                return Ok(());
            }
            // An unreadable note is removed as well, so that revocation always works.
            let from = Kept::read(&before).ok().flatten();
            let from = from.map(|kept| kept.until_ms / DAY_MS);
            if self.store.set_note(id, before, Note::default()).await? {
                return self.count(tenant, Moved { from, to: None }).await;
            }
        }
        Err(Problem::Contended)
    }
}

impl UserTokens {
    async fn count(&self, tenant: &str, moved: Moved) -> Result<(), Problem> {
        let today = now_ms() / DAY_MS;
        self.counts.count(&*self.store, tenant, moved, today).await
    }
}

impl Seen {
    fn is_fresh(&self) -> bool {
        self.at.elapsed() < TRUSTED && self.wake_ups.has_changed().is_ok_and(|changed| !changed)
    }
}

/// Returns the key of the note and the generation of the caller's token. Returns `None` if it is not a token that the
/// service issued to a user.
fn issued(caller: &Caller) -> Option<(GameId, u32)> {
    match &caller.role {
        Role::User {
            tenant,
            user,
            generation: Some(generation),
        } => Some((note_of(tenant, user), *generation)),
        Role::User {
            generation: None, ..
        }
        | Role::Open
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
        let old = caller(one.issue(ADA, later()).await.unwrap());
        let again = other.issue(ADA, later() + 9 * DAY).await.unwrap();
        assert_eq!(again, generation(&old));
        let bob = caller_of("bob", one.issue(("red", "bob"), later()).await.unwrap());
        for tokens in [&one, &other] {
            for caller in [&old, &bob] {
                tokens.still_valid(caller).await.unwrap();
            }
        }
        one.revoke("red", "ada").await.unwrap();
        for tokens in [&one, &other] {
            let refused = tokens.still_valid(&old).await;
            assert!(matches!(refused, Err(Problem::TokenReplaced(_))));
            tokens.still_valid(&bob).await.unwrap();
        }
        let new = caller(one.issue(ADA, later()).await.unwrap());
        assert_ne!(generation(&new), generation(&old));
        for tokens in [&other, &one] {
            tokens.still_valid(&new).await.unwrap();
            assert!(tokens.still_valid(&old).await.is_err());
        }
    }

    fn caller_of(user: &str, generation: u32) -> Caller {
        Caller::new(Role::User {
            tenant: String::from("red"),
            user: user.to_owned(),
            generation: Some(generation),
        })
    }

    fn generation(caller: &Caller) -> u32 {
        issued(caller).unwrap().1
    }

    #[tokio::test]
    async fn whoever_waits_hears_of_a_revocation() {
        let store: Arc<dyn GameStore> = Arc::new(MemoryStore::new());
        let [one, other] = [(); 2].map(|()| UserTokens::new(Arc::clone(&store)));
        let ada = caller(one.issue(ADA, later()).await.unwrap());
        let ended = tokio::spawn(async move { other.revoked(&ada).await });
        tokio::task::yield_now().await;
        assert!(!ended.is_finished());
        one.revoke("red", "ada").await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(5), ended);
        assert!(matches!(
            ended.await.unwrap(),
            Ok(Problem::TokenReplaced(_))
        ));
    }

    /// The note outlives the last token, so that no token is refused before its end.
    #[tokio::test]
    async fn the_note_is_kept_as_long_as_the_last_token() {
        let store: Arc<dyn GameStore> = Arc::new(MemoryStore::new());
        let tokens = UserTokens::new(Arc::clone(&store));
        let kept = async || {
            let note = store.note(note_of(ADA.0, ADA.1)).await.unwrap();
            Kept::read(&note).unwrap().unwrap()
        };
        let (soon, late) = (later(), later() + 50 * DAY);
        let first = tokens.issue(ADA, late).await.unwrap();
        assert!((late..late + DAY).contains(&kept().await.until_ms));
        assert_eq!(tokens.issue(ADA, soon).await.unwrap(), first);
        assert!(kept().await.until_ms >= late);
    }

    #[test]
    fn what_a_note_says_is_read_again() {
        let kept = Kept {
            generation: 7,
            until_ms: 9,
        };
        let bytes = kept.note().bytes;
        assert_eq!(Kept::read(&bytes).unwrap(), Some(kept));
        assert_eq!(Kept::read(&[]).unwrap(), None);
        assert!(Kept::read(&bytes[1..]).is_err());
    }
}
