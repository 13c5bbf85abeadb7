//! Table events: entries of a game's log other than actions of the rules.

use serde::{Deserialize, Serialize};

use super::Proposal;
use crate::table::{Count, JoinAnd, Names, Seat, SeatSet};

/// A table event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum TableEvent {
    /// The player of a seat left permanently.
    Resigned {
        /// The seat.
        seat: Seat,
    },
    /// The seat has a player again.
    SeatFilled {
        /// The seat.
        seat: Seat,
    },
    /// A seat took too long.
    TimedOut {
        /// The seat.
        seat: Seat,
        /// The seat that claimed the timeout. Is `None` if the owner of the game claimed it.
        claimed_by: Option<Seat>,
    },
    /// Seats got more time.
    TimeAdded {
        /// The seats.
        seats: SeatSet,
        /// The number of milliseconds that each of them got.
        ms: u64,
    },
    /// The clocks were stopped.
    Paused {
        /// The last seat that agreed. Is `None` if the owner of the game stopped the clocks.
        agreed_by: Option<Seat>,
    },
    /// The clocks run again.
    Resumed {
        /// The seat that resumed the game. Is `None` if its owner did.
        seat: Option<Seat>,
    },
    /// A seat proposes something to the others.
    Proposed {
        /// The seat.
        seat: Seat,
        /// The change that the others are asked to agree to.
        proposal: Proposal,
    },
    /// A seat agreed, while others have not answered yet; or a seat declined, or the proposer withdrew.
    Answered {
        /// The seat.
        seat: Seat,
        /// Whether the seat agrees.
        agrees: bool,
    },
    /// The table was reset to an earlier version.
    TakenBack {
        /// The seat that took back its actions, or proposed the take-back.
        seat: Seat,
        /// The version that the table returned to.
        to_version: u64,
        /// The last seat that agreed. Is `None` if no consent was needed.
        agreed_by: Option<Seat>,
    },
    /// The game was ended.
    Ended {
        /// The last seat that agreed. Is `None` if the owner of the game ended it.
        agreed_by: Option<Seat>,
        /// Whether the players agreed to rank the seats by their current points.
        scored: bool,
    },
    /// The service could not be reached for a while. The outage is charged to no seat: the clocks move forward by its
    /// length.
    OutagePassed {
        /// The seats that owe a decision.
        seats: SeatSet,
        /// The length of the outage, in milliseconds.
        ms: u64,
    },
}

