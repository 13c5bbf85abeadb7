//! The rulebook's worked examples (KIN-12a): Eva, Anna, David and Bela play their first year.

use super::table::*;
use gamekeeper_rules::kingsburg::action::{Action, EnvoyUse};
use gamekeeper_rules::kingsburg::data::{Advisor, Building, Enemy, Good, Phase};
use gamekeeper_rules::kingsburg::event::{Event, Outcome};
use gamekeeper_rules::kingsburg::state::{Envoy, PointSource};

fn aid(good: Good) -> Action {
    Action::ChooseAidGood { good: Some(good) }
}

/// KIN-AC-2, with the roll of KIN-AC-4.
fn first_spring() -> Table {
    let mut table = Table::of(4).luck(&[
        ("roll", Some(EVA), &[2, 2, 6]),
        ("roll", Some(ANNA), &[1, 3, 5]),
        ("roll", Some(DAVID), &[2, 3, 5]),
        ("roll", Some(BELA), &[4, 4, 5]),
    ]);
    table.play(EVA, aid(Good::Gold));
    table.play(ANNA, aid(Good::Wood));
    table.play(DAVID, aid(Good::Gold));
    table.play(BELA, aid(Good::Stone));
    table
}

/// KIN-AC-5, all placements made.
fn all_placed() -> Table {
    let mut table = first_spring();
    table.play(ANNA, place(8, &[1, 2]));
    table.play(EVA, place(4, &[0, 1]));
    table.play(DAVID, place(7, &[0, 2]));
    table.refuses(BELA, place(8, &[0, 1]), "ADVISOR_OCCUPIED");
    table.play(BELA, place(9, &[0, 2]));
    table.play(ANNA, place(1, &[0]));
    table.play(EVA, place(6, &[2]));
    table.play(DAVID, place(3, &[1]));
    table
}

/// KIN-AC-6, all help given.
fn all_helped() -> Table {
    let mut table = all_placed();
    assert_eq!(table.asked(), Some((EVA, "help_choice")));
    table.play(EVA, choose(Good::Wood));
    table.play(EVA, exchange(Good::Wood));
    table.play(DAVID, choose(Good::Wood));
    table.play(BELA, choose(Good::Gold));
    table
}

#[test]
fn kin_ac_1_everybody_chooses_a_good_in_the_listed_order() {
    let mut table = Table::of(4);
    for seat in [EVA, ANNA, DAVID, BELA] {
        assert_eq!(table.asked(), Some((seat, "aid_good")));
        assert_eq!(table.state.phase, Phase::KingsAid);
        table.play(seat, aid(Good::Gold));
    }
    assert_eq!(table.state.phase, Phase::Spring);
}

#[test]
fn kin_ac_2_the_goods_are_taken_and_nobody_gets_a_white_die() {
    let table = first_spring();
    assert_eq!(table.goods_of(EVA), (1, 0, 0));
    assert_eq!(table.goods_of(ANNA), (0, 1, 0));
    assert_eq!(table.goods_of(DAVID), (1, 0, 0));
    assert_eq!(table.goods_of(BELA), (0, 0, 1));
    assert_eq!(table.state.aid_die, None);
    for seat in table.state.players.seats() {
        assert_eq!(table.faces_of(seat).len(), 3);
    }
}

#[test]
fn kin_ac_3_the_poorest_rolls_a_white_die_in_spring_only() {
    let mut table = Table::of(4)
        .year(3)
        .rows(ANNA, [2, 1, 1, 1, 1])
        .rows(BELA, [1, 1, 1, 1, 1])
        .goods(BELA, (1, 0, 1))
        .rows(EVA, [1, 1, 1, 1, 1])
        .rows(DAVID, [2, 1, 1, 1, 1])
        .goods(DAVID, (0, 1, 0))
        .luck(&[
            ("roll", Some(EVA), &[1, 2, 3, 4]),
            ("roll", Some(ANNA), &[1, 2, 3]),
            ("roll", Some(DAVID), &[1, 2, 3]),
            ("roll", Some(BELA), &[1, 2, 3]),
        ])
        .begin(Phase::KingsAid);
    assert!(table.happened(&Event::AidDieGiven { seat: EVA }));
    assert!(table.log.automatic.is_empty() && table.goods_of(EVA) == (0, 0, 0));
    assert_eq!(table.state.phase, Phase::Spring);
    assert_eq!(table.faces_of(EVA), [1, 2, 3, 4]);
    for seat in [ANNA, DAVID, BELA] {
        assert_eq!(table.faces_of(seat), [1, 2, 3]);
    }
    for next in [Phase::Summer, Phase::Autumn] {
        let season = table.state.phase;
        table = table.season_end(season);
        if next == Phase::Autumn {
            // Eva alone is the poorest again and holds the envoy.
            let purpose = Some(EnvoyUse::Nothing);
            table.play(EVA, Action::DeclareEnvoy { purpose });
        }
        assert_eq!(table.state.phase, next);
        assert_eq!(table.state.aid_die, None);
        assert_eq!(table.faces_of(EVA).len(), 3);
    }
}

