//! The printed figures: counts and check sums (CAY-3).

use crate::caylus::data::{
    Column, Cubes, Effect, FavorLine, Goods, Kind, MAX_MARKER, NEUTRAL_TILES, Resource, Section,
    SectionSheet, Tile, TileSheet, columns_available, placement_price, start_deniers,
};

/// The sum of a printed figure over all copies of a kind.
fn sum(kind: Kind, figure: impl Fn(&TileSheet) -> u16) -> u16 {
    Tile::of_kind(kind)
        .map(Tile::sheet)
        .map(|sheet| u16::from(sheet.copies) * figure(sheet))
        .sum()
}

fn costs(kind: Kind) -> [u16; 5] {
    Resource::ALL.map(|resource| sum(kind, |sheet| sheet.cost.count(resource)))
}

#[test]
fn forty_tiles_and_three_fixed_buildings() {
    assert_eq!(Kind::ALL.map(|kind| sum(kind, |_| 1)), [6, 3, 8, 9, 9, 8]);
    assert_eq!(
        Tile::of_kind(Kind::Neutral).collect::<Vec<_>>(),
        NEUTRAL_TILES
    );
}

#[test]
fn check_sums_of_the_tiles() {
    assert_eq!(
        Kind::ALL.map(|kind| sum(kind, |sheet| sheet.vp)),
        [0, 0, 24, 42, 122, 16]
    );
    let favors = |sheet: &TileSheet| u16::from(sheet.favors);
    assert_eq!(Kind::ALL.map(|kind| sum(kind, favors)), [0, 0, 0, 1, 5, 0]);
    assert_eq!(
        Kind::ALL.map(|kind| sum(kind, |sheet| sheet.income)),
        [0, 0, 0, 0, 3, 8]
    );
    let any = |sheet: &TileSheet| u16::from(sheet.any_cube);
    assert_eq!(Kind::ALL.map(|kind| sum(kind, any)), [0, 0, 2, 0, 0, 0]);
    // Food, wood, stone, cloth, gold.
    assert_eq!(costs(Kind::Wood), [5, 8, 0, 1, 0]);
    assert_eq!(costs(Kind::Stone), [6, 2, 9, 1, 0]);
    assert_eq!(costs(Kind::Prestige), [3, 6, 17, 3, 15]);
}

#[test]
fn check_sums_of_what_tiles_produce() {
    let mut produced = Cubes::NONE;
    for tile in Tile::ALL {
        if let Effect::Produce(options) = tile.sheet().effect {
            for &cubes in options {
                produced += cubes;
            }
        }
    }
    assert_eq!(
        Resource::ALL.map(|resource| produced.count(resource)),
        [8, 6, 5, 6, 1]
    );
}

/// CAY-7.1: the bonus is one of the kinds that the building gives.
#[test]
fn three_buildings_give_their_owner_a_bonus() {
    let with_bonus = Tile::ALL
        .into_iter()
        .filter(|tile| !tile.sheet().owner_bonus.is_empty());
    for tile in with_bonus.clone() {
        let Effect::Produce([given]) = tile.sheet().effect else {
            panic!("{tile}");
        };
        let kinds = tile.sheet().owner_bonus;
        assert_eq!(kinds.len(), 2);
        assert!(kinds.iter().all(|&kind| given.count(kind) > 0), "{tile}");
    }
    let ids: Vec<&str> = with_bonus.map(Tile::id).collect();
    assert_eq!(ids, ["stone_farm", "park", "workshop"]);
}

#[test]
fn workers_stand_on_all_but_residences_and_prestige_buildings() {
    for tile in Tile::ALL {
        let idle = tile.sheet().effect == Effect::None;
        assert_eq!(tile.takes_workers(), !idle, "{tile}");
    }
}

