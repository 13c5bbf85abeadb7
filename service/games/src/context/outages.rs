//! **Outages**: times in which no process served. Every process writes a heartbeat to a key-value record in the store;
//! a gap between heartbeats is an outage, and is charged to nobody's clock.
//!
//! An outage is credited to a game at most once: before anything else happens in a game whose clocks were running, an
//! entry moves them forward by the outage. An entry newer than the end of the outage therefore proves that the credit
//! was made.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_rules::table::{decode, encode};
use gamekeeper_store::clock::millis;
use gamekeeper_store::{GameId, GameStore, KvRecord};
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::errors::ServiceError;

/// The key of the record, an id that no game has.
const HEARTBEAT_NOTE_ID: GameId = Uuid::from_u128(0x9f3c_51d2_6b1e_8d4a_9d27_0b6e_74aa_c015);

/// The maximum number of outages in the record; the latest ones are kept.
const MAX_OUTAGES: usize = 64;

/// The number of heartbeats of a process within the shortest outage.
const HEARTBEATS_PER_OUTAGE: u32 = 6;

/// The maximum number of tries of the compare-and-set against concurrent writers.
const MAX_ATTEMPTS: usize = 16;

/// A time that is charged to nobody's clock, in milliseconds since the Unix epoch: no process served, or an operator had
/// blocked the callers of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct LostTime {
    pub(crate) from_ms: u64,
    pub(crate) until_ms: u64,
}

/// The content of the record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct HeartbeatRecord {
    /// The time of the last heartbeat of any process, in milliseconds since the Unix epoch. Is 0 before the first one.
    last_heartbeat_ms: u64,
    outages: Vec<LostTime>,
}

/// The time that a game must be credited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutageCredit {
    /// The total length of the times since the game's last entry, in milliseconds.
    pub(crate) ms: u64,
    /// The end of the last one, in milliseconds since the Unix epoch.
    pub(crate) until_ms: u64,
}

/// This process's view of the outages, read from the record.
pub(crate) struct Outages {
    store: Arc<dyn GameStore>,
    /// The minimum length of an outage. Is `None` if outages are not credited.
    min_outage: Option<Duration>,
    cached: RwLock<CachedOutages>,
    /// Serializes the reads and writes of the record by this process.
    heartbeat_lock: Mutex<()>,
}

#[derive(Default)]
struct CachedOutages {
    outages: Vec<LostTime>,
    /// The time at which this process last read the record, in milliseconds since the Unix epoch.
    read_at_ms: u64,
}

impl Outages {
    /// Creates the view of the outages in a store. Gaps not longer than `min_outage` do not count.
    pub(crate) fn new(store: Arc<dyn GameStore>, min_outage: Option<Duration>) -> Self {
        Self {
            store,
            min_outage,
            cached: RwLock::default(),
            heartbeat_lock: Mutex::default(),
        }
    }

    /// Returns the interval of this process's heartbeats. Returns `None` if outages are not credited.
    pub(crate) fn heartbeat_interval(&self) -> Option<Duration> {
        self.min_outage
            .map(|min_outage| min_outage / HEARTBEATS_PER_OUTAGE)
    }

    /// Returns whether the record was read so recently that no outage before this time can be unknown to this process.
    pub(crate) fn is_fresh(&self, now_ms: u64) -> bool {
        let Some(min_outage) = self.min_outage else {
            return true;
        };
        let read_at_ms = self.cached.read().read_at_ms;
        now_ms.saturating_sub(read_at_ms) < millis(min_outage / 2)
    }

    /// Returns the time that a game must be credited since its last entry, which was at `since_ms` milliseconds since the
    /// Unix epoch: that of outages, and that of blocks of its callers. Returns `None` if there is none.
    pub(crate) fn credit_since(&self, since_ms: u64, blocks: &[LostTime]) -> Option<OutageCredit> {
        let cached = self.cached.read();
        let outages = cached.outages.iter().chain(blocks);
        let mut lost: Vec<LostTime> = outages
            .filter(|lost| lost.until_ms > since_ms)
            .copied()
            .collect();
        lost.sort_unstable();
        // Time that was lost twice is credited once.
        let (mut ms, mut until_ms) = (0, since_ms);
        for lost in lost {
            ms += lost.until_ms.saturating_sub(lost.from_ms.max(until_ms));
            until_ms = until_ms.max(lost.until_ms);
        }
        (ms > 0).then_some(OutageCredit { ms, until_ms })
    }

