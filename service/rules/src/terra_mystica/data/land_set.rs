//! Sets of lands, as **bit sets**.

use serde::{Deserialize, Serialize};

use super::map::{LANDS, Land};

/// A set of lands. An `EnumSet` does not fit: lands are numbers, the neighborhoods of the map are computed from such
/// sets at compile time, and a set is stored in ten bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "[u8; 10]", into = "[u8; 10]")]
pub struct LandSet(u128);

impl LandSet {
    /// No land.
    pub const EMPTY: Self = Self(0);
    /// Every land.
    pub const ALL: Self = Self((1 << LANDS) - 1);

    /// Only this land.
    #[must_use]
    pub const fn of(land: Land) -> Self {
        Self(1 << land.index())
    }

    /// With one more land.
    #[must_use]
    pub const fn with(self, land: Land) -> Self {
        Self(self.0 | 1 << land.index())
    }

    /// Without this land.
    #[must_use]
    pub const fn without(self, land: Land) -> Self {
        Self(self.0 & !(1 << land.index()))
    }

    /// The union.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The intersection.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The lands that are not in the other.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether this land is in the set.
    #[must_use]
    pub const fn contains(self, land: Land) -> bool {
        self.0 & (1 << land.index()) != 0
    }

    /// Returns whether there is a land in both sets.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether the set has no land at all.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of lands.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "there are 77 lands")]
    pub const fn len(self) -> u8 {
        self.0.count_ones() as u8
    }

    /// The first land in reading order.
    #[must_use]
    pub const fn first(self) -> Option<Land> {
        if self.0 == 0 {
            None
        } else {
            Some(Land::at(self.0.trailing_zeros() as usize))
        }
    }

    /// The lands in reading order.
    pub fn iter(self) -> impl Iterator<Item = Land> + Clone {
        let mut left = self;
        std::iter::from_fn(move || {
            let land = left.first()?;
            left = left.without(land);
            Some(land)
        })
    }

    /// Adds all lands connected with these; `near` gives the lands directly connected with a land (**flood fill**).
    #[must_use]
    pub fn grown(self, near: impl Fn(Land) -> Self) -> Self {
        let (mut all, mut edge) = (self, self);
        while let Some(land) = edge.first() {
            let new = near(land).minus(all);
            all = all.or(new);
            edge = edge.without(land).or(new);
        }
        all
    }
}

impl FromIterator<Land> for LandSet {
    fn from_iter<I: IntoIterator<Item = Land>>(lands: I) -> Self {
        lands.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl From<LandSet> for [u8; 10] {
    fn from(set: LandSet) -> Self {
        let bytes = set.0.to_le_bytes();
        std::array::from_fn(|at| bytes[at])
    }
}

impl TryFrom<[u8; 10]> for LandSet {
    type Error = String;

    fn try_from(bytes: [u8; 10]) -> Result<Self, Self::Error> {
        let mut all = [0; 16];
        all[..10].copy_from_slice(&bytes);
        let set = Self(u128::from_le_bytes(all));
        if set.minus(Self::ALL).is_empty() {
            Ok(set)
        } else {
            Err(String::from(
                "a set of lands names a land that does not exist",
            ))
        }
    }
}

/// The union of the sets at these bits.
pub const fn union_of(sets: &[LandSet], bits: u64) -> LandSet {
    let mut all = LandSet::EMPTY;
    let mut at = 0;
    while at < sets.len() {
        if bits & (1 << at) != 0 {
            all = all.or(sets[at]);
        }
        at += 1;
    }
    all
}
