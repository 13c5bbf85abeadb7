//! The clarifications of TM-14.

use super::table::*;
use gamekeeper_rules::ruleset::{is_exhaustive, legal_actions};
use gamekeeper_rules::table::{Detail, Wanted};
use gamekeeper_rules::terra_mystica::data::Conversion;
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::Terrain::{self, Desert, Forest, Plains, Swamp};
use gamekeeper_rules::terra_mystica::data::{BonusCard, FavorTile, TownTile};
use gamekeeper_rules::terra_mystica::{Action, Decision, PowerUse, SpecialUse, TerraMystica, Work};

fn nomads_on_f3() -> Table {
    Table::of(&[Nomads, Witches])
        .at(S1, D, &["F3"])
        .goods(S1, 9, 9, 1)
}

#[test]
fn tm_14_1_the_order_of_refusals_in_procedure_t() {
    let table = nomads_on_f3().at(S2, D, &["F4"]).goods(S1, 0, 0, 0);
    let refuses = |list: &[(&str, Terrain)], at: &str, code| {
        table.refuses(S1, transform(list, at), code);
    };
    refuses(&[], "", "NOTHING_TO_DO");
    refuses(
        &[("F4", Desert), ("F4", Desert), ("Z9", Desert)],
        "",
        "UNKNOWN_ID",
    );
    refuses(&[("E6", Desert)], "r3", "NOT_A_LAND_SPACE");
    refuses(&[("F4", Desert), ("F4", Desert)], "", "SPACE_REPEATED");
    refuses(&[("F4", Desert), ("A1", Plains)], "", "TOO_MANY_SPACES");
    refuses(&[("F4", Forest)], "", "SPACE_OCCUPIED");
    refuses(&[("A1", Plains)], "", "SAME_TERRAIN");
    refuses(&[("A1", Desert)], "A2", "NOT_REACHABLE");
    refuses(&[("E6", Swamp)], "E6", "BUILD_SPACE_NOT_TRANSFORMED");
    refuses(&[("E6", Desert)], "E5", "BUILD_SPACE_NOT_TRANSFORMED");
    refuses(&[], "F4", "SPACE_OCCUPIED");
    refuses(&[], "A1", "WRONG_TERRAIN");
    refuses(&[], "A5", "NOT_REACHABLE");
    let full = table
        .clone()
        .at(S1, D, &["I1", "I2", "I3", "I4", "I5", "I6", "I7"]);
    full.refuses(S1, transform(&[("E6", Desert)], "E6"), "NO_PIECE_LEFT");
    refuses(&[("E6", Desert)], "E6", "CANNOT_AFFORD");
    let giants = Table::of(&[Giants, Nomads]).at(S1, D, &["D4"]);
    giants.refuses(S1, transform(&[("A1", Forest)], ""), "TARGET_NOT_HOME");
}

#[test]
fn tm_14_1_ownership_comes_before_power_and_power_before_the_object() {
    let table = nomads_on_f3().bowls(S1, [12, 0, 0]);
    let wrong = act5(&[("Z9", Desert)], "");
    table.refuses(S1, &wrong, "INSUFFICIENT_POWER");
    let used = table
        .clone()
        .bowls(S1, [0, 0, 12])
        .play(S1, &act5(&[], ""))
        .turn(S1);
    used.refuses(S1, &wrong, "ACTION_TAKEN");
    table
        .clone()
        .bowls(S1, [0, 0, 4])
        .refuses(S1, &wrong, "UNKNOWN_ID");
    let special = special(SpecialUse::BonusSpade(Work::default()));
    table.refuses(S1, &special, "ACTION_NOT_AVAILABLE");
    let table = table.card(S1, BonusCard::Bon1);
    table.refuses(S1, &special, "NOTHING_TO_DO");
    let idle = Action::TakeSpecialAction {
        special_use: SpecialUse::BonusSpade(work(&[], "Z9")),
    };
    table.refuses(S1, &idle, "NOTHING_TO_DO");
}

#[test]
fn tm_14_1_bridges_site_taken_structure_stock() {
    let table = Table::of(&[Engineers, Nomads])
        .at(S1, D, &["E8"])
        .goods(S1, 0, 0, 0);
    let bridge = |a, b| Action::BuildEngineerBridge { span: span(a, b) };
    let nomads = table.clone().turn(S2);
    nomads.refuses(S2, bridge("E8", "Z9"), "WRONG_FACTION");
    table.refuses(S1, bridge("E8", "Z9"), "UNKNOWN_ID");
    table.refuses(S1, bridge("r1", "E8"), "NOT_A_LAND_SPACE");
    table.refuses(S1, bridge("E8", "E7"), "INVALID_BRIDGE_SITE");
    table.refuses(S1, bridge("E8", "G3"), "CANNOT_AFFORD");
    let three = table
        .bridge(S1, "A11", "C5")
        .bridge(S1, "A3", "C1")
        .bridge(S1, "A7", "C3");
    three.refuses(S1, bridge("E8", "G3"), "NO_PIECE_LEFT");
    three.refuses(S1, bridge("B1", "C1"), "BRIDGE_NEEDS_STRUCTURE");
    three.refuses(S1, bridge("C5", "A11"), "BRIDGE_SITE_TAKEN");
}

