//! The **undo** history: the last actions of a seat, which it can take back without asking.

use serde::{Deserialize, Serialize};

use super::clock::{Clock, SeatClock};
use super::options::{TableOptions, TakeBack};
use crate::ruleset::{Applied, Ruleset};
use crate::table::{GameEvent, Seat};

/// The maximum number of actions that a seat can take back without asking.
const MAX_STEPS: usize = 64;

/// The last actions of one seat since another seat acted or something was drawn or revealed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct UndoHistory {
    seat: Option<Seat>,
    steps: Vec<UndoStep>,
}

/// The version and the clock before one of these actions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct UndoStep {
    version: u64,
    clock: Option<SeatClock>,
}

impl UndoHistory {
    pub(super) fn versions(&self, seat: Seat) -> impl DoubleEndedIterator<Item = u64> {
        let steps = match self.seat {
            Some(owner) if owner == seat => &self.steps[..],
            Some(_) | None => &[],
        };
        steps.iter().map(|step| step.version)
    }

    /// Removes the actions after a version of this seat and returns its clock at that time. Returns `None` if the seat
    /// cannot go back there by itself.
    pub(super) fn undo_to(&mut self, seat: Seat, version: u64) -> Option<Option<SeatClock>> {
        let at = self
            .versions(seat)
            .position(|candidate| candidate == version)?;
        let step = self.steps.drain(at..).next()?;
        Some(step.clock)
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Records the action that made a version, if it can be taken back.
    pub(super) fn record<R: Ruleset>(
        &mut self,
        options: &TableOptions,
        clock: Option<&Clock>,
        (seat, applied): (Seat, &Applied<R>),
        version: u64,
    ) {
        match options.take_back {
            TakeBack::Never | TakeBack::Agreed => return,
            TakeBack::Unseen | TakeBack::UnseenOrAgreed => {}
        }
        if !applied.draws.is_empty() || applied.events.iter().any(GameEvent::reveals) {
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
        self.steps.push(UndoStep {
            version: version - 1,
            clock: clock.map(|clock| clock.of(seat)),
        });
    }
}
