//! Effects of clocks on a table: timeouts, pauses and resumptions.

use super::{Asked, End, Life, Moment, No, OnTimeout, Proposal, leaving};
use crate::ruleset::{Applied, Ruleset};
use crate::table::{PendingList, Seat, SeatSet};

impl Life {
    /// Adds time to the banks of seats.
    pub(super) fn add_time(&mut self, seats: SeatSet, ms: u64) -> Result<(), No> {
        let clock = self.clock.as_mut().ok_or(No::NoClock)?;
        for seat in seats.iter() {
            if self.left.contains(&seat) {
                return Err(No::HasLeft(seat));
            }
            clock.add(seat, ms);
        }
        Ok(())
    }

    /// Credits an outage: moves the clocks forward. The seats must be those that owe a decision.
    pub(super) fn outage(
        &mut self,
        (seats, ms): (SeatSet, u64),
        pending: &PendingList,
        at_ms: u64,
    ) -> Result<(), No> {
        self.may_pause()?;
        let owing: SeatSet = pending.iter().map(|owed| owed.seat).collect();
        let is_other = |seat: &Seat| seats.contains(*seat) != owing.contains(*seat);
        if let Some(seat) = Seat::all(self.seats.into()).find(is_other) {
            return Err(No::OwesNothing(seat));
        }
        if let Some(clock) = &mut self.clock {
            clock.stand_still(ms, at_ms);
        }
        Ok(())
    }

    /// Fails unless the clocks run, so that they can stop.
    pub(super) fn may_pause(&self) -> Result<(), No> {
        let clock = self.clock.as_ref().ok_or(No::NoClock)?;
        match clock.is_paused() {
            true => Err(No::Paused),
            false => Ok(()),
        }
    }

    /// Stops the clocks, by the owner or because this seat agreed last.
    pub(super) fn pause(&mut self, agreed_by: Option<Seat>, at_ms: u64) -> Result<(), No> {
        self.may_pause()?;
        if let Some(last) = agreed_by {
            self.consent(last, Proposal::Pause)?;
        }
        let is_pause = |asked: &Asked| asked.proposal == Proposal::Pause;
        self.asked = self.asked.filter(|asked| !is_pause(asked));
        if let Some(clock) = &mut self.clock {
            clock.paused_at = Some(at_ms);
        }
        Ok(())
    }

    /// Starts the clocks again, by the owner or by a seat.
    pub(super) fn resume(&mut self, by: Option<Seat>, at_ms: u64) -> Result<(), No> {
        if let Some(seat) = by {
            if !self.options.pause_by_agreement {
                return Err(No::NotByAgreement);
            }
            if self.left.contains(&seat) {
                return Err(No::HasLeft(seat));
            }
        }
        let clock = self.clock.as_mut().ok_or(No::NoClock)?;
        let since = clock.paused_at.take().ok_or(No::NotPaused)?;
        clock.paused_ms += at_ms.saturating_sub(since);
        Ok(())
    }

    /// Claims that a seat is late, and carries out the consequence.
    pub(super) fn time_out<R: Ruleset>(
        &mut self,
        seat: Seat,
        pending: &PendingList,
        applied: &mut Applied<R>,
        moment: Moment,
    ) -> Result<(), No> {
        let clock = self.clock.as_ref().ok_or(No::NoClock)?;
        if clock.is_paused() {
            return Err(No::Paused);
        }
        if !pending.iter().any(|owed| owed.seat == seat) {
            return Err(No::OwesNothing(seat));
        }
        let due = clock.due_ms(seat).ok_or(No::OwesNothing(seat))?;
        if moment.at_ms < due {
            let left_ms = due - moment.at_ms;
            return Err(No::NotDue { seat, left_ms });
        }
        match clock.options.on_timeout {
            OnTimeout::Resign => self.leave(seat, End::Abandoned),
            OnTimeout::Fallback => {
                leaving::answer::<R>(applied, seat);
                self.line.clear();
                self.go_on();
                Ok(())
            }
        }
    }
}