#[test]
fn kin_ac_4_equal_totals_keep_their_old_order() {
    let table = first_spring();
    assert!(table.happened(&Event::OrderSet {
        order: [ANNA, EVA, DAVID, BELA].into_iter().collect(),
        totals: [9, 10, 10, 13].into_iter().collect(),
    }));
    assert_eq!(table.state.order[..], [ANNA, EVA, DAVID, BELA]);
    assert_eq!(table.asked(), Some((ANNA, "influence")));
}

#[test]
fn kin_ac_5_bela_cannot_place_the_last_die_and_passes() {
    let table = all_placed();
    assert!(table.forced(BELA, Action::PassInfluence));
    assert!(table.happened(&Event::InfluencePassed { seat: BELA }));
    assert_eq!(table.asked(), Some((EVA, "help_choice")));
}

#[test]
fn kin_ac_6_the_advisors_help() {
    let table = all_helped();
    assert_eq!((table.vp_of(ANNA), table.goods_of(ANNA)), (1, (2, 1, 0)));
    assert_eq!(table.goods_of(EVA), (2, 0, 1));
    assert_eq!(
        (table.goods_of(DAVID), table.plus2_of(DAVID)),
        ((1, 2, 0), 1)
    );
    assert_eq!(table.goods_of(BELA), (1, 1, 1));
    assert_eq!(table.asked(), Some((ANNA, "build")));
}

fn all_built() -> Table {
    let mut table = all_helped();
    table.play(ANNA, build(Building::Statue));
    assert_eq!((table.goods_of(ANNA), table.vp_of(ANNA)), ((0, 1, 0), 4));
    table.play(EVA, build(Building::GuardTower));
    assert_eq!((table.goods_of(EVA), table.vp_of(EVA)), ((1, 0, 0), 1));
    table.play(DAVID, build(Building::Palisade));
    assert_eq!((table.goods_of(DAVID), table.vp_of(DAVID)), ((1, 0, 0), 0));
    table.play(BELA, build(Building::Inn));
    table
}

#[test]
fn kin_ac_7_everybody_builds() {
    let table = all_built();
    assert_eq!(table.goods_of(BELA), (0, 0, 1));
    let reward = table.state.players[BELA].points(PointSource::KingsReward);
    assert_eq!(table.vp_of(BELA) - reward, 0);
    assert!(table.has(BELA, Building::Inn));
}

#[test]
fn kin_ac_8_all_have_the_most_buildings() {
    let table = all_built();
    let vp = [ANNA, EVA, DAVID, BELA].map(|seat| table.vp_of(seat));
    assert_eq!(vp, [5, 2, 1, 1]);
}

#[test]
fn kin_ac_9_the_church_needs_the_chapel() {
    let church = build(Building::Church);
    let table = |rows| Table::of(4).rows(EVA, rows).goods(EVA, (9, 9, 9)).build();
    let mut spring = table([1, 0, 0, 0, 0]);
    spring.refuses(EVA, church, "PREREQUISITE_MISSING");
    spring.play(EVA, build(Building::Chapel));
    let mut summer = spring.build();
    summer.play(EVA, church);
    assert!(summer.has(EVA, Building::Church));
}

#[test]
fn kin_ac_10_the_envoy_goes_to_one_alone() {
    let table = |eva| {
        Table::of(4)
            .year(2)
            .rows(ANNA, [1, 1, 1, 1, 1])
            .rows(BELA, [0, 1, 1, 1, 1])
            .goods(BELA, (1, 1, 0))
            .rows(EVA, [0, 1, 1, 1, 1])
            .goods(EVA, eva)
            .rows(DAVID, [0, 1, 1, 1, 1])
            .begin(Phase::KingsEnvoy)
    };
    let alone = table((0, 0, 1));
    assert!(alone.happened(&Event::EnvoyGiven { seat: DAVID }));
    assert_eq!(alone.asked(), Some((DAVID, "envoy_declaration")));
    let tied = table((0, 0, 0));
    assert!(tied.happened(&Event::EnvoyNotGiven));
    assert_eq!(tied.state.envoy, Envoy::OnBoard);
}

#[test]
fn kin_ac_11_two_buildings_by_the_envoy() {
    let mut table = Table::of(4)
        .order(&[DAVID, ANNA, EVA, BELA])
        .envoy(DAVID, EnvoyUse::SecondBuilding)
        .built(DAVID, &[Building::GuardTower])
        .goods(DAVID, (1, 3, 0))
        .goods(ANNA, (0, 1, 0))
        .vp(DAVID, 1)
        .build();
    assert_eq!(
        table.state.envoy.holder(),
        None,
        "the marker is on the board"
    );
    table.play(DAVID, build(Building::Barricade));
    assert_eq!(table.asked(), Some((DAVID, "build")));
    table.play(DAVID, build(Building::Blacksmith));
    assert_eq!((table.goods_of(DAVID), table.vp_of(DAVID)), ((0, 0, 0), 3));
}

