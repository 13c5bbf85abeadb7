//! Phase 5: which workers are activated, and buildings that give or trade goods (CAY-6.7, CAY-7.1
//! to 7.3, 7.7, 7.8).

use super::table::*;
use Resource::{Cloth, Food, Gold, Stone, Wood};
use gamekeeper_rules::caylus::action::Action;
use gamekeeper_rules::caylus::data::{Cubes, Resource, Tile};
use gamekeeper_rules::caylus::stage::{Decision, Phase};

/// Blue's worker on a building of red's on 9; blue has these goods; the road is activated.
fn using(tile: Tile, deniers: u16, cubes: &[(u16, Resource)]) -> Table {
    let mut table = Table::of(3);
    table.built(9, tile, RED);
    table.worker(9, BLUE);
    table.has(BLUE, deniers, cubes);
    table.has(RED, 0, &[]);
    table.road_up_to(9);
    table
}

#[test]
fn cay_ac_49_the_owner_takes_a_cube_for_the_worker_of_another() {
    let mut table = using(Tile::StoneFarm, 0, &[]);
    assert!(table.forced(BLUE, produce(0)));
    assert_eq!(table.cubes(BLUE), Cubes::of(2, Food).and(1, Cloth));
    let owner = Decision::OwnerBonus { space: space(9) };
    assert_eq!(table.pending(), Some((RED, owner)));
    table.refuses(RED, bonus(Wood), "INVALID_RESOURCE");
    assert_eq!(table.legal(), [bonus(Food), bonus(Cloth)]);
    table.play(RED, bonus(Food));
    assert_eq!(table.cubes(RED), Cubes::of(1, Food));
}

#[test]
fn cay_ac_50_the_owners_own_worker_brings_no_bonus() {
    let mut table = Table::of(3);
    table.built(9, Tile::StoneFarm, RED);
    table.worker(9, RED);
    table.has(RED, 0, &[]);
    table.road_up_to(9);
    assert_eq!(table.cubes(RED), Cubes::of(2, Food).and(1, Cloth));
    assert_eq!(
        table.pending().map(|(_, decision)| decision),
        Some(Decision::PlaceWorker)
    );
}

#[test]
fn cay_ac_51_beyond_the_provost_nothing_happens() {
    let mut table = Table::of(3);
    table.built(9, Tile::StoneFarm, RED);
    table.has(BLUE, 5, &[]);
    table.has(RED, 5, &[]);
    table.play(BLUE, place_on(9));
    assert_eq!(table.vp(RED), 1);
    table.road_up_to(8);
    assert_eq!(
        (table.cubes(BLUE), table.cubes(RED)),
        (Cubes::NONE, Cubes::NONE)
    );
    assert_eq!((table.vp(RED), table.state.players[BLUE].workers), (1, 6));
    assert_eq!(table.state.turn, 2);
}

#[test]
fn cay_ac_52_the_provosts_own_space_is_activated() {
    let mut table = Table::of(3);
    table.worker(6, BLUE);
    table.has(BLUE, 0, &[]);
    table.road_up_to(6);
    assert!(table.forced(BLUE, produce(0)));
    assert_eq!(table.cubes(BLUE), Cubes::of(1, Wood));
}

#[test]
fn cay_ac_57_production_is_compulsory() {
    let mut table = Table::of(3);
    table.worker(5, BLUE);
    table.has(BLUE, 0, &[]);
    table.road_up_to(6);
    table.refuses(BLUE, &Action::Decline, "NOT_OPTIONAL");
    table.refuses(BLUE, produce(2), "UNKNOWN_ID");
    table.refuses(BLUE, &Action::Produce { option: None }, "UNKNOWN_ID");
    assert_eq!(table.legal(), [produce(0), produce(1)]);
    let mut other = table.clone();
    table.play(BLUE, produce(0));
    assert_eq!(table.cubes(BLUE), Cubes::of(1, Food));
    other.play(BLUE, produce(1));
    assert_eq!(other.cubes(BLUE), Cubes::of(1, Cloth));
}