impl TableEvent {
    /// Yields the seats that the event names.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        let (seat, other) = match self {
            Self::Resigned { seat }
            | Self::SeatFilled { seat }
            | Self::Proposed { seat, .. }
            | Self::Answered { seat, .. } => (Some(*seat), None),
            Self::TimedOut { seat, claimed_by } => (Some(*seat), *claimed_by),
            Self::TakenBack {
                seat, agreed_by, ..
            } => (Some(*seat), *agreed_by),
            Self::Paused { agreed_by: seat }
            | Self::Resumed { seat }
            | Self::Ended {
                agreed_by: seat, ..
            } => (*seat, None),
            // A set may name seats that do not exist. Its lowest and its highest seat are enough to find that out.
            Self::TimeAdded { seats, .. } | Self::OutagePassed { seats, .. } => {
                (seats.iter().next(), seats.iter().next_back())
            }
        };
        seat.into_iter().chain(other)
    }

    /// Could this be repeated without limit while the game does not progress?
    pub(super) const fn is_non_progress(&self) -> bool {
        match self {
            Self::SeatFilled { .. } | Self::TimeAdded { .. } | Self::Proposed { .. } => true,
            Self::Paused { agreed_by } | Self::TakenBack { agreed_by, .. } => agreed_by.is_none(),
            // Each of these follows one of the events above, or happens at most once.
            Self::Resigned { .. }
            | Self::TimedOut { .. }
            | Self::Resumed { .. }
            | Self::Answered { .. }
            | Self::Ended { .. }
            | Self::OutagePassed { .. } => false,
        }
    }

    /// Returns the seat whose timeout was claimed by the service or the owner, and not by a seat.
    pub(super) const fn unclaimed_timeout(&self) -> Option<Seat> {
        let Self::TimedOut {
            seat,
            claimed_by: None,
        } = self
        else {
            return None;
        };
        Some(*seat)
    }

    /// Returns the seat that caused the event, or `None` if the owner of the game did.
    #[must_use]
    pub const fn actor(&self) -> Option<Seat> {
        match self {
            Self::Resigned { seat } | Self::Proposed { seat, .. } | Self::Answered { seat, .. } => {
                Some(*seat)
            }
            Self::TakenBack {
                seat, agreed_by, ..
            } => match agreed_by {
                Some(agreed_by) => Some(*agreed_by),
                None => Some(*seat),
            },
            Self::TimedOut {
                claimed_by: actor, ..
            }
            | Self::Paused { agreed_by: actor }
            | Self::Resumed { seat: actor }
            | Self::Ended {
                agreed_by: actor, ..
            } => *actor,
            Self::SeatFilled { .. } | Self::TimeAdded { .. } | Self::OutagePassed { .. } => None,
        }
    }

    /// Returns the seat that the event is about, if it is about one.
    #[must_use]
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Self::Resigned { seat }
            | Self::SeatFilled { seat }
            | Self::TimedOut { seat, .. }
            | Self::Proposed { seat, .. }
            | Self::Answered { seat, .. }
            | Self::TakenBack { seat, .. } => Some(*seat),
            Self::Resumed { seat } => *seat,
            Self::TimeAdded { seats, .. } | Self::OutagePassed { seats, .. } => seats.only(),
            Self::Paused { .. } | Self::Ended { .. } => None,
        }
    }

    /// Returns the event as a sentence.
    #[must_use]
    pub fn sentence(&self, names: Names<'_>) -> String {
        match self {
            Self::Resigned { seat } => format!("{} leaves the game.", names.who(*seat)),
            Self::SeatFilled { seat } => format!("{} plays again.", names.who(*seat)),
            Self::TimedOut {
                seat,
                claimed_by: None,
            } => format!("{} runs out of time.", names.who(*seat)),
            Self::TimedOut {
                seat,
                claimed_by: Some(by),
            } => {
                let (late, by) = (names.who(*seat), names.of(*by));
                format!("{late} runs out of time, as {by} claims.")
            }
            Self::TimeAdded { seats, ms } => more_time_text(*seats, *ms, names) + ".",
            Self::OutagePassed { seats, ms } => {
                let more = more_time_text(*seats, *ms, names);
                format!("{more}, since the service could not be reached.")
            }
            Self::Paused { agreed_by: None } => String::from("The clocks are stopped."),
            Self::Paused {
                agreed_by: Some(by),
            } => format!("{} agrees, and the clocks are stopped.", names.who(*by)),
            Self::Resumed { seat: None } => String::from("The clocks run again."),
            Self::Resumed { seat: Some(seat) } => {
                format!("{} lets the clocks run again.", names.who(*seat))
            }
            Self::Proposed { seat, proposal } => {
                format!("{} asks to {}.", names.who(*seat), proposal_text(*proposal))
            }
            Self::Answered { seat, agrees: true } => format!("{} agrees.", names.who(*seat)),
            Self::Answered {
                seat,
                agrees: false,
            } => format!("{} does not agree.", names.who(*seat)),
            Self::TakenBack {
                seat, to_version, ..
            } => {
                let who = names.who(*seat);
                format!("{who} goes back to version {to_version}.")
            }
            Self::Ended {
                agreed_by: None, ..
            } => String::from("The game is ended."),
            Self::Ended {
                agreed_by: Some(by),
                ..
            } => format!("{} agrees, and the game ends.", names.who(*by)),
        }
    }
}

/// Returns a proposal in words: `go back to version 7`.
fn proposal_text(proposal: Proposal) -> String {
    match proposal {
        Proposal::TakeBack { to_version } => format!("go back to version {to_version}"),
        Proposal::Pause => String::from("stop the clocks"),
        Proposal::End { scored: true } => String::from("end the game, ranked by the points of now"),
        Proposal::End { scored: false } => String::from("end the game without a result"),
    }
}

fn more_time_text(seats: SeatSet, ms: u64, names: Names<'_>) -> String {
    let who = JoinAnd(seats.iter().map(|seat| names.who(seat)));
    let get = if seats.len() == 1 { "gets" } else { "get" };
    let time = match ms % 1_000 {
        0 => Count(ms / 1_000, "second"),
        _ => Count(ms, "millisecond"),
    };
    format!("{who} {get} {time} more")
}