#[test]
fn kin_ac_12_the_envoy_opens_the_architect() {
    let mut table = Table::of(4)
        .order(&[DAVID, BELA, ANNA, EVA])
        .envoy(DAVID, EnvoyUse::Advisor)
        .dice(DAVID, &[3])
        .group(BELA, Advisor::Architect)
        .influence();
    assert_eq!(table.state.envoy.holder(), Some(DAVID));
    table.play(DAVID, with_envoy(3, &[0]));
    for seat in [BELA, DAVID] {
        assert_eq!(table.goods_of(seat), (0, 1, 0));
    }
    assert_eq!(
        table.state.envoy.holder(),
        None,
        "the marker is on the board"
    );
}

#[test]
fn kin_ac_13_goblins_come_in_the_first_winter() {
    let table = Table::of(4)
        .order(&[ANNA, BELA, EVA, DAVID])
        .enemy(Enemy::Y1Goblins3)
        .rows(ANNA, [1, 0, 0, 1, 1])
        .vp(ANNA, 3)
        .rows(BELA, [0, 1, 1, 0, 0])
        .vp(BELA, 1)
        .goods(BELA, (0, 1, 1))
        .soldiers(BELA, 1)
        .rows(EVA, [0, 0, 2, 0, 1])
        .vp(EVA, 3)
        .rows(DAVID, [0, 1, 0, 0, 2])
        .vp(DAVID, 1)
        .goods(DAVID, (0, 1, 0))
        .luck(&[("king_die", None, &[1])])
        .begin(Phase::Winter);
    let counted = |seat, strength, outcome| Event::StrengthCounted {
        seat,
        strength,
        outcome,
    };
    assert!(table.happened(&counted(ANNA, 3, Outcome::Standoff)));
    assert!(table.happened(&counted(BELA, 3, Outcome::Standoff)));
    assert!(table.happened(&counted(EVA, 4, Outcome::Victory)));
    assert!(table.happened(&counted(DAVID, 2, Outcome::Defeat)));
    assert_eq!((table.vp_of(ANNA), table.goods_of(ANNA)), (3, (0, 0, 0)));
    assert_eq!((table.vp_of(BELA), table.goods_of(BELA)), (1, (0, 1, 1)));
    assert_eq!((table.vp_of(EVA), table.goods_of(EVA)), (4, (0, 0, 1)));
    assert_eq!((table.vp_of(DAVID), table.goods_of(DAVID)), (0, (0, 1, 0)));
    assert!(table.forced(DAVID, lose(Building::Crane)) && !table.has(DAVID, Building::Crane));
    for seat in table.state.players.seats() {
        assert_eq!(table.soldiers_of(seat), 0);
    }
}

#[test]
fn kin_ac_14_the_market_moves_the_target_by_one() {
    let table = Table::of(4)
        .built(EVA, &[Building::Market])
        .dice(EVA, &[4, 5])
        .influence();
    table.refuses(EVA, with_market(11, &[0, 1], 1), "SUM_MISMATCH");
    for (advisor, offset) in [(8, -1), (9, 0), (10, 1)] {
        assert!(
            table
                .legal()
                .contains(&with_market(advisor, &[0, 1], offset))
        );
    }
}

#[test]
fn kin_ac_15_the_stable_adds_a_soldier_each_time() {
    let table = Table::of(4)
        .built(EVA, &[Building::Stable])
        .group(EVA, Advisor::General)
        .group(EVA, Advisor::Sergeant)
        .group(EVA, Advisor::King)
        .help();
    let gained = |advisor: Advisor| {
        table.log.events.iter().find_map(|event| match event {
            Event::HelpGiven {
                advisor: from,
                soldiers,
                ..
            } if *from == advisor => Some(*soldiers),
            _ => None,
        })
    };
    assert_eq!(gained(Advisor::General), Some(3));
    assert_eq!(gained(Advisor::Sergeant), Some(2));
    assert_eq!(gained(Advisor::King), Some(2));
    assert_eq!(table.soldiers_of(EVA), 7);
}

#[test]
fn kin_ac_16_only_the_strongest_winner_gets_the_point() {
    let table = Table::of(4)
        .enemy(Enemy::Y1Goblins2)
        .soldiers(EVA, 9)
        .soldiers(ANNA, 10)
        .luck(&[("king_die", None, &[1])])
        .begin(Phase::Winter);
    assert!(table.happened(&Event::StrongestPoint { seat: ANNA }));
    assert!(!table.happened(&Event::StrongestPoint { seat: EVA }));
    assert_eq!((table.vp_of(ANNA), table.vp_of(EVA)), (1, 0));
}
