//! TM-12b: further legal cases of turns. TM-12.61 is the replay of real games, an integration test.

use super::table::*;
use gamekeeper_rules::terra_mystica::data::Conversion;
use gamekeeper_rules::terra_mystica::data::Cult::{Air, Earth, Fire, Water};
use gamekeeper_rules::terra_mystica::data::Faction::*;
use gamekeeper_rules::terra_mystica::data::Terrain::{Desert, Mountains, Plains, Swamp, Wasteland};
use gamekeeper_rules::terra_mystica::data::{
    BonusCard, FavorTile, PriestSlot, River, ScoringTile, SpecialAction, TownTile,
};
use gamekeeper_rules::terra_mystica::view::FollowUp;
use gamekeeper_rules::terra_mystica::{Action, Decision, PowerUse, SpecialUse};

fn nomads_on_f3() -> Table {
    Table::of(&[Nomads, Witches]).at(S1, D, &["F3"])
}

#[test]
fn tm_12_30_transform_and_build() {
    let table = nomads_on_f3().goods(S1, 4, 2, 0).tile(ScoringTile::Score5);
    let table = table.play(S1, &transform(&[("E6", Desert)], "E6"));
    assert_eq!(table.goods_of(S1), (0, 0, 0));
    assert_eq!((table.piece("E6"), table.vp_of(S1)), (Some((S1, D)), 22));
}

#[test]
fn tm_12_31_one_free_spade_and_two_bought() {
    let table = nomads_on_f3().bowls(S1, [0, 8, 4]).goods(S1, 6, 0, 0);
    let table = table.play(S1, &act5(&[("F4", Desert)], ""));
    assert_eq!(
        (table.goods_of(S1), table.p(S1).bowls),
        ((0, 0, 0), [4, 8, 0])
    );
    assert_eq!(table.terrain_of("F4"), Desert);
}

#[test]
fn tm_12_32_two_spades_on_two_spaces() {
    let table = nomads_on_f3().bowls(S1, [0, 6, 6]).goods(S1, 1, 2, 0);
    let table = table.play(S1, &act6(&[("E6", Desert), ("G2", Desert)], "G2"));
    assert_eq!((table.terrain_of("E6"), table.piece("E6")), (Desert, None));
    assert_eq!(table.piece("G2"), Some((S1, D)));
    assert_eq!(table.goods_of(S1), (0, 0, 0));
}

#[test]
fn tm_12_33_sacrificing_four() {
    let table = Table::of(&[Engineers, Nomads]).at(S1, D, &["E7"]);
    assert_eq!(table.p(S1).bowls, [3, 9, 0]);
    let action = sacrificing(PowerUse::Spade(work(&[], "")), 4);
    let table = table.play(S1, &action);
    assert_eq!(table.p(S1).bowls, [7, 1, 0]);
}

#[test]
fn tm_12_34_giants_always_take_two_spades() {
    let table = Table::of(&[Giants, Witches])
        .at(S1, D, &["D4"])
        .goods(S1, 6, 0, 0);
    let table = table.play(S1, &transform(&[("E7", Wasteland)], ""));
    assert_eq!(
        (table.terrain_of("E7"), table.goods_of(S1)),
        (Wasteland, (0, 0, 0))
    );
}

#[test]
fn tm_12_35_darklings_dig_with_priests() {
    let table = Table::of(&[Darklings, Nomads])
        .at(S1, D, &["E5"])
        .goods(S1, 0, 0, 1);
    let table = table
        .tile(ScoringTile::Score1)
        .play(S1, &transform(&[("E4", Swamp)], ""));
    assert_eq!((table.p(S1).priests, table.state.priest_supply(S1)), (0, 7));
    assert_eq!(table.vp_of(S1), 24);
}

