//! TM-12c: illegal actions and their reasons.

use super::table::*;
use gamekeeper_rules::terra_mystica::data::Conversion;
use gamekeeper_rules::terra_mystica::data::Cult::{Fire, Water};
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::Terrain::{Desert, Forest, Lakes, Mountains};
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, Faction, FavorTile, PriestSlot, ScoringTile, TownTile,
};
use gamekeeper_rules::terra_mystica::{Action, PowerUse, Refusal, SpecialUse, Tile};

fn nomads_on_f3() -> Table {
    Table::of(&[Nomads, Witches])
        .at(S1, D, &["F3"])
        .goods(S1, 9, 9, 1)
}

/// A table at which the Auren have built next to the Nomads, who have to decide.
fn power_is_offered() -> Table {
    let table = Table::of(&[Auren, Nomads])
        .at(S1, D, &["E6"])
        .at(S2, D, &["F3"])
        .goods(S1, 9, 9, 0);
    table.play(S1, &build("F4"))
}

#[test]
fn tm_12_70_not_the_nomads_turn() {
    let table = Table::of(&[Auren, Nomads]);
    table.refuses(S2, pass(BonusCard::Bon4), "NOT_YOUR_TURN");
}

#[test]
fn tm_12_71_the_builder_waits_for_the_offer() {
    let table = power_is_offered();
    table.refuses(S1, convert(Conversion::WorkerToCoin, 1), "NOT_YOUR_TURN");
}

#[test]
fn tm_12_72_one_main_action_per_turn() {
    let table = nomads_on_f3().play(S1, &priest(Fire, PriestSlot::Two));
    table.refuses(S1, pass(BonusCard::Bon4), "MAIN_ACTION_DONE");
}

#[test]
fn tm_12_73_no_turn_without_main_action() {
    nomads_on_f3().refuses(S1, &Action::EndTurn, "MAIN_ACTION_REQUIRED");
}

#[test]
fn tm_12_74_no_end_with_an_open_favor_tile() {
    let table = nomads_on_f3().favor_owed(1);
    table.refuses(S1, &Action::EndTurn, "FOLLOW_UP_PENDING");
}

#[test]
fn tm_12_75_structures_stay() {
    let table = nomads_on_f3().at(S2, D, &["F4"]);
    table.refuses(S1, transform(&[("F4", Desert)], ""), "SPACE_OCCUPIED");
}

#[test]
fn tm_12_76_rivers_stay() {
    let table = nomads_on_f3();
    table.refuses(S1, transform(&[("r18", Desert)], ""), "NOT_A_LAND_SPACE");
}

#[test]
fn tm_12_77_home_terrain_only() {
    nomads_on_f3().refuses(S1, build("E6"), "WRONG_TERRAIN");
}

#[test]
fn tm_12_78_no_coins() {
    let table = nomads_on_f3().terrain("E6", Desert).goods(S1, 9, 0, 0);
    table.refuses(S1, build("E6"), "CANNOT_AFFORD");
}

#[test]
fn tm_12_79_eight_dwellings() {
    let table = nomads_on_f3().at(S1, D, &["A1", "A2", "A3", "A4", "A5", "A6", "A7"]);
    let table = table.terrain("E6", Desert);
    table.refuses(S1, build("E6"), "NO_PIECE_LEFT");
}

#[test]
fn tm_12_80_home_first() {
    let table = nomads_on_f3().bowls(S1, [0, 6, 6]);
    let action = act6(&[("F4", Mountains), ("E6", Desert)], "");
    table.refuses(S1, &action, "MUST_REACH_HOME_FIRST");
}

#[test]
fn tm_12_81_no_bought_spades_for_two_spaces() {
    let table = nomads_on_f3().bowls(S1, [0, 6, 6]).goods(S1, 90, 9, 0);
    let action = act6(&[("E6", Desert), ("F4", Desert)], "");
    table.refuses(S1, &action, "NOT_ENOUGH_SPADES");
}

#[test]
fn tm_12_82_the_dwelling_stands_where_the_spade_dug() {
    let table = nomads_on_f3().bowls(S1, [0, 6, 6]).terrain("G2", Desert);
    let action = act5(&[("E6", Desert)], "G2");
    table.refuses(S1, &action, "BUILD_SPACE_NOT_TRANSFORMED");
}

