//! Seats at the table, and its viewers.

use std::fmt;
use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The maximum number of seats of any ruleset. `service/docs/decisions.md` says what a greater one would cost.
pub const MAX_SEATS: usize = 5;

/// A place at the table, numbered from 1 in clockwise order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The first seat.
    pub const FIRST: Self = Self(1);

    /// Returns the seat with this number, 1 to [`MAX_SEATS`].
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number as usize <= MAX_SEATS {
            Some(Self(number))
        } else {
            None
        }
    }

    /// Returns the seat with this number at a table of this many seats.
    #[must_use]
    pub fn of_table(number: u32, seats: u8) -> Option<Self> {
        let number = u8::try_from(number).ok();
        number.filter(|&number| number <= seats).and_then(Self::new)
    }

    /// Returns the seat at this index of a list of seats, 0 to `MAX_SEATS - 1`; the last seat for a greater index.
    #[must_use]
    pub const fn at(index: usize) -> Self {
        const SEATS: [Seat; MAX_SEATS] = [Seat(1), Seat(2), Seat(3), Seat(4), Seat(5)];
        if index < MAX_SEATS {
            SEATS[index]
        } else {
            SEATS[MAX_SEATS - 1]
        }
    }

    /// Returns the number on the wire and in texts, from 1.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the index in a list of seats.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// Returns the next seat clockwise at a table of `count` seats.
    #[must_use]
    pub const fn next(self, count: usize) -> Self {
        Self::at((self.index() + 1) % count)
    }

    /// Yields all seats of a table, in order.
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..count).map(Self::at)
    }

    /// Yields all seats of a table once, clockwise, beginning with this one.
    pub fn clockwise(self, count: usize) -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..count).map(move |step| Self::at((self.index() + step) % count))
    }

    /// Yields the other seats of a table, clockwise from the left neighbor of this one.
    pub fn others(self, count: usize) -> impl ExactSizeIterator<Item = Self> + Clone {
        (1..count).map(move |step| Self::at((self.index() + step) % count))
    }
}

impl TryFrom<u8> for Seat {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        Self::new(number).ok_or_else(|| format!("there is no seat {number}"))
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

/// A viewer of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Viewer {
    /// A player, who knows the public facts and their own.
    Seat(Seat),
    /// Anybody else, who knows only the public facts.
    Spectator,
    /// The operator of the service, who knows everything.
    Operator,
}

impl Viewer {
    /// Returns whether this viewer may know the private facts of `owner`.
    #[must_use]
    pub fn sees(self, owner: Seat) -> bool {
        match self {
            Self::Seat(seat) => seat == owner,
            Self::Spectator => false,
            Self::Operator => true,
        }
    }
}

/// One value for each seat of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PerSeat<T>(ArrayVec<T, MAX_SEATS>);

impl<T> PerSeat<T> {
    /// Creates the value of every seat of a table of `count` seats (at most [`MAX_SEATS`]).
    pub fn new(count: usize, value: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::all(count.min(MAX_SEATS)).map(value).collect())
    }

    /// Returns the number of seats.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Yields the seats, in order.
    #[must_use = "iterators are lazy"]
    pub fn seats(
        &self,
    ) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone + use<T> {
        Seat::all(self.0.len())
    }

    /// Returns whether this table has this seat.
    #[must_use]
    pub fn has(&self, seat: Seat) -> bool {
        seat.index() < self.0.len()
    }

    /// Yields the values, in seat order.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Yields the values for modification, in seat order.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Yields seats and values, in seat order.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator {
        self.0
            .iter()
            .enumerate()
            .map(|(index, value)| (Seat::at(index), value))
    }
}

impl<T> From<ArrayVec<T, MAX_SEATS>> for PerSeat<T> {
    fn from(values: ArrayVec<T, MAX_SEATS>) -> Self {
        Self(values)
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<'a, T> IntoIterator for &'a PerSeat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
