//! Finished games that are due for packing or deletion.

use std::collections::VecDeque;
use std::ops::Bound;
use std::time::{Duration, Instant};

use fjall::Slice;
use uuid::Uuid;

use super::errors::{During, of_fjall};
use super::tables::Tables;
use crate::store::row::decode_place;
use crate::store::{GameId, StoreError};

/// The time between two sweeps for games to delete.
const SWEEP_EVERY: Duration = Duration::from_secs(10);

/// The least time between two sweeps, even if games are kept for a shorter time.
const LEAST_PAUSE: Duration = Duration::from_millis(100);

/// The time between two sweeps if finished games are kept without limit. They find only the ends of games that
/// were deleted, which just take room.
const SWEEP_GONE_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// The maximum number of ends that one group looks at. A sweep takes as many groups as it needs.
const AT_ONCE: usize = 64;

/// Periodically finds the finished games that are due.
pub(super) struct Ends {
    keep: Option<Duration>,
    /// When a sweep last began or went on.
    swept: Option<Instant>,
    /// Where the current sweep goes on. `None`: the last one is complete.
    reached: Option<Slice>,
    pack_after: Duration,
    /// Games to pack, and when. The earliest come first.
    unpacked: VecDeque<(Instant, GameId)>,
}

/// What is due for a game with an end.
enum Due {
    /// It is deleted.
    Game,
    /// It stays. Only its end is removed.
    End,
    /// Both stay.
    Nothing,
}

impl Ends {
    /// `keep`: how long finished games are kept. `None`: no limit.
    pub(super) fn new(keep: Option<Duration>, pack_after: Duration) -> Ends {
        Ends {
            keep,
            swept: None,
            reached: None,
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

    /// When there is something to do next, even if no change arrives.
    pub(super) fn next(&self) -> Instant {
        let sweep = self.next_sweep();
        let packing = self.unpacked.front();
        packing.map_or(sweep, |(due, _)| sweep.min(*due))
    }

    fn next_sweep(&self) -> Instant {
        let pause = self.keep.map_or(SWEEP_GONE_EVERY, |keep| {
            keep.clamp(LEAST_PAUSE, SWEEP_EVERY)
        });
        let later = self.swept.filter(|_| self.reached.is_none());
        later.map_or_else(Instant::now, |swept| swept + pause)
    }

    /// The games to delete now. Also removes the ends of games that are gone or, created again under the
    /// same id, not finished.
    pub(super) fn due(&mut self, tables: &Tables, now_ms: u64) -> Result<Vec<GameId>, StoreError> {
        if self.next_sweep() > Instant::now() {
            return Ok(Vec::new());
        }
        // Set first, so that the next attempt waits after an error too.
        self.swept = Some(Instant::now());
        let keep_ms = self.keep.unwrap_or_default().as_millis();
        let keep_ms = u64::try_from(keep_ms).unwrap_or(u64::MAX);
        let until = Slice::from(now_ms.saturating_sub(keep_ms).to_be_bytes());
        let reached = self.reached.take().filter(|reached| *reached < until);
        let from = reached.map_or(Bound::Unbounded, Bound::Excluded);
        let (mut due, mut looked_at) = (Vec::new(), 0);
        let ends = tables.ends.range((from, Bound::Excluded(until)));
        for item in ends.take(AT_ONCE) {
            let key = item.key().map_err(|error| of_fjall(&error, During::Read))?;
            looked_at += 1;
            self.reached = (looked_at == AT_ONCE).then(|| key.clone());
            let id = decode_place(&key).map(|place| place.id);
            let due_for = |id| match self.keep {
                Some(_) => Ok(due_for(tables, id)),
                None => due_without_limit(tables, id),
            };
            match id.map_or(Ok(Due::End), due_for)? {
                Due::Game => due.extend(id),
                Due::End => {
                    let removed = tables.ends.remove(key);
                    removed.map_err(|error| of_fjall(&error, During::Write))?;
                }
                Due::Nothing => {}
            }
        }
        Ok(due)
    }
}

/// What is due for a game whose end is long ago. A game that cannot be read does not keep others from expiring.
fn due_for(tables: &Tables, id: GameId) -> Due {
    let due = try_due_for(tables, id).and_then(|due| {
        due.ok_or_else(|| StoreError::Damaged("it has no readable row, and may be active".into()))
    });
    due.unwrap_or_else(|error| {
        tracing::warn!(%id, %error, "a game does not expire");
        Due::Nothing
    })
}

/// What is due for a game with an end if finished games are kept.
fn due_without_limit(tables: &Tables, id: GameId) -> Result<Due, StoreError> {
    let exists = tables.has_game(id)? || tables.is_lost(id);
    Ok(if exists { Due::Nothing } else { Due::End })
}

/// `None`: unknown. The end may be that of an earlier game with the same id.
fn try_due_for(tables: &Tables, id: GameId) -> Result<Option<Due>, StoreError> {
    if let Some(row) = tables.readable_row(id)? {
        return Ok(Some(if row.finished { Due::Game } else { Due::End }));
    }
    // Only finished games are packed, or wait for it.
    if tables.is_packed(id)? || tables.is_unpacked(id)? {
        return Ok(Some(Due::Game));
    }
    let exists = tables.has_game(id)? || tables.is_lost(id);
    Ok((!exists).then_some(Due::End))
}
