//! **Outages**: times in which no process served. Every process writes a heartbeat to a note in the store; a gap
//! between heartbeats is an outage, and is charged to nobody's clock.
//!
//! An outage is credited to a game at most once: before anything else happens in a game whose clocks were running, an
//! entry moves them forward by the outage. An entry newer than the end of the outage therefore proves that the credit
//! was made.

use std::sync::Arc;
use std::time::Duration;

use gamekeeper_rules::table::{decode, encode};
use gamekeeper_store::clock::millis;
use gamekeeper_store::{GameId, GameStore, Note};
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::heart::problem::Problem;

/// The key of the note, an id that no game has.
const SERVED: GameId = Uuid::from_u128(0x9f3c_51d2_6b1e_8d4a_9d27_0b6e_74aa_c015);

/// The maximum number of outages in the note; the latest ones are kept.
const KEPT: usize = 64;

/// The number of heartbeats of a process within the shortest outage.
const BEATS: u32 = 6;

/// The maximum number of tries of the compare-and-set against concurrent writers.
const MAX_TRIES: usize = 16;

/// A time in which no process served, in milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Outage {
    from_ms: u64,
    until_ms: u64,
}

/// The content of the note.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Served {
    /// The time of the last heartbeat of any process, in milliseconds since the Unix epoch. Is 0 before the first one.
    last_ms: u64,
    outages: Vec<Outage>,
}

/// The time that a game must be credited for outages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owed {
    /// The total length of the outages since the game's last entry, in milliseconds.
    pub(crate) ms: u64,
    /// The end of the last outage, in milliseconds since the Unix epoch.
    pub(crate) until_ms: u64,
}

/// This process's view of the outages, read from the note.
pub(crate) struct Outages {
    store: Arc<dyn GameStore>,
    /// The minimum length of an outage. Is `None` if outages are not credited.
    shortest: Option<Duration>,
    known: RwLock<Known>,
    /// Serializes the reads and writes of the note by this process.
    turn: Mutex<()>,
}

#[derive(Default)]
struct Known {
    outages: Vec<Outage>,
    /// The time at which this process last read the note, in milliseconds since the Unix epoch.
    at_ms: u64,
}

impl Outages {
    /// Creates the view of the outages in a store. Gaps not longer than `shortest` do not count.
    pub(crate) fn new(store: Arc<dyn GameStore>, shortest: Option<Duration>) -> Self {
        Self {
            store,
            shortest,
            known: RwLock::default(),
            turn: Mutex::default(),
        }
    }

    /// Returns the interval of this process's heartbeats. Returns `None` if outages are not credited.
    pub(crate) fn every(&self) -> Option<Duration> {
        self.shortest.map(|shortest| shortest / BEATS)
    }

    /// Returns whether the note was read so recently that no outage before this time can be unknown to this process.
    pub(crate) fn are_known(&self, now_ms: u64) -> bool {
        let Some(shortest) = self.shortest else {
            return true;
        };
        let at_ms = self.known.read().at_ms;
        now_ms.saturating_sub(at_ms) < millis(shortest / 2)
    }

    /// Returns the time that a game must be credited for the outages since its last entry, which was at `since_ms`
    /// milliseconds since the Unix epoch. Returns `None` if there were none.
    pub(crate) fn owed(&self, since_ms: u64) -> Option<Owed> {
        let known = self.known.read();
        let later = known
            .outages
            .iter()
            .filter(|outage| outage.until_ms > since_ms);
        let taken = later.map(|outage| outage.until_ms - outage.from_ms.max(since_ms));
        let until_ms = known.outages.last().map_or(0, |outage| outage.until_ms);
        let ms = taken.sum();
        (ms > 0).then_some(Owed { ms, until_ms })
    }

    /// Returns the end of the last known outage, in milliseconds since the Unix epoch. Returns 0 if there was none.
    pub(crate) fn last_end_ms(&self) -> u64 {
        let known = self.known.read();
        known.outages.last().map_or(0, |outage| outage.until_ms)
    }

    /// Writes a heartbeat, and reads the outages. When several processes come back at once, the compare-and-set lets
    /// one of them record the outage.
    ///
    /// # Errors
    /// If the store fails, or concurrent writers keep winning.
    pub(crate) async fn beat(&self, now_ms: u64) -> Result<(), Problem> {
        let Some(shortest) = self.shortest else {
            return Ok(());
        };
        let _turn = self.turn.lock().await;
        if self.was_just_read(now_ms, shortest) {
            return Ok(());
        }
        for _ in 0..MAX_TRIES {
            let before = self.store.note(SERVED).await?;
            let mut served = read(&before);
            let gap = now_ms.saturating_sub(served.last_ms);
            let is_outage = served.last_ms > 0 && gap > millis(shortest);
            if is_outage {
                tracing::warn!(
                    ms = gap,
                    "no process has served: the clocks of games move forward"
                );
                served.note(now_ms);
            }
            // Another process has just written a heartbeat, which serves for all.
            let is_noted = gap < millis(shortest / BEATS / 2);
            served.last_ms = served.last_ms.max(now_ms);
            if is_noted || self.store.set_note(SERVED, before, kept(&served)).await? {
                let mut known = self.known.write();
                known.outages = served.outages;
                known.at_ms = now_ms;
                return Ok(());
            }
        }
        Err(Problem::Contended)
    }

