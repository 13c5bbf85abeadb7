//! Building and transforming in phase 5 (CAY-7.4 to CAY-7.6).

use super::table::*;
use Resource::{Cloth, Food, Gold, Stone, Wood};
use gamekeeper_rules::caylus::action::Action;
use gamekeeper_rules::caylus::data::{Cubes, FavorLine, Resource, Special, Tile};
use gamekeeper_rules::caylus::event::Event;
use gamekeeper_rules::caylus::stage::{Decision, Phase};
use gamekeeper_rules::table::OptionalParam;

/// Red's worker on the carpenter on 3, red has these cubes; the road is activated.
fn carpenter(cubes: &[(u16, Resource)]) -> Table {
    let mut table = Table::of(3);
    table.worker(3, RED);
    table.has(RED, 0, cubes);
    table.road_up_to(6);
    table
}

/// A building of blue's on 9 with a worker of blue's; blue has these goods; not activated yet.
fn blue_on_nine(tile: Tile, deniers: u16, cubes: &[(u16, Resource)]) -> Table {
    let mut table = Table::of(3);
    table.built(9, tile, BLUE);
    table.worker(9, BLUE);
    table.has(BLUE, deniers, cubes);
    table
}

#[test]
fn cay_ac_10_the_first_tile_goes_to_space_9() {
    let mut table = carpenter(&[(2, Wood), (1, Food)]);
    table.play(RED, craft(Tile::WoodFarmFood));
    assert_eq!(table.standing(9), (Some(Tile::WoodFarmFood), Some(RED)));
    assert_eq!((table.cubes(RED), table.vp(RED)), (Cubes::of(1, Wood), 2));
    assert_eq!(table.state.supply.count(Tile::WoodFarmFood), 0);
}

#[test]
fn cay_ac_11_a_statue_replaces_a_residence() {
    let mut table = Table::of(3);
    table.built(9, Tile::Architect, BLUE);
    table.built(4, Tile::Residence, GREEN);
    table.has(GREEN, 5, &[(1, Gold), (2, Stone)]);
    table.placing([], GREEN);
    table.play(GREEN, place_on(9));
    assert_eq!(table.vp(BLUE), 1);
    table.road_up_to(9);
    assert_eq!(table.next_income(GREEN), 3);
    table.play(GREEN, prestige(Tile::Statue, 4));
    assert_eq!(table.standing(4), (Some(Tile::Statue), Some(GREEN)));
    assert_eq!((table.vp(GREEN), table.cubes(GREEN)), (7, Cubes::NONE));
    assert_eq!(table.pending(), Some((GREEN, Decision::TakeFavor)));
    assert_eq!(table.state.phase, Phase::Activation);
    assert_eq!(table.next_income(GREEN), 2);
}

#[test]
fn cay_ac_12_the_lawyer_turns_the_quarry_into_a_residence() {
    let mut table = Table::of(3);
    table.built(9, Tile::Lawyer, BLUE);
    table.has(BLUE, 2, &[(1, Cloth)]);
    table.play(BLUE, place_on(9));
    assert_eq!((table.deniers(BLUE), table.vp(BLUE)), (1, 0));
    table.road_up_to(9);
    table.play(BLUE, transform(1));
    assert_eq!(table.standing(1), (Some(Tile::Residence), Some(BLUE)));
    assert_eq!((table.vp(BLUE), table.cubes(BLUE)), (2, Cubes::NONE));
    assert_eq!(table.state.removed_neutral[..], [Tile::NeutralQuarry]);
    assert_eq!(table.state.residences_built, 1);
    assert!(table.happened(&Event::Income {
        seat: BLUE,
        deniers: 3
    }));
}

#[test]
fn cay_ac_27_new_tiles_skip_the_gold_mine() {
    let mut table = carpenter(&[(1, Wood), (1, Food)]);
    for number in 9..=15 {
        table.built(number, Tile::Residence, BLUE);
    }
    table.play(RED, craft(Tile::Mason));
    assert_eq!(table.standing(17), (Some(Tile::Mason), Some(RED)));
    assert_eq!(table.standing(16), (Some(Tile::GoldMine), None));
}

