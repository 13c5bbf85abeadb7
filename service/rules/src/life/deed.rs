//! Events at a table other than actions of the rules.

use serde::{Deserialize, Serialize};

use crate::table::Seat;

/// One such event. Logs identify variants by their index: new ones come last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Deed {
    /// The player of a seat left permanently.
    Resigned {
        /// The seat.
        seat: Seat,
    },
    /// The seat has a player again.
    Returned {
        /// The seat.
        seat: Seat,
    },
    /// A seat took too long.
    TimedOut {
        /// The seat.
        seat: Seat,
        /// The seat that claimed it. `None`: the owner of the game.
        claimed_by: Option<Seat>,
    },
    /// The clocks were stopped.
    Paused,
    /// The clocks run again.
    Resumed,
    /// A seat asks the others to go back to a version.
    TakeBackAsked {
        /// The seat.
        seat: Seat,
        /// The version to go back to.
        to_version: u64,
    },
    /// A seat agreed to go back, while others have not answered yet; or a seat declined, or the
    /// seat that asked withdrew.
    TakeBackAnswered {
        /// The seat.
        seat: Seat,
        /// Does it agree?
        agrees: bool,
    },
    /// The table is as it was at an earlier version.
    TakenBack {
        /// The seat that took something back, or asked to.
        seat: Seat,
        /// The version that it returned to.
        to_version: u64,
        /// The last seat that agreed. `None`: no consent was needed.
        agreed_by: Option<Seat>,
    },
}

impl Deed {
    /// The seats that it names.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        let (seat, other) = match self {
            Self::Resigned { seat }
            | Self::Returned { seat }
            | Self::TakeBackAsked { seat, .. }
            | Self::TakeBackAnswered { seat, .. } => (Some(*seat), None),
            Self::TimedOut { seat, claimed_by } => (Some(*seat), *claimed_by),
            Self::TakenBack {
                seat, agreed_by, ..
            } => (Some(*seat), *agreed_by),
            Self::Paused | Self::Resumed => (None, None),
        };
        seat.into_iter().chain(other)
    }

    /// Could this be repeated without limit while the game does not progress?
    pub(super) const fn is_extra(&self) -> bool {
        match self {
            Self::Returned { .. } | Self::Paused | Self::TakeBackAsked { .. } => true,
            Self::TakenBack { agreed_by, .. } => agreed_by.is_none(),
            // Each follows one of those, or happens once.
            Self::Resigned { .. }
            | Self::TimedOut { .. }
            | Self::Resumed
            | Self::TakeBackAnswered { .. } => false,
        }
    }

    /// The seat that caused it. `None`: the owner of the game.
    #[must_use]
    pub const fn actor(&self) -> Option<Seat> {
        match self {
            Self::Resigned { seat }
            | Self::TakeBackAsked { seat, .. }
            | Self::TakeBackAnswered { seat, .. } => Some(*seat),
            Self::TakenBack {
                seat, agreed_by, ..
            } => match agreed_by {
                Some(agreed_by) => Some(*agreed_by),
                None => Some(*seat),
            },
            Self::TimedOut { claimed_by, .. } => *claimed_by,
            Self::Returned { .. } | Self::Paused | Self::Resumed => None,
        }
    }
}