#[test]
fn tm_12_36_halflings_score_spades_twice() {
    let table = Table::of(&[Halflings, Nomads])
        .at(S1, D, &["E6"])
        .level(S1, 2)
        .goods(S1, 3, 0, 0);
    let table = table
        .tile(ScoringTile::Score1)
        .terrain("D4", gamekeeper_rules::terra_mystica::data::Terrain::Forest);
    let table = table.play(S1, &transform(&[("D4", Plains)], ""));
    assert_eq!((table.goods_of(S1), table.vp_of(S1)), ((0, 0, 0), 29));
}

fn dwarves() -> Table {
    Table::of(&[Dwarves, Nomads]).at(S1, D, &["E7"])
}

#[test]
fn tm_12_37_dwarves_tunnel_for_two_workers() {
    let table = dwarves()
        .goods(S1, 6, 2, 0)
        .play(S1, &transform(&[("G2", Mountains)], "G2"));
    assert_eq!((table.goods_of(S1), table.vp_of(S1)), ((0, 0, 0), 24));
    assert_eq!(table.piece("G2"), Some((S1, D)));
}

#[test]
fn tm_12_38_the_stronghold_makes_tunnels_cheaper() {
    let table = Table::of(&[Dwarves, Nomads])
        .at(S1, SH, &["E7"])
        .goods(S1, 5, 2, 0);
    let table = table.play(S1, &transform(&[("G2", Mountains)], "G2"));
    assert_eq!((table.goods_of(S1), table.vp_of(S1)), ((0, 0, 0), 24));
}

#[test]
fn tm_12_39_fakirs_with_stronghold_fly_three_hexes() {
    let table = Table::of(&[Fakirs, Witches])
        .at(S1, SH, &["F3"])
        .goods(S1, 3, 0, 1);
    let table = table.play(S1, &transform(&[("D5", Swamp)], ""));
    assert_eq!((table.goods_of(S1), table.vp_of(S1)), ((0, 0, 0), 24));
    assert_eq!(
        (table.terrain_of("D5"), table.state.priest_supply(S1)),
        (Swamp, 7)
    );
}

#[test]
fn tm_12_40_four_structures_of_power_seven_are_a_town() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, SH, &["F3"])
        .at(S1, TP, &["E6"])
        .at(S1, D, &["G2"]);
    let table = table
        .terrain("F4", Desert)
        .goods(S1, 1, 2, 0)
        .play(S1, &build("F4"));
    assert_eq!((table.state.towns.len(), table.p(S1).keys), (1, 1));
    assert_eq!(table.decision(), Some((S1, Decision::FollowUp)));
    assert!(table.allows(S1, town_tile(TownTile::Tw1, &[])));
}

#[test]
fn tm_12_41_fav5_founds_a_town_of_power_six() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, SH, &["F3"])
        .at(S1, D, &["E6", "G2", "F4"]);
    let table = table
        .at(S1, TP, &["A5"])
        .goods(S1, 9, 9, 0)
        .play(S1, &upgrade("A5", TE));
    assert_eq!(table.state.towns.len(), 0);
    let table = table.play(S1, &favor_tile(FavorTile::Fav5));
    assert_eq!((table.state.towns.len(), table.p(S1).keys), (1, 1));
    assert_eq!(table.p(S1).cults[0], 3);
}

#[test]
fn tm_12_42_three_structures_with_the_sanctuary() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, SA, &["F3"])
        .at(S1, TP, &["E6"])
        .at(S1, TP, &["F4"]);
    let table = table.goods(S1, 9, 9, 0).play(S1, &upgrade("F4", TE));
    assert_eq!(table.state.open_towns(), 1);
}

fn mermaids_around_r18() -> Table {
    Table::of(&[Mermaids, Nomads])
        .at(S1, TP, &["D5", "E8"])
        .at(S1, SH, &["D6"])
        .at(S1, D, &["C4"])
}

#[test]
fn tm_12_43_a_town_over_a_river() {
    let table = mermaids_around_r18().play(S1, &river_town("r18"));
    let town = &table.view(Spectator).towns[0];
    assert_eq!(
        (town.spaces.len(), town.river.map(River::id)),
        (4, Some("r18"))
    );
    assert_eq!(table.decision(), Some((S1, Decision::FollowUp)));
}

