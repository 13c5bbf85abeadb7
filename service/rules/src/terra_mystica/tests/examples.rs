//! TM-12a: the examples of the rulebook.

use super::table::*;
use gamekeeper_rules::terra_mystica::data::Cult::{Air, Fire, Water};
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::{
    FavorTile, PriestSlot, ScoringTile, Structure, Terrain, TownTile,
};
use gamekeeper_rules::terra_mystica::{Action, Decision, PowerUse, Work};

#[test]
fn tm_12_1_witches_at_the_start() {
    let table = Table::of(&[Witches, Nomads]);
    let witches = table.p(S1);
    assert_eq!(table.goods_of(S1), (3, 15, 0));
    assert_eq!(
        (witches.bowls, witches.cults, witches.vp),
        ([5, 7, 0], [0, 0, 0, 2], 20)
    );
}

#[test]
fn tm_12_2_cult_steps_and_shipping_at_the_start() {
    let table = Table::of(&[Nomads, Halflings, Mermaids]);
    assert_eq!(table.p(S1).cults, [1, 0, 1, 0]);
    assert_eq!(table.p(S2).cults, [0, 0, 1, 1]);
    assert_eq!((table.p(S3).cults, table.p(S3).shipping), ([0, 2, 0, 0], 1));
}

#[test]
fn tm_12_3_two_dwellings_give_three_workers() {
    let mut table = Table::of(&[Witches, Nomads]).at(S1, D, &["C3", "F4"]);
    table.state.players[S1].card = None;
    let income = table.state.income(S1);
    assert_eq!(
        (income.workers, income.coins, income.priests, income.power),
        (3, 0, 0, 0)
    );
}

#[test]
fn tm_12_4_gaining_three_power() {
    let table = offered().bowls(S2, [2, 5, 5]).play(S2, &ACCEPT);
    assert_eq!(table.p(S2).bowls, [0, 6, 6]);
    assert!(table.turn(S2).allows(S2, act6(&[], "")));
}

#[test]
fn tm_12_5_spending_six_power() {
    let table = Table::of(&[Nomads, Witches]).bowls(S1, [0, 6, 6]);
    assert_eq!(table.play(S1, &act6(&[], "")).p(S1).bowls, [6, 6, 0]);
}

#[test]
fn tm_12_6_two_river_hexes_are_too_far_for_shipping_1() {
    let table = Table::of(&[Auren, Nomads])
        .at(S1, D, &["C3"])
        .shipping(S1, 1)
        .goods(S1, 9, 9, 0);
    table.refuses(
        S1,
        transform(&[("E8", Terrain::Forest)], ""),
        "NOT_REACHABLE",
    );
}

#[test]
fn tm_12_7_two_river_hexes_with_shipping_2() {
    let table = Table::of(&[Auren, Nomads])
        .at(S1, D, &["C3"])
        .shipping(S1, 2)
        .goods(S1, 9, 9, 0);
    assert!(table.allows(S1, transform(&[("E8", Terrain::Forest)], "")));
}

#[test]
fn tm_12_8_advancing_shipping() {
    let table = Table::of(&[Auren, Nomads])
        .shipping(S1, 1)
        .goods(S1, 0, 4, 1);
    let table = table.play(S1, &Action::AdvanceShipping);
    assert_eq!((table.p(S1).shipping, table.vp_of(S1)), (2, 23));
    assert_eq!(table.goods_of(S1), (0, 0, 0));
}

#[test]
fn tm_12_9_advancing_terraforming() {
    let table = Table::of(&[Auren, Nomads])
        .at(S1, D, &["F4"])
        .goods(S1, 2, 5, 1);
    let table = table.play(S1, &Action::AdvanceTerraforming);
    assert_eq!((table.p(S1).terraforming, table.vp_of(S1)), (1, 26));
    assert_eq!(table.goods_of(S1), (0, 0, 0));
    let table = table.goods(S1, 2, 0, 0).turn(S1);
    let table = table.play(S1, &transform(&[("F3", Terrain::Wasteland)], ""));
    assert_eq!(table.goods_of(S1), (0, 0, 0));
}

/// A table at which Mermaids built next to the Nomads' dwelling and temple.
fn offered() -> Table {
    Table::of(&[Mermaids, Nomads])
        .at(S1, D, &["C3"])
        .at(S2, D, &["E8"])
        .at(S2, TE, &["E7"])
        .at(S2, TP, &["F3"])
        .terrain("D5", Terrain::Lakes)
        .goods(S1, 9, 9, 0)
        .play(S1, &build("D5"))
}

