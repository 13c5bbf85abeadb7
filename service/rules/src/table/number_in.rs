//! Components that differ by a number alone, such as cards from 3 to 35: one line instead of a name for each.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::draw::DrawValue;

/// A number from `MIN` to `MAX`: `pub type Card = NumberIn<3, 35>;`. The contract has it as `uint32`. In an action write
/// `MaybeKnown<Card>` and `optional uint32`: another number is no card, and the rules refuse it in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct NumberIn<const MIN: u8, const MAX: u8>(u8);

impl<const MIN: u8, const MAX: u8> NumberIn<MIN, MAX> {
    /// The number of numbers.
    pub const COUNT: usize = {
        assert!(MIN <= MAX, "there is such a number");
        (MAX - MIN) as usize + 1
    };

    /// Returns this number, if it is in the range.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (MIN..=MAX).contains(&number).then_some(Self(number))
    }

    /// Yields all numbers, ascending.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (MIN..=MAX).map(Self)
    }

    /// Returns the number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns the index in [`all`](Self::all).
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 - MIN) as usize
    }
}

impl<const MIN: u8, const MAX: u8> TryFrom<u8> for NumberIn<MIN, MAX> {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::new(number).ok_or_else(|| format!("{number} is not between {MIN} and {MAX}"))
    }
}

impl<const MIN: u8, const MAX: u8> From<NumberIn<MIN, MAX>> for u8 {
    fn from(NumberIn(number): NumberIn<MIN, MAX>) -> Self {
        number
    }
}

/// Becomes the number of a [`Component`](super::Component).
impl<const MIN: u8, const MAX: u8> From<NumberIn<MIN, MAX>> for u16 {
    fn from(NumberIn(number): NumberIn<MIN, MAX>) -> Self {
        number.into()
    }
}

impl<const MIN: u8, const MAX: u8> DrawValue for NumberIn<MIN, MAX> {
    fn draw_value(self) -> u16 {
        self.0.into()
    }
}

impl<const MIN: u8, const MAX: u8> fmt::Display for NumberIn<MIN, MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