#[test]
fn tm_6_50_a_river_town_needs_its_own_power_and_lands() {
    let weak = Table::of(&[Mermaids, Nomads]).at(S1, D, &["D5", "E8", "D6", "C4"]);
    weak.refuses(S1, river_town("r18"), "NOT_A_TOWN");
    let joined = mermaids_around_r18().town(S1, Some(TownTile::Tw1), &["C4"]);
    joined.refuses(S1, river_town("r18"), "NOT_A_TOWN");
}

#[test]
fn tm_6_1_a_follow_up_that_is_not_due_is_no_answer() {
    let table = Table::of(&[Nomads, Witches]).favor_owed(1);
    assert!(table.allows(S1, favor_tile(FavorTile::Fav1)));
    let step = Action::ChooseCultStep { cult: Fire };
    table.refuses(S1, &step, "WRONG_DECISION");
    let ordain = Action::OrdainPriests { count: 0 };
    table.refuses(S1, &ordain, "WRONG_DECISION");
    let town = town_tile(TownTile::Tw1, &[]);
    table.refuses(S1, &town, "WRONG_DECISION");
    assert_eq!(table.view(Spectator).follow_ups, [FollowUp::FavorTiles(1)]);
}

#[test]
fn tm_12_44_one_key_for_two_tracks() {
    let table = Table::of(&[Nomads, Witches])
        .cults(S1, [9, 9, 3, 0])
        .keys(S1, 1)
        .bowls(S1, [5, 7, 0]);
    let table = table
        .town(S1, None, &[])
        .play(S1, &town_tile(TownTile::Tw5, &[Water]));
    assert_eq!(
        (table.p(S1).cults, table.p(S1).bowls),
        ([9, 10, 4, 1], [2, 10, 0])
    );
    assert_eq!((table.p(S1).keys, table.vp_of(S1)), (0, 33));
}

/// The key may be gone before the tile is chosen: for a favor tile of the same action, for example.
#[test]
fn tm_6_37_without_a_key_no_track_is_named() {
    let table = Table::of(&[Nomads, Witches])
        .cults(S1, [9, 9, 3, 0])
        .keys(S1, 0)
        .town(S1, None, &[]);
    table.refuses(S1, town_tile(TownTile::Tw5, &[Water]), "INVALID_KEY_CHOICE");
    let table = table.play(S1, &town_tile(TownTile::Tw5, &[]));
    assert_eq!(table.p(S1).cults, [9, 9, 4, 1]);
}

/// As many keys as tracks: there is no choice to make.
#[test]
fn tm_6_37_with_a_key_for_each_track_none_is_named() {
    let table = Table::of(&[Nomads, Witches])
        .cults(S1, [9, 9, 3, 0])
        .keys(S1, 2)
        .town(S1, None, &[]);
    table.refuses(
        S1,
        town_tile(TownTile::Tw5, &[Fire, Water]),
        "INVALID_KEY_CHOICE",
    );
    let table = table.play(S1, &town_tile(TownTile::Tw5, &[]));
    assert_eq!((table.p(S1).cults, table.p(S1).keys), ([10, 10, 4, 1], 0));
}

fn cultists_build() -> Table {
    let table = Table::of(&[Cultists, Nomads, Witches]).at(S1, D, &["E6"]);
    table.terrain("F3", Plains).goods(S1, 9, 9, 0)
}

/// A table at which the Nomads beside F3 have all their power in bowl III.
fn beside_a_full_neighbor() -> Table {
    cultists_build().at(S2, D, &["G2"]).bowls(S2, [0, 0, 9])
}

#[test]
fn tm_12_45_somebody_accepts_so_the_cultists_step() {
    let table = cultists_build()
        .at(S2, D, &["G2"])
        .at(S3, D, &["F4"])
        .play(S1, &build("F3"));
    let table = table.play(S2, &REFUSE).play(S3, &ACCEPT);
    assert_eq!(table.decision(), Some((S1, Decision::FollowUp)));
    let table = table.play(S1, &Action::ChooseCultStep { cult: Air });
    assert_eq!(table.p(S1).cults, [1, 0, 1, 1]);
}