#[test]
fn cay_ac_53_the_carpenter_builds_wood_tiles_from_the_supply() {
    let mut table = carpenter(&[(1, Wood), (1, Food), (1, Stone)]);
    table.built(9, Tile::WoodQuarry, BLUE);
    table.refuses(RED, craft(Tile::WoodQuarry), "TILE_NOT_AVAILABLE");
    table.refuses(RED, craft(Tile::Park), "WRONG_TILE_KIND");
    table.refuses(RED, craft(Tile::GoldMine), "WRONG_TILE_KIND");
    let unknown = Action::BuildCraft {
        tile: None,
        any_payment: OptionalParam::Absent,
    };
    table.refuses(RED, &unknown, "UNKNOWN_ID");
}

#[test]
fn cay_ac_54_gold_pays_for_any_cube() {
    let mut table = carpenter(&[(1, Wood), (1, Gold)]);
    table.refuses(RED, craft(Tile::WoodMarket), "INVALID_PAYMENT");
    table.play(RED, craft_with(Tile::WoodMarket, Gold));
    assert_eq!((table.vp(RED), table.cubes(RED)), (4, Cubes::NONE));
}

#[test]
fn cay_ac_55_a_second_wood_pays_for_any_cube() {
    let mut table = carpenter(&[(1, Wood), (1, Food)]);
    table.refuses(RED, craft_with(Tile::WoodPeddler, Wood), "CANNOT_AFFORD");
    table.refuses(RED, craft_with(Tile::Mason, Food), "INVALID_PAYMENT");
    assert!(table.allows(RED, craft_with(Tile::WoodPeddler, Food)));
    table.has(RED, 0, &[(2, Wood)]);
    table.play(RED, craft_with(Tile::WoodPeddler, Wood));
    assert_eq!(table.cubes(RED), Cubes::NONE);
}

/// Blue owns the lawyer on 9 and the mason on 10, blue's worker is on 9, red's on 10.
fn lawyer_before_mason() -> Table {
    let mut table = blue_on_nine(Tile::Lawyer, 1, &[(1, Cloth)]);
    table.built(10, Tile::Mason, BLUE);
    table.worker(10, RED);
    table.has(RED, 0, &[(1, Stone), (1, Food)]);
    table
}

#[test]
fn cay_ac_58_a_transformation_waits_for_the_worker() {
    let mut table = lawyer_before_mason();
    table.road_up_to(10);
    table.play(BLUE, transform(10));
    assert_eq!(
        (table.deniers(BLUE), table.cubes(BLUE), table.vp(BLUE)),
        (0, Cubes::NONE, 0)
    );
    assert_eq!(table.standing(10), (Some(Tile::Mason), Some(BLUE)));
    assert_eq!(
        table.pending(),
        Some((RED, Decision::UseBuilding { space: space(10) }))
    );
    table.play(RED, craft(Tile::Park));
    assert_eq!(table.vp(RED), 3);
    assert_eq!(table.standing(10), (Some(Tile::Residence), Some(BLUE)));
    assert_eq!(table.vp(BLUE), 2);
    assert_eq!(table.state.supply.count(Tile::Mason), 1);
}

#[test]
fn cay_ac_59_beyond_the_provost_it_waits_for_the_end_of_the_phase() {
    let mut table = lawyer_before_mason();
    table.road_up_to(9);
    table.play(BLUE, transform(10));
    assert_eq!(table.cubes(RED), Cubes::of(1, Stone).and(1, Food));
    assert_eq!(table.state.players[RED].workers, 6);
    assert_eq!(table.standing(10), (Some(Tile::Residence), Some(BLUE)));
    assert_eq!(table.vp(BLUE), 2);
}

