//! Events at a table other than actions of the rules.

use serde::{Deserialize, Serialize};

use crate::table::{Names, Seat};

/// One such event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Deed {
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
        /// The seat that claimed it. `None`: the owner of the game.
        claimed_by: Option<Seat>,
    },
    /// The clocks were stopped.
    Paused,
    /// The clocks run again.
    Resumed,
    /// A seat proposes to the others to go back to a version.
    Proposed {
        /// The seat.
        seat: Seat,
        /// The version to go back to.
        to_version: u64,
    },
    /// A seat agreed to go back, while others have not answered yet; or a seat declined, or the
    /// seat that asked withdrew.
    Answered {
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
            | Self::SeatFilled { seat }
            | Self::Proposed { seat, .. }
            | Self::Answered { seat, .. } => (Some(*seat), None),
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
            Self::SeatFilled { .. } | Self::Paused | Self::Proposed { .. } => true,
            Self::TakenBack { agreed_by, .. } => agreed_by.is_none(),
            // Each follows one of those, or happens once.
            Self::Resigned { .. }
            | Self::TimedOut { .. }
            | Self::Resumed
            | Self::Answered { .. } => false,
        }
    }

    /// The seat that caused it. `None`: the owner of the game.
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
            Self::TimedOut { claimed_by, .. } => *claimed_by,
            Self::SeatFilled { .. } | Self::Paused | Self::Resumed => None,
        }
    }

    /// The seat that it is about, if it is about one.
    #[must_use]
    pub const fn seat(&self) -> Option<Seat> {
        match self {
            Self::Resigned { seat }
            | Self::SeatFilled { seat }
            | Self::TimedOut { seat, .. }
            | Self::Proposed { seat, .. }
            | Self::Answered { seat, .. }
            | Self::TakenBack { seat, .. } => Some(*seat),
            Self::Paused | Self::Resumed => None,
        }
    }

    /// The event as a sentence.
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
            Self::Paused => String::from("The clocks are stopped."),
            Self::Resumed => String::from("The clocks run again."),
            Self::Proposed { seat, to_version } => {
                format!(
                    "{} asks to go back to version {to_version}.",
                    names.who(*seat)
                )
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Kind;

    #[test]
    fn every_deed_has_a_sentence_with_names() {
        let players = ["Ann".to_owned(), "Ben".to_owned()];
        let [ann, ben] = [Seat::FIRST, Seat::at(1)];
        let (late, asked) = (Some(ann), 7);
        let told = [
            (Deed::Resigned { seat: ben }, "Ben leaves the game."),
            (Deed::SeatFilled { seat: ben }, "Ben plays again."),
            (
                Deed::TimedOut {
                    seat: ben,
                    claimed_by: None,
                },
                "Ben runs out of time.",
            ),
            (
                Deed::TimedOut {
                    seat: ben,
                    claimed_by: late,
                },
                "Ben runs out of time, as Ann claims.",
            ),
            (Deed::Paused, "The clocks are stopped."),
            (Deed::Resumed, "The clocks run again."),
            (
                Deed::Proposed {
                    seat: ann,
                    to_version: asked,
                },
                "Ann asks to go back to version 7.",
            ),
            (
                Deed::Answered {
                    seat: ben,
                    agrees: true,
                },
                "Ben agrees.",
            ),
            (
                Deed::Answered {
                    seat: ben,
                    agrees: false,
                },
                "Ben does not agree.",
            ),
            (
                Deed::TakenBack {
                    seat: ann,
                    to_version: asked,
                    agreed_by: Some(ben),
                },
                "Ann goes back to version 7.",
            ),
        ];
        for (deed, sentence) in told {
            assert_eq!(deed.sentence(Names::new(&players)), sentence);
            assert!(!deed.kind().is_empty());
        }
    }
}
