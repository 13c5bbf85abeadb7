//! Royal favors (CAY-6.10).

use enumset::EnumSet;

use super::table::*;
use FavorLine::{Buildings, Deniers, Prestige, Resources};
use Resource::{Cloth, Food, Gold, Stone, Wood};
use gamekeeper_rules::caylus::action::{Action, FavorEffect};
use gamekeeper_rules::caylus::data::{Cubes, FavorLine, Kind, Resource, Special, Tile};
use gamekeeper_rules::caylus::event::Event;
use gamekeeper_rules::caylus::stage::{Decision, Phase};
use gamekeeper_rules::table::{OptionalParam, Seat};

/// Green jousts for a favor in phase 3, and has these cubes left; this many sections are scored.
fn jousting(sections: u8, markers: [u8; 4], cubes: &[(u16, Resource)]) -> Table {
    let mut table = Table::of(3);
    table.special(Special::JoustField, GREEN);
    table.has(GREEN, 1, &[(1, Cloth)]);
    table.scored(sections);
    table.player(GREEN).markers = markers;
    table.specials();
    table.play(GREEN, &Action::Joust { accept: true });
    assert_eq!((table.deniers(GREEN), table.cubes(GREEN)), (0, Cubes::NONE));
    table.has(GREEN, 0, cubes);
    table
}

fn used(table: &Table, seat: Seat) -> EnumSet<FavorLine> {
    table.state.players[seat].lines_used
}

#[test]
fn cay_ac_19_a_lower_column_may_be_chosen() {
    let mut table = Table::of(3);
    table.built(9, Tile::Mason, BLUE);
    table.worker(9, BLUE);
    table.has(BLUE, 0, &[(1, Stone), (1, Cloth)]);
    table.scored(2);
    table.marker(BLUE, Resources, 2);
    table.road_up_to(9);
    table.play(BLUE, craft(Tile::Church));
    table.play(BLUE, favor(Resources, 1));
    assert_eq!(table.marker_on(BLUE, Resources), 3);
    assert_eq!(table.cubes(BLUE), Cubes::of(1, Food));
}

#[test]
fn cay_ac_20_a_favor_builds_the_park_without_stone() {
    let mut table = jousting(1, [0, 0, 0, 2], &[(1, Food)]);
    table.play(GREEN, favor_with(Buildings, 3, tile(Tile::Park)));
    assert_eq!(table.marker_on(GREEN, Buildings), 3);
    assert_eq!((table.cubes(GREEN), table.vp(GREEN)), (Cubes::NONE, 3));
    assert_eq!(table.standing(9), (Some(Tile::Park), Some(GREEN)));
}

#[test]
fn cay_ac_23_a_phase_uses_each_line_once() {
    let mut table = Table::of(2);
    table.special(Special::JoustField, BLUE);
    for (number, residence) in [(9, 1), (10, 2)] {
        table.built(number, Tile::Architect, BLUE);
        table.worker(number, BLUE);
        table.built(residence, Tile::Residence, BLUE);
    }
    table.officials(10, 10);
    let cubes = [(1, Cloth), (2, Stone), (3, Wood), (3, Gold)];
    table.has(BLUE, 1, &cubes);
    table.specials();
    table.play(BLUE, &Action::Joust { accept: true });
    table.play(BLUE, favor(Deniers, 1));
    table.play(BLUE, provost(0));
    table.play(RED, provost(0));
    table.play(BLUE, prestige(Tile::Statue, 1));
    table.play(BLUE, favor(Deniers, 2));
    table.play(BLUE, prestige(Tile::Theater, 2));
    table.refuses(BLUE, favor(Deniers, 1), "FAVOR_LINE_USED");
    assert!(table.allows(BLUE, favor(Prestige, 1)));
}

#[test]
fn cay_ac_24_a_favor_builds_the_cathedral_at_full_price() {
    let mut table = jousting(2, [0, 0, 0, 4], &[(5, Stone), (3, Gold)]);
    table.built(5, Tile::Residence, GREEN);
    let cathedral = FavorEffect {
        tile: OptionalParam::Known(Tile::Cathedral),
        ..on(5)
    };
    let mut short = table.clone();
    short.has(GREEN, 0, &[(4, Stone), (3, Gold)]);
    short.refuses(
        GREEN,
        favor_with(Buildings, 5, cathedral.clone()),
        "CANNOT_AFFORD",
    );
    table.play(GREEN, favor_with(Buildings, 5, cathedral));
    assert_eq!((table.cubes(GREEN), table.vp(GREEN)), (Cubes::NONE, 25));
    assert_eq!(table.standing(5), (Some(Tile::Cathedral), Some(GREEN)));
}