#[test]
fn cay_ac_60_what_the_lawyer_cannot_transform() {
    let mut table = blue_on_nine(Tile::Lawyer, 1, &[(1, Cloth)]);
    table.built(10, Tile::Residence, BLUE);
    table.built(11, Tile::Statue, BLUE);
    table.built(12, Tile::WoodSawmill, RED);
    table.road_up_to(9);
    for number in [7, 10, 11, 9, 12, 13] {
        table.refuses(BLUE, transform(number), "TARGET_NOT_TRANSFORMABLE");
    }
    let nowhere = Action::TransformBuilding { space: None };
    table.refuses(BLUE, &nowhere, "UNKNOWN_ID");
}

#[test]
fn cay_ac_61_a_building_is_transformed_once() {
    let mut table = lawyer_before_mason();
    table.special(Special::JoustField, BLUE);
    table.has(BLUE, 5, &[(3, Cloth)]);
    table.scored(1);
    table.marker(BLUE, FavorLine::Buildings, 3);
    table.officials(10, 10);
    table.specials();
    table.play(BLUE, &Action::Joust { accept: true });
    table.play(BLUE, favor_with(FavorLine::Buildings, 4, on(10)));
    assert_eq!(table.state.road[space(10)].pending_transform, Some(BLUE));
    assert_eq!(
        (
            table.deniers(BLUE),
            table.count(BLUE, Cloth),
            table.vp(BLUE)
        ),
        (4, 1, 0)
    );
    for seat in [BLUE, RED, GREEN] {
        if table.pending() == Some((seat, Decision::BribeProvost)) {
            table.play(seat, provost(0));
        }
    }
    assert_eq!(
        table.pending(),
        Some((BLUE, Decision::UseBuilding { space: space(9) }))
    );
    table.refuses(BLUE, transform(10), "TARGET_ALREADY_PENDING");
}

#[test]
fn cay_ac_62_prestige_needs_an_own_residence() {
    let mut table = Table::of(3);
    table.built(4, Tile::Residence, RED);
    table.built(5, Tile::Residence, GREEN);
    table.built(9, Tile::Architect, RED);
    table.built(10, Tile::Mason, GREEN);
    table.worker(9, GREEN);
    table.has(GREEN, 0, &[(3, Food), (1, Gold)]);
    table.road_up_to(9);
    table.refuses(GREEN, prestige(Tile::Granary, 4), "NOT_YOUR_RESIDENCE");
    table.refuses(GREEN, prestige(Tile::Granary, 10), "NO_RESIDENCE");
    table.refuses(GREEN, prestige(Tile::Granary, 13), "NO_RESIDENCE");
    table.refuses(GREEN, prestige(Tile::Residence, 5), "WRONG_TILE_KIND");
    table.refuses(GREEN, prestige(Tile::Statue, 5), "CANNOT_AFFORD");
    assert_eq!(table.legal(), [prestige(Tile::Granary, 5), Action::Decline]);
}

#[test]
fn cay_ac_87_a_full_road_leaves_the_carpenter_idle() {
    let mut table = Table::of(3);
    for number in (9..=15).chain(17..=28) {
        table.built(number, Tile::Residence, BLUE);
    }
    table.worker(3, RED);
    table.has(RED, 0, &[(5, Wood), (5, Food)]);
    table.road_up_to(6);
    assert!(table.forced(RED, &Action::Decline));
    assert_eq!(table.state.road[space(3)].worker, None);
}

#[test]
fn cay_ac_93_a_library_earns_what_its_residence_earned() {
    let mut table = blue_on_nine(Tile::Architect, 0, &[(3, Wood), (1, Gold)]);
    table.built(4, Tile::Residence, BLUE);
    table.road_up_to(9);
    assert_eq!(table.next_income(BLUE), 3);
    table.play(BLUE, prestige(Tile::Library, 4));
    assert!(table.happened(&Event::Income {
        seat: BLUE,
        deniers: 3
    }));
}

