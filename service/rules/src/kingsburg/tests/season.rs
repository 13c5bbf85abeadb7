//! Buildings and the ends of seasons (KIN-12d, second half). Where autumn ends, a player keeps two goods, so that the
//! table stops to ask about a soldier before winter.

use super::table::*;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse};
use gamekeeper_rules::kingsburg::data::{Advisor, Building, Good, Phase};
use gamekeeper_rules::kingsburg::event::Event;
use gamekeeper_rules::kingsburg::state::Envoy;

fn sell(good: Good) -> Action {
    Action::TownHallSellGood { good: Some(good) }
}

#[test]
fn kin_ac_57_crane_and_town_hall_in_one_season() {
    let mut table = Table::of(4)
        .envoy(EVA, EnvoyUse::SecondBuilding)
        .built(EVA, &[Building::Barricade])
        .goods(EVA, (1, 2, 2))
        .goods(ANNA, (2, 0, 0))
        .build();
    table.play(EVA, build(Building::Crane));
    assert_eq!(table.goods_of(EVA), (1, 1, 1));
    table.play(EVA, build(Building::TownHall));
    assert_eq!((table.goods_of(EVA), table.vp_of(EVA)), ((0, 0, 0), 3));
    table.play(ANNA, Action::PassBuild);
    assert!(table.forced(EVA, Action::TownHallTakeToken));
    assert!(table.happened(&Event::TownHallToken { seat: EVA }));
    assert_eq!(table.plus2_of(EVA), 1);
}

#[test]
fn kin_ac_58_missing_before_unaffordable() {
    let table = Table::of(4)
        .built(EVA, &[Building::Barricade])
        .goods(EVA, (1, 2, 2))
        .build();
    table.refuses(EVA, build(Building::TownHall), "PREREQUISITE_MISSING");
    table.refuses(EVA, build(Building::Statue), "CANNOT_AFFORD");
}

#[test]
fn kin_ac_59_the_crane_saves_a_gold() {
    let mut table = Table::of(4)
        .rows(EVA, [2, 0, 0, 0, 2])
        .goods(EVA, (2, 1, 2))
        .build();
    let before = table.vp_of(EVA);
    table.play(EVA, build(Building::Church));
    assert_eq!(table.goods_of(EVA), (0, 0, 0));
    let reward = i16::from(table.happened(&Event::KingsRewardGiven { seat: EVA }));
    assert_eq!(table.vp_of(EVA) - reward, before + 7);
}

#[test]
fn kin_ac_60_the_guild_pays_from_the_next_season_on() {
    let mut table = Table::of(4)
        .rows(EVA, [0, 3, 0, 0, 0])
        .goods(EVA, (3, 1, 2))
        .build();
    table.play(EVA, build(Building::MerchantsGuild));
    assert_eq!(table.state.phase, Phase::Summer);
    assert_eq!(table.goods_of(EVA), (1, 0, 0));
    let place = |wanted: &dyn Fn(&Event) -> bool| table.log.events.iter().position(wanted);
    let income = place(&|event| matches!(event, Event::GuildIncome { seat: EVA }));
    let roll = place(&|event| matches!(event, Event::DiceRolled { .. }));
    let summer = place(&|event| {
        matches!(
            event,
            Event::PhaseBegan {
                phase: Phase::Summer,
                ..
            }
        )
    });
    assert!(summer < income && income < roll && summer.is_some());
}

#[test]
fn kin_ac_61_the_inn_gives_a_token_each_summer() {
    let built_in = |season| {
        let table = Table::of(4).goods(EVA, (1, 1, 0));
        let mut table = table.goods(ANNA, (2, 0, 0)).build();
        table.state.phase = season;
        table.play(EVA, build(Building::Inn));
        table.play(ANNA, Action::PassBuild);
        table
    };
    assert_eq!(built_in(Phase::Summer).plus2_of(EVA), 1);
    let autumn = built_in(Phase::Autumn);
    assert_eq!(autumn.plus2_of(EVA), 0);
    assert_eq!(autumn.season_end(Phase::Summer).plus2_of(EVA), 1);
}