#[test]
fn tm_12_46_all_refuse_so_the_cultists_gain_power() {
    let table = cultists_build()
        .at(S2, D, &["G2"])
        .play(S1, &build("F3"))
        .play(S2, &REFUSE);
    assert_eq!(table.p(S1).bowls, [4, 8, 0]);
    assert_eq!(
        (table.p(S1).cults, table.decision()),
        ([1, 0, 1, 0], Some((S1, Decision::Turn)))
    );
}

#[test]
fn tm_12_47_a_neighbor_that_can_gain_nothing_brings_the_cultists_power() {
    let table = beside_a_full_neighbor().play(S1, &build("F3"));
    assert_eq!(table.decision(), Some((S1, Decision::Turn)));
    assert_eq!(
        (table.p(S1).bowls, table.p(S1).cults),
        ([4, 8, 0], [1, 0, 1, 0])
    );
    assert_eq!(
        table.sentences().last().map(String::as_str),
        Some("Seat 1 receives 1 power because no neighbor took power.")
    );
}

#[test]
fn tm_12_63_with_the_option_only_a_refusal_brings_the_cultists_power() {
    let table = beside_a_full_neighbor().cultist_power_needs_offer();
    let built = table.clone().play(S1, &build("F3"));
    assert_eq!(
        (built.p(S1).bowls, built.decision()),
        ([5, 7, 0], Some((S1, Decision::Turn)))
    );
    let refused = table.bowls(S2, [0, 1, 9]).play(S1, &build("F3"));
    assert_eq!(refused.play(S2, &REFUSE).p(S1).bowls, [4, 8, 0]);
}

#[test]
fn tm_12_64_nobody_beside_the_cultists_brings_them_nothing() {
    let table = cultists_build().at(S2, D, &["A5"]).play(S1, &build("F3"));
    assert_eq!(
        (table.p(S1).bowls, table.p(S1).cults),
        ([5, 7, 0], [1, 0, 1, 0])
    );
}

#[test]
fn tm_12_65_spades_are_bought_beside_a_free_one_that_does_not_reach_home() {
    let table = nomads_on_f3().bowls(S1, [0, 8, 4]).goods(S1, 3, 0, 0);
    let table = table.play(S1, &act5(&[("F4", Swamp)], ""));
    assert_eq!(
        (table.terrain_of("F4"), table.goods_of(S1)),
        (Swamp, (0, 0, 0))
    );
}

#[test]
fn tm_12_48_a_double_turn_ends_with_the_pass() {
    let table = Table::of(&[ChaosMagicians, Nomads])
        .at(S1, SH, &["D4"])
        .at(S2, D, &["A5"]);
    let table = table.terrain("E7", Wasteland).goods(S1, 9, 9, 0);
    let table = table
        .play(S1, &special(SpecialUse::DoubleTurn))
        .play(S1, &build("E7"));
    table.refuses(S1, &Action::EndTurn, "MAIN_ACTION_REQUIRED");
    let table = table.play(S1, &pass(BonusCard::Bon4));
    assert_eq!(table.decision(), Some((S2, Decision::Turn)));
    assert!(table.piece("E7").is_some());
}

#[test]
fn tm_12_57_the_swarmlings_found_a_town() {
    let table = Table::of(&[Swarmlings, Nomads])
        .goods(S1, 0, 0, 0)
        .town(S1, None, &[])
        .keys(S1, 1);
    let table = table
        .tile(ScoringTile::Score2)
        .play(S1, &town_tile(TownTile::Tw1, &[]));
    assert_eq!((table.vp_of(S1), table.goods_of(S1)), (30, (3, 6, 0)));
}

