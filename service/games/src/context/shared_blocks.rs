//! **Blocks that all processes share**: a record in the store of the accounts that operators have blocked. Every process
//! reads it each second, so whichever process looks first at a game of such an account leaves it alone.
//!
//! The time of a block is lost to the players of its account, who could not act. Unless the operator says otherwise, it
//! is credited to the clocks of their games like an outage; the record therefore keeps blocks that have ended.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_rules::table::{decode, encode};
use gamekeeper_store::clock::millis;
use gamekeeper_store::{GameId, GameStore, KvRecord};
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use crate::admission::MAX_BLOCKS;
use crate::authz::Account;
use crate::context::outages::LostTime;
use crate::errors::ServiceError;
use crate::hashed_id::hashed_id;

/// The maximum number of blocks in the record that have ended; the latest ones are kept.
const MAX_ENDED: usize = 256;

/// The maximum number of tries of the compare-and-set against concurrent writers.
const MAX_ATTEMPTS: usize = 16;

/// A block of an account, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SharedBlock {
    account: Account,
    from_ms: u64,
    until_ms: u64,
    /// Whether clocks run on, so that the time of the block is not credited.
    clocks_run: bool,
}

/// This process's view of the record.
pub(crate) struct SharedBlocks {
    store: Arc<dyn GameStore>,
    cached: RwLock<Vec<SharedBlock>>,
    /// Serializes the reads and writes of the record by this process.
    record_lock: Mutex<()>,
}

impl SharedBlocks {
    /// Creates the view of the record in a store.
    pub(crate) fn new(store: Arc<dyn GameStore>) -> Self {
        Self {
            store,
            cached: RwLock::default(),
            record_lock: Mutex::default(),
        }
    }

    /// Blocks an account for this long. Replaces an earlier block of the same account.
    ///
    /// # Errors
    /// If too many accounts are blocked, concurrent writers keep winning, or the store fails.
    pub(crate) async fn add(
        &self,
        account: Account,
        (now_ms, duration): (u64, Duration),
        clocks_run: bool,
    ) -> Result<(), ServiceError> {
        let block = SharedBlock {
            account,
            from_ms: now_ms,
            until_ms: now_ms.saturating_add(millis(duration)),
            clocks_run,
        };
        self.change(now_ms, |blocks| {
            end_block(blocks, account, now_ms);
            blocks.push(block);
        })
        .await
    }

    /// Lifts the block of an account.
    ///
    /// # Errors
    /// If concurrent writers keep winning, or the store fails.
    pub(crate) async fn lift(&self, account: Account, now_ms: u64) -> Result<(), ServiceError> {
        self.change(now_ms, |blocks| end_block(blocks, account, now_ms))
            .await
    }

    /// Reads the record.
    ///
    /// # Errors
    /// If the store fails.
    pub(crate) async fn read(&self) -> Result<(), ServiceError> {
        let _guard = self.record_lock.lock().await;
        let blocks = decode_record(&self.store.kv_get(record_id()).await?);
        if *self.cached.read() != blocks {
            *self.cached.write() = blocks;
        }
        Ok(())
    }

    /// Returns the accounts that are blocked at this time, each with the rest of its time.
    pub(crate) fn active(&self, now_ms: u64) -> Vec<(Account, Duration)> {
        let cached = self.cached.read();
        let active = cached.iter().filter(|block| block.until_ms > now_ms);
        active
            .map(|block| {
                let remaining = Duration::from_millis(block.until_ms - now_ms);
                (block.account, remaining)
            })
            .collect()
    }

    /// Returns the times since `since_ms` in which this account or one above it was blocked, as far as they have ended
    /// and are credited.
    pub(crate) fn lost_since(&self, account: Account, since_ms: u64, now_ms: u64) -> Vec<LostTime> {
        let cached = self.cached.read();
        let ended = cached.iter().filter(|block| {
            let is_over = block.until_ms > since_ms && block.until_ms <= now_ms;
            is_over && !block.clocks_run && account.is_descendant_of(block.account)
        });
        ended
            .map(|block| LostTime {
                from_ms: block.from_ms,
                until_ms: block.until_ms,
            })
            .collect()
    }

    async fn change(
        &self,
        now_ms: u64,
        edit: impl Fn(&mut Vec<SharedBlock>),
    ) -> Result<(), ServiceError> {
        let id = record_id();
        let _guard = self.record_lock.lock().await;
        for _ in 0..MAX_ATTEMPTS {
            let previous_note = self.store.kv_get(id).await?;
            let mut blocks = decode_record(&previous_note);
            edit(&mut blocks);
            retain_latest(&mut blocks, now_ms)?;
            let note = KvRecord {
                bytes: encode(&blocks).into(),
                expires_ms: u64::MAX,
            };
            if self
                .store
                .kv_compare_and_set(id, previous_note, note)
                .await?
            {
                *self.cached.write() = blocks;
                return Ok(());
            }
        }
        Err(ServiceError::TooManyConflicts)
    }
}