#[test]
fn cay_ac_63_the_alchemist_takes_no_gold() {
    let mut table = using(Tile::Alchemist, 0, &[(1, Food), (1, Wood), (1, Gold)]);
    let refuses = |cubes: &[(i32, Resource)], code| table.refuses(BLUE, alchemy(cubes), code);
    refuses(&[(1, Food), (1, Gold)], "GOLD_NOT_ALLOWED");
    refuses(&[(1, Food), (1, Wood), (1, Stone)], "INVALID_PAYMENT");
    refuses(&[(1, Food), (1, Wood), (1, Gold)], "INVALID_PAYMENT");
    refuses(&[(2, Food)], "CANNOT_AFFORD");
    refuses(&[(3, Food), (-1, Wood)], "INVALID_AMOUNT");
    table.play(BLUE, alchemy(&[(1, Food), (1, Wood)]));
    assert_eq!(table.cubes(BLUE), Cubes::of(2, Gold));
}

#[test]
fn four_cubes_make_two_gold() {
    let mut table = using(Tile::Alchemist, 0, &[(3, Food), (1, Cloth)]);
    table.play(BLUE, alchemy(&[(3, Food), (1, Cloth)]));
    assert_eq!(table.cubes(BLUE), Cubes::of(2, Gold));
}

#[test]
fn cay_ac_64_the_bank_trades_once() {
    let mut table = using(Tile::Bank, 5, &[]);
    table.play(BLUE, trade(1));
    assert_eq!(
        (table.cubes(BLUE), table.state.road[space(9)].worker),
        (Cubes::of(2, Gold), None)
    );
    assert_eq!(table.state.phase, Phase::Placement);
    // The next turn's income.
    assert_eq!(table.deniers(BLUE), 2);
}

#[test]
fn cay_ac_65_the_church_sells_points() {
    let mut table = Table::of(3);
    table.built(9, Tile::Church, RED);
    table.has(BLUE, 5, &[]);
    table.play(BLUE, place_on(9));
    assert_eq!((table.deniers(BLUE), table.vp(RED)), (4, 1));
    table.road_up_to(9);
    table.play(BLUE, trade(1));
    assert_eq!((table.vp(BLUE), table.vp(RED)), (5, 1));
}

#[test]
fn church_and_tailor_have_two_offers_each() {
    let offers = |tile, deniers, cubes: &[(u16, Resource)]| {
        let table = using(tile, deniers, cubes);
        table.refuses(BLUE, trade(2), "UNKNOWN_ID");
        table.legal()
    };
    let both = [trade(0), trade(1), Action::Decline];
    assert_eq!(offers(Tile::Church, 4, &[]), both);
    assert_eq!(offers(Tile::Church, 3, &[]), [trade(0), Action::Decline]);
    assert_eq!(offers(Tile::Tailor, 0, &[(3, Cloth)]), both);
    assert_eq!(offers(Tile::Bank, 4, &[]), [trade(0), Action::Decline]);
    let mut table = using(Tile::Tailor, 0, &[(3, Cloth)]);
    table.play(BLUE, trade(1));
    assert_eq!((table.vp(BLUE), table.cubes(BLUE)), (6, Cubes::NONE));
}

#[test]
fn cay_ac_66_the_peddler_sells_two_cubes_but_no_gold() {
    let mut table = using(Tile::WoodPeddler, 2, &[]);
    table.refuses(BLUE, buy(&[Gold]), "GOLD_NOT_ALLOWED");
    table.refuses(BLUE, buy(&[Food, Food, Food]), "INVALID_AMOUNT");
    table.refuses(BLUE, buy(&[]), "INVALID_AMOUNT");
    let mut reversed = table.clone();
    table.play(BLUE, buy(&[Food, Cloth]));
    assert_eq!(table.cubes(BLUE), Cubes::of(1, Food).and(1, Cloth));
    reversed.play(BLUE, buy(&[Cloth, Food]));
    assert_eq!(reversed.state, table.state);
}

#[test]
fn the_fixed_peddler_sells_one_cube_for_two_deniers() {
    let mut table = Table::of(3);
    table.worker(7, BLUE);
    table.has(BLUE, 3, &[]);
    table.road_up_to(7);
    table.refuses(BLUE, buy(&[Food, Food]), "INVALID_AMOUNT");
    let singles = [Food, Wood, Stone, Cloth].map(|kind| buy(&[kind]));
    assert_eq!(table.legal(), [&singles[..], &[Action::Decline]].concat());
    table.play(BLUE, buy(&[Stone]));
    assert_eq!(table.cubes(BLUE), Cubes::of(1, Stone));
    assert_eq!(table.deniers(BLUE), 1 + 2);
}

