//! Proposals: a seat asks for a change of the table, which happens once all other seats agree.

use serde::{Deserialize, Serialize};

use super::{EntryStamp, SeatClock, TableLife, TableRefusal, TakeBack};
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
pub struct OpenProposal {
    /// The version that the proposal created, by which answers refer to it.
    pub number: u64,
    /// The seat that asks.
    pub seat: Seat,
    /// The proposed change.
    pub proposal: Proposal,
    /// The seats that have agreed.
    pub agreed: SeatSet,
}

impl TableLife {
    /// Opens a proposal of a seat.
    pub(super) fn propose(
        &mut self,
        seat: Seat,
        proposal: Proposal,
        stamp: EntryStamp,
    ) -> Result<(), TableRefusal> {
        match proposal {
            Proposal::TakeBack { to_version } => {
                self.check_take_back_proposal(to_version, stamp)?;
            }
            Proposal::Pause if !self.options.pause_by_agreement => {
                return Err(TableRefusal::NotByAgreement);
            }
            Proposal::Pause => self.check_not_paused()?,
            Proposal::End { .. } if !self.options.end_by_agreement => {
                return Err(TableRefusal::NotByAgreement);
            }
            Proposal::End { .. } => {}
        }
        if self.left.contains(&seat) {
            return Err(TableRefusal::HasLeft(seat));
        }
        self.open_proposal = Some(OpenProposal {
            number: stamp.version,
            seat,
            proposal,
            agreed: SeatSet::EMPTY,
        });
        Ok(())
    }

    fn check_take_back_proposal(
        &self,
        to_version: u64,
        stamp: EntryStamp,
    ) -> Result<(), TableRefusal> {
        match self.options.take_back {
            TakeBack::Never | TakeBack::Unseen => return Err(TableRefusal::NoTakeBack),
            TakeBack::Agreed | TakeBack::UnseenOrAgreed => {}
        }
        if to_version == 0 || to_version + 1 >= stamp.version {
            return Err(TableRefusal::NothingToTakeBack);
        }
        Ok(())
    }

    /// Records the answer of a seat. The proposer can only withdraw. The last consent is not an answer: the proposed
    /// table event itself carries it.
    pub(super) fn answer_proposal(&mut self, seat: Seat, agrees: bool) -> Result<(), TableRefusal> {
        let seats_to_agree = self.seats_to_agree();
        let open_proposal = self
            .open_proposal
            .as_mut()
            .ok_or(TableRefusal::NoOpenProposal(seat))?;
        if !agrees && (open_proposal.seat == seat || !self.left.contains(&seat)) {
            self.open_proposal = None;
            return Ok(());
        }
        if !agrees || !seats_to_agree.contains(seat) || seats_to_agree.len() == 1 {
            return Err(TableRefusal::NoOpenProposal(seat));
        }
        open_proposal.agreed.insert(seat);
        Ok(())
    }

    /// Closes the proposal with the consent of the last seat.
    pub(super) fn consent(
        &mut self,
        last: Seat,
        proposal: Proposal,
    ) -> Result<OpenProposal, TableRefusal> {
        let open_proposal = self
            .open_proposal
            .filter(|open_proposal| open_proposal.proposal == proposal);
        match open_proposal {
            Some(open_proposal) if self.seats_to_agree().only() == Some(last) => {
                self.open_proposal = None;
                Ok(open_proposal)
            }
            Some(_) | None => Err(TableRefusal::NoOpenProposal(last)),
        }
    }

    /// Drops an open proposal to go back to an earlier version, because the game has gone on.
    pub(super) fn void_proposals(&mut self) {
        let is_take_back = |open_proposal: &OpenProposal| {
            matches!(open_proposal.proposal, Proposal::TakeBack { .. })
        };
        self.open_proposal = self
            .open_proposal
            .filter(|open_proposal| !is_take_back(open_proposal));
    }

    /// Carries out a take-back. For a seat that takes back its own actions, returns its clock at that version, so that
    /// the clock continues as if it had never stopped.
    pub(super) fn take_back(
        &mut self,
        seat: Seat,
        to_version: u64,
        agreed_by: Option<Seat>,
    ) -> Result<Option<(Seat, SeatClock)>, TableRefusal> {
        match (self.options.take_back, agreed_by) {
            (TakeBack::Unseen | TakeBack::UnseenOrAgreed, None) => {
                let clock = self.undo_history.undo_to(seat, to_version);
                let clock = clock.ok_or(TableRefusal::NothingToTakeBack)?;
                self.void_proposals();
                Ok(clock.map(|clock| (seat, clock)))
            }
            (TakeBack::Agreed | TakeBack::UnseenOrAgreed, Some(last)) => {
                let open_proposal = self
                    .open_proposal
                    .filter(|open_proposal| open_proposal.seat == seat);
                open_proposal.ok_or(TableRefusal::NoOpenProposal(last))?;
                self.consent(last, Proposal::TakeBack { to_version })?;
                self.undo_history.clear();
                Ok(None)
            }
            (TakeBack::Never | TakeBack::Unseen | TakeBack::Agreed, _) => {
                Err(TableRefusal::NoTakeBack)
            }
        }
    }
}
