//! Names of things on the table, and amounts of goods.

use gamekeeper_rules::caylus::{
    Cubes, FavorLine, Goods, Resource, Section, Space, Special, Target, Tile,
};

use super::pb::{self, target::Place};
use crate::names::{Name, names};

names! { Resource => pb::Resource { Food, Wood, Stone, Cloth, Gold } }

names! {
    Tile => pb::Tile {
        NeutralFarm, NeutralForest, NeutralSawmill, NeutralQuarry, NeutralMarket, NeutralCarpenter,
        FixedPeddler, FixedCarpenter, GoldMine, WoodFarmFood, WoodFarmCloth, WoodQuarry,
        WoodSawmill, WoodMarket, WoodPeddler, Lawyer, Mason, StoneFarm, Park, Workshop, Architect,
        Church, Tailor, Bank, Alchemist, Statue, Granary, Library, Weaver, Theater, College,
        Monument, Hotel, Cathedral, Residence,
    }
}

names! {
    Special => pb::Special { Gate, TradingPost, MerchantsGuild, JoustField, Stables, Inn }
}

names! { Section => pb::Section { Dungeon, Walls, Towers } }

names! { FavorLine => pb::FavorLine { Prestige, Deniers, Resources, Buildings } }

/// The number of a name, 0 for one that does not exist.
pub(super) fn number<N: Name>(name: Option<N>) -> i32 {
    name.map_or(0, Name::number)
}

pub(super) fn cubes(cubes: Cubes) -> pb::Cubes {
    let count = |resource| u32::from(cubes.count(resource));
    pb::Cubes {
        food: count(Resource::Food),
        wood: count(Resource::Wood),
        stone: count(Resource::Stone),
        cloth: count(Resource::Cloth),
        gold: count(Resource::Gold),
    }
}

pub(super) fn goods(goods: Goods) -> pb::Goods {
    let paid = Some(goods.cubes).filter(|cubes| !cubes.is_empty());
    pb::Goods {
        deniers: u32::from(goods.deniers),
        cubes: paid.map(cubes),
        vp: u32::from(goods.vp),
    }
}

pub(super) fn space_number(space: Space) -> u32 {
    u32::from(space.number())
}

/// The space of this number; nothing beyond the road.
pub(super) fn space(number: u32) -> Option<Space> {
    u8::try_from(number).ok().and_then(Space::new)
}

pub(super) fn target_message(target: Target) -> pb::Target {
    let place = match target {
        Target::Castle => Place::Castle(pb::Castle {}),
        Target::Special(special) => Place::Special(special.number()),
        Target::Road(space) => Place::Space(space_number(space)),
    };
    pb::Target { place: Some(place) }
}

/// The place meant; nothing for one that does not exist.
pub(super) fn target(message: Option<pb::Target>) -> Option<Target> {
    match message?.place? {
        Place::Castle(pb::Castle {}) => Some(Target::Castle),
        Place::Special(number) => Special::named(number).map(Target::Special),
        Place::Space(number) => space(number).map(Target::Road),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::tests::check_names;

    #[test]
    fn names_keep_their_order() {
        check_names(&Resource::ALL);
        check_names(&Tile::ALL);
        check_names(&Special::ALL);
        check_names(&Section::ALL);
        check_names(&FavorLine::ALL);
    }

    #[test]
    fn names_on_the_wire_are_the_ids() {
        for tile in Tile::ALL {
            let on_the_wire = pb::Tile::try_from(tile.number()).unwrap().as_str_name();
            assert_eq!(on_the_wire, format!("TILE_{}", tile.id().to_uppercase()));
        }
        for special in Special::ALL {
            let name = pb::Special::try_from(special.number()).unwrap();
            let expected = format!("SPECIAL_{}", special.id().to_uppercase());
            assert_eq!(name.as_str_name(), expected);
        }
    }

    #[test]
    fn targets_come_back_from_their_message() {
        let road = Space::all().map(Target::Road);
        let special = Special::ALL.into_iter().map(Target::Special);
        for place in special.chain(road).chain([Target::Castle]) {
            assert_eq!(target(Some(target_message(place))), Some(place));
        }
    }

    #[test]
    fn places_that_do_not_exist_are_no_targets() {
        assert_eq!(target(None), None);
        assert_eq!(target(Some(pb::Target { place: None })), None);
        for number in [0, 29, 256, 257, u32::MAX] {
            let place = Some(Place::Space(number));
            assert_eq!(target(Some(pb::Target { place })), None, "{number}");
        }
        for number in [0, -1, 7] {
            let place = Some(Place::Special(number));
            assert_eq!(target(Some(pb::Target { place })), None, "{number}");
        }
    }

    #[test]
    fn goods_field_by_field() {
        let paid = Goods {
            deniers: 2,
            cubes: Cubes::of(1, Resource::Food).and(5, Resource::Gold),
            vp: 3,
        };
        let sent = goods(paid);
        assert_eq!((sent.deniers, sent.vp), (2, 3));
        let expected = pb::Cubes {
            food: 1,
            gold: 5,
            ..pb::Cubes::default()
        };
        assert_eq!(sent.cubes, Some(expected));
        assert_eq!(goods(Goods::NONE), pb::Goods::default());
    }
}