#[test]
fn cay_ac_67_gold_can_be_sold() {
    let mut table = Table::of(3);
    table.worker(4, BLUE);
    table.has(BLUE, 0, &[(1, Gold)]);
    table.road_up_to(6);
    table.refuses(BLUE, sell(Food), "CANNOT_AFFORD");
    table.play(BLUE, sell(Gold));
    assert_eq!(table.cubes(BLUE), Cubes::NONE);
    assert_eq!(table.deniers(BLUE), 4 + 2);
    let mut table = using(Tile::WoodMarket, 0, &[(2, Food)]);
    table.play(BLUE, sell(Food));
    assert_eq!((table.count(BLUE, Food), table.deniers(BLUE)), (1, 6 + 2));
}

#[test]
fn cay_ac_88_empty_spaces_do_not_stop_the_provost() {
    let mut table = Table::of(3);
    table.worker(16, BLUE);
    table.has(BLUE, 0, &[]);
    table.road_up_to(20);
    assert!(table.forced(BLUE, produce(0)));
    assert_eq!(table.cubes(BLUE), Cubes::of(1, Gold));
}

/// CAY-6.1.2: an effect that cannot be paid is declined at once.
#[test]
fn what_cannot_be_paid_is_declined() {
    let table = using(Tile::Bank, 1, &[]);
    assert!(table.forced(BLUE, &Action::Decline));
    let table = using(Tile::Alchemist, 0, &[(1, Food), (5, Gold)]);
    assert!(table.forced(BLUE, &Action::Decline));
}

/// CAY-6.11: a kind of action that belongs to another building.
#[test]
fn another_buildings_action_is_the_wrong_one() {
    let table = using(Tile::Bank, 5, &[(1, Wood)]);
    assert_eq!(
        table.pending(),
        Some((BLUE, Decision::UseBuilding { space: space(9) }))
    );
    for action in [
        sell(Wood),
        produce(0),
        craft(Tile::Mason),
        transform(1),
        Action::PassTurn,
        Action::FinishCastle,
    ] {
        table.refuses(BLUE, &action, "WRONG_DECISION");
    }
    let placing = Table::of(3);
    placing.refuses(BLUE, &Action::Decline, "WRONG_DECISION");
}

/// CAY-14.10: fewer cubes first, then by resource order.
#[test]
fn cubes_are_listed_in_resource_order() {
    let table = using(Tile::WoodPeddler, 2, &[]);
    let pairs = [
        [Food, Food],
        [Food, Wood],
        [Food, Stone],
        [Food, Cloth],
        [Wood, Wood],
        [Wood, Stone],
        [Wood, Cloth],
        [Stone, Stone],
        [Stone, Cloth],
        [Cloth, Cloth],
    ];
    let mut list: Vec<Action> = [Food, Wood, Stone, Cloth].map(|kind| buy(&[kind])).to_vec();
    list.extend(pairs.map(|pair| buy(&pair)));
    list.push(Action::Decline);
    assert_eq!(table.legal(), list);
    let table = using(Tile::Alchemist, 0, &[(3, Food), (1, Wood), (1, Cloth)]);
    let payments = [
        alchemy(&[(2, Food)]),
        alchemy(&[(1, Food), (1, Wood)]),
        alchemy(&[(1, Food), (1, Cloth)]),
        alchemy(&[(1, Wood), (1, Cloth)]),
        alchemy(&[(3, Food), (1, Wood)]),
        alchemy(&[(3, Food), (1, Cloth)]),
        alchemy(&[(2, Food), (1, Wood), (1, Cloth)]),
        Action::Decline,
    ];
    assert_eq!(table.legal(), payments);
    let table = using(Tile::Alchemist, 0, &[(2, Stone), (1, Cloth)]);
    let payments = [
        alchemy(&[(2, Stone)]),
        alchemy(&[(1, Stone), (1, Cloth)]),
        Action::Decline,
    ];
    assert_eq!(table.legal(), payments);
}
