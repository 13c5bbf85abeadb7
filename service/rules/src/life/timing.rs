//! What clocks do to a table: seats run out of time, games pause and resume.

use super::{End, Life, Moment, No, OnTimeout, leaving};
use crate::ruleset::{Applied, Ruleset};
use crate::table::{PendingList, Seat};

impl Life {
    pub(super) fn pause(&mut self, at_ms: u64) -> Result<(), No> {
        let clock = self.clock.as_mut().ok_or(No::NoClock)?;
        if clock.is_paused() {
            return Err(No::Paused);
        }
        clock.paused_at = Some(at_ms);
        Ok(())
    }

    pub(super) fn resume(&mut self, at_ms: u64) -> Result<(), No> {
        let clock = self.clock.as_mut().ok_or(No::NoClock)?;
        let since = clock.paused_at.take().ok_or(No::NotPaused)?;
        clock.paused_ms += at_ms.saturating_sub(since);
        Ok(())
    }

    /// Claims that a seat is late.
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
                self.asked = None;
                Ok(())
            }
        }
    }
}
