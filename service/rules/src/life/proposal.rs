//! What a seat asks the others for, and what happens once all agree.

use serde::{Deserialize, Serialize};

use super::{Life, Moment, No, SeatClock, TakeBack};
use crate::table::{Seat, SeatSet};

/// What a seat asks the others for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proposal {
    /// The table is to be as it was at an earlier version.
    TakeBack {
        /// The version to go back to.
        to_version: u64,
    },
    /// The clocks are to stop.
    Pause,
    /// The game is to end.
    End {
        /// Ranked by the points of that moment? Otherwise nobody is ranked.
        scored: bool,
    },
}

/// A proposal that waits for answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The version that the proposal made: answers name it.
    pub number: u64,
    /// The seat that asks.
    pub seat: Seat,
    /// What it asks for.
    pub proposal: Proposal,
    /// The seats that have agreed.
    pub agreed: SeatSet,
}

impl Life {
    /// A seat proposes something.
    pub(super) fn propose(
        &mut self,
        seat: Seat,
        proposal: Proposal,
        moment: Moment,
    ) -> Result<(), No> {
        match proposal {
            Proposal::TakeBack { to_version } => self.may_ask_back(to_version, moment)?,
            Proposal::Pause if !self.options.pause_by_agreement => return Err(No::NotByAgreement),
            Proposal::Pause => self.may_pause()?,
            Proposal::End { .. } if !self.options.end_by_agreement => {
                return Err(No::NotByAgreement);
            }
            Proposal::End { .. } => {}
        }
        if self.left.contains(&seat) {
            return Err(No::HasLeft(seat));
        }
        self.asked = Some(Asked {
            number: moment.version,
            seat,
            proposal,
            agreed: SeatSet::EMPTY,
        });
        Ok(())
    }

    fn may_ask_back(&self, to_version: u64, moment: Moment) -> Result<(), No> {
        match self.options.take_back {
            TakeBack::Never | TakeBack::Unseen => return Err(No::NoTakeBack),
            TakeBack::Agreed | TakeBack::UnseenOrAgreed => {}
        }
        if to_version == 0 || to_version + 1 >= moment.version {
            return Err(No::NothingToTakeBack);
        }
        Ok(())
    }

    /// A seat agrees or declines; the seat that asked can only withdraw. The last consent is the deed that was
    /// proposed instead.
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

    /// The last seat agrees: what was proposed is open no longer.
    pub(super) fn consent(&mut self, last: Seat, proposal: Proposal) -> Result<Asked, No> {
        let asked = self.asked.filter(|asked| asked.proposal == proposal);
        match asked {
            Some(asked) if self.still_to_agree().only() == Some(last) => {
                self.asked = None;
                Ok(asked)
            }
            Some(_) | None => Err(No::NotAsked(last)),
        }
    }

    /// The game goes on: a proposal to go back to an earlier version is void.
    pub(super) fn go_on(&mut self) {
        let is_of_past = |asked: &Asked| matches!(asked.proposal, Proposal::TakeBack { .. });
        self.asked = self.asked.filter(|asked| !is_of_past(asked));
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
            (TakeBack::Unseen | TakeBack::UnseenOrAgreed, None) => {
                let clock = self.line.back_to(seat, to_version);
                let clock = clock.ok_or(No::NothingToTakeBack)?;
                self.go_on();
                Ok(clock.map(|clock| (seat, clock)))
            }
            (TakeBack::Agreed | TakeBack::UnseenOrAgreed, Some(last)) => {
                let asked = self.asked.filter(|asked| asked.seat == seat);
                asked.ok_or(No::NotAsked(last))?;
                self.consent(last, Proposal::TakeBack { to_version })?;
                self.line.clear();
                Ok(None)
            }
            (TakeBack::Never | TakeBack::Unseen | TakeBack::Agreed, _) => Err(No::NoTakeBack),
        }
    }
}
