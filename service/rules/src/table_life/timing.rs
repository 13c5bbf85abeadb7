//! Effects of clocks on a table: timeouts, pauses and resumptions.

use super::{End, EntryStamp, OnTimeout, OpenProposal, Proposal, TableLife, TableRefusal, leaving};
use crate::ruleset::{Applied, Ruleset};
use crate::table::{PendingList, Seat, SeatSet};

impl TableLife {
    /// Adds time to the banks of seats.
    pub(super) fn add_time(&mut self, seats: SeatSet, ms: u64) -> Result<(), TableRefusal> {
        let clock = self.clock.as_mut().ok_or(TableRefusal::NoClock)?;
        for seat in seats.iter() {
            if self.left.contains(&seat) {
                return Err(TableRefusal::HasLeft(seat));
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
    ) -> Result<(), TableRefusal> {
        self.check_not_paused()?;
        let pending_seats: SeatSet = pending.iter().map(|pending| pending.seat).collect();
        let is_other = |seat: &Seat| seats.contains(*seat) != pending_seats.contains(*seat);
        if let Some(seat) = Seat::all(self.seats.into()).find(is_other) {
            return Err(TableRefusal::NoPendingDecision(seat));
        }
        if let Some(clock) = &mut self.clock {
            clock.pause_for(ms, at_ms);
        }
        Ok(())
    }

    /// Fails unless the clocks run, so that they can stop.
    pub(super) fn check_not_paused(&self) -> Result<(), TableRefusal> {
        let clock = self.clock.as_ref().ok_or(TableRefusal::NoClock)?;
        match clock.is_paused() {
            true => Err(TableRefusal::Paused),
            false => Ok(()),
        }
    }

    /// Stops the clocks, by the owner or because this seat agreed last.
    pub(super) fn pause(
        &mut self,
        agreed_by: Option<Seat>,
        at_ms: u64,
    ) -> Result<(), TableRefusal> {
        self.check_not_paused()?;
        if let Some(last) = agreed_by {
            self.consent(last, Proposal::Pause)?;
        }
        let is_pause = |open_proposal: &OpenProposal| open_proposal.proposal == Proposal::Pause;
        self.open_proposal = self
            .open_proposal
            .filter(|open_proposal| !is_pause(open_proposal));
        if let Some(clock) = &mut self.clock {
            clock.paused_at = Some(at_ms);
        }
        Ok(())
    }

    /// Starts the clocks again, by the owner or by a seat.
    pub(super) fn resume(&mut self, by: Option<Seat>, at_ms: u64) -> Result<(), TableRefusal> {
        if let Some(seat) = by {
            if !self.options.pause_by_agreement {
                return Err(TableRefusal::NotByAgreement);
            }
            if self.left.contains(&seat) {
                return Err(TableRefusal::HasLeft(seat));
            }
        }
        let clock = self.clock.as_mut().ok_or(TableRefusal::NoClock)?;
        let since = clock.paused_at.take().ok_or(TableRefusal::NotPaused)?;
        clock.paused_ms += at_ms.saturating_sub(since);
        Ok(())
    }

    /// Claims that a seat is late, and carries out the consequence.
    pub(super) fn time_out<R: Ruleset>(
        &mut self,
        seat: Seat,
        pending: &PendingList,
        applied: &mut Applied<R>,
        stamp: EntryStamp,
    ) -> Result<(), TableRefusal> {
        let clock = self.clock.as_ref().ok_or(TableRefusal::NoClock)?;
        if clock.is_paused() {
            return Err(TableRefusal::Paused);
        }
        if !pending.iter().any(|pending| pending.seat == seat) {
            return Err(TableRefusal::NoPendingDecision(seat));
        }
        let due = clock
            .due_ms(seat)
            .ok_or(TableRefusal::NoPendingDecision(seat))?;
        if stamp.at_ms < due {
            let left_ms = due - stamp.at_ms;
            return Err(TableRefusal::NotOverdue { seat, left_ms });
        }
        match clock.options.on_timeout {
            OnTimeout::Resign => self.leave(seat, End::Abandoned),
            OnTimeout::Fallback => {
                leaving::apply_fallback::<R>(applied, seat);
                self.undo_history.clear();
                self.void_proposals();
                Ok(())
            }
        }
    }
}