#[test]
fn tm_12_10_power_is_offered_for_the_sum_of_neighbors() {
    let table = offered();
    assert_eq!(table.decision(), Some((S2, Decision::PowerDecision)));
    let offers = table.view(Spectator).power_offers;
    assert_eq!(offers.len(), 1);
    assert_eq!(
        (offers[0].seat, offers[0].value, offers[0].gainable),
        (S2, 3, 3)
    );
}

#[test]
fn tm_12_11_accepting_three_power() {
    let table = offered().play(S2, &ACCEPT);
    assert_eq!((table.p(S2).bowls, table.vp_of(S2)), ([2, 10, 0], 18));
}

#[test]
fn tm_12_12_power_costs_one_vp_less_than_its_amount() {
    let near: [&[(Structure, &str)]; 4] = [
        &[(D, "E7")],
        &[(TP, "E7")],
        &[(SH, "E7")],
        &[(TP, "E7"), (TE, "E8")],
    ];
    for (cost, structures) in (0..).zip(near) {
        let mut table = Table::of(&[Mermaids, Nomads])
            .at(S1, D, &["C3"])
            .goods(S1, 9, 9, 0);
        for &(structure, id) in structures {
            table = table.at(S2, structure, &[id]);
        }
        let table = table.terrain("D5", Terrain::Lakes).play(S1, &build("D5"));
        assert_eq!(table.play(S2, &ACCEPT).vp_of(S2), 20 - cost);
    }
}

#[test]
fn tm_12_13_two_tokens_take_two_power_of_three() {
    let table = offered().bowls(S2, [0, 2, 10]).play(S2, &ACCEPT);
    assert_eq!((table.p(S2).bowls, table.vp_of(S2)), ([0, 0, 12], 19));
}

#[test]
fn tm_12_14_one_vp_buys_two_power_of_four() {
    let table = Table::of(&[Mermaids, Nomads])
        .at(S1, D, &["C3"])
        .at(S2, TP, &["E7", "E8"])
        .terrain("D5", Terrain::Lakes)
        .goods(S1, 9, 9, 0)
        .vp(S2, 1)
        .play(S1, &build("D5"));
    assert_eq!(table.view(Spectator).power_offers[0].value, 4);
    let table = table.play(S2, &ACCEPT);
    assert_eq!((table.p(S2).bowls, table.vp_of(S2)), ([3, 9, 0], 0));
}

#[test]
fn tm_12_15_a_priest_passes_two_thresholds() {
    let table = Table::of(&[Nomads, Witches])
        .cults(S1, [1, 0, 1, 4])
        .goods(S1, 0, 0, 1);
    let table = table.play(S1, &priest(Air, PriestSlot::Three));
    assert_eq!((table.p(S1).cults[3], table.p(S1).bowls), (7, [1, 11, 0]));
}

#[test]
fn tm_12_16_the_witches_ride_once_per_round() {
    let table = Table::of(&[Witches, Nomads])
        .at(S1, SH, &["F4"])
        .goods(S1, 0, 0, 0);
    let table = table.play(S1, &ride("A3"));
    assert_eq!(table.piece("A3"), Some((S1, D)));
    assert_eq!(table.goods_of(S1), (0, 0, 0));
    table.turn(S1).refuses(S1, ride("A10"), "ACTION_TAKEN");
}

/// Lets every player pass, in seat order.
fn all_pass(mut table: Table) -> Table {
    while let Some((seat, Decision::Turn)) = table.decision() {
        if table.state.round != 3 {
            break;
        }
        let card = table.state.pool[0].card;
        table = table.play(seat, &pass(card));
    }
    table
}

#[test]
fn tm_12_17_six_air_give_three_workers() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["E8"])
        .at(S2, D, &["F4"]);
    let table = table
        .tile(ScoringTile::Score7)
        .cults(S1, [0, 0, 0, 6])
        .goods(S1, 0, 0, 0);
    let table = all_pass(table);
    let workers = "Seat 1 receives 3 workers as the reward of SCORE7.";
    assert!(table.sentences().iter().any(|text| text == workers));
}

#[test]
fn tm_12_18_eight_earth_give_two_spades() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["E8"])
        .at(S2, D, &["F4"]);
    let table = all_pass(table.tile(ScoringTile::Score2).cults(S1, [0, 0, 8, 0]));
    assert_eq!(table.decision(), Some((S1, Decision::CultSpades)));
    assert_eq!(table.view(Spectator).cult_spades[0].spades, 2);
}

/// The VP of the final scoring from a source, by seat.
fn final_vp(table: &Table, source: &str) -> Vec<i32> {
    let seats = table.state.players.seats();
    seats.map(|seat| table.final_vp(seat, source)).collect()
}

/// The last passes of round 6.
fn finish(table: Table) -> Table {
    let mut table = table.round(6, ScoringTile::Score2);
    while let Some((seat, _)) = table.decision() {
        table = table.play(seat, &LAST_PASS);
    }
    table
}