#[test]
fn tm_12_83_giants_want_wasteland() {
    let table = Table::of(&[Giants, Nomads])
        .at(S1, D, &["D4"])
        .goods(S1, 9, 9, 0);
    table.refuses(S1, transform(&[("C3", Mountains)], ""), "TARGET_NOT_HOME");
}

#[test]
fn tm_12_84_one_leap_per_action() {
    let table = Table::of(&[Dwarves, Nomads])
        .at(S1, D, &["E7"])
        .bowls(S1, [0, 6, 6])
        .goods(S1, 9, 9, 0);
    let table = table
        .terrain(
            "G2",
            gamekeeper_rules::terra_mystica::data::Terrain::Wasteland,
        )
        .terrain("F3", Forest);
    let action = act6(&[("G2", Mountains), ("F3", Mountains)], "");
    table.refuses(S1, &action, "LEAP_LIMIT");
}

#[test]
fn tm_12_85_fakirs_have_no_ships() {
    let table = Table::of(&[Fakirs, Witches]).goods(S1, 9, 9, 1);
    table.refuses(S1, &Action::AdvanceShipping, "NO_SUCH_TRACK");
}

#[test]
fn tm_12_86_fakirs_stop_at_level_one() {
    let table = Table::of(&[Fakirs, Witches])
        .goods(S1, 9, 9, 1)
        .level(S1, 1);
    table.refuses(S1, &Action::AdvanceTerraforming, "TRACK_MAXED");
}

#[test]
fn tm_12_87_a_power_action_is_for_one() {
    let table = nomads_on_f3()
        .bowls(S1, [0, 0, 12])
        .play(S1, &power(PowerUse::Workers))
        .turn(S1);
    table.refuses(S1, power(PowerUse::Workers), "ACTION_TAKEN");
}

#[track_caller]
fn refuses_to_sacrifice_one(bowls: [u8; 3], code: &str) {
    let table = nomads_on_f3().bowls(S1, bowls);
    table.refuses(S1, sacrificing(PowerUse::Workers, 1), code);
}

#[test]
fn tm_12_88_one_token_cannot_be_sacrificed() {
    refuses_to_sacrifice_one([0, 1, 3], "INVALID_SACRIFICE");
}

#[test]
fn tm_12_89_nothing_is_missing() {
    refuses_to_sacrifice_one([0, 4, 4], "INVALID_SACRIFICE");
}

#[test]
fn tm_12_90_one_is_not_enough() {
    refuses_to_sacrifice_one([0, 4, 2], "INSUFFICIENT_POWER");
}

#[test]
fn tm_12_91_no_temple_from_a_dwelling() {
    nomads_on_f3().refuses(S1, upgrade("F3", TE), "INVALID_UPGRADE");
}

#[test]
fn tm_12_92_own_structures_only() {
    let table = nomads_on_f3().at(S2, D, &["F4"]);
    table.refuses(S1, upgrade("F4", TP), "NOT_YOUR_STRUCTURE");
}

#[test]
fn tm_12_93_no_second_tile_of_a_kind() {
    let table = nomads_on_f3().favor_owed(1).favor(S1, FavorTile::Fav7);
    table.refuses(S1, favor_tile(FavorTile::Fav7), "TILE_ALREADY_OWNED");
}

#[test]
fn tm_12_94_both_tiles_are_gone() {
    let table =
        nomads_on_f3()
            .town(S2, Some(TownTile::Tw3), &[])
            .town(S2, Some(TownTile::Tw3), &[]);
    let table = table.town(S1, None, &["F3"]);
    table.refuses(S1, town_tile(TownTile::Tw3, &[]), "TILE_NOT_AVAILABLE");
}

#[test]
fn tm_12_95_the_space_of_three_is_taken() {
    let table = nomads_on_f3().priests_on_cults(S2, 1);
    table.refuses(S1, priest(Fire, PriestSlot::Three), "PRIEST_SPACE_TAKEN");
}

fn bridges_of(table: Table) -> Table {
    table.bowls(S1, [0, 0, 12])
}