    /// Returns the end of the last known outage, in milliseconds since the Unix epoch. Returns 0 if there was none.
    pub(crate) fn last_outage_end_ms(&self) -> u64 {
        let cached = self.cached.read();
        cached.outages.last().map_or(0, |outage| outage.until_ms)
    }

    /// Writes a heartbeat, and reads the outages. When several processes come back at once, the compare-and-set lets
    /// one of them record the outage.
    ///
    /// # Errors
    /// If the store fails, or concurrent writers keep winning.
    pub(crate) async fn heartbeat(&self, now_ms: u64) -> Result<(), ServiceError> {
        let Some(min_outage) = self.min_outage else {
            return Ok(());
        };
        let _guard = self.heartbeat_lock.lock().await;
        if self.was_just_refreshed(now_ms, min_outage) {
            return Ok(());
        }
        for _ in 0..MAX_ATTEMPTS {
            let previous_note = self.store.kv_get(HEARTBEAT_NOTE_ID).await?;
            let mut record = decode_record(&previous_note);
            let gap = now_ms.saturating_sub(record.last_heartbeat_ms);
            let is_outage = record.last_heartbeat_ms > 0 && gap > millis(min_outage);
            if is_outage {
                tracing::warn!(
                    ms = gap,
                    "no process has served: the clocks of games move forward"
                );
                record.record_outage(now_ms);
            }
            // Another process has just written a heartbeat, which serves for all.
            let is_recent = gap < millis(min_outage / HEARTBEATS_PER_OUTAGE / 2);
            record.last_heartbeat_ms = record.last_heartbeat_ms.max(now_ms);
            if is_recent
                || self
                    .store
                    .kv_compare_and_set(HEARTBEAT_NOTE_ID, previous_note, encode_record(&record))
                    .await?
            {
                let mut cached = self.cached.write();
                cached.outages = record.outages;
                cached.read_at_ms = now_ms;
                return Ok(());
            }
        }
        Err(ServiceError::TooManyConflicts)
    }

    /// Returns whether another call of this process has read the record while this one waited for its turn.
    fn was_just_refreshed(&self, now_ms: u64, min_outage: Duration) -> bool {
        let cached = self.cached.read();
        now_ms.saturating_sub(cached.read_at_ms) < millis(min_outage / HEARTBEATS_PER_OUTAGE / 2)
    }
}

impl HeartbeatRecord {
    /// Records an outage that ends now.
    fn record_outage(&mut self, now_ms: u64) {
        let outage = LostTime {
            from_ms: self.last_heartbeat_ms,
            until_ms: now_ms,
        };
        self.outages.push(outage);
        let excess = self.outages.len().saturating_sub(MAX_OUTAGES);
        self.outages.drain(..excess);
    }
}

/// Decodes the record. A record that cannot be decoded is replaced by an empty one.
fn decode_record(bytes: &[u8]) -> HeartbeatRecord {
    if bytes.is_empty() {
        return HeartbeatRecord::default();
    }
    decode(bytes).unwrap_or_else(|error| {
        tracing::error!(%error, "the note on outages cannot be read: it begins anew");
        HeartbeatRecord::default()
    })
}