#[test]
fn tm_14_2_no_late_dwelling_while_a_choice_is_open() {
    let table = nomads_on_f3().play(S1, &transform(&[("E6", Desert)], ""));
    assert!(table.allows(S1, late("E6")));
    let mut open = table.clone();
    open.state.turn.follow_ups.favor_tiles = 1;
    open.refuses(S1, late("E6"), "WRONG_DECISION");
    table.refuses(S1, late("G2"), "BUILD_SPACE_NOT_TRANSFORMED");
    let ended = table.play(S1, &Action::EndTurn).turn(S1);
    ended.refuses(S1, late("E6"), "BUILD_SPACE_NOT_TRANSFORMED");
}

#[test]
fn tm_14_3_conversions_out_of_place() {
    let sacrifice = Action::SacrificePower { tokens: 1 };
    nomads_on_f3().refuses(S1, &sacrifice, "CONVERSION_NOT_ALLOWED");
    let table = nomads_on_f3().free_sacrifice().bowls(S1, [0, 4, 0]);
    table.refuses(S1, &Action::SacrificePower { tokens: 0 }, "INVALID_AMOUNT");
    table.refuses(
        S1,
        &Action::SacrificePower { tokens: 3 },
        "INVALID_SACRIFICE",
    );
    assert_eq!(
        table
            .play(S1, &Action::SacrificePower { tokens: 2 })
            .p(S1)
            .bowls,
        [0, 0, 2]
    );
    for (faction, code) in [
        (Alchemists, "CONVERSION_NOT_ALLOWED"),
        (Fakirs, "WRONG_DECISION"),
    ] {
        let table = Table::of(&[Auren, faction])
            .at(S1, D, &["E6"])
            .at(S2, D, &["F3"]);
        let table = table.goods(S1, 9, 9, 0).play(S1, &build("F4"));
        assert_eq!(table.decision(), Some((S2, Decision::PowerDecision)));
        table.refuses(S2, convert(Conversion::WorkerToCoin, 1), code);
        table.refuses(S2, &sacrifice, "WRONG_DECISION");
        let stone = convert(Conversion::AlchemyVpToCoin, 3);
        assert_eq!(table.allows(S2, &stone), faction == Alchemists);
    }
    let mermaids = Table::of(&[Mermaids, Nomads]).at(S1, D, &["D5"]);
    mermaids.refuses(S1, river_town("D5"), "NOT_A_RIVER_SPACE");
    mermaids.refuses(S1, river_town("r99"), "UNKNOWN_ID");
    nomads_on_f3().refuses(S1, river_town("D5"), "WRONG_FACTION");
}

#[test]
fn an_alchemist_may_lower_what_can_be_gained() {
    let table = Table::of(&[Auren, Alchemists])
        .at(S1, D, &["E6"])
        .at(S2, SH, &["F3"])
        .vp(S2, 3);
    let table = table.goods(S1, 9, 9, 0).play(S1, &build("F4"));
    assert_eq!(table.view(Spectator).power_offers[0].gainable, 3);
    let table = table.play(S2, &convert(Conversion::AlchemyVpToCoin, 3));
    assert_eq!(table.view(Spectator).power_offers[0].gainable, 1);
    assert_eq!(table.play(S2, &ACCEPT).vp_of(S2), 0);
}

#[test]
fn tm_14_4_a_structure_between_two_towns_joins_the_older() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["E6", "G2"])
        .terrain("F3", Desert);
    let table = table
        .town(S1, Some(TownTile::Tw1), &["G2"])
        .town(S1, Some(TownTile::Tw2), &["E6"]);
    let table = table.goods(S1, 9, 9, 0).play(S1, &build("F3"));
    assert!(table.state.towns[0].lands.contains(land("F3")));
    assert!(!table.state.towns[1].lands.contains(land("F3")));
    assert_eq!(table.state.open_towns(), 0);
}

