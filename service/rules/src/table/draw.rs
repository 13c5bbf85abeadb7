//! Named draws: recorded in the log and repeated by a script.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::ids::ClosedSet;
use super::seat::Seat;

/// One draw: its name in the rule document, its seat if it belongs to one, and its values.
///
/// The ruleset defines the meaning of a value: a face of a die, the number of a card or of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// The name in the rule document.
    pub name: Cow<'static, str>,
    /// The seat, for draws that are made seat by seat.
    pub seat: Option<Seat>,
    /// The values in the order of drawing; for a shuffled pile, from the top.
    pub values: Vec<u16>,
}

/// A thing that can be drawn: it has a number in the log.
pub trait DrawValue: Copy {
    /// Returns the number in the log.
    fn draw_value(self) -> u16;
}

impl DrawValue for u8 {
    fn draw_value(self) -> u16 {
        u16::from(self)
    }
}

impl DrawValue for u16 {
    fn draw_value(self) -> u16 {
        self
    }
}

impl DrawValue for Seat {
    fn draw_value(self) -> u16 {
        u16::from(self.number())
    }
}

/// Defines that names of closed sets are drawn by their place in the data file, from this number on:
/// `drawn! { ScoringTile, BonusCard from 1 }`.
#[doc(hidden)]
#[macro_export]
macro_rules! drawn {
    ($($name:ident),+ from $first:literal) => {
        $(impl $crate::table::DrawValue for $name {
            fn draw_value(self) -> u16 {
                self as u16 + $first
            }
        })+
    };
}
pub use drawn;

/// Returns the label of a drawn value: the id of the name with this number.
pub(crate) fn drawn_label<T: ClosedSet + DrawValue>(value: u16) -> Option<&'static str> {
    let mut all = T::ALL.iter().copied();
    all.find(|name| name.draw_value() == value).map(T::id)
}

/// A scripted draw that does not fit what the rules requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptFault {
    /// The rules drew after the end of the script.
    #[error("draw {requested} was asked for, the script has no more")]
    Ended {
        /// The name of the requested draw.
        requested: &'static str,
    },
    /// The rules made another draw than the next one of the script.
    #[error("draw {requested} was asked for, the script has {next_draw:?}")]
    Other {
        /// The name of the requested draw.
        requested: &'static str,
        /// The next draw of the script.
        next_draw: Draw,
    },
    /// The values in the script are impossible for this draw.
    #[error("draw {requested} cannot give {next_draw:?}")]
    Impossible {
        /// The name of the requested draw.
        requested: &'static str,
        /// The next draw of the script.
        next_draw: Draw,
    },
    /// The rules finished before the end of the script.
    #[error("{left} scripted draws were not made")]
    Unused {
        /// The number of draws left.
        left: usize,
    },
}
