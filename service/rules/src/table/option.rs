//! Options of a game, field by field, and the field that a refusal is about.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// A name as a client sent it. `None`: it is missing or names nothing, which the rules refuse in the
/// order of the rule document.
pub type Named<T> = Option<T>;

/// A parameter or an option that a client may leave out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given<T> {
    /// Left out.
    #[default]
    Absent,
    /// Given, but it names nothing.
    Unknown,
    /// This value.
    Known(T),
}

impl<T> Given<T> {
    /// The value, unless it was left out.
    ///
    /// # Errors
    /// The error of `unknown`, for a value that does not exist.
    pub fn known<E>(self, unknown: impl FnOnce() -> E) -> Result<Option<T>, E> {
        match self {
            Self::Absent => Ok(None),
            Self::Unknown => Err(unknown()),
            Self::Known(value) => Ok(Some(value)),
        }
    }
}

/// The part of a request for a new game that a refusal is about. Displayed as its path.
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
    fn from((path, place): (&'static str, usize)) -> Self {
        Self::Item(path, place)
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Players => f.write_str("players"),
            Self::Option(path) => write!(f, "options.{path}"),
            Self::Item(path, place) => write!(f, "options.{path}[{place}]"),
        }
    }
}

/// A field of the message `Options`: its title, and its values where its type in the contract does not say so.
/// No list takes a value twice.
#[derive(Clone, Copy, Debug)]
pub struct OptionRule {
    /// The path of the field in `Options`.
    pub field: &'static str,
    /// What people call it: `Turn order`.
    pub title: &'static str,
    /// What people call the names of a closed set, in its order. Empty: it takes numbers, yes or no, or a message.
    pub names: &'static [&'static str],
    /// What the field, or each item of a list, takes at a table of this many seats.
    pub values: fn(seats: u8) -> Values,
    /// The number of items, for a list.
    pub items: Option<fn(seats: u8) -> RangeInclusive<usize>>,
}

impl OptionRule {
    /// A field that takes every value of its type.
    pub(crate) const fn new(field: &'static str, title: &'static str) -> Self {
        Self {
            field,
            title,
            names: &[],
            values: |_| Values::All,
            items: None,
        }
    }

    /// A field that takes the names of a closed set.
    pub(crate) const fn of<T: super::Id>(field: &'static str, title: &'static str) -> Self {
        Self {
            names: T::NAMES,
            ..Self::new(field, title)
        }
    }

    /// The same, if it takes only these values.
    pub(crate) const fn taking(self, values: fn(seats: u8) -> Values) -> Self {
        Self { values, ..self }
    }

    /// The same as a list of this many items.
    pub(crate) const fn listing(self, items: fn(seats: u8) -> RangeInclusive<usize>) -> Self {
        Self {
            items: Some(items),
            ..self
        }
    }
}

/// The values of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// Every value of the type.
    All,
    /// Only this boolean value.
    Only(bool),
    /// These numbers.
    Numbers(RangeInclusive<u32>),
    /// The names of a closed set with these indexes.
    Names(Vec<usize>),
}

impl Values {
    /// The numbers of seats.
    #[must_use]
    pub fn seats(seats: u8) -> Self {
        Self::Numbers(1..=u32::from(seats))
    }

    /// These names.
    pub fn names<T: super::Id>(names: impl IntoIterator<Item = T>) -> Self {
        Self::Names(names.into_iter().map(super::Id::index).collect())
    }
}

/// The first place whose item occurred earlier.
pub(crate) fn first_repeated<T: PartialEq>(things: &[T]) -> Option<usize> {
    (1..things.len()).find(|&at| things[..at].contains(&things[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_shown_as_its_path() {
        assert_eq!(Field::Players.to_string(), "players");
        assert_eq!(Field::from("vp_floor").to_string(), "options.vp_floor");
        assert_eq!(Field::from(("colors", 1)).to_string(), "options.colors[1]");
    }

    #[test]
    fn the_first_repetition_is_found() {
        assert_eq!(first_repeated(&[1, 2, 3, 2, 1]), Some(3));
        assert_eq!(first_repeated(&[1, 2, 3]), None);
    }
}