#[test]
fn the_castle_sections() {
    let sheets = Section::ALL.map(Section::sheet);
    assert_eq!(sheets.map(|sheet| sheet.parts), [6, 10, 14]);
    assert_eq!(sheets.map(|sheet| sheet.vp), [5, 4, 3]);
    assert_eq!(sheets.map(|sheet| sheet.trigger.number()), [12, 18, 24]);
    assert_eq!(sheets.map(|sheet| sheet.penalty), [2, 3, 4]);
    let favors =
        |sheet: &SectionSheet| (0..=8).map(|parts| sheet.favors(parts)).collect::<Vec<_>>();
    assert_eq!(favors(sheets[0]), [0, 0, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(favors(sheets[1]), [0, 0, 1, 2, 2, 3, 3, 3, 3]);
    assert_eq!(favors(sheets[2]), [0, 0, 1, 1, 2, 2, 3, 3, 3]);
}

#[test]
fn the_favor_table() {
    let line = |line: FavorLine| (1..=MAX_MARKER).map(move |column| line.column(column));
    assert!(line(FavorLine::Prestige).eq((1..=5).map(Column::Vp)));
    assert!(line(FavorLine::Deniers).eq((3..=7).map(Column::Deniers)));
    let gold = Column::OneOf(&[Resource::Gold]);
    assert_eq!(FavorLine::Resources.column(5), gold);
    let craft = Column::Craft(Kind::Wood, Resource::Wood);
    assert_eq!(FavorLine::Buildings.column(1), Column::Nothing);
    assert_eq!(FavorLine::Buildings.column(2), craft);
    assert_eq!(FavorLine::Buildings.column(5), Column::Prestige);
    for line in FavorLine::ALL {
        assert_eq!(
            [0, 6, 255].map(|column| line.column(column)),
            [Column::Nothing; 3]
        );
    }
    assert_eq!([0, 1, 2, 3].map(columns_available), [2, 4, 5, 5]);
}

#[test]
fn prices_and_starting_deniers() {
    let prices = |seats| {
        (0..seats)
            .map(|passed| placement_price(seats, passed))
            .collect::<Vec<_>>()
    };
    assert_eq!([prices(2), prices(3)], [vec![1, 3], vec![1, 2, 3]]);
    assert_eq!(
        [prices(4), prices(5)],
        [vec![1, 2, 3, 4], vec![1, 2, 3, 4, 5]]
    );
    let deniers = |seats| {
        (0..seats)
            .map(|place| start_deniers(seats, place))
            .collect::<Vec<_>>()
    };
    assert_eq!([deniers(2), deniers(3)], [vec![5, 5], vec![5, 6, 6]]);
    assert_eq!(deniers(5), [5, 6, 6, 7, 7]);
}

#[test]
fn goods_read_as_a_sum() {
    let goods = Goods {
        deniers: 1,
        cubes: Cubes::of(2, Resource::Cloth).and(1, Resource::Food),
        vp: 3,
    };
    assert_eq!(goods.to_string(), "1 denier + 1 food + 2 cloth + 3 VP");
    assert_eq!(Cubes::NONE.to_string(), "nothing");
}

#[test]
fn effects_read_as_printed() {
    let text = |tile: Tile| tile.sheet().effect.to_string();
    assert_eq!(text(Tile::NeutralFarm), "gain 1 food, or gain 1 cloth");
    assert_eq!(text(Tile::StoneFarm), "gain 2 food + 1 cloth");
    assert_eq!(
        text(Tile::FixedPeddler),
        "buy 1 cube, not gold, for 2 deniers"
    );
    assert_eq!(
        text(Tile::WoodPeddler),
        "buy up to 2 cubes, not gold, for 1 denier each"
    );
    assert_eq!(
        text(Tile::Church),
        "pay 2 deniers and gain 3 VP, or pay 4 deniers and gain 5 VP"
    );
    assert_eq!(text(Tile::Residence), "");
    let column = |line: FavorLine, column| line.column(column).to_string();
    assert_eq!(
        column(FavorLine::Resources, 2),
        "gain 1 wood, or gain 1 stone"
    );
    assert_eq!(
        column(FavorLine::Buildings, 3),
        "build 1 stone tile for 1 stone less"
    );
}