#[test]
fn tm_14_4_tiles_to_be_chosen_are_not_left() {
    let mut table = Table::of(&[Nomads, Witches])
        .at(S1, SH, &["F3"])
        .at(S1, TP, &["E6"])
        .at(S1, D, &["G2"]);
    for _ in 0..9 {
        table = table.town(S2, Some(TownTile::Tw1), &[]);
    }
    assert_eq!(table.state.towns_left(), 1);
    let full = table.clone().town(S2, None, &[]);
    assert_eq!(full.state.towns_left(), 0);
    let build_town = |table: Table| {
        table
            .terrain("F4", Desert)
            .goods(S1, 9, 9, 0)
            .turn(S1)
            .play(S1, &build("F4"))
            .p(S1)
            .keys
    };
    assert_eq!(build_town(table), 1);
    let mut closed = full;
    closed.state.towns[9].tile = Some(TownTile::Tw2);
    assert_eq!(build_town(closed), 0);
}

#[test]
fn tm_14_5_a_choice_that_nobody_can_make_lapses() {
    let table = Table::of(&[Cultists, Nomads])
        .at(S1, D, &["E6"])
        .at(S2, D, &["G2"])
        .terrain("F3", Plains);
    let table = table
        .cults(S1, [9, 9, 9, 9])
        .goods(S1, 9, 9, 0)
        .play(S1, &build("F3"))
        .play(S2, &ACCEPT);
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
    let mut table = Table::of(&[Nomads, Witches])
        .at(S1, TP, &["F3"])
        .goods(S1, 9, 9, 0);
    for tile in FavorTile::ALL {
        table = table.favor(S1, tile);
    }
    let table = table.play(S1, &upgrade("F3", TE));
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
}

#[test]
fn tm_14_6_spades_may_be_given_up() {
    let table = nomads_on_f3().bowls(S1, [0, 0, 12]).terrain("E6", Desert);
    assert_eq!(
        table.clone().play(S1, &act5(&[], "E6")).piece("E6"),
        Some((S1, D))
    );
    assert!(table.allows(S1, act6(&[], "E6")) && table.lists(S1, act6(&[], "E6")));
    let table = Table::of(&[Halflings, Nomads])
        .at(S1, TP, &["E6"])
        .goods(S1, 9, 20, 0)
        .terrain("F3", Plains);
    let table = table.play(S1, &upgrade("E6", SH));
    assert_eq!(table.vp_of(S1), 23);
    let spades = |list: &[(&str, gamekeeper_rules::terra_mystica::data::Terrain)], at: &str| {
        Action::UseStrongholdSpades {
            work: work(list, at),
        }
    };
    table.refuses(S1, spades(&[], "F3"), "BUILD_SPACE_NOT_TRANSFORMED");
    table.refuses(
        S1,
        spades(&[("F4", Swamp), ("E5", Plains)], ""),
        "MUST_REACH_HOME_FIRST",
    );
    assert!(table.allows(S1, spades(&[], "")));
    let table = table.play(S1, &spades(&[("E5", Plains), ("D4", Plains)], "E5"));
    assert_eq!((table.piece("E5"), table.vp_of(S1)), (Some((S1, D)), 23));
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
}

#[test]
fn tm_14_7_halflings_score_cult_spades_that_they_cannot_use() {
    let table = Table::of(&[Halflings, Witches])
        .at(S2, D, &["F4"])
        .cults(S1, [0, 0, 8, 0]);
    let table = table
        .play(S1, &pass(BonusCard::Bon4))
        .play(S2, &pass(BonusCard::Bon9));
    assert_eq!((table.vp_of(S1), table.state.round), (22, 4));
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
}

#[test]
fn tm_14_9_lists_have_one_form_of_each_move() {
    let table = nomads_on_f3().bowls(S1, [0, 6, 4]);
    let two = |sacrifice| Action::TakePowerAction {
        power_use: PowerUse::TwoSpades(work(&[("E6", Desert), ("G2", Desert)], "")),
        sacrifice,
    };
    assert!(table.lists(S1, two(2)) && table.allows(S1, two(2)));
    assert!(!table.allows(S1, two(3)));
    let swapped = sacrificing(
        PowerUse::TwoSpades(work(&[("G2", Desert), ("E6", Desert)], "")),
        2,
    );
    assert!(table.allows(S1, &swapped) && !table.lists(S1, &swapped));
    let coins = |times, sacrifice| Action::Convert {
        kind: Conversion::PowerToCoin,
        times,
        sacrifice,
    };
    for (times, sacrifice) in [(1, 0), (4, 0), (5, 1), (7, 3)] {
        assert!(table.lists(S1, coins(times, sacrifice)), "{times}");
    }
    assert!(!table.allows(S1, coins(8, 4)));
    let free = table.free_sacrifice();
    assert!(free.allows(S1, coins(1, 3)) && !free.lists(S1, coins(1, 3)));
    assert!(!is_exhaustive::<TerraMystica>(
        &free.state,
        S1,
        Wanted::all(Detail::Moves)
    ));
    let all = legal_actions::<TerraMystica>(&free.state, S1, Detail::AllPayments);
    assert!(all.contains(&coins(1, 3)));
}