#[test]
fn tm_12_58_the_auren_stronghold() {
    let table = Table::of(&[Auren, Nomads])
        .at(S1, TP, &["F4"])
        .goods(S1, 9, 9, 0);
    let table = table.tile(ScoringTile::Score4).play(S1, &upgrade("F4", SH));
    assert_eq!(table.vp_of(S1), 25);
    assert!(table.allows(S1, favor_tile(FavorTile::Fav1)));
}

#[test]
fn tm_12_59_the_neighbor_decides_before_the_favor_tile() {
    let table = Table::of(&[Nomads, Witches])
        .at(S1, TP, &["F3"])
        .at(S2, D, &["F4"])
        .goods(S1, 9, 9, 0);
    let table = table.play(S1, &upgrade("F3", TE));
    assert_eq!(table.decision(), Some((S2, Decision::PowerDecision)));
    assert_eq!(
        table.play(S2, &REFUSE).decision(),
        Some((S1, Decision::FollowUp))
    );
}

#[test]
fn tm_12_60_no_priest_is_left_for_the_power_action() {
    let table = Table::of(&[Witches, Nomads])
        .priests_on_cults(S1, 7)
        .bowls(S1, [0, 4, 3]);
    let table = table.play(S1, &power(PowerUse::Priest));
    assert_eq!((table.p(S1).bowls, table.p(S1).priests), ([3, 4, 0], 0));
}

#[test]
fn tm_12_62_a_conversion_between_transformation_and_dwelling() {
    let table = Table::of(&[Alchemists, Nomads])
        .at(S1, SH, &["E5"])
        .goods(S1, 4, 0, 0)
        .bowls(S1, [0, 4, 2]);
    let table = table.play(S1, &transform(&[("E4", Swamp)], ""));
    assert_eq!(table.p(S1).bowls, [0, 2, 4]);
    table.refuses(S1, late("E4"), "CANNOT_AFFORD");
    let table = table
        .play(S1, &convert(Conversion::PowerToCoin, 2))
        .play(S1, &late("E4"));
    assert_eq!(
        (table.goods_of(S1), table.p(S1).bowls),
        ((0, 0, 0), [2, 2, 2])
    );
    assert_eq!(table.piece("E4"), Some((S1, D)));
    table.refuses(S1, late("E4"), "BUILD_SPACE_NOT_TRANSFORMED");
}

#[test]
fn special_actions_of_every_stronghold() {
    let owners = [
        (Auren, SpecialAction::ActA),
        (Witches, SpecialAction::ActW),
        (Swarmlings, SpecialAction::ActS),
        (ChaosMagicians, SpecialAction::ActC),
        (Giants, SpecialAction::ActG),
        (Nomads, SpecialAction::ActN),
    ];
    for (faction, action) in owners {
        let other = if faction.home() == Plains {
            Nomads
        } else {
            Halflings
        };
        let table = Table::of(&[faction, other]).at(S1, SH, &["E6"]);
        assert!(table.state.has_stronghold(S1));
        assert_eq!(faction.sheet().stronghold_action, Some(action));
    }
    let table = Table::of(&[Auren, Nomads])
        .at(S1, SH, &["F4"])
        .cults(S1, [0, 9, 0, 8]);
    table.refuses(S1, special(SpecialUse::CultSteps(Water)), "NO_EFFECT");
    let table = table.play(S1, &special(SpecialUse::CultSteps(Air)));
    assert_eq!(table.p(S1).cults, [0, 9, 0, 9]);
    table
        .turn(S1)
        .refuses(S1, special(SpecialUse::CultSteps(Earth)), "ACTION_TAKEN");
    let table = Table::of(&[Swarmlings, Nomads])
        .at(S1, SH, &["E4"])
        .at(S1, D, &["E3"])
        .goods(S1, 0, 0, 0);
    let free = special(SpecialUse::FreeTradingHouse(space("E3")));
    assert_eq!(table.play(S1, &free).piece("E3"), Some((S1, TP)));
    assert!(priest(Fire, PriestSlot::Two) != priest(Fire, PriestSlot::Three));
}
