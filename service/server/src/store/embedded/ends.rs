//! Finished games that are due for packing or deletion.

use std::collections::VecDeque;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use uuid::Uuid;

use super::errors::{During, of_fjall};
use super::tables::Tables;
use crate::store::row::{decode_place, decode_row};
use crate::store::{GameId, StoreError};

/// The time between two searches for games to delete.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// The maximum number of games deleted at once.
const AT_ONCE: usize = 64;

/// Finds them from time to time.
pub(super) struct Ends {
    keep: Option<Duration>,
    looked: Option<Instant>,
    pack_after: Duration,
    /// Games to pack, and when. The earliest come first.
    unpacked: VecDeque<(Instant, GameId)>,
}

impl Ends {
    /// `keep`: how long finished games are kept. `None`: no limit.
    pub(super) fn new(keep: Option<Duration>, pack_after: Duration) -> Ends {
        Ends {
            keep,
            looked: None,
            pack_after,
            unpacked: VecDeque::new(),
        }
    }

    /// Schedules the games that the last process did not get to pack.
    pub(super) fn begin(&mut self, tables: &Tables) {
        for item in tables.unpacked.iter() {
            if let Ok(key) = item.key()
                && let Ok(id) = Uuid::from_slice(&key)
            {
                self.ended(id);
            }
        }
    }

    /// Schedules a finished game for packing.
    pub(super) fn ended(&mut self, id: GameId) {
        let due = Instant::now().checked_add(self.pack_after);
        self.unpacked.extend(due.map(|due| (due, id)));
    }

    /// The next game that is due for packing.
    pub(super) fn next_to_pack(&mut self) -> Option<GameId> {
        let (due, _) = self.unpacked.front()?;
        if *due > Instant::now() {
            return None;
        }
        self.unpacked.pop_front().map(|(_, id)| id)
    }

    /// The games to delete now. Also removes the ends of games that are gone or, created again under the
    /// same id, not finished.
    pub(super) fn due(&mut self, tables: &Tables, now_ms: u64) -> Result<Vec<GameId>, StoreError> {
        let Some(keep) = self.keep else {
            return Ok(Vec::new());
        };
        if self
            .looked
            .is_some_and(|at| at.elapsed() < LOOK_EVERY.min(keep))
        {
            return Ok(Vec::new());
        }
        let keep_ms = u64::try_from(keep.as_millis()).unwrap_or(u64::MAX);
        let until = now_ms.saturating_sub(keep_ms).to_be_bytes();
        let mut due = Vec::new();
        for item in tables.ends.range(..until.as_slice()).take(AT_ONCE) {
            let key = item.key().map_err(|error| of_fjall(&error, During::Read))?;
            let id = decode_place(&key).map(|place| place.id);
            match id {
                Some(id) if is_finished(tables, id) => due.push(id),
                Some(_) | None => {
                    let removed = tables.ends.remove(key);
                    removed.map_err(|error| of_fjall(&error, During::Write))?;
                }
            }
        }
        // If there may be more, the next group continues.
        self.looked = (due.len() < AT_ONCE).then(Instant::now);
        Ok(due)
    }
}

fn is_finished(tables: &Tables, id: GameId) -> bool {
    let row = tables.get(&tables.rows, id.as_bytes());
    let row = row.and_then(|row| row.map(|row| decode_row(&row)).transpose());
    matches!(row, Ok(Some(row)) if row.finished)
}

/// Milliseconds since the Unix epoch.
pub(super) fn now_ms() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}