#[test]
fn kin_ac_62_the_embassy_works_in_its_first_season() {
    let mut table = Table::of(4)
        .rows(EVA, [0, 0, 0, 0, 3])
        .goods(EVA, (1, 2, 2))
        .goods(ANNA, (2, 0, 0))
        .build();
    table.state.phase = Phase::Autumn;
    let before = table.vp_of(EVA);
    table.play(EVA, build(Building::Embassy));
    assert_eq!(table.vp_of(EVA), before + 4);
    table.play(ANNA, Action::PassBuild);
    // The Town Hall asks only players with goods; the Embassy comes before it.
    assert_eq!(table.vp_of(EVA), before + 4 + 1);
}

#[test]
fn kin_ac_63_the_town_hall_buys_a_good() {
    let mut table = Table::of(4)
        .built(
            EVA,
            &[Building::Barricade, Building::Crane, Building::TownHall],
        )
        .goods(EVA, (1, 0, 0))
        .goods(ANNA, (2, 0, 0))
        .vp(EVA, 0)
        .season_end(Phase::Autumn);
    assert_eq!(table.asked(), Some((EVA, "town_hall")));
    table.refuses(EVA, sell(Good::Wood), "GOOD_NOT_OWNED");
    table.refuses(EVA, Action::TownHallSellGood { good: None }, "UNKNOWN_ID");
    table.play(EVA, sell(Good::Gold));
    assert_eq!((table.vp_of(EVA), table.goods_of(EVA)), (1, (0, 0, 0)));
    assert_eq!(table.plus2_of(EVA), 0, "token or sale, not both");
}

#[test]
fn kin_ac_64_everybody_has_the_most_of_nothing() {
    let table = Table::of(4).begin(Phase::KingsReward);
    for seat in table.state.players.seats() {
        assert_eq!(table.vp_of(seat), 1);
    }
}

#[test]
fn kin_ac_65_an_envoy_for_nothing() {
    let mut table = Table::of(4)
        .goods(ANNA, (2, 0, 0))
        .goods(DAVID, (1, 0, 0))
        .goods(BELA, (1, 0, 0))
        .begin(Phase::KingsEnvoy);
    assert_eq!(table.asked(), Some((EVA, "envoy_declaration")));
    let purpose = Some(EnvoyUse::Nothing);
    table.play(EVA, Action::DeclareEnvoy { purpose });
    assert_eq!(table.state.envoy.holder(), None);
    assert_eq!(table.state.envoy.build_actions(EVA), 1);
    let table = table.group(BELA, Advisor::Jester);
    table.refuses(EVA, place(1, &[0]), "ADVISOR_OCCUPIED");
    table.refuses(EVA, with_envoy(1, &[0]), "ENVOY_NOT_AVAILABLE");
    // The next phase 5 gives the envoy again.
    let table = table.season_end(Phase::Autumn);
    assert_eq!(table.state.envoy, Envoy::OnBoard);
    let table = table.begin(Phase::KingsEnvoy);
    assert_eq!(table.state.envoy, Envoy::Undeclared(EVA));
}

#[test]
fn kin_ac_66_no_building_twice_and_no_castle() {
    let table = Table::of(4)
        .built(EVA, &[Building::Statue])
        .goods(EVA, (9, 9, 9))
        .build();
    table.refuses(EVA, build(Building::Statue), "ALREADY_BUILT");
    table.refuses(EVA, Action::Build { building: None }, "UNKNOWN_ID");
}

#[test]
fn a_pass_gives_up_both_build_actions() {
    let mut table = Table::of(4)
        .envoy(EVA, EnvoyUse::SecondBuilding)
        .goods(EVA, (9, 9, 9))
        .goods(ANNA, (9, 9, 9))
        .build();
    table.play(EVA, Action::PassBuild);
    assert_eq!(table.asked(), Some((ANNA, "build")));
}