/// Ends the block of an account now, if it has one.
fn end_block(blocks: &mut [SharedBlock], account: Account, now_ms: u64) {
    let of_account = blocks.iter_mut().filter(|block| block.account == account);
    for block in of_account {
        block.until_ms = block.until_ms.min(now_ms);
    }
}

/// Drops ended blocks that credit nothing, and all but the latest of the others.
fn retain_latest(blocks: &mut Vec<SharedBlock>, now_ms: u64) -> Result<(), ServiceError> {
    let is_active = |block: &SharedBlock| block.until_ms > now_ms;
    blocks
        .retain(|block| is_active(block) || (!block.clocks_run && block.until_ms > block.from_ms));
    blocks.sort_by_key(|block| block.until_ms);
    let active = blocks.iter().filter(|block| is_active(block)).count();
    if active > MAX_BLOCKS {
        return Err(ServiceError::LimitReached {
            limit: "cut",
            what: format!("{MAX_BLOCKS} accounts are kept out already; lift some"),
        });
    }
    let excess = (blocks.len() - active).saturating_sub(MAX_ENDED);
    blocks.drain(..excess);
    Ok(())
}

/// The key of the record, an id that no game has.
fn record_id() -> GameId {
    hashed_id(&[b"blocked accounts"])
}

/// Decodes the record. A record that cannot be decoded is replaced by an empty one.
fn decode_record(bytes: &[u8]) -> Vec<SharedBlock> {
    if bytes.is_empty() {
        return Vec::new();
    }
    decode(bytes).unwrap_or_else(|error| {
        tracing::error!(%error, "the note on blocked accounts cannot be read: it begins anew");
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::MemoryStore;

    use super::*;

    const NOON: u64 = 1_790_000_000_000;
    const MINUTE: Duration = Duration::from_mins(1);

    fn processes<const COUNT: usize>() -> [SharedBlocks; COUNT] {
        let store: Arc<dyn GameStore> = Arc::new(MemoryStore::new());
        [(); COUNT].map(|()| SharedBlocks::new(Arc::clone(&store)))
    }

    fn red() -> Account {
        Account::of_tenant("red")
    }

    fn lost(from_ms: u64, until_ms: u64) -> Vec<LostTime> {
        vec![LostTime { from_ms, until_ms }]
    }

    #[tokio::test]
    async fn a_block_reaches_every_process_and_so_does_its_end() {
        let [one, other] = processes();
        one.add(red(), (NOON, MINUTE), false).await.unwrap();
        assert_eq!(other.active(NOON), []);
        other.read().await.unwrap();
        let half = Duration::from_secs(30);
        assert_eq!(other.active(NOON + 30_000), [(red(), half)]);
        assert_eq!(other.active(NOON + 60_000), []);
        other.lift(red(), NOON + 20_000).await.unwrap();
        one.read().await.unwrap();
        assert_eq!(one.active(NOON + 20_000), []);
        let game = Account::of_game("red", uuid::Uuid::from_u128(1));
        for process in [&one, &other] {
            assert_eq!(
                process.lost_since(game, 0, NOON + 20_000),
                lost(NOON, NOON + 20_000)
            );
        }
    }

    #[tokio::test]
    async fn time_is_credited_once_it_is_over_unless_clocks_run() {
        let [one] = processes();
        let (blue, later) = (Account::of_tenant("blue"), NOON + 90_000);
        one.add(red(), (NOON, MINUTE), false).await.unwrap();
        one.add(blue, (NOON, MINUTE), true).await.unwrap();
        assert_eq!(one.lost_since(red(), 0, NOON + 59_999), []);
        assert_eq!(one.lost_since(red(), 0, later), lost(NOON, NOON + 60_000));
        assert_eq!(one.lost_since(red(), NOON + 60_000, later), []);
        assert_eq!(one.lost_since(blue, 0, later), []);
        // A block that replaces another one begins when that one ends.
        one.add(red(), (later, MINUTE), false).await.unwrap();
        one.add(red(), (later + 10_000, MINUTE), false)
            .await
            .unwrap();
        assert_eq!(one.active(later + 10_000), [(red(), MINUTE)]);
        assert_eq!(one.lost_since(red(), later, later + 80_000).len(), 2);
    }

    #[tokio::test]
    async fn the_record_is_bounded() {
        let [one] = processes();
        for number in 0..300 {
            let account = Account::of_tenant(&number.to_string());
            let now = NOON + number;
            one.add(account, (now, Duration::from_millis(1)), false)
                .await
                .unwrap();
        }
        assert_eq!(one.cached.read().len(), MAX_ENDED + 1);
        let nth = |number: usize| Account::of_tenant(&number.to_string());
        let mut blocks: Vec<_> = (0..=MAX_BLOCKS)
            .map(|number| SharedBlock {
                account: nth(number),
                from_ms: NOON,
                until_ms: NOON + 1,
                clocks_run: false,
            })
            .collect();
        assert!(retain_latest(&mut blocks, NOON).is_err());
        blocks.pop();
        assert!(retain_latest(&mut blocks, NOON).is_ok());
    }
}
