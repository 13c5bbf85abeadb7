//! Take-backs.

use super::{Asked, Life, Moment, No, SeatClock, TakeBack};
use crate::table::{Seat, SeatSet};

impl Life {
    /// A seat requests a take-back.
    pub(super) fn ask(&mut self, seat: Seat, to_version: u64, moment: Moment) -> Result<(), No> {
        if self.options.take_back != TakeBack::Agreed {
            return Err(No::NoTakeBack);
        }
        if self.left.contains(&seat) {
            return Err(No::HasLeft(seat));
        }
        if to_version == 0 || to_version + 1 >= moment.version {
            return Err(No::NothingToTakeBack);
        }
        self.asked = Some(Asked {
            number: moment.version,
            seat,
            to_version,
            agreed: SeatSet::EMPTY,
        });
        Ok(())
    }

    /// A seat agrees or declines; the seat that asked can only withdraw. The last consent is a
    /// [`Deed::TakenBack`](super::Deed::TakenBack) instead.
    pub(super) fn answer(&mut self, seat: Seat, agrees: bool) -> Result<(), No> {
        let missing = self.still_to_agree();
        let asked = self.asked.as_mut().ok_or(No::NotAsked(seat))?;
        if !agrees && (asked.seat == seat || !self.left.contains(&seat)) {
            self.asked = None;
            return Ok(());
        }
        if !agrees || !missing.contains(seat) || missing.len() == 1 {
            return Err(No::NotAsked(seat));
        }
        asked.agreed.insert(seat);
        Ok(())
    }

    /// Carries out a take-back. Returns the clock of a seat that took back its own actions, as it was
    /// then, so that it continues as if it had never stopped.
    pub(super) fn go_back(
        &mut self,
        seat: Seat,
        to_version: u64,
        agreed_by: Option<Seat>,
    ) -> Result<Option<(Seat, SeatClock)>, No> {
        match (self.options.take_back, agreed_by) {
            (TakeBack::Unseen, None) => self.step_back(seat, to_version),
            (TakeBack::Agreed, Some(last)) => {
                let wanted = |asked: &&Asked| asked.seat == seat && asked.to_version == to_version;
                let asked = self.asked.as_ref().filter(wanted);
                if asked.is_none() || self.still_to_agree().only() != Some(last) {
                    return Err(No::NotAsked(last));
                }
                self.asked = None;
                Ok(None)
            }
            (TakeBack::Never | TakeBack::Unseen | TakeBack::Agreed, _) => Err(No::NoTakeBack),
        }
    }

    fn step_back(&mut self, seat: Seat, to_version: u64) -> Result<Option<(Seat, SeatClock)>, No> {
        let clock = self.line.back_to(seat, to_version);
        let clock = clock.ok_or(No::NothingToTakeBack)?;
        Ok(clock.map(|clock| (seat, clock)))
    }
}
