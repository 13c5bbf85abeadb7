//! Options of a game, field by field, and the field that a refusal refers to.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// A name as a client sent it. Is `None` if it is missing or names nothing; the rules refuse it in the order of the
/// rule document.
pub type MaybeKnown<T> = Option<T>;

/// A parameter or an option that a client may leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OptionalParam<T> {
    /// The client left it out.
    #[default]
    Absent,
    /// The client sent a name of nothing.
    Unknown,
    /// The client sent this value.
    Known(T),
}

impl<T> OptionalParam<T> {
    /// Returns the value, unless it was left out.
    ///
    /// # Errors
    /// Returns the error of `unknown` for a value that does not exist.
    pub fn require_known<E>(self, unknown: impl FnOnce() -> E) -> Result<Option<T>, E> {
        match self {
            Self::Absent => Ok(None),
            Self::Unknown => Err(unknown()),
            Self::Known(value) => Ok(Some(value)),
        }
    }
}

/// The part of a request for a new game that a refusal refers to. Displayed as its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The list of players.
    Players,
    /// A field of the message `Options`, by its path there, such as `promo_tiles.town_tiles`.
    Option(&'static str),
    /// An item of a list in `Options`, counted from 0.
    Item(&'static str, usize),
}

impl From<&'static str> for Field {
    fn from(path: &'static str) -> Self {
        Self::Option(path)
    }
}

impl From<(&'static str, usize)> for Field {
    fn from((path, index): (&'static str, usize)) -> Self {
        Self::Item(path, index)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players => f.write_str("players"),
            Self::Option(path) => write!(f, "options.{path}"),
            Self::Item(path, index) => write!(f, "options.{path}[{index}]"),
        }
    }
}

/// The description of a field of the message `Options`: its title, and its values if its type in the contract does not
/// define them. No list takes a value twice.
#[derive(Clone, Copy, Debug)]
pub struct OptionRule {
    /// The path of the field in `Options`.
    pub field: &'static str,
    /// The title for people: `Turn order`.
    pub title: &'static str,
    /// The titles of the names of a closed set, in its order. Empty if the field takes numbers, yes or no, or a
    /// message.
    pub names: &'static [&'static str],
    /// Returns the values that the field, or each item of a list, takes at a table of this many seats.
    pub values: fn(seats: u8) -> Values,
    /// Returns the allowed numbers of items at a table of this many seats. Is `None` if the field is no list.
    pub items: Option<fn(seats: u8) -> RangeInclusive<usize>>,
}

impl OptionRule {
    /// Describes a field that takes every value of its type.
    #[doc(hidden)]
    pub const fn new(field: &'static str, title: &'static str) -> Self {
        Self {
            field,
            title,
            names: &[],
            values: |_| Values::All,
            items: None,
        }
    }

    /// Describes a field that takes the names of a closed set.
    pub(crate) const fn of<T: super::ClosedSet>(field: &'static str, title: &'static str) -> Self {
        Self {
            names: T::NAMES,
            ..Self::new(field, title)
        }
    }

    /// Restricts the field to these values.
    pub(crate) const fn taking(self, values: fn(seats: u8) -> Values) -> Self {
        Self { values, ..self }
    }

    /// Makes the field a list with this many items.
    pub(crate) const fn listing(self, items: fn(seats: u8) -> RangeInclusive<usize>) -> Self {
        Self {
            items: Some(items),
            ..self
        }
    }
}

/// The values that a field takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Every value of the type.
    All,
    /// Only this boolean value.
    Only(bool),
    /// The numbers in this range.
    Numbers(RangeInclusive<u32>),
    /// The names of a closed set with these indexes.
    Names(Vec<usize>),
}

impl Values {
    /// Returns the numbers of the seats, from 1.
    #[must_use]
    pub fn seats(seats: u8) -> Self {
        Self::Numbers(1..=u32::from(seats))
    }

    /// Returns these names as values.
    pub fn names<T: super::ClosedSet>(names: impl IntoIterator<Item = T>) -> Self {
        Self::Names(names.into_iter().map(super::ClosedSet::index).collect())
    }
}

/// Returns the first index whose item occurred earlier.
pub fn first_repeated<T: PartialEq>(things: &[T]) -> Option<usize> {
    (1..things.len()).find(|&at| things[..at].contains(&things[at]))
}