#[test]
fn cay_ac_30_a_discount_does_not_last() {
    let mut table = jousting(0, [0, 0, 0, 1], &[(3, Food), (1, Wood)]);
    table.worker(3, GREEN);
    table.play(GREEN, favor_with(Buildings, 2, tile(Tile::WoodQuarry)));
    assert_eq!(table.cubes(GREEN), Cubes::of(2, Food).and(1, Wood));
    table.play(BLUE, provost(0));
    table.play(RED, provost(0));
    assert_eq!(
        table.pending(),
        Some((GREEN, Decision::UseBuilding { space: space(3) }))
    );
    table.play(GREEN, craft(Tile::WoodSawmill));
    assert_eq!(table.cubes(GREEN), Cubes::of(1, Food));
}

#[test]
fn cay_ac_56_the_discount_comes_before_any_cube() {
    let mut table = jousting(0, [0, 0, 0, 1], &[(1, Stone)]);
    let market = |any| FavorEffect {
        any_payment: any,
        ..tile(Tile::WoodMarket)
    };
    let refuses = |any, code| {
        table.refuses(GREEN, favor_with(Buildings, 2, market(any)), code);
    };
    refuses(OptionalParam::Absent, "INVALID_PAYMENT");
    refuses(OptionalParam::Known(Wood), "CANNOT_AFFORD");
    table.play(
        GREEN,
        favor_with(Buildings, 2, market(OptionalParam::Known(Stone))),
    );
    assert_eq!((table.cubes(GREEN), table.vp(GREEN)), (Cubes::NONE, 4));
}

#[test]
fn cay_ac_74_the_monuments_favors_go_to_two_lines() {
    let mut table = Table::of(3);
    table.built(9, Tile::Architect, BLUE);
    table.built(4, Tile::Residence, BLUE);
    table.worker(9, BLUE);
    table.has(BLUE, 0, &[(4, Stone), (2, Gold)]);
    table.road_up_to(9);
    table.play(BLUE, prestige(Tile::Monument, 4));
    table.play(BLUE, favor(Prestige, 1));
    table.refuses(BLUE, favor(Prestige, 1), "FAVOR_LINE_USED");
    table.play(BLUE, favor(Resources, 1));
    assert_eq!((table.vp(BLUE), table.count(BLUE, Food)), (14 + 1, 1));
}

#[test]
fn cay_ac_75_a_fifth_favor_of_a_phase_is_lost() {
    let mut table = Table::of(3);
    table.built(9, Tile::Mason, BLUE);
    table.worker(9, BLUE);
    table.has(BLUE, 0, &[(1, Stone), (1, Cloth)]);
    table.road_up_to(9);
    for line in FavorLine::ALL {
        table.player(BLUE).lines_used.insert(line);
    }
    table.play(BLUE, craft(Tile::Church));
    assert!(table.happened(&Event::FavorsLost {
        seat: BLUE,
        count: 1
    }));
    assert_eq!(table.pending(), Some((BLUE, Decision::PlaceWorker)));
    assert_eq!(table.state.pending_favors, None);
}

#[test]
fn cay_ac_76_a_church_built_by_favor_gives_another() {
    let mut table = jousting(2, [0, 0, 0, 3], &[(1, Stone), (1, Cloth)]);
    table.play(GREEN, favor_with(Buildings, 3, tile(Tile::Church)));
    assert_eq!(
        (table.cubes(GREEN), table.vp(GREEN)),
        (Cubes::of(1, Stone), 3)
    );
    assert_eq!(table.pending(), Some((GREEN, Decision::TakeFavor)));
    assert_eq!(table.state.phase, Phase::Special);
    table.refuses(GREEN, favor(Buildings, 0), "FAVOR_LINE_USED");
    table.play(GREEN, favor(Prestige, 1));
    assert_eq!(table.vp(GREEN), 4);
}

#[test]
fn cay_ac_77_one_cube_buys_two_others() {
    let mut table = jousting(1, [0, 0, 3, 0], &[(1, Gold)]);
    let refuses = |give, take: &[Resource], code| {
        table.refuses(GREEN, favor_with(Resources, 4, exchange(give, take)), code);
    };
    refuses(Gold, &[Stone, Gold], "GOLD_NOT_ALLOWED");
    refuses(Gold, &[Stone], "INVALID_AMOUNT");
    refuses(Gold, &[], "INVALID_AMOUNT");
    refuses(Wood, &[Gold], "CANNOT_AFFORD");
    refuses(Gold, &[Gold, Gold, Gold], "INVALID_AMOUNT");
    table.play(
        GREEN,
        favor_with(Resources, 4, exchange(Gold, &[Stone, Stone])),
    );
    assert_eq!(table.cubes(GREEN), Cubes::of(2, Stone));
    assert_eq!(table.marker_on(GREEN, Resources), 4);
}

