//! Resource cubes, deniers and prestige points (CAY-2).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::table::{Count, JoinAnd, ids};

ids! {
    /// A kind of resource cube (CAY-2), in the order of all lists.
    Resource {
        Food "food",
        Wood "wood",
        Stone "stone",
        Cloth "cloth",
        Gold "gold",
    }
}

impl Resource {
    /// All kinds but gold, in canonical order.
    pub const NOT_GOLD: [Self; 4] = [Self::Food, Self::Wood, Self::Stone, Self::Cloth];
}

/// A number of cubes of each kind. The supply has no end (CAY-10.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cubes([u16; 5]);

impl Cubes {
    /// No cubes.
    pub const NONE: Self = Self([0; 5]);

    /// This many cubes of one kind.
    #[must_use]
    pub const fn of(count: u16, resource: Resource) -> Self {
        Self::NONE.and(count, resource)
    }

    /// Adds this many cubes of one kind.
    #[must_use]
    pub const fn and(mut self, count: u16, resource: Resource) -> Self {
        self.0[resource.index()] += count;
        self
    }

    /// The number of cubes of this kind.
    #[must_use]
    pub const fn count(self, resource: Resource) -> u16 {
        self.0[resource.index()]
    }

    /// The number of cubes of all kinds but gold.
    #[must_use]
    pub const fn not_gold(self) -> u16 {
        self.0[0] + self.0[1] + self.0[2] + self.0[3]
    }

    /// Returns whether there are no cubes at all.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Returns whether there are at least as many cubes of every kind as in `cost`.
    #[must_use]
    pub fn cover(self, cost: Self) -> bool {
        self.0.iter().zip(cost.0).all(|(&have, need)| have >= need)
    }

    /// Subtracts other cubes; a kind never falls below 0.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(std::array::from_fn(|kind| {
            self.0[kind].saturating_sub(other.0[kind])
        }))
    }
}

impl std::ops::AddAssign for Cubes {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

impl FromIterator<Resource> for Cubes {
    fn from_iter<T: IntoIterator<Item = Resource>>(resources: T) -> Self {
        resources
            .into_iter()
            .fold(Self::NONE, |cubes, resource| cubes.and(1, resource))
    }
}

impl Cubes {
    /// `2 wood`, `1 cloth`; kinds without cubes are left out.
    fn words(self) -> impl Iterator<Item = String> + Clone {
        let kinds = Resource::ALL.map(|kind| (self.count(kind), kind));
        let some = kinds.into_iter().filter(|(count, _)| *count > 0);
        some.map(|(count, kind)| format!("{count} {kind}"))
    }
}

impl fmt::Display for Cubes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sum(f, self.words())
    }
}

/// Everything that can be paid or gained at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Goods {
    /// Deniers.
    pub deniers: u16,
    /// Resource cubes.
    pub cubes: Cubes,
    /// Prestige points.
    pub vp: u16,
}

impl Goods {
    /// Nothing.
    pub const NONE: Self = Self {
        deniers: 0,
        cubes: Cubes::NONE,
        vp: 0,
    };

    /// This many deniers.
    #[must_use]
    pub const fn deniers(deniers: u16) -> Self {
        Self {
            deniers,
            ..Self::NONE
        }
    }

    /// Cubes without deniers and prestige points.
    #[must_use]
    pub const fn cubes(cubes: Cubes) -> Self {
        Self {
            cubes,
            ..Self::NONE
        }
    }

    /// This many prestige points.
    #[must_use]
    pub const fn vp(vp: u16) -> Self {
        Self { vp, ..Self::NONE }
    }
}

impl fmt::Display for Goods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deniers = Some(self.deniers).filter(|count| *count > 0);
        let deniers = deniers.map(|count| Count(count, "denier").to_string());
        let vp = Some(self.vp).filter(|count| *count > 0);
        let vp = vp.map(|count| format!("{count} VP"));
        sum(f, deniers.into_iter().chain(self.cubes.words()).chain(vp))
    }
}

/// Writes `1 denier and 2 cloth`, or `nothing`.
fn sum(f: &mut fmt::Formatter<'_>, words: impl Iterator<Item = String> + Clone) -> fmt::Result {
    if words.clone().next().is_none() {
        f.write_str("nothing")
    } else {
        write!(f, "{}", JoinAnd(words))
    }
}
