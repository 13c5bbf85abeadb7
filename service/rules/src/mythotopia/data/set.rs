//! **Bit sets** of numbered items. Cards and borders are indexes into a table rather than enum variants, so `enumset`
//! cannot hold them; and payments are searched from one card on ([`Bits::since`]).

use std::fmt;
use std::marker::PhantomData;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// An item with an index in a table of at most 128 rows.
pub trait Numbered: Copy + fmt::Debug {
    /// The index.
    fn index(self) -> usize;

    /// The item at this index.
    fn nth(index: usize) -> Option<Self>;
}

/// A set of numbered items as the bits of one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bits<T>(u128, PhantomData<T>);

impl<T> Bits<T> {
    /// The empty set.
    pub const EMPTY: Self = Self::of(0);

    /// The set with these bits, for tables that are worked out in advance.
    pub const fn of(bits: u128) -> Self {
        Self(bits, PhantomData)
    }

    /// The number of members.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

impl<T: Numbered> Bits<T> {
    /// The set of one member.
    #[must_use]
    pub fn only(item: T) -> Self {
        Self::of(1 << item.index())
    }

    /// Returns whether this is a member.
    #[must_use]
    pub fn contains(self, item: T) -> bool {
        self.0 & 1 << item.index() != 0
    }

    /// Adds a member.
    pub fn insert(&mut self, item: T) {
        self.0 |= 1 << item.index();
    }

    /// Removes a member.
    pub fn remove(&mut self, item: T) {
        self.0 &= !(1 << item.index());
    }

    /// The members from this index of the table on.
    pub fn since(self, place: usize) -> Self {
        match u128::MAX.checked_shl(u32::try_from(place).unwrap_or(u32::MAX)) {
            Some(later) => Self::of(self.0 & later),
            None => Self::EMPTY,
        }
    }

    /// The members in ascending order.
    pub fn iter(self) -> Members<T> {
        Members(self)
    }
}

/// The members of a set that are still to come.
#[derive(Clone, Debug)]
pub struct Members<T: Numbered>(Bits<T>);

impl<T: Numbered> Iterator for Members<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let Self(Bits(bits, _)) = self;
        if *bits == 0 {
            return None;
        }
        let item = T::nth(bits.trailing_zeros() as usize)?;
        *bits &= *bits - 1;
        Some(item)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl<T> Default for Bits<T> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<T> BitOr for Bits<T> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self::of(self.0 | other.0)
    }
}

impl<T> BitAnd for Bits<T> {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self::of(self.0 & other.0)
    }
}

impl<T> Sub for Bits<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::of(self.0 & !other.0)
    }
}

impl<T> BitOrAssign for Bits<T> {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl<T> SubAssign for Bits<T> {
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
    }
}

impl<T: Numbered> FromIterator<T> for Bits<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut set = Self::EMPTY;
        items.into_iter().for_each(|item| set.insert(item));
        set
    }
}

impl<T: Numbered> fmt::Debug for Bits<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