#[test]
fn cay_ac_78_the_last_column_can_be_used_again() {
    let mut table = jousting(2, [0, 5, 0, 0], &[]);
    table.play(GREEN, favor(Deniers, 5));
    assert_eq!(
        (table.deniers(GREEN), table.marker_on(GREEN, Deniers)),
        (7, 5)
    );
}

#[test]
fn cay_ac_83_simplified_favors_are_three_points_each() {
    let mut table = Table::of(3);
    table.state.simplified_favors = true;
    table.built(9, Tile::Architect, BLUE);
    table.built(4, Tile::Residence, BLUE);
    table.worker(9, BLUE);
    table.has(BLUE, 0, &[(4, Stone), (2, Gold)]);
    table.road_up_to(9);
    table.play(BLUE, prestige(Tile::Monument, 4));
    assert_eq!(table.vp(BLUE), 14 + 6);
    assert_eq!(table.pending(), Some((BLUE, Decision::PlaceWorker)));
    assert_eq!(table.state.players[BLUE].markers, [0; 4]);
}

/// CAY-6.10.5: 1 food; 1 wood or stone; 1 cloth; the exchange; 1 gold.
#[test]
fn each_column_of_the_resources_gives_its_cubes() {
    let gains = |column, resource: OptionalParam<Resource>| {
        let mut table = jousting(2, [5; 4], &[(1, Gold)]);
        let effect = FavorEffect {
            resource,
            ..FavorEffect::NONE
        };
        table.play(GREEN, favor_with(Resources, column, effect));
        table.cubes(GREEN)
    };
    let with = |resource| Cubes::of(1, Gold).and(1, resource);
    assert_eq!(gains(0, OptionalParam::Absent), Cubes::of(1, Gold));
    assert_eq!(gains(1, OptionalParam::Absent), with(Food));
    assert_eq!(gains(2, OptionalParam::Known(Wood)), with(Wood));
    assert_eq!(gains(2, OptionalParam::Known(Stone)), with(Stone));
    assert_eq!(gains(3, OptionalParam::Absent), with(Cloth));
    assert_eq!(gains(5, OptionalParam::Absent), with(Gold));
}

/// CAY-3.9: the ladders of the first two lines.
#[test]
fn each_column_of_the_first_lines_gives_its_amount() {
    for column in 1..=5 {
        let mut table = jousting(2, [5; 4], &[]);
        table.play(GREEN, favor(Prestige, column));
        assert_eq!(table.vp(GREEN), u16::from(column));
        let mut table = jousting(2, [5; 4], &[]);
        table.play(GREEN, favor(Deniers, column));
        assert_eq!(table.deniers(GREEN), u16::from(column) + 2);
    }
}

/// CAY-14.3, CAY-14.7, CAY-14.8: words, lines, columns, parameters, in this order.
#[test]
fn favors_are_checked_in_order() {
    let mut table = jousting(1, [2, 0, 3, 3], &[(1, Food)]);
    let refuses = |line, column, effect, code| {
        table.refuses(GREEN, favor_with(line, column, effect), code);
    };
    let nothing = || FavorEffect::NONE;
    let resource = |resource| FavorEffect {
        resource,
        ..FavorEffect::NONE
    };
    refuses(Buildings, 1, nothing(), "FAVOR_COLUMN_EMPTY");
    refuses(
        Prestige,
        1,
        resource(OptionalParam::Known(Food)),
        "SUPERFLUOUS_PARAMETER",
    );
    refuses(Prestige, 0, on(1), "SUPERFLUOUS_PARAMETER");
    refuses(
        Resources,
        1,
        resource(OptionalParam::Known(Food)),
        "SUPERFLUOUS_PARAMETER",
    );
    refuses(Resources, 2, nothing(), "UNKNOWN_ID");
    refuses(
        Resources,
        2,
        resource(OptionalParam::Known(Cloth)),
        "INVALID_RESOURCE",
    );
    refuses(Resources, 2, resource(OptionalParam::Unknown), "UNKNOWN_ID");
    refuses(Resources, 4, nothing(), "UNKNOWN_ID");
    refuses(Buildings, 2, nothing(), "UNKNOWN_ID");
    refuses(Buildings, 2, tile(Tile::Park), "WRONG_TILE_KIND");
    refuses(Buildings, 3, tile(Tile::Mason), "WRONG_TILE_KIND");
    refuses(Buildings, 4, nothing(), "UNKNOWN_ID");
    refuses(Buildings, 4, tile(Tile::Mason), "SUPERFLUOUS_PARAMETER");
    refuses(Buildings, 5, tile(Tile::Statue), "FAVOR_COLUMN_LOCKED");
    refuses(Prestige, 9, resource(OptionalParam::Unknown), "UNKNOWN_ID");
    refuses(Prestige, 9, nothing(), "FAVOR_COLUMN_LOCKED");
    let no_line = Action::TakeFavor {
        line: None,
        column: 9,
        effect: resource(OptionalParam::Unknown),
    };
    table.refuses(GREEN, &no_line, "UNKNOWN_ID");
    table.player(GREEN).lines_used.insert(Prestige);
    let table = &table;
    table.refuses(GREEN, favor(Prestige, 9), "FAVOR_LINE_USED");
    let misspelled = favor_with(Prestige, 0, resource(OptionalParam::Unknown));
    table.refuses(GREEN, &misspelled, "UNKNOWN_ID");
}