#[test]
fn tm_12_96_no_site() {
    let table = bridges_of(Table::of(&[Nomads, Witches]).at(S1, D, &["D5"]));
    table.refuses(S1, act1("D5", "C3"), "INVALID_BRIDGE_SITE");
}

#[test]
fn tm_12_97_a_bridge_needs_an_own_structure() {
    let table = bridges_of(nomads_on_f3()).at(S2, D, &["E8"]);
    table.refuses(S1, act1("E8", "G3"), "BRIDGE_NEEDS_STRUCTURE");
}

#[test]
fn tm_12_98_one_bridge_per_site() {
    let table = bridges_of(nomads_on_f3())
        .at(S1, D, &["E8"])
        .bridge(S2, "E8", "G3");
    table.refuses(S1, act1("G3", "E8"), "BRIDGE_SITE_TAKEN");
}

#[test]
fn tm_12_99_a_card_must_be_taken() {
    nomads_on_f3().refuses(S1, &LAST_PASS, "CARD_REQUIRED");
}

#[test]
fn tm_12_100_not_the_own_card() {
    nomads_on_f3().refuses(S1, pass(BonusCard::Bon3), "CARD_NOT_AVAILABLE");
}

#[test]
fn sentences_have_the_values_of_the_refusal() {
    let amount = |amount| Refusal::InvalidAmount {
        amount,
        min: 2,
        max: 3,
    };
    assert_eq!(amount(1).to_string(), "Choose at least 2, not 1.");
    assert_eq!(amount(4).to_string(), "Choose at most 3, not 4.");
    for (tile, expected) in [
        (Tile::Favor(FavorTile::Fav1), "No FAV1 (3 fire) is left."),
        (Tile::Town(TownTile::Tw1), "No TW1 (6 coins) is left."),
    ] {
        let sentence = Refusal::TileNotAvailable { tile }.to_string();
        assert_eq!(sentence, expected);
    }
    let sentence = Refusal::ConversionNotAllowed { kind: None }.to_string();
    assert_eq!(
        sentence,
        "Power can only be sacrificed for what it pays at once in this game."
    );
}

#[test]
fn tm_12_101_no_card_in_the_last_round() {
    let table = nomads_on_f3().round(6, ScoringTile::Score2);
    table.refuses(S1, pass(BonusCard::Bon4), "CARD_NOT_ALLOWED");
}

#[test]
fn tm_6_36_the_last_space_of_a_track_is_for_one_marker() {
    let step = special(SpecialUse::FavorCultStep(Fire));
    let table = nomads_on_f3()
        .favor(S1, FavorTile::Fav6)
        .keys(S1, 1)
        .cults(S1, [9, 0, 0, 0]);
    assert!(table.allows(S1, &step));
    table
        .cults(S2, [10, 0, 0, 0])
        .refuses(S1, &step, "NO_EFFECT");
}

#[test]
fn tm_12_102_no_step_without_key() {
    let table = nomads_on_f3()
        .favor(S1, FavorTile::Fav6)
        .cults(S1, [9, 0, 0, 0]);
    table.refuses(S1, special(SpecialUse::FavorCultStep(Fire)), "NO_EFFECT");
}

fn storm(id: &str) -> Action {
    special(SpecialUse::Sandstorm {
        space: space(id),
        build: false,
    })
}

#[test]
fn tm_12_103_no_storm_without_stronghold() {
    nomads_on_f3().refuses(S1, storm("F4"), "ACTION_NOT_AVAILABLE");
}

#[test]
fn tm_12_104_witches_ride_to_forests() {
    let table = Table::of(&[Witches, Nomads]).at(S1, SH, &["F4"]);
    table.refuses(S1, ride("F3"), "WRONG_TERRAIN");
}

#[test]
fn tm_12_105_the_stone_is_the_alchemists() {
    let action = convert(Conversion::AlchemyCoinToVp, 1);
    nomads_on_f3().refuses(S1, &action, "CONVERSION_NOT_ALLOWED");
}

#[test]
fn tm_12_106_no_priest_in_the_supply() {
    let table = nomads_on_f3()
        .goods(S1, 0, 0, 0)
        .priests_on_cults(S1, 7)
        .bowls(S1, [0, 0, 12]);
    table.refuses(S1, convert(Conversion::PowerToPriest, 1), "NO_PIECE_LEFT");
}