    /// Returns whether another call of this process has read the note while this one waited for its turn.
    fn was_just_read(&self, now_ms: u64, shortest: Duration) -> bool {
        let known = self.known.read();
        now_ms.saturating_sub(known.at_ms) < millis(shortest / BEATS / 2)
    }
}

impl Served {
    /// Records an outage that ends now.
    fn note(&mut self, now_ms: u64) {
        let outage = Outage {
            from_ms: self.last_ms,
            until_ms: now_ms,
        };
        self.outages.push(outage);
        let too_many = self.outages.len().saturating_sub(KEPT);
        self.outages.drain(..too_many);
    }
}

/// Decodes the note. A note that cannot be decoded is replaced by an empty one.
fn read(bytes: &[u8]) -> Served {
    if bytes.is_empty() {
        return Served::default();
    }
    decode(bytes).unwrap_or_else(|error| {
        tracing::error!(%error, "the note on outages cannot be read: it begins anew");
        Served::default()
    })
}

fn kept(served: &Served) -> Note {
    Note {
        bytes: encode(served).into(),
        until_ms: u64::MAX,
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
        one.beat(NOON).await.unwrap();
        other.beat(NOON + MINUTE).await.unwrap();
        assert_eq!(one.owed(0), None, "a minute is not longer than a minute");
        let back = NOON + 11 * MINUTE;
        other.beat(back).await.unwrap();
        one.beat(back + 500).await.unwrap();
        one.beat(back + MINUTE).await.unwrap();
        let owed = |ms| {
            let until_ms = back;
            Some(Owed { ms, until_ms })
        };
        for process in [&one, &other] {
            assert_eq!(process.owed(NOON), owed(10 * MINUTE));
            // The last entry was half a minute after the last heartbeat, so the game lost that much less time.
            assert_eq!(
                process.owed(NOON + MINUTE + 30_000),
                owed(10 * MINUTE - 30_000)
            );
            assert_eq!(process.owed(back), None, "the game has it back");
        }
    }

    /// While one process serves, the absence of the others is no outage.
    #[tokio::test]
    async fn one_process_alone_that_is_away_is_no_outage() {
        let [one, other] = processes();
        for minute in 0..30 {
            one.beat(NOON + minute * MINUTE / 2).await.unwrap();
        }
        other.beat(NOON + 15 * MINUTE).await.unwrap();
        assert_eq!((one.owed(0), other.owed(0)), (None, None));
    }

    #[tokio::test]
    async fn several_outages_add_up_and_the_latest_are_kept() {
        let [one] = processes();
        for number in 0..100 {
            one.beat(NOON + number * 2 * MINUTE).await.unwrap();
        }
        let last = NOON + 99 * 2 * MINUTE;
        let owed = one.owed(last - 5 * MINUTE).unwrap();
        assert_eq!((owed.ms, owed.until_ms), (5 * MINUTE, last));
        assert_eq!(one.owed(0).unwrap().ms, 64 * 2 * MINUTE);
        assert_eq!(one.last_end_ms(), last);
    }

    #[tokio::test]
    async fn a_process_knows_for_a_while_that_there_was_none() {
        let [one] = processes();
        assert!(!one.are_known(NOON));
        one.beat(NOON).await.unwrap();
        assert!(one.are_known(NOON + MINUTE / 3) && !one.are_known(NOON + MINUTE));
        let never = Outages::new(Arc::new(MemoryStore::new()), None);
        never.beat(NOON).await.unwrap();
        assert!(never.are_known(NOON) && never.every().is_none());
    }

    /// Of several processes with heartbeats at about the same time, only one writes the note.
    #[tokio::test]
    async fn what_was_just_written_is_not_written_again() {
        let [one, other, third, fourth] = processes();
        let shortest = Duration::from_millis(MINUTE);
        let written = async || read(&one.store.note(SERVED).await.unwrap()).last_ms;
        one.beat(NOON).await.unwrap();
        assert_eq!(one.every(), Some(Duration::from_secs(10)));
        assert!(one.was_just_read(NOON + 4_999, shortest));
        assert!(!one.was_just_read(NOON + 5_000, shortest));
        other.beat(NOON + 4_999).await.unwrap();
        assert_eq!(written().await, NOON);
        third.beat(NOON + 5_000).await.unwrap();
        assert_eq!(written().await, NOON + 5_000);
        fourth.beat(NOON + 15_000).await.unwrap();
        assert_eq!(written().await, NOON + 15_000);
        // The processes that did not write know as much as the one that did.
        for process in [&one, &other, &third, &fourth] {
            assert_eq!(process.owed(0), None);
        }
    }
}
