//! The **time control** of seats. The recorded times of log entries are authoritative: a claim that a seat is late is
//! judged by them, whichever caller makes it.
//!
//! Clocks count in table time, which stops while the game is paused.

use serde::{Deserialize, Serialize};

use super::options::ClockOptions;
use crate::table::{PendingList, PerSeat, Seat, SeatSet};

/// The clocks of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    pub(super) options: ClockOptions,
    /// The beginning of the pause, in milliseconds since the game was created. Is `None` while the clocks run.
    pub(super) paused_at: Option<u64>,
    /// The total length of earlier pauses.
    pub(super) paused_ms: u64,
    pub(super) seats: PerSeat<SeatClock>,
}

/// The clock of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatClock {
    /// The time left in the bank when the last decision became pending.
    pub(super) bank_ms: u64,
    /// The table time at which the open decision was asked.
    pub(super) since: Option<u64>,
}

const fn ms(seconds: u32) -> u64 {
    seconds as u64 * 1_000
}

impl Clock {
    pub(super) fn new(options: ClockOptions, seats: usize, pending: &PendingList) -> Self {
        let owes = |seat| pending.iter().any(|pending| pending.seat == seat);
        Self {
            options,
            paused_at: None,
            paused_ms: 0,
            seats: PerSeat::new(seats, |seat| SeatClock {
                bank_ms: ms(options.bank_seconds),
                since: owes(seat).then_some(0),
            }),
        }
    }

    /// Returns whether the clocks are paused.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused_at.is_some()
    }

    /// Returns the time at which the seat was asked for the decision that it owes, in milliseconds since the game was
    /// created, moved forward by the pauses since then.
    #[must_use]
    pub fn since_ms(&self, seat: Seat) -> Option<u64> {
        Some(self.seats[seat].since? + self.paused_ms)
    }

    /// Returns the deadline of the seat, in milliseconds since the game was created. Returns `None` if it owes no
    /// decision, or if the game is paused.
    #[must_use]
    pub fn due_ms(&self, seat: Seat) -> Option<u64> {
        if self.is_paused() {
            return None;
        }
        let allowed = ms(self.options.decision_seconds) + self.seats[seat].bank_ms;
        Some(self.since_ms(seat)?.saturating_add(allowed))
    }

    /// Returns the time left in the bank when the last decision became pending.
    #[must_use]
    pub fn bank_ms(&self, seat: Seat) -> u64 {
        self.seats[seat].bank_ms
    }

    pub(super) fn of(&self, seat: Seat) -> SeatClock {
        self.seats[seat]
    }

    /// Restores a seat's clock: it continues as if it had never stopped.
    pub(super) fn set(&mut self, seat: Seat, clock: SeatClock) {
        self.seats[seat] = clock;
    }

    /// Fills the bank of a seat.
    pub(super) fn fill(&mut self, seat: Seat) {
        self.seats[seat].bank_ms = ms(self.options.bank_seconds);
    }

    /// Adds to the bank of a seat.
    pub(super) fn add(&mut self, seat: Seat, ms: u64) {
        let bank = &mut self.seats[seat].bank_ms;
        *bank = bank.saturating_add(ms);
    }

    /// Treats the time just passed as a pause: moves all deadlines forward by it.
    pub(super) fn pause_for(&mut self, ms: u64, at_ms: u64) {
        self.paused_ms = self.paused_ms.saturating_add(ms).min(at_ms);
    }

    /// Converts a time since creation to table time.
    pub(super) fn time(&self, at_ms: u64) -> u64 {
        self.paused_at
            .unwrap_or(at_ms)
            .saturating_sub(self.paused_ms)
    }

    /// Stops the clocks of decisions that are no longer pending, and starts those of new ones.
    pub(super) fn on_answered(
        &mut self,
        before: &PendingList,
        after: &PendingList,
        answered: SeatSet,
        actor: Option<Seat>,
        at_ms: u64,
    ) {
        let now = self.time(at_ms);
        let decision = |pending: &PendingList, seat| {
            let open = pending.iter().find(|open| open.seat == seat)?;
            Some(open.decision)
        };
        for seat in self.seats.seats() {
            let open = decision(after, seat);
            if open == decision(before, seat) && !answered.contains(seat) {
                continue;
            }
            let increment = match actor == Some(seat) {
                true => ms(self.options.increment_seconds),
                false => 0,
            };
            let allowed = ms(self.options.decision_seconds);
            let clock = &mut self.seats[seat];
            if let Some(since) = clock.since {
                let beyond = now.saturating_sub(since).saturating_sub(allowed);
                clock.bank_ms = clock.bank_ms.saturating_sub(beyond);
                clock.bank_ms = clock.bank_ms.saturating_add(increment);
            }
            clock.since = open.map(|_| now);
        }
    }
}