#[test]
fn tm_12_107_one_key_for_two_tracks() {
    let table = nomads_on_f3()
        .cults(S1, [9, 9, 3, 0])
        .keys(S1, 1)
        .town(S1, None, &["F3"]);
    table.refuses(S1, town_tile(TownTile::Tw5, &[]), "KEY_CHOICE_REQUIRED");
    for wrong in [
        &[Fire, Water][..],
        &[Fire, Fire],
        &[gamekeeper_rules::terra_mystica::data::Cult::Air],
    ] {
        table.refuses(S1, town_tile(TownTile::Tw5, wrong), "INVALID_KEY_CHOICE");
    }
    table.refuses(S1, town_tile(TownTile::Tw1, &[Fire]), "INVALID_KEY_CHOICE");
    for right in [Fire, Water] {
        assert!(table.lists(S1, town_tile(TownTile::Tw5, &[right])));
    }
}

#[test]
fn tm_12_108_green_is_taken() {
    let choose = |faction: Option<Faction>| Action::ChooseFaction { faction };
    let table = super::setup::choosing(2).play(S1, &choose(Some(Auren)));
    table.refuses(S2, choose(Some(Witches)), "COLOR_TAKEN");
    table.refuses(S2, choose(Some(Auren)), "FACTION_TAKEN");
    table.refuses(S2, choose(None), "UNKNOWN_ID");
}

#[test]
fn tm_12_109_three_structures_are_no_river_town() {
    let table = Table::of(&[Mermaids, Nomads])
        .at(S1, TP, &["E8"])
        .at(S1, SH, &["D6"])
        .at(S1, TE, &["D5"]);
    table.refuses(S1, river_town("r18"), "NOT_A_TOWN");
}

#[test]
fn tm_12_110_one_cult_spade() {
    let table = nomads_on_f3().cult_spades(S1, 1);
    let action = cult_spades(&[("E6", Lakes)]);
    table.refuses(S1, &action, "NOT_ENOUGH_SPADES");
}

#[test]
fn tm_12_111_no_leap_with_cult_spades() {
    let table = Table::of(&[Dwarves, Nomads])
        .at(S1, D, &["E7"])
        .cult_spades(S1, 1);
    table.refuses(S1, cult_spades(&[("G2", Mountains)]), "NOT_REACHABLE");
}

#[test]
fn tm_12_112_no_card_ships_with_cult_spades() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, D, &["E8"])
        .card(S1, BonusCard::Bon4);
    let action = transform(&[("D6", Desert)], "");
    assert!(table.clone().goods(S1, 9, 9, 0).allows(S1, &action));
    let table = table.cult_spades(S1, 1);
    table.refuses(S1, cult_spades(&[("D6", Desert)]), "NOT_REACHABLE");
}

#[test]
fn tm_12_113_not_enough_workers_to_ordain() {
    let table = Table::of(&[Darklings, Nomads])
        .at(S1, TP, &["E5"])
        .goods(S1, 6, 9, 0);
    let table = table.play(S1, &upgrade("E5", SH));
    assert_eq!(table.p(S1).workers, 2);
    table.refuses(S1, &Action::OrdainPriests { count: 3 }, "INVALID_AMOUNT");
    assert!(table.allows(S1, &Action::OrdainPriests { count: 2 }));
}

#[test]
fn tm_12_114_the_game_is_over() {
    let mut table = nomads_on_f3().round(6, ScoringTile::Score2);
    while let Some((seat, _)) = table.decision() {
        table = table.play(seat, &LAST_PASS);
    }
    for seat in [S1, S2] {
        table.refuses(seat, &LAST_PASS, "GAME_OVER");
        table.refuses(seat, &Action::EndTurn, "GAME_OVER");
    }
}

#[test]
fn tm_12_115_no_spades_are_bought_beside_a_free_one_that_reaches_home() {
    let table = nomads_on_f3().bowls(S1, [0, 8, 4]).goods(S1, 9, 0, 0);
    let action = act5(&[("E6", Lakes)], "");
    table.refuses(S1, &action, "NOT_ENOUGH_SPADES");
    assert_eq!(
        table.refusal(S1, &action).to_string(),
        "This takes 2 spades; you have 1, and cannot buy more for this."
    );
}
