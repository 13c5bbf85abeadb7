//! Take-backs.

use serde::{Deserialize, Serialize};

use super::{Clock, Life, Moment, No, SeatClock, TableOptions, TakeBack};
use crate::ruleset::{Applied, Ruleset};
use crate::table::{Happening, Seat, SeatSet};

/// The maximum number of actions that a seat can take back without asking.
const MAX_STEPS: usize = 64;

/// A seat's request to return to an earlier version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The version that the request made: answers name it.
    pub number: u64,
    /// The seat that asks.
    pub seat: Seat,
    /// The version to go back to.
    pub to_version: u64,
    /// The seats that have agreed.
    pub agreed: SeatSet,
}

/// The last actions of one seat, as far as nobody else acted and nothing was drawn or revealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    seat: Option<Seat>,
    steps: Vec<Step>,
}

/// The table before one of these actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Step {
    version: u64,
    clock: Option<SeatClock>,
}

impl Line {
    pub(super) fn versions(&self, seat: Seat) -> impl DoubleEndedIterator<Item = u64> {
        let steps = match self.seat {
            Some(own) if own == seat => &self.steps[..],
            Some(_) | None => &[],
        };
        steps.iter().map(|step| step.version)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Notes an action, if it can be taken back.
    pub(super) fn played<R: Ruleset>(
        &mut self,
        options: &TableOptions,
        clock: Option<&Clock>,
        (seat, applied): (Seat, &Applied<R>),
        moment: Moment,
    ) {
        if options.take_back != TakeBack::Unseen {
            return;
        }
        if !applied.draws.is_empty() || applied.events.iter().any(Happening::reveals) {
            self.clear();
            return;
        }
        if self.seat != Some(seat) {
            self.clear();
            self.seat = Some(seat);
        }
        if self.steps.len() == MAX_STEPS {
            self.steps.remove(0);
        }
        self.steps.push(Step {
            version: moment.version - 1,
            clock: clock.map(|clock| clock.of(seat)),
        });
    }
}

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
        let mut versions = self.line.versions(seat);
        let at = versions.position(|version| version == to_version);
        drop(versions);
        let at = at.ok_or(No::NothingToTakeBack)?;
        let step = self.line.steps.drain(at..).next();
        Ok(step.and_then(|step| Some((seat, step.clock?))))
    }
}