#[test]
fn tm_12_19_two_leaders_of_a_cult_share() {
    let table = Table::of(&[Nomads, Witches, Halflings, Giants]);
    let table = table
        .cults(S1, [9, 0, 0, 0])
        .cults(S2, [9, 0, 0, 0])
        .cults(S3, [5, 0, 0, 0]);
    let table = finish(table.cults(S4, [2, 0, 0, 0]));
    assert_eq!(final_vp(&table, "fire"), [6, 6, 2, 0]);
}

#[test]
fn tm_12_20_three_share_the_second_area() {
    let table = Table::of(&[Nomads, Witches, Halflings, Giants])
        .at(S1, D, &["A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"])
        .at(S1, TP, &["A9", "A10"])
        .at(S2, D, &["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8"])
        .at(S2, TP, &["I9"])
        .at(S3, D, &["E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8"])
        .at(S3, TP, &["F3"])
        .at(S4, D, &["F5", "F6", "F7", "E9", "E10", "E11", "D7", "D8"])
        .at(S4, TP, &["G5"]);
    assert_eq!(final_vp(&finish(table), "area"), [18, 6, 6, 6]);
}

#[test]
fn tm_12_21_the_town_tile_pays_for_ordination() {
    let table = Table::of(&[Darklings, Nomads])
        .at(S1, TP, &["E5", "E3"])
        .at(S1, D, &["E4", "E2"])
        .goods(S1, 5, 9, 0)
        .play(S1, &upgrade("E5", SH));
    assert_eq!((table.state.open_towns(), table.p(S1).workers), (1, 1));
    let table = table.play(S1, &town_tile(TownTile::Tw2, &[]));
    let table = table.play(S1, &Action::OrdainPriests { count: 3 });
    assert_eq!((table.p(S1).workers, table.p(S1).priests), (0, 3));
}

#[test]
fn tm_12_22_the_key_of_a_town_serves_the_favor_tile_of_the_same_sanctuary() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, TE, &["E8"])
        .at(S1, TP, &["E7", "D5"])
        .cults(S1, [8, 0, 0, 0])
        .bowls(S1, [5, 7, 0])
        .goods(S1, 9, 9, 0)
        .play(S1, &upgrade("E8", SA));
    assert_eq!((table.state.open_towns(), table.p(S1).keys), (1, 1));
    let table = table.play(S1, &favor_tile(FavorTile::Fav5));
    assert_eq!((table.p(S1).cults[0], table.p(S1).keys), (10, 0));
    assert_eq!(table.p(S1).bowls, [2, 10, 0]);
    assert_eq!(table.state.open_towns(), 1);
}

#[test]
fn tm_12_23_two_keys_for_two_tracks() {
    let table = Table::of(&[Nomads, Witches])
        .keys(S1, 2)
        .cults(S1, [9, 9, 0, 0])
        .goods(S1, 0, 0, 2);
    let table = table.play(S1, &priest(Fire, PriestSlot::Supply)).turn(S1);
    let table = table.play(S1, &priest(Water, PriestSlot::Supply));
    assert_eq!((table.p(S1).cults, table.p(S1).keys), ([10, 10, 0, 0], 0));
}

#[test]
fn tm_12_24_shipping_joins_areas() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["A1", "A2", "A3", "A4", "A5"])
        .at(S2, D, &["E1", "E2", "E3", "E4", "E5", "E6"])
        .at(S2, TP, &["G1", "H3", "I4"]);
    assert_eq!(table.clone().shipping(S2, 0).state.largest_area(S2), 6);
    let table = table.shipping(S2, 1);
    assert_eq!(
        (table.state.largest_area(S1), table.state.largest_area(S2)),
        (5, 9)
    );
    assert_eq!(final_vp(&finish(table), "area"), [12, 18]);
}

#[test]
fn tm_12_25_alchemists_buy_vp_for_two_coins() {
    let table = Table::of(&[Alchemists, Nomads]);
    let table = finish(
        table
            .goods(S1, 0, 7, 0)
            .goods(S2, 0, 7, 0)
            .bowls(S1, [9, 0, 0])
            .bowls(S2, [9, 0, 0]),
    );
    assert_eq!(final_vp(&table, "resources"), [3, 2]);
}

#[test]
fn power_is_spent_for_goods_too() {
    let table = Table::of(&[Nomads, Witches])
        .bowls(S1, [0, 0, 12])
        .goods(S1, 0, 0, 0);
    let table = table.play(S1, &power(PowerUse::Coins));
    assert_eq!(table.goods_of(S1), (0, 7, 0));
    assert!(!table.allows(
        S1,
        &Action::TransformAndBuild {
            work: Work::default()
        }
    ));
}