/// CAY-3.46: the hotel gives 2 deniers a turn.
#[test]
fn the_hotel_gives_two_deniers() {
    let mut table = Table::of(3);
    table.built(9, Tile::Hotel, RED);
    assert_eq!([BLUE, RED].map(|seat| table.next_income(seat)), [2, 4]);
}

/// CAY-10.20: a tile returned by a transformation can be built again in the same turn.
#[test]
fn a_transformed_tile_can_be_built_again() {
    let mut table = blue_on_nine(Tile::Lawyer, 1, &[(1, Cloth)]);
    table.built(10, Tile::WoodQuarry, BLUE);
    table.built(11, Tile::Mason, RED);
    table.built(12, Tile::Bank, BLUE);
    table.road_up_to(9);
    assert_eq!(table.state.supply.count(Tile::WoodQuarry), 0);
    table.play(BLUE, transform(10));
    assert_eq!(table.standing(10), (Some(Tile::Residence), Some(BLUE)));
    assert_eq!(table.state.supply.count(Tile::WoodQuarry), 1);
}

/// ADJ-28: the owner of a production building gets their cube before it is transformed.
#[test]
fn the_owner_bonus_comes_before_the_transformation() {
    let mut table = lawyer_before_mason();
    table.built(10, Tile::Workshop, BLUE);
    table.road_up_to(10);
    table.play(BLUE, transform(10));
    assert_eq!(
        table.pending(),
        Some((BLUE, Decision::OwnerBonus { space: space(10) }))
    );
    table.play(BLUE, bonus(Cloth));
    assert_eq!(table.count(BLUE, Cloth), 1);
    assert_eq!(table.standing(10), (Some(Tile::Residence), Some(BLUE)));
}

/// ADJ-29: the building in use holds its worker until it is done with.
#[test]
fn an_architect_may_be_transformed_while_it_works() {
    let mut table = blue_on_nine(Tile::Architect, 0, &[(2, Stone), (1, Gold), (1, Cloth)]);
    table.built(4, Tile::Residence, BLUE);
    table.scored(1);
    table.marker(BLUE, FavorLine::Buildings, 3);
    table.road_up_to(9);
    table.play(BLUE, prestige(Tile::Statue, 4));
    table.play(BLUE, favor_with(FavorLine::Buildings, 4, on(9)));
    assert!(table.happened(&Event::TransformPaid {
        seat: BLUE,
        space: space(9),
        paid: gamekeeper_rules::caylus::data::Goods::cubes(Cubes::of(1, Cloth)),
        waits_for: Some(BLUE),
    }));
    assert_eq!(table.standing(9), (Some(Tile::Residence), Some(BLUE)));
    assert_eq!(table.state.supply.count(Tile::Architect), 2);
    assert_eq!(table.vp(BLUE), 7 + 2);
}

/// CAY-7.4, CAY-6.2.2: tiles in the order of the data file, cubes of any kind in resource order.
#[test]
fn tiles_are_listed_in_order() {
    let table = carpenter(&[(1, Wood), (1, Food), (1, Gold)]);
    let list = [
        craft(Tile::WoodFarmFood),
        craft(Tile::WoodFarmCloth),
        craft(Tile::WoodQuarry),
        craft(Tile::WoodSawmill),
        craft_with(Tile::WoodMarket, Food),
        craft_with(Tile::WoodMarket, Gold),
        craft_with(Tile::WoodPeddler, Food),
        craft_with(Tile::WoodPeddler, Gold),
        craft(Tile::Mason),
        Action::Decline,
    ];
    assert_eq!(table.legal(), list);
}

/// CAY-7.4: the church gives its builder a favor.
#[test]
fn the_church_gives_a_favor() {
    let mut table = blue_on_nine(Tile::Mason, 0, &[(1, Stone), (1, Cloth)]);
    table.road_up_to(9);
    table.play(BLUE, craft(Tile::Church));
    assert_eq!(table.pending(), Some((BLUE, Decision::TakeFavor)));
    assert_eq!(
        (table.vp(BLUE), table.standing(10).0),
        (3, Some(Tile::Church))
    );
}