fn encode_record(record: &HeartbeatRecord) -> KvRecord {
    KvRecord {
        bytes: encode(record).into(),
        expires_ms: u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use gamekeeper_store::MemoryStore;

    use super::*;

    const MINUTE: u64 = 60_000;
    const NOON: u64 = 1_790_000_000_000;

    fn processes<const COUNT: usize>() -> [Outages; COUNT] {
        let store: Arc<dyn GameStore> = Arc::new(MemoryStore::new());
        let minute = Some(Duration::from_millis(MINUTE));
        [(); COUNT].map(|()| Outages::new(Arc::clone(&store), minute))
    }

    #[tokio::test]
    async fn a_gap_is_an_outage_for_all_processes_and_only_once() {
        let [one, other] = processes();
        one.heartbeat(NOON).await.unwrap();
        other.heartbeat(NOON + MINUTE).await.unwrap();
        assert_eq!(
            one.credit_since(0, &[]),
            None,
            "a minute is not longer than a minute"
        );
        let back = NOON + 11 * MINUTE;
        other.heartbeat(back).await.unwrap();
        one.heartbeat(back + 500).await.unwrap();
        one.heartbeat(back + MINUTE).await.unwrap();
        let credit = |ms| {
            let until_ms = back;
            Some(OutageCredit { ms, until_ms })
        };
        for process in [&one, &other] {
            assert_eq!(process.credit_since(NOON, &[]), credit(10 * MINUTE));
            // The last entry was half a minute after the last heartbeat, so the game lost that much less time.
            assert_eq!(
                process.credit_since(NOON + MINUTE + 30_000, &[]),
                credit(10 * MINUTE - 30_000)
            );
            assert_eq!(
                process.credit_since(back, &[]),
                None,
                "the game has it back"
            );
        }
    }

    /// While one process serves, the absence of the others is no outage.
    #[tokio::test]
    async fn one_process_alone_that_is_away_is_no_outage() {
        let [one, other] = processes();
        for minute in 0..30 {
            one.heartbeat(NOON + minute * MINUTE / 2).await.unwrap();
        }
        other.heartbeat(NOON + 15 * MINUTE).await.unwrap();
        assert_eq!(
            (one.credit_since(0, &[]), other.credit_since(0, &[])),
            (None, None)
        );
    }

    #[tokio::test]
    async fn several_outages_add_up_and_the_latest_are_kept() {
        let [one] = processes();
        for number in 0..100 {
            one.heartbeat(NOON + number * 2 * MINUTE).await.unwrap();
        }
        let last = NOON + 99 * 2 * MINUTE;
        let credit = one.credit_since(last - 5 * MINUTE, &[]).unwrap();
        assert_eq!((credit.ms, credit.until_ms), (5 * MINUTE, last));
        assert_eq!(one.credit_since(0, &[]).unwrap().ms, 64 * 2 * MINUTE);
        assert_eq!(one.last_outage_end_ms(), last);
    }

    #[tokio::test]
    async fn time_that_was_lost_twice_is_credited_once() {
        let [one] = processes();
        one.heartbeat(NOON).await.unwrap();
        one.heartbeat(NOON + 10 * MINUTE).await.unwrap();
        let lost = |from: u64, until: u64| LostTime {
            from_ms: NOON + from * MINUTE,
            until_ms: NOON + until * MINUTE,
        };
        for (blocks, minutes, until) in [
            (&[lost(2, 4)][..], 10, 10),
            (&[lost(5, 15)], 15, 15),
            (&[lost(20, 25), lost(12, 14)], 17, 25),
        ] {
            let credit = one.credit_since(NOON, blocks).unwrap();
            let wanted = (minutes * MINUTE, NOON + until * MINUTE);
            assert_eq!((credit.ms, credit.until_ms), wanted);
        }
        let rest = one.credit_since(NOON + 12 * MINUTE, &[lost(5, 15)]);
        assert_eq!(rest.unwrap().ms, 3 * MINUTE);
    }

    #[tokio::test]
    async fn a_process_knows_for_a_while_that_there_was_none() {
        let [one] = processes();
        assert!(!one.is_fresh(NOON));
        one.heartbeat(NOON).await.unwrap();
        assert!(one.is_fresh(NOON + MINUTE / 3) && !one.is_fresh(NOON + MINUTE));
        let never = Outages::new(Arc::new(MemoryStore::new()), None);
        never.heartbeat(NOON).await.unwrap();
        assert!(never.is_fresh(NOON) && never.heartbeat_interval().is_none());
    }

    /// Of several processes with heartbeats at about the same time, only one writes the record.
    #[tokio::test]
    async fn what_was_just_written_is_not_written_again() {
        let [one, other, third, fourth] = processes();
        let shortest = Duration::from_millis(MINUTE);
        let written = async || {
            decode_record(&one.store.kv_get(HEARTBEAT_NOTE_ID).await.unwrap()).last_heartbeat_ms
        };
        one.heartbeat(NOON).await.unwrap();
        assert_eq!(one.heartbeat_interval(), Some(Duration::from_secs(10)));
        assert!(one.was_just_refreshed(NOON + 4_999, shortest));
        assert!(!one.was_just_refreshed(NOON + 5_000, shortest));
        other.heartbeat(NOON + 4_999).await.unwrap();
        assert_eq!(written().await, NOON);
        third.heartbeat(NOON + 5_000).await.unwrap();
        assert_eq!(written().await, NOON + 5_000);
        fourth.heartbeat(NOON + 15_000).await.unwrap();
        assert_eq!(written().await, NOON + 15_000);
        // The processes that did not write know as much as the one that did.
        for process in [&one, &other, &third, &fourth] {
            assert_eq!(process.credit_since(0, &[]), None);
        }
    }
}