#[test]
fn a_player_who_can_afford_nothing_passes() {
    let table = Table::of(4)
        .goods(EVA, (1, 0, 0))
        .goods(ANNA, (0, 1, 0))
        .build();
    assert!(table.forced(EVA, Action::PassBuild));
    assert_eq!(table.asked(), Some((ANNA, "build")));
}

#[test]
fn a_second_build_action_without_goods_is_lost() {
    let mut table = Table::of(4)
        .envoy(EVA, EnvoyUse::SecondBuilding)
        .goods(EVA, (0, 1, 0))
        .goods(ANNA, (0, 1, 0))
        .build();
    table.play(EVA, build(Building::Barricade));
    assert!(table.forced(EVA, Action::PassBuild));
    assert_eq!(table.asked(), Some((ANNA, "build")));
}

/// KIN-16.16: `second_building` ends with the season.
#[test]
fn the_second_building_ends_with_the_season() {
    let table = Table::of(4)
        .envoy(EVA, EnvoyUse::SecondBuilding)
        .goods(EVA, (9, 9, 9))
        .season_end(Phase::Autumn);
    assert_eq!(table.state.envoy, Envoy::OnBoard);
    let mut spring = table.build();
    spring.play(EVA, build(Building::Barricade));
    assert_ne!(spring.asked(), Some((EVA, "build")));
}

/// KIN-16.16: the Crane gives nothing in columns 1 and 2.
#[test]
fn the_crane_saves_nothing_in_the_first_columns() {
    let table = |gold| {
        Table::of(4)
            .rows(EVA, [1, 0, 0, 0, 2])
            .goods(EVA, (gold, 5, 5))
            .build()
    };
    table(2).refuses(EVA, build(Building::Chapel), "CANNOT_AFFORD");
    table(0).refuses(EVA, build(Building::Inn), "CANNOT_AFFORD");
    let mut rich = table(3);
    rich.play(EVA, build(Building::Chapel));
    assert_eq!(rich.goods_of(EVA), (0, 5, 4));
}

#[test]
fn the_crane_saves_a_gold_on_every_building_of_columns_3_and_4() {
    for building in Building::ALL {
        let mut rows = [0, 0, 0, 0, 2];
        let row = building.row_index();
        if row == 4 && building.column() < 3 {
            continue;
        }
        rows[row] = building.column() - 1;
        let mut table = Table::of(4).rows(EVA, rows).goods(EVA, (9, 9, 9)).build();
        table.play(EVA, build(building));
        let cost = building.cost();
        let saved = u8::from(building.column() >= 3);
        let paid = (9 - cost.gold + saved, 9 - cost.wood, 9 - cost.stone);
        // The Merchants' Guild pays its first income, the Town Hall waits.
        let income = u8::from(table.happened(&Event::GuildIncome { seat: EVA }));
        let (gold, wood, stone) = table.goods_of(EVA);
        assert_eq!((gold - income, wood, stone), paid, "{building:?}");
    }
}

#[test]
fn the_town_hall_of_the_first_player_comes_before_the_embassy_of_the_second() {
    let mut table = Table::of(4)
        .rows(EVA, [0, 0, 0, 0, 3])
        .goods(EVA, (1, 0, 0))
        .rows(ANNA, [0, 0, 0, 0, 4])
        .goods(BELA, (2, 0, 0))
        .vp(ANNA, 0)
        .season_end(Phase::Autumn);
    assert_eq!(table.asked(), Some((EVA, "town_hall")));
    assert_eq!(table.vp_of(ANNA), 0);
    table.play(EVA, Action::TownHallTakeToken);
    assert_eq!((table.plus2_of(EVA), table.vp_of(ANNA)), (1, 1));
}
