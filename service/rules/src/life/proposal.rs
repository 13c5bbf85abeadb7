//! Proposals: a seat asks for a change of the table, which happens once all other seats agree.

use serde::{Deserialize, Serialize};

use super::{Life, Moment, No, SeatClock, TakeBack};
use crate::table::{Seat, SeatSet};

/// A change that a seat proposes to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proposal {
    /// Reset the table to an earlier version.
    TakeBack {
        /// The version to go back to.
        to_version: u64,
    },
    /// Stop the clocks.
    Pause,
    /// End the game.
    End {
        /// Whether the seats are ranked by their current points. Otherwise there is no ranking.
        scored: bool,
    },
}

/// A proposal that waits for answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The version that the proposal created, by which answers refer to it.
    pub number: u64,
    /// The seat that asks.
    pub seat: Seat,
    /// The proposed change.
    pub proposal: Proposal,
    /// The seats that have agreed.
    pub agreed: SeatSet,
}

impl Life {
    /// Opens a proposal of a seat.
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

    /// Records the answer of a seat. The proposer can only withdraw. The last consent is not an answer: the proposed
    /// deed itself carries it.
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

    /// Closes the proposal with the consent of the last seat.
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

    /// Drops an open proposal to go back to an earlier version, because the game has gone on.
    pub(super) fn go_on(&mut self) {
        let is_of_past = |asked: &Asked| matches!(asked.proposal, Proposal::TakeBack { .. });
        self.asked = self.asked.filter(|asked| !is_of_past(asked));
    }

    /// Carries out a take-back. For a seat that takes back its own actions, returns its clock at that version, so that
    /// the clock continues as if it had never stopped.
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
