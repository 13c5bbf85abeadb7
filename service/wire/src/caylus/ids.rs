//! Spaces, places, and amounts of goods.

use gamekeeper_rules::caylus::Target;
use gamekeeper_rules::caylus::data::{Cubes, Goods, Resource, Space};

use super::pb::{self, target::Place};
use crate::Malformed;
use crate::mapping::{FromPb, FromView, ToPb, from_number, message, view_field};

message! {
    Cubes => pb::Cubes,
    |cubes| {
        let [food, wood, stone, cloth, gold] =
            Resource::ALL.map(|resource| cubes.count(resource).to_pb());
        pb::Cubes { food, wood, stone, cloth, gold }
    }
}

/// Cubes that are left out are none.
impl FromView<Option<pb::Cubes>> for Cubes {
    fn from_view(sent: Option<pb::Cubes>) -> Result<Self, Malformed> {
        let pb::Cubes {
            food,
            wood,
            stone,
            cloth,
            gold,
        } = sent.unwrap_or_default();
        let sent = [
            (food, Resource::Food, "food"),
            (wood, Resource::Wood, "wood"),
            (stone, Resource::Stone, "stone"),
            (cloth, Resource::Cloth, "cloth"),
            (gold, Resource::Gold, "gold"),
        ];
        let mut cubes = Self::NONE;
        for (count, resource, name) in sent {
            cubes = cubes.and(view_field(name, count)?, resource);
        }
        Ok(cubes)
    }
}

message! {
    Goods => pb::Goods,
    |goods| {
        deniers: goods.deniers,
        cubes: Some(goods.cubes).filter(|cubes| !cubes.is_empty()),
        vp: goods.vp,
    }
}

impl ToPb<u32> for Space {
    fn to_pb(&self) -> u32 {
        self.number().into()
    }
}

/// 0 stands in the place of a missing space.
impl ToPb<u32> for Option<Space> {
    fn to_pb(&self) -> u32 {
        self.map_or(0, |space| space.to_pb())
    }
}

impl FromView<u32> for Space {
    fn from_view(sent: u32) -> Result<Self, Malformed> {
        let last = Self::LAST.number();
        Option::from_pb(sent)?
            .ok_or_else(|| Malformed::new("", format!("is {sent}; 1 to {last} is allowed")))
    }
}

/// 0 means no space.
impl FromView<u32> for Option<Space> {
    fn from_view(sent: u32) -> Result<Self, Malformed> {
        (sent != 0).then(|| Space::from_view(sent)).transpose()
    }
}

/// A number beyond the road gives no space.
impl FromPb<u32> for Option<Space> {
    fn from_pb(sent: u32) -> Result<Self, Malformed> {
        Ok(u8::try_from(sent).ok().and_then(Space::new))
    }
}

message! {
    Target => pb::Target,
    |target| pb::Target {
        place: Some(match target {
            Target::Castle => Place::Castle(pb::Castle {}),
            Target::Special(special) => Place::Special(special.to_pb()),
            Target::Road(space) => Place::Space(space.to_pb()),
        }),
    }
}

/// A place that does not exist gives no target.
impl FromPb<Option<pb::Target>> for Option<Target> {
    fn from_pb(sent: Option<pb::Target>) -> Result<Self, Malformed> {
        Ok(match sent.and_then(|target| target.place) {
            None => None,
            Some(Place::Castle(pb::Castle {})) => Some(Target::Castle),
            Some(Place::Special(number)) => from_number(number).map(Target::Special),
            Some(Place::Space(number)) => Option::from_pb(number)?.map(Target::Road),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_that_do_not_exist_are_no_targets() {
        let target = |place| Option::<Target>::from_pb(Some(pb::Target { place }));
        assert_eq!(Option::<Target>::from_pb(None), Ok(None));
        assert_eq!(target(None), Ok(None));
        for number in [0, 29, 256, 257, u32::MAX] {
            assert_eq!(target(Some(Place::Space(number))), Ok(None), "{number}");
        }
        for number in [0, -1, 7] {
            assert_eq!(target(Some(Place::Special(number))), Ok(None), "{number}");
        }
    }
}