/// The refusal names the column as it was sent.
#[test]
fn a_column_beyond_the_table_is_locked() {
    let table = jousting(1, [2, 0, 3, 3], &[(1, Food)]);
    let far = Action::TakeFavor {
        line: Some(Resources),
        column: 300,
        effect: FavorEffect::NONE,
    };
    let refusal = table.refusal(GREEN, &far);
    assert_eq!(
        refusal.to_string(),
        "You may use columns 0 to 4 of the favor line Resources, not 300."
    );
}

/// CAY-6.10.4: without a tile or a space in reach, the last line resolves itself.
#[test]
fn a_last_line_without_choice_is_used_at_once() {
    let mut table = jousting(0, [0; 4], &[]);
    table.state.pending_favors.as_mut().unwrap().count = 4;
    for line in [Prestige, Deniers, Resources] {
        table.play(GREEN, favor(line, 0));
    }
    assert!(table.forced(GREEN, favor(Buildings, 0)));
    assert_eq!(table.marker_on(GREEN, Buildings), 1);
    assert!(
        !used(&table, GREEN).contains(Buildings),
        "phase 4 has begun"
    );
}

/// CAY-6.2.2, CAY-14.10: lines in table order, columns ascending, parameters in their own order.
#[test]
fn favors_are_listed_in_order() {
    let table = jousting(1, [0, 1, 3, 3], &[(1, Cloth), (1, Gold)]);
    let list = table.legal();
    let first = [
        favor(Prestige, 0),
        favor(Prestige, 1),
        favor(Deniers, 0),
        favor(Deniers, 1),
        favor(Deniers, 2),
        favor(Resources, 0),
        favor(Resources, 1),
    ];
    assert_eq!(list[..7], first);
    let wood = |resource| FavorEffect {
        resource: OptionalParam::Known(resource),
        ..FavorEffect::NONE
    };
    assert_eq!(list[7], favor_with(Resources, 2, wood(Wood)));
    assert_eq!(list[8], favor_with(Resources, 2, wood(Stone)));
    assert_eq!(list[9], favor(Resources, 3));
    assert_eq!(
        list[10],
        favor_with(Resources, 4, exchange(Cloth, &[Food, Food]))
    );
    assert_eq!(
        list[29],
        favor_with(Resources, 4, exchange(Gold, &[Cloth, Cloth]))
    );
    let market = |any| FavorEffect {
        any_payment: OptionalParam::Known(any),
        ..tile(Tile::WoodMarket)
    };
    let mut rest = vec![favor(Buildings, 0)];
    rest.extend([Cloth, Gold].map(|any| favor_with(Buildings, 2, market(any))));
    rest.extend([Cloth, Gold].map(|any| {
        let effect = FavorEffect {
            any_payment: OptionalParam::Known(any),
            ..tile(Tile::WoodPeddler)
        };
        favor_with(Buildings, 2, effect)
    }));
    rest.push(favor_with(Buildings, 2, tile(Tile::Lawyer)));
    rest.push(favor_with(Buildings, 3, tile(Tile::Church)));
    rest.extend((1..=6).map(|number| favor_with(Buildings, 4, on(number))));
    assert_eq!(list[30..], rest);
}

/// CAY-6.10.6, CAY-7.6: each prestige building that is left, in each place of an own residence.
#[test]
fn the_favor_of_a_prestige_building_is_listed_with_tile_and_space() {
    let cubes = [Food, Wood, Stone, Cloth, Gold].map(|kind| (6, kind));
    let mut table = jousting(2, [0, 0, 0, 4], &cubes);
    table.built(4, Tile::Residence, GREEN);
    let listed = table.legal().into_iter().filter(|action| {
        let Action::TakeFavor { line, column, .. } = action else {
            return false;
        };
        (*line, *column) == (Some(Buildings), 5)
    });
    let on_residence = |tile| FavorEffect {
        space: OptionalParam::Known(space(4)),
        ..super::table::tile(tile)
    };
    let expected =
        Tile::of_kind(Kind::Prestige).map(|tile| favor_with(Buildings, 5, on_residence(tile)));
    assert_eq!(listed.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
